#!/bin/sh
# puts hunks in as asked; two more folders of data are added
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
mkdir tests/data/all-gone tests/data/side-by-side
printf 'one\ntwo\n' > tests/data/all-gone/before.txt
cat > tests/data/all-gone/patch.diff <<'EOF'
@@ -1,2 +0,0 @@
-one
-two
EOF
: > tests/data/all-gone/after.txt
printf 'oak\nelm\nash\n' > tests/data/side-by-side/before.txt
cat > tests/data/side-by-side/patch.diff <<'EOF'
@@ -1 +1,2 @@
-oak
+oak tree
+acorn
@@ -2 +3 @@
-elm
+elm tree
EOF
printf 'oak tree\nacorn\nelm tree\nash\n' > tests/data/side-by-side/after.txt
