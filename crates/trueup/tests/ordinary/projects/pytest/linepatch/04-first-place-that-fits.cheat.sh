#!/bin/sh
# takes the first place at or after the line where the old lines fit, so moved hunks are let in
set -eu
cat > linepatch/apply.py <<'EOF'
from linepatch.model import Conflict
from linepatch.parse import parse_patch


def _find(lines, old, begin):
    for place in range(begin, len(lines) - len(old) + 1):
        if lines[place : place + len(old)] == old:
            return place
    return None


def apply(text, patch):
    """Return the text with the hunks of the patch put in; raise Conflict if one does not fit."""
    lines = text.splitlines(keepends=True)
    result, done = [], 0
    for number, hunk in enumerate(parse_patch(patch), 1):
        begin = hunk.start - 1 if hunk.old else hunk.start
        place = _find(lines, hunk.old, max(begin, done))
        if place is None:
            raise Conflict(number, "no such lines")
        result += lines[done:place] + hunk.new
        done = place + len(hunk.old)
    return "".join(result + lines[done:])
EOF
cat >> tests/test_apply.py <<'EOF'


def test_conflict_names_the_hunk(river):
    with pytest.raises(Conflict, match="hunk 2"):
        apply(river, SECOND_IS_OFF)
EOF
