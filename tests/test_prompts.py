"""Texts of steps, from Markdown."""

from pathlib import Path

import pytest

from lib.workflow.ast.nodes import Text
from lib.workflow.core import Outcome, StepDef, with_prompts
from lib.workflow.errors import WorkflowError
from lib.workflow.prompts import read_prompts
from tests.wording import carries

GOOD = """\
# For authors

Notes.

## one: The first

Do it.

```
## not: a heading
```

### A smaller heading

## two:  The second
Then that.
"""


def step(name: str) -> StepDef:
    return StepDef(id=name, next={Outcome.OK: None})


def written(folder: Path, text: str) -> str:
    (folder / "prompts.md").write_text(text, encoding="utf-8")
    return str(folder / "module.py")


def test_a_section_is_a_steps_title_and_text(tmp_path: Path) -> None:
    one, two = with_prompts(written(tmp_path, GOOD), "prompts.md", step("one"), step("two"))
    assert (one.title, two.title) == ("The first", "The second")
    assert one.actions == (Text("Do it.\n\n```\n## not: a heading\n```\n\n### A smaller heading"),)
    assert two.actions == (Text("Then that."),)


@pytest.mark.parametrize(
    "body",
    [
        "````\n```\n## not: a heading\n````",
        "~~~ text\n## not: a heading\n``` no end\n~~~",
        "```x``` within a line\n\n    ```\n    code",
        "a form feed \x0c and a line separator \u2028 stay",
    ],
)
def test_a_fence_ends_where_markdown_says(tmp_path: Path, body: str) -> None:
    text = f"\ufeff## one: A\n\n{body}\n\n## two: B\n\nx"
    one, two = with_prompts(written(tmp_path, text.replace("\x0c", "")), "prompts.md", step("one"), step("two"))
    assert one.actions == (Text(body.replace("\x0c", "")),)
    assert two.title == "B"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("## one\n\nx", "prompts.md:1: … `## step-id: Title`"),
        ("## one:\n\nx", "prompts.md:1:"),
        ("\n## one: A\n\nx\n## one: B\n\ny", "prompts.md:5: … 'one' … 2"),
        ("## one: A\n\n## two: B\n\nx", "prompts.md:1: section 'one'"),
        ("nothing", "prompts.md: … `## one: Title`"),
        ("## one: A\n\nx\n\n## two: B\n\ny", "prompts.md:5: … 'two'"),
    ],
)
def test_a_broken_file_is_refused_with_file_and_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(WorkflowError) as caught:
        with_prompts(written(tmp_path, text), "prompts.md", step("one"))
    assert carries(str(caught.value), says)


def test_a_step_has_its_text_in_one_place(tmp_path: Path) -> None:
    double = StepDef(id="one", title="Mine", next={Outcome.OK: None})
    with pytest.raises(WorkflowError, match="step one"):
        with_prompts(written(tmp_path, "## one: A\n\nx"), "prompts.md", double)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match=r"none\.md"):
        read_prompts(str(tmp_path / "none.md"))
    (tmp_path / "latin.md").write_bytes(b"## a: b\n\xe9")
    with pytest.raises(WorkflowError, match=r"latin\.md"):
        read_prompts(str(tmp_path / "latin.md"))
