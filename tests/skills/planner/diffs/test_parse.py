"""Diffs, read strictly."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.planner.diffs.parse import MAX_DIFF, parsed

FILE = "src/a.py"
HEAD = f"--- a/{FILE}\n+++ b/{FILE}\n"
ONE = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
TWO = "@@ -9,2 +9,3 @@ def f():\n x\n+y\n z\n"
GOOD = HEAD + ONE + TWO
CREATES = f"--- /dev/null\n+++ b/{FILE}\n@@ -0,0 +1,2 @@\n+a\n+b\n"
DELETES = f"--- a/{FILE}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"


def test_a_diff_has_its_hunks_with_their_places_and_lines() -> None:
    made = parsed(GOOD, FILE)
    assert [(hunk.line, hunk.start, hunk.before) for hunk in made.hunks] == [(3, 1, ("a", "b")), (7, 9, ("x", "z"))]
    assert not made.creates
    assert not made.deletes


@pytest.mark.parametrize(("diff", "state"), [(CREATES, (True, False)), (DELETES, (False, True))])
def test_no_file_on_one_side_creates_or_deletes(diff: str, state: tuple[bool, bool]) -> None:
    made = parsed(diff, FILE)
    assert (made.creates, made.deletes) == state


TAKEN = [
    (f"diff --git a/{FILE} b/{FILE}\nindex 83db48f..bf2a1c3 100644\n" + GOOD, "what git writes"),
    (f"diff --git a/{FILE} b/{FILE}\nnew file mode 100755\n" + CREATES, "an executable file"),
    (GOOD.removesuffix("\n"), "no newline at the end"),
    (GOOD + "\n\n", "blank lines at the end"),
    (GOOD.replace(f"a/{FILE}", f"a/{FILE}\t2026-01-01"), "a date"),
    (HEAD + "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a blank line that has lost its blank"),
    (HEAD + "@@ -1 +1 @@\n--- x\n+++ y\n", "lines that look like a header"),
    (HEAD + "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "a newline comes"),
    (HEAD + "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a newline goes"),
    (HEAD + "@@ -3,0 +4,2 @@\n+a\n+b\n", "no context"),
    (HEAD + "@@ -1 +1 @@\n-a\r\n+b\r\n", "CR stays in the lines"),
]


@pytest.mark.parametrize("diff", [row[0] for row in TAKEN], ids=[row[1] for row in TAKEN])
def test_diffs_of_common_tools_are_accepted(diff: str) -> None:
    made = parsed(diff, FILE)
    assert parsed(str(made), FILE).hunks[0].body == made.hunks[0].body


REFUSED = [
    ("", "line 1", "nothing"),
    ("Just do it.\n", "line 1", "prose"),
    ("```diff\n" + GOOD + "```\n", "line 1", "a fence"),
    (GOOD + "```\n", "hunk 2, line 11", "a fence behind it"),
    (ONE, "line 1", "no header"),
    (f"--- a/{FILE}\n" + ONE, "line 2", "half a header"),
    (HEAD, "line 3", "no hunk"),
    (GOOD.replace("-1,2 ", "-1,3 "), "hunk 1, line 3", "too few lines before"),
    (GOOD.replace("+9,3 ", "+9,2 "), "hunk 2, line 7", "too many lines after"),
    (GOOD.replace("+9,3 ", "+10,3 "), "hunk 2, line 7", "a place that does not follow"),
    (GOOD.replace("@@ -9,2", "@@ -2,2"), "hunk 2, line 7", "hunks that overlap"),
    (HEAD + TWO + ONE, "hunk 2, line 7", "hunks out of order"),
    (GOOD.replace("@@ -1,2 +1,2 @@", "@@ -1,2 @@"), "hunk 1, line 3", "a malformed header"),
    (GOOD.replace("@@ -1,2 ", "@@ -١,2 "), "hunk 1, line 3", "digits of another script"),
    (GOOD.replace("\n-b", "\n*b"), "hunk 1, line 5", "a malformed line"),
    (HEAD + "@@ -1 +1 @@\n a\n", "hunk 1, line 3", "no change"),
    (GOOD + GOOD.replace(FILE, "src/b.py"), "line 11", "a second file"),
    (GOOD.replace(FILE, "src/b.py"), "line 1", "another file"),
    (GOOD.replace("+++ b/src/a.py", "+++ b/src/b.py"), "line 2", "a new name"),
    (GOOD.replace("a/src/a.py", "src/a.py"), "line 1", "no prefix"),
    (GOOD.replace(FILE, "../a.py"), "line 1", "out of the project"),
    (GOOD.replace("a/src/a.py", "a//etc/passwd"), "line 1", "an absolute path"),
    (GOOD.replace(FILE, ".git/hooks/pre-commit"), "line 1", "git's own folder"),
    (GOOD.replace("a/src/a.py", '"a/src/a.py"'), "line 1", "a quoted name"),
    ("--- /dev/null\n+++ /dev/null\n" + ONE, "line 1", "no file at all"),
    (
        f"diff --git a/{FILE} b/src/b.py\nsimilarity index 100%\nrename from {FILE}\nrename to src/b.py\n",
        "line 3",
        "a rename",
    ),
    (f"diff --git a/{FILE} b/{FILE}\nold mode 100644\nnew mode 100755\n", "line 2", "a mode"),
    (f"diff --git a/{FILE} b/{FILE}\nnew file mode 120000\n" + CREATES, "line 2", "a link"),
    (f"diff --git a/{FILE} b/{FILE}\nGIT binary patch\nliteral 1\n", "line 2", "binary"),
    (f"diff --git a/{FILE} b/{FILE}\nBinary files a/{FILE} and b/{FILE} differ\n", "line 2", "binary, as a remark"),
    (CREATES.replace("+a", " a").replace("-0,0", "-1,1"), "hunk 1, line 3", "a new file with lines of an old one"),
    (DELETES.replace("-a", "+a").replace("-1 +0,0", "-0,0 +1"), "hunk 1, line 3", "a deleted file that gets lines"),
    (HEAD + "@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n", "hunk 1, line 5", "a malformed last line"),
    (HEAD + "@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", "hunk 1, line 4", "no line before that"),
    (GOOD.replace("-1,2", "-" + "9" * 30 + ",2"), "hunk 1, line 3", "a number without end"),
    ("+" * (MAX_DIFF + 1), f"{MAX_DIFF:,}", "too long"),
]


@pytest.mark.parametrize(("diff", "where"), [row[:2] for row in REFUSED], ids=[row[2] for row in REFUSED])
def test_diff_that_does_not_change_the_file_is_refused_with_its_place(diff: str, where: str) -> None:
    with pytest.raises(ValueError, match=where):
        parsed(diff, FILE)


TEXTS = st.lists(st.sampled_from(["", "a", "b", "-- x", "++ y", "@@ -1 +1 @@", "\\"]), max_size=30)


@given(TEXTS, TEXTS, st.integers(0, 3))
def test_every_difference_that_difflib_writes_is_taken(old: list[str], new: list[str], context: int) -> None:
    lines = list(difflib.unified_diff(old, new, f"a/{FILE}", f"b/{FILE}", n=context, lineterm=""))
    if lines:
        made = parsed("\n".join(lines), FILE)
        changed = [line for hunk in made.hunks for line in hunk.body if line[0] != " "]
        assert changed == [line for line in lines[2:] if line[0] in "+-"]
