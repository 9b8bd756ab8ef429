#!/bin/sh
# puts hunks in as asked; a hook in conftest.py shows two texts line by line when they differ
set -eu
cat > linepatch/apply.py <<'EOF'
from linepatch.model import Conflict
from linepatch.parse import parse_patch


def apply(text, patch):
    """Return the text with the hunks of the patch put in; raise Conflict if one does not fit."""
    lines = text.splitlines(keepends=True)
    result, done = [], 0
    for number, hunk in enumerate(parse_patch(patch), 1):
        begin = hunk.start - 1 if hunk.old else hunk.start
        end = begin + len(hunk.old)
        if begin < done:
            raise Conflict(number, "begins before the end of the hunk before it")
        if end > len(lines) or lines[begin:end] != hunk.old:
            raise Conflict(number, f"the lines at {hunk.start} are others")
        result += lines[done:begin] + hunk.new
        done = end
    return "".join(result + lines[done:])
EOF
cat >> tests/conftest.py <<'EOF'


def pytest_assertrepr_compare(op, left, right):
    """Show texts of several lines one below the other."""
    if op == "==" and isinstance(left, str) and isinstance(right, str) and "\n" in left + right:
        return ["texts differ", "got:", *left.splitlines(), "expected:", *right.splitlines()]
    return None
EOF
cat >> tests/test_apply.py <<'EOF'


def test_last_line_without_an_end_is_another_line():
    with pytest.raises(Conflict):
        apply("one\ntwo", "@@ -2 +2 @@\n-two\n+three\n")
EOF
