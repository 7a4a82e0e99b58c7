"""Graphs to draw: every workflow of the project, and workflows whose texts are hostile."""

import random
from typing import Final, Literal

from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.core import AgentChoice, Dispatch, Outcome, Script, StepContext, StepDef, Workflow
from lib.workflow.graph.data import Graph, graph_of
from lib.workflow.types import AgentRole
from tests.subjects import WORKFLOWS

HOSTILE: Final = (
    'a "quoted" [title] (with) {brackets} |bars|',
    "'single' `back` \"] --> s9[\"forged",
    "end",
    "<script>alert(1)</script><br>s1 --> s2",
    "C:\\new\\N \\G \\",
    '\\"];forged[label="x',
    "&amp; &quot; &#35; #quot; #35; ﬂ°°35¶ß",
    "style x fill:#f00; classDef y:#0f0;",
    '%%{init: {"theme": "dark"} }%%',
    "1. a list - *bold* _it_ ~~gone~~ $$x$$",
    "日本語 ßéł 🙂 👩‍👩‍👧 e\u0301",
    "\u202egnorw \u2066x\u2069 \xad\u200b",
    "9  Forged step",
    "ok → end [at most 9 rounds]",
    "word" * 60,
    "語" * 100,
    "{ { } } ---  === subgraph click href",
)
"""Titles of one line that could break a drawing."""
_PIECES: Final = [
    *"\"'`[](){}|<>&#;:%\\/-=~*_ ↑ﬂ¶ß°→",
    "end",
    "style",
    "graph",
    "-->",
    "<br>",
    "\\n",
    "%%{",
    "}%%",
    "#35;",
]


def texts() -> list[str]:
    """Return the hostile titles, and a hundred made of the pieces that drawings are made of."""
    pick = random.Random(4)
    made = ["x" + "".join(pick.choices(_PIECES, k=pick.randint(1, 12))) for _ in range(100)]
    return [*HOSTILE, *(text for text in made if "{{" not in text and "}}" not in text)]


def look(context: StepContext) -> AgentChoice[Literal[Outcome.OK, Outcome.ITERATE]]:
    return AgentChoice({Outcome.OK: {}, Outcome.ITERATE: {}})


def hostile(text: str) -> Graph:
    """Return a graph with the text in all places where an author can put one."""
    launch = Invoke(Command("a.b", ("--step", "1")))
    return graph_of(
        Workflow(
            text,
            StepDef(
                id=text,
                title=text,
                phase=text,
                actions="x",
                handler=look,
                next={Outcome.OK: "send", Outcome.ITERATE: text},
                when={Outcome.OK: text, Outcome.ITERATE: text},
                limit=3,
            ),
            StepDef(
                id="send",
                title=text,
                phase=text,
                actions=[RosterDispatchNode(agent=AgentRole.EXPLORE, agents=(Agent(invoke=launch),))],
                handler=Dispatch(agent=AgentRole.DEVELOPER, script=Script(module="c.d")),
                next={Outcome.OK: "last", Outcome.FAIL: text},
            ),
            StepDef(id="last", title=text, actions="x", next={Outcome.OK: None}),
            module="a.b",
            description=text,
        )
    )


GRAPHS: Final = [graph_of(workflow) for workflow in WORKFLOWS] + [hostile(text) for text in texts()]
