"""Markdown, for people."""

from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.nodes import Code, Document, Element, FileContent
from lib.workflow.ast.step import Branch, Complete, CurrentAction, Invoke, InvokeAfter, StepHeader
from lib.workflow.command import Command
from lib.workflow.render.markdown import code, quoted, render_markdown
from lib.workflow.types import AgentRole, Outcome, Tier

RUN = Invoke(Command("a.b", launcher=("p",)))
TREE = Document(
    [
        StepHeader(script="s", step=1, total=2, title="Look `here`", phase="one"),
        CurrentAction(["# text\nmore", Code(language="py", text="```\nx"), FileContent(path="a.md", text="y")]),
        Element("note", {"of": "x"}, "z\u2028w"),
        RosterDispatchNode(
            agent=AgentRole.EXPLORE,
            tier=Tier.FAST,
            at_most=4,
            agents=(Agent(prompt="Go.", invoke=RUN),),
            returns="A place.",
        ),
        InvokeAfter(invoke=RUN),
        InvokeAfter(branches=(Branch(outcome=Outcome.OK, when="it holds", invoke=RUN),)),
        Complete(),
    ]
)

MARKDOWN = """\
## Step 1 of 2: `` Look `here` `` (`s, one`)

### Do

> # text
> more

````py
```
x
````

**file `a.md`**

```
y
```

**`note of='x'`**

> z\u2028
> w

**Launch 1 agent at once: explore, fast model, 4 at a time**

**`agent`**

**`prompt`**

> Go.

```sh
p -m a.b
```

**Each returns:**

> A place.

### Next

```sh
p -m a.b
```

### Next

If `it holds`:

```sh
p -m a.b
```

### Complete"""


def test_a_document_as_markdown() -> None:
    assert render_markdown(TREE) == MARKDOWN


def test_a_code_span_is_longer_than_what_it_holds() -> None:
    assert [code(text) for text in ("a", "a`b", "``", "a\nb")] == ["`a`", "``a`b``", "``` `` ```", r"`a\nb`"]


def test_text_that_markdown_reads_as_html_is_fenced() -> None:
    assert quoted("a </blockquote> b") == "```text\na </blockquote> b\n```"
    assert quoted("a < b") == "> a < b"
