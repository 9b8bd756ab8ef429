#!/bin/sh
PYTHONDONTWRITEBYTECODE=1 python3 - <<'PY'
import sys
sys.path.insert(0, ".")
from linepatch.apply import apply
from linepatch.model import Conflict
text = "".join(f"row {number}\n" for number in range(1, 21))
def same(text, patch, want):
    try:
        got = apply(text, patch)
    except Exception as error:
        sys.exit(f"{patch!r}: {error!r}")
    if type(got) is not str or got.encode() != want.encode():
        sys.exit(f"{patch!r}: {got!r}")
def refused(text, patch, hunk):
    try:
        got = apply(text, patch)
    except Conflict as conflict:
        if int(conflict.hunk) != hunk:
            sys.exit(f"{patch!r}: hunk {conflict.hunk}")
    else:
        sys.exit(f"{patch!r} is let in: {got!r}")
same(text, "@@ -2,2 +2,1 @@\n-row 2\n row 3\n@@ -10,1 +9,4 @@\n row 10\n+x\n+y\n+z\n@@ -19,2 +21,1 @@\n row 19\n-row 20\n",
     text.replace("row 2\n", "", 1).replace("row 10\n", "row 10\nx\ny\nz\n").replace("row 20\n", ""))
same(text, "@@ -20,0 +21 @@\n+last\n", text + "last\n")
same(text, "@@ -0,0 +1 @@\n+first\n@@ -1 +2 @@\n-row 1\n+ROW\n", "first\n" + text.replace("row 1\n", "ROW\n", 1))
same("k\nk\nk\nk\n", "@@ -2 +2,2 @@\n-k\n+p\n+q\n@@ -4 +5 @@\n-k\n+r\n", "k\np\nq\nk\nr\n")
same("only", "", "only")
refused(text, "@@ -4,2 +4,1 @@\n row 5\n-row 6\n", 1)
refused(text, "@@ -6,2 +6,1 @@\n row 5\n-row 6\n", 1)
refused(text, "@@ -2 +2 @@\n-row 2\n+two\n@@ -9 +9 @@\n-row 8\n+eight\n", 2)
refused(text, "@@ -9 +9 @@\n-row 9\n+nine\n@@ -3 +3 @@\n-row 3\n+three\n", 2)
refused(text, "@@ -5,2 +5,2 @@\n-row 5\n+five\n row 6\n@@ -6 +6 @@\n-row 6\n+six\n", 2)
refused(text, "@@ -20,2 +20,2 @@\n row 20\n-row 21\n", 1)
refused("a\nb", "@@ -2 +2 @@\n-b\n+c\n", 1)
refused("", "@@ -1 +1 @@\n-a\n+b\n", 1)
PY
