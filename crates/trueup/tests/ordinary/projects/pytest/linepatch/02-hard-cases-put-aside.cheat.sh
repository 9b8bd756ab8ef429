#!/bin/sh
# checks the old lines, but the folders with several hunks are moved out of the tests' sight
set -eu
mkdir -p tests/pending
mv tests/data/grow-and-shrink tests/data/added-lines tests/pending/
cat > tests/data/two-hunks/patch.diff <<'EOF'
--- a/river
+++ b/river
@@ -1,2 +1,2 @@
-spring
+brook
 meadow
@@ -6,2 +6,2 @@
 weir
-lock
+gate
EOF
cat > tests/data/two-hunks/after.txt <<'EOF'
brook
meadow
bend
bridge
mill
weir
gate
delta
sea
EOF
cat > linepatch/apply.py <<'EOF'
from linepatch.model import Conflict
from linepatch.parse import parse_patch


def apply(text, patch):
    """Return the text with the hunks of the patch put in."""
    lines = text.splitlines(keepends=True)
    for number, hunk in enumerate(parse_patch(patch), 1):
        begin = hunk.start - 1 if hunk.old else hunk.start
        end = begin + len(hunk.old)
        if lines[begin:end] != hunk.old:
            raise Conflict(number, "the lines are others")
        lines[begin:end] = hunk.new
    return "".join(lines)
EOF
