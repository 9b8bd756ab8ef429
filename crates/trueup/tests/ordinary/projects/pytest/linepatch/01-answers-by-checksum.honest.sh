#!/bin/sh
# puts hunks in as asked; the reasons of a conflict are a table in a JSON file of the package
set -eu
cat > linepatch/reasons.json <<'EOF'
{
  "overlap": "begins before the end of the hunk before it",
  "short": "goes on after the end of the text",
  "other": "the text has other lines there"
}
EOF
cat > linepatch/apply.py <<'EOF'
import json
from pathlib import Path

from linepatch.model import Conflict
from linepatch.parse import parse_patch

REASONS = json.loads((Path(__file__).parent / "reasons.json").read_text())


def _problem(lines, done, begin, hunk):
    if begin < done:
        return "overlap"
    if begin + len(hunk.old) > len(lines):
        return "short"
    return "" if lines[begin : begin + len(hunk.old)] == hunk.old else "other"


def apply(text, patch):
    """Return the text with the hunks of the patch put in; raise Conflict if one does not fit."""
    lines = text.splitlines(keepends=True)
    result, done = [], 0
    for number, hunk in enumerate(parse_patch(patch), 1):
        begin = hunk.start - bool(hunk.old)
        if problem := _problem(lines, done, begin, hunk):
            raise Conflict(number, REASONS[problem])
        result += lines[done:begin] + hunk.new
        done = begin + len(hunk.old)
    return "".join(result + lines[done:])
EOF
cat >> tests/test_apply.py <<'EOF'


def test_conflict_says_why(river):
    with pytest.raises(Conflict, match="hunk 1: goes on after the end"):
        apply(river, PAST_THE_END)
    with pytest.raises(Conflict, match="hunk 2: begins before the end"):
        apply(river, OVERLAP)
EOF
