"""Cost of a dispatch, from a few agents to more than anyone launches, compared with other ways to write the same."""

import time
from xml.etree import ElementTree

import jinja2
from lxml import etree

from benchmarks.measure import Target, judge, medians, report
from benchmarks.trees import tokenise
from lib.workflow.ast import nodes
from lib.workflow.ast.dispatch import Agent, RosterDispatchNode
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.parse import Limits, parse
from lib.workflow.ast.step import Invoke
from lib.workflow.command import Command
from lib.workflow.render.schema import ROOT, schema
from lib.workflow.render.xml import render
from lib.workflow.types import AgentRole

LAUNCHER = ("python3", "-I")
MODULE = "skills.codebase_analysis.subagent"
NO_LIMITS = Limits(size=1 << 30, elements=1 << 30)
TEMPLATE = jinja2.Environment(autoescape=True).from_string(
    '<parallel_dispatch agent="explore" count="{{ tasks|length }}"><agents>{% for task in tasks %}'
    '<agent index="{{ loop.index }}"><prompt>{{ task }}</prompt><invoke cmd="{{ commands[loop.index0] }}"/></agent>'
    "{% endfor %}</agents></parallel_dispatch>"
)


class Dispatch:
    """A roster of a number of agents, and each way to write it."""

    def __init__(self, count: int) -> None:
        self.tasks = [
            f"Map module {n}: its callers,\nits state{' if a < b & c' * (n % 20 == 0)}." for n in range(count)
        ]
        self.words = [("--step", "1", "--module", f"src/module_{n}") for n in range(count)]
        self.commands = [str(Command(MODULE, words, LAUNCHER)) for words in self.words]
        self.roster = self.build()
        self.printed = render(self.roster)
        self.document = etree.fromstring(f"<{ROOT}>{self.printed}</{ROOT}>", etree.XMLParser(huge_tree=True))

    def build(self) -> RosterDispatchNode:
        """Return the nodes."""
        pairs = zip(self.tasks, self.words, strict=True)
        agents = [Agent(prompt=task, invoke=Invoke(Command(MODULE, words, LAUNCHER))) for task, words in pairs]
        return RosterDispatchNode(agent=AgentRole.EXPLORE, agents=tuple(agents))

    def by_format(self) -> str:
        """Format one f-string per agent, without escapes."""
        agents = "\n".join(
            [
                f'    <agent index="{number}">\n      <prompt>\n      {task}\n      </prompt>\n'
                f'      <invoke cmd="{command}"/>\n    </agent>'
                for number, (task, command) in enumerate(zip(self.tasks, self.commands, strict=True), 1)
            ]
        )
        opening = f'<parallel_dispatch agent="explore" count="{len(self.tasks)}">'
        return f"{opening}\n  <agents>\n{agents}\n  </agents>\n</parallel_dispatch>"

    def by_lxml(self) -> bytes:
        """Build and serialise."""
        root = etree.Element("parallel_dispatch", agent="explore", count=str(len(self.tasks)))
        agents = etree.SubElement(root, "agents")
        for number, (task, command) in enumerate(zip(self.tasks, self.commands, strict=True), 1):
            agent = etree.SubElement(agents, "agent", index=str(number))
            etree.SubElement(agent, "prompt").text = task
            etree.SubElement(agent, "invoke", cmd=command)
        return etree.tostring(root)

    def by_etree(self) -> bytes:
        """Build and serialise."""
        root = ElementTree.Element("parallel_dispatch", agent="explore", count=str(len(self.tasks)))
        agents = ElementTree.SubElement(root, "agents")
        for number, (task, command) in enumerate(zip(self.tasks, self.commands, strict=True), 1):
            agent = ElementTree.SubElement(agents, "agent", index=str(number))
            ElementTree.SubElement(agent, "prompt").text = task
            ElementTree.SubElement(agent, "invoke", cmd=command)
        return ElementTree.tostring(root)

    def by_jinja(self) -> str:
        """Render an autoescaping template."""
        return TEMPLATE.render(tasks=self.tasks, commands=self.commands)


def measure(count: int, rounds: int, compiled: etree.XMLSchema) -> dict[str, float]:
    """Print the table of one size and return its seconds."""
    dispatch = Dispatch(count)
    seconds = medians(
        {
            "one f-string, nothing escaped": dispatch.by_format,
            "render": lambda: render(dispatch.roster),
            "construct": dispatch.build,
            "expand": dispatch.roster.expand,
            "lxml: build + tostring": dispatch.by_lxml,
            "xml.etree: build + tostring": dispatch.by_etree,
            "jinja2, autoescaped": dispatch.by_jinja,
            "expat, no handlers": lambda: tokenise(dispatch.printed),
            "parse": lambda: parse(dispatch.printed, NO_LIMITS),
            "validate (XSD)": lambda: compiled.validate(dispatch.document),
        },
        rounds,
        time.process_time,
    )
    seconds["expat + constructing"] = seconds["expat, no handlers"] + seconds["construct"]
    report(f"A dispatch of {count:,} agents, median of {rounds}", seconds, 1e-6 * count, "us/agent")
    return seconds


def main() -> bool:
    """Print the tables and return True if the targets are met."""
    vars(nodes)["MAX_NODES"] = NO_LIMITS.elements  # a hundred thousand agents are more than a document may hold
    small = Dispatch(3)
    assert parse(small.printed) == Document([small.roster])
    compiled = etree.XMLSchema(etree.fromstring(schema()))
    thousand, many = measure(1000, 20, compiled), measure(100_000, 1, compiled)
    good = judge(
        thousand,
        Target("construct", 15.5, "one f-string, nothing escaped"),
        Target("render", 12.5, "one f-string, nothing escaped"),
        Target("render", 0.7, "lxml: build + tostring"),
        Target("render", 1.1, "jinja2, autoescaped"),
        Target("parse", 5.3, "expat + constructing"),
    )
    growth = {"a hundredfold dispatch, validated": many["validate (XSD)"], "one, validated": thousand["validate (XSD)"]}
    return judge(growth, Target("a hundredfold dispatch, validated", 150, "one, validated")) and good
