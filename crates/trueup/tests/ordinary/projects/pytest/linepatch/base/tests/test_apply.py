import pytest

from linepatch.apply import apply
from linepatch.model import Conflict

OTHER_CONTEXT = "@@ -2,2 +2,2 @@\n meadows\n-bends\n+curves\n"
OTHER_REMOVED = "@@ -3 +3 @@\n-bends\n+curve\n"
PAST_THE_END = "@@ -9,2 +9,2 @@\n delta\n-sea\n+ocean\n"
SECOND_IS_OFF = "@@ -1 +1,2 @@\n-spring\n+source\n+spring\n@@ -5,2 +6,1 @@\n mill\n-wier\n"
OVERLAP = "@@ -2,2 +2,2 @@\n meadow\n-bend\n+curve\n@@ -3,2 +3,1 @@\n-bend\n bridge\n"


def test_folder(case):
    before, patch, after = ((case / name).read_text() for name in ("before.txt", "patch.diff", "after.txt"))
    assert apply(before, patch) == after


def test_no_hunks(river):
    assert apply(river, "--- a/river\n+++ b/river\n") == river


def test_lines_are_added_to_an_empty_text():
    assert apply("", "@@ -0,0 +1,2 @@\n+one\n+two\n") == "one\ntwo\n"


def test_lines_are_added_after_the_line_that_is_named(river):
    lines = apply(river, "@@ -3,0 +4 @@\n+ford\n").splitlines()
    assert lines[1:5] == ["meadow", "bend", "ford", "bridge"]


@pytest.mark.parametrize(
    "patch, hunk",
    [(OTHER_CONTEXT, 1), (OTHER_REMOVED, 1), (PAST_THE_END, 1), (SECOND_IS_OFF, 2), (OVERLAP, 2)],
    ids=["other context", "other removed", "past the end", "second is off", "overlap"],
)
def test_hunk_that_does_not_fit_is_refused(river, patch, hunk):
    with pytest.raises(Conflict) as caught:
        apply(river, patch)
    assert caught.value.hunk == hunk


def test_equal_lines_are_told_apart_by_the_number():
    text = "red\nblue\nred\nblue\n"
    assert apply(text, "@@ -3,2 +3,2 @@\n-red\n+green\n blue\n") == "red\nblue\ngreen\nblue\n"
    assert apply(text, "@@ -1,2 +1,2 @@\n-red\n+green\n blue\n") == "green\nblue\nred\nblue\n"
