from linepatch.model import Hunk
from linepatch.parse import parse_patch
from linepatch.stat import stat

PATCH = """--- a/list
+++ b/list
@@ -4,2 +4,3 @@ fruit
 apple
-pear
+plum
+fig
@@ -9 +10 @@
-end
+END
"""


def test_hunks_are_read():
    assert parse_patch(PATCH) == [
        Hunk(4, ["apple\n", "pear\n"], ["apple\n", "plum\n", "fig\n"]),
        Hunk(9, ["end\n"], ["END\n"]),
    ]


def test_nothing_to_read():
    assert parse_patch("") == []


def test_stat():
    assert stat(PATCH) == "2 hunks, 3 lines to find, 4 lines after"
