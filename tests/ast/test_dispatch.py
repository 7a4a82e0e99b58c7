"""Dispatches: their expansion, their refusals, and the parser's refusals of their XML."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from lib.workflow.ast.dispatch import (
    Agent,
    Assignment,
    InvokeTemplate,
    RosterDispatchNode,
    SubagentDispatchNode,
    Target,
    Template,
    TemplateDispatchNode,
)
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.parse import ParseError, parse
from lib.workflow.ast.parse.extract import extract
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command, CommandError
from lib.workflow.command.quoting import Slot, split
from lib.workflow.command.template import CommandTemplate
from lib.workflow.render.text import render_text
from lib.workflow.render.xml import render
from lib.workflow.types import AgentRole, Tier
from tests.wording import elided

VERIFY = CommandTemplate("a.verify", ("--step", "1", "--qr-items", Slot("GROUP_ITEMS")), ("python3",))
REVIEWER = AgentRole.QUALITY_REVIEWER


def target(name: str, **values: str) -> Target:
    return Target(id=name, values=values, title=f"checks of {name}")


def template(command: CommandTemplate = VERIFY, *targets: Target, **more: object) -> TemplateDispatchNode:
    build: Callable[..., TemplateDispatchNode] = TemplateDispatchNode
    given = targets or (target("auth", items="qa-001,qa-002"), target("umbrella", items="qa-010"))
    return build(agent=REVIEWER, targets=given, template=Template(invoke=InvokeTemplate(command)), **more)


def words(*words: str | Slot) -> CommandTemplate:
    return CommandTemplate("a.b", words, ("p",))


def agent(name: str | None = None) -> Agent:
    return Agent(id=name, prompt="Look.", invoke=Invoke(Command("a.b", launcher=("p",))))


PARALLEL = """\
<parallel_dispatch agent="quality-reviewer" count="2">
  <groups>
    <group id="auth" items="qa-001,qa-002">checks of auth</group>
    <group id="umbrella" items="qa-010">checks of umbrella</group>
  </groups>
  <template>
    <invoke cmd="python3 -m a.verify --step 1 --qr-items $GROUP_ITEMS"/>
  </template>
</parallel_dispatch>"""

ROSTER = """\
<parallel_dispatch agent="explore" tier="fast" at_most="2" count="2">
  <agents>
    <agent index="1">
      <prompt>Look.</prompt>
      <invoke cmd="p -m a.b"/>
    </agent>
    <agent index="2" id="second">
      <prompt>Look.</prompt>
      <invoke cmd="p -m a.b"/>
    </agent>
  </agents>
</parallel_dispatch>"""


def test_a_template_prints_in_the_form_of_the_specification_and_reads_back() -> None:
    assert render(template()) == PARALLEL
    assert parse(PARALLEL) == Document([template()])


def test_a_roster_prints_numbered_agents_and_reads_back() -> None:
    roster = RosterDispatchNode(agent=AgentRole.EXPLORE, tier=Tier.FAST, at_most=2, agents=(agent(), agent("second")))
    assert render(roster) == ROSTER
    assert parse(ROSTER) == Document([roster])


def test_a_template_expands_to_one_finished_assignment_per_target() -> None:
    first, second = template(tier=Tier.STRONG).expand()
    assert first.command.words == ("--step", "1", "--qr-items", "qa-001,qa-002")
    assert second == Assignment(
        agent=REVIEWER,
        tier=Tier.STRONG,
        prompt=None,
        command=Command("a.verify", ("--step", "1", "--qr-items", "qa-010"), ("python3",)),
    )


def test_the_expanded_form_launches_the_same_agents() -> None:
    assert template(at_most=3, returns="PASS").roster().expand() == template(at_most=3, returns="PASS").expand()
    assert parse(render(template().roster())) == Document([template().roster()])


def test_one_agent_expands_to_one_assignment() -> None:
    command = Command("a.b", launcher=("p",))
    single = SubagentDispatchNode(agent=REVIEWER, tier=Tier.FAST, prompt="x", returns="y", invoke=Invoke(command))
    assert single.expand() == (Assignment(agent=REVIEWER, tier=Tier.FAST, prompt="x", command=command),)
    assert "IT RETURNS:" in render_text(single)


@pytest.mark.parametrize("value", ["a; rm -rf /", "$HOME", "a b", "'", '"', "`id`", "--flag", "-x", "", "$GROUP_ID"])
def test_hostile_value_stays_one_argument(value: str) -> None:
    dispatch = template(words("--scope", Slot("GROUP_SCOPE")), target("x", scope=value))
    (assignment,) = dispatch.expand()
    expected = ("--scope", value) if not value.startswith("-") else (f"--scope={value}",)
    assert assignment.command.words == expected
    assert split(str(assignment.command))[3:] == expected
    assert parse(render(dispatch)) == Document([dispatch])


def test_a_value_never_joins_another_value() -> None:
    filled = words("--id", Slot("GROUP_ID"), Slot("GROUP_Q")).fill({"GROUP_ID": "--flag", "GROUP_Q": "-y"})
    assert filled.words == ("--id=--flag", "-y")
    with pytest.raises(CommandError, match="'x;rm'"):
        words(Slot("x;rm"))
    with pytest.raises(ValueError, match=r"U\+000A"):
        template(words(Slot("GROUP_Q")), target("a", q="x\ny"))


def test_a_quoted_dollar_is_a_dollar_and_an_unquoted_one_a_slot() -> None:
    command = CommandTemplate.read("p -m a.b '$GROUP_ID' $GROUP_ID")
    assert command.words == ("$GROUP_ID", Slot("GROUP_ID"))
    assert str(command) == "p -m a.b '$GROUP_ID' $GROUP_ID"
    assert command.fill({"GROUP_ID": "x"}).words == ("$GROUP_ID", "x")


@pytest.mark.parametrize(
    "text", ["p -m a.b x$A", "p -m a.b $", "p -m a.b ${A}", "p -m $A", "$A -m a.b", "p a.b", "p -m a; b"]
)
def test_a_slot_is_an_argument_of_its_own(text: str) -> None:
    with pytest.raises(CommandError):
        CommandTemplate.read(text)


def test_a_template_is_a_list_of_words() -> None:
    with pytest.raises(TypeError, match="'--step 1'"):
        CommandTemplate("a", "--step 1")
    with pytest.raises(CommandError, match=r"U\+000A"):
        CommandTemplate("a", ("a\nb",))


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: RosterDispatchNode(agent=REVIEWER, agents=()), "agents=()"),
        (lambda: RosterDispatchNode(agent=REVIEWER, agents=(agent("a"), agent("a"))), "agents: 'a'"),
        (lambda: RosterDispatchNode(agent=REVIEWER, at_most=0, agents=(agent(),)), "at_most=0: … 1"),
        (lambda: template(VERIFY, target("a", items="x"), target("a", items="x")), "targets: 'a'"),
        (
            lambda: template(VERIFY, target("a", items="x", other="y"), target("b", other="y")),
            "2 ('b') … $GROUP_ITEMS",
        ),
        (
            lambda: template(words(Slot("NOPE")), target("a", items="x")),
            "$NOPE … GROUP_ID, GROUP_ITEMS",
        ),
        (lambda: target("a", id="x"), "'id'"),
        (lambda: Target(id="a", values={"a-b": "x"}), "'a-b'"),
        (lambda: Target(id="a", values={"a": "x", "A": "y"}), "Target.values:"),
        (lambda: target(""), "Target.id:"),
    ],
)
def test_dispatch_that_cannot_work_is_refused_when_it_is_built(build: Callable[[], Node], says: str) -> None:
    with pytest.raises(ValueError, match=elided(says)):
        build()


def test_a_target_takes_texts_alone() -> None:
    build: Callable[..., Target] = Target
    with pytest.raises(TypeError, match=r"'x'.* int"):
        build(id="a", values={"x": 1})

    with pytest.raises(ValueError, match=r"targets=\(\)"):
        TemplateDispatchNode(agent=REVIEWER, targets=(), template=Template(invoke=InvokeTemplate(words())))


def test_dispatch_is_extracted_from_a_reply() -> None:
    assert extract(f"Here is the block:\n\n{PARALLEL}\n\nDone.", TemplateDispatchNode) == template()
    assert extract(f"Here:\n{ROSTER}", RosterDispatchNode) is not None
    with pytest.raises(ParseError, match="expected TemplateDispatchNode, got RosterDispatchNode"):
        extract(ROSTER, TemplateDispatchNode)


def test_a_step_knows_nothing_of_dispatches_until_it_dispatches() -> None:
    script = "import lib.workflow.ast.step, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"lxml", "lib.workflow.ast.dispatch", "lib.workflow.ast.relay", "lib.workflow.command.template"}
