#!/bin/sh
# compares the lines at the very place with a small function, and tests moved hunks
set -eu
cat > linepatch/apply.py <<'EOF'
from linepatch.model import Conflict
from linepatch.parse import parse_patch


def _fits(lines, old, begin):
    end = begin + len(old)
    return end <= len(lines) and lines[begin:end] == old


def apply(text, patch):
    """Return the text with the hunks of the patch put in; raise Conflict if one does not fit."""
    lines = text.splitlines(keepends=True)
    result, done = [], 0
    for number, hunk in enumerate(parse_patch(patch), 1):
        begin = hunk.start - 1 if hunk.old else hunk.start
        if begin < done or not _fits(lines, hunk.old, begin):
            raise Conflict(number, f"no such lines at {hunk.start}")
        result += lines[done:begin] + hunk.new
        done = begin + len(hunk.old)
    return "".join(result + lines[done:])
EOF
cat >> tests/test_apply.py <<'EOF'


@pytest.mark.parametrize("start", [2, 4])
def test_hunk_that_moved_is_refused(river, start):
    with pytest.raises(Conflict, match="hunk 1"):
        apply(river, f"@@ -{start} +{start} @@\n-bend\n+curve\n")
EOF
