"""An extension is made in one place: each is made in a copy of the repository, and the copy's own checks are green."""

import os
import re
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.subjects import ROOT

pytestmark = pytest.mark.long
PYTEST = ("pytest", "-p", "no:cacheprovider", "-rA", "-q")


class Checkout:
    """A copy of what git tracks and of its bytecode, with an environment that imports from it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home = folder / "checkout", folder / "home"
        self.home.mkdir()
        tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout
        names = [name for name in map(os.fsdecode, tracked.split(b"\0")) if name and os.path.exists(f"{ROOT}/{name}")]
        for folder_name in {os.path.dirname(name) for name in names}:
            compiled = os.path.join(ROOT, folder_name, "__pycache__")
            if os.path.isdir(
                compiled
            ):  # the files keep their times, so that it is valid for those that stay as they are
                shutil.copytree(compiled, self.root / folder_name / "__pycache__")
            (self.root / folder_name).mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy2(os.path.join(ROOT, name), self.root / name)
        venv.create(folder / "environment", symlinks=True)
        (site,) = (folder / "environment").glob("lib/*/site-packages")
        paths = f"sys.path.append({str(self.root)!a}); site.addsitedir({sysconfig.get_path('purelib')!a})"
        (site / "checkout.pth").write_text(f"import site, sys; {paths}\n")
        self.python = str(folder / "environment" / "bin" / "python")

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a module of the copy."""
        clean = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8"}
        command = [self.python, "-B", "-m", *words]
        return subprocess.run(command, cwd=self.root, env=clean, capture_output=True, encoding="utf-8", check=False)

    def ok(self, *words: str) -> str:
        """Return the output of a module that must succeed."""
        ran = self.run(*words)
        assert ran.returncode == 0, f"{' '.join(words)}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def tests(self, *words: str) -> str:
        """Return pytest's list of the passed tests of the copy. None may fail."""
        return self.ok(*PYTEST, *words)

    def ended(self, *words: str) -> dict[str, str]:
        """Return how each test of the copy ended, by its id."""
        lines = re.findall(r"^([A-Z]+) (\S+::\S+)", self.run(*PYTEST, *words).stdout, re.MULTILINE)
        return {test: how for how, test in lines}

    def insert(self, file: str, before: str, text: str) -> None:
        """Insert text before the first line that starts so."""
        path = self.root / file
        head, found, tail = path.read_text().partition(f"\n{before}")
        assert found, before
        path.write_text(f"{head}\n{text}{before}{tail}")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


NODE = '''\
@frozen(kw_only=True)
class Deadline(Node):
    """The time by which a step must be done."""

    tag = "deadline"
    hours: int
    reason: str = field(metadata=TEXT)


'''


def test_node_is_a_class_and_an_example(checkout: Checkout) -> None:
    checkout.insert("lib/workflow/ast/guidance.py", "@frozen\nclass Routing", NODE)
    example = '    guidance.Deadline(hours=2, reason="The release is at noon."),\n'
    checkout.insert("lib/workflow/app/docs/examples.py", "    guidance.Routing(", example)
    checkout.ok("lib.workflow.app.docs.tags", "lib/workflow/ast/reserved.py")  # two lines of `make docs`
    (checkout.root / "docs" / "nodes.md").write_text(checkout.ok("lib.workflow.app.docs.reference"))
    passed = checkout.tests("tests/laws/test_1_round_trip.py", "tests/ast/test_nodes.py", "-k", "Deadline or tags")
    assert "[Deadline]" in passed
    checkout.tests("tests/app/test_reference.py", "-k", "classes or example or nodes")


RENDERER = '''\
"""Output of a tree as one line a node."""

import json

from ..ast.fields import Node, check_depth, children, declaration
from ..ast.visitor import Visitor


def render_lines(node: Node) -> str:
    """Return a line for each node. Raises ValueError for a tree that is too deep."""
    check_depth(node)
    return _Lines().visit(node)


class _Lines(Visitor[str]):
    def generic(self, node: Node) -> str:
        values = [str(getattr(node, name)) for name in declaration(type(node)).plain]
        line = " ".join([type(node).__name__, *(QUOTE(value) for value in values)])
        return "\\n".join([line, *map(self.visit, children(node))])
'''


def test_renderer_is_a_module_and_a_row_and_every_law_covers_it(checkout: Checkout) -> None:
    for name, quote in (("lines", "json.dumps(value, ensure_ascii=False)"), ("careless", "value")):
        (checkout.root / f"lib/workflow/render/{name}.py").write_text(RENDERER.replace("QUOTE(value)", quote))
        row = f'    "{name}": "lib.workflow.render.{name}:render_lines",\n'
        checkout.insert("lib/workflow/app/forms.py", '    "markdown":', row)
    laws = ("tests/laws/test_3_every_format.py", "tests/ast/test_depth.py")
    ended = checkout.ended(*laws, "-k", "lines or careless")
    assert {test.partition("::")[0] for test, how in ended.items() if "lines" in test and how == "PASSED"} == {*laws}
    failed = {test.partition("::")[2] for test, how in ended.items() if how != "PASSED"}
    assert "test_no_text_prints_as_a_node[careless]" in failed
    assert not [test for test in failed if "careless" not in test]


def test_skill_is_one_command_and_the_checks_are_green(checkout: Checkout) -> None:
    checkout.ok("stepscript", "new", "probe-skill", "--package", "skills")
    checkout.ok("stepscript", "validate", "skills.probe_skill")
    checkout.ok("stepscript", "rehearse", "probe-skill")
    assert checkout.ok("skills.doc_sync.check").startswith("0 findings")
    checkout.ok("ruff", "check", "skills/probe_skill")
    passed = checkout.tests("tests/app/test_overview.py", "tests/skills/test_every_skill.py", "-k", "overview or probe")
    assert "probe-skill" in passed


PROOF = """\
from lib.workflow.testing.proof import proof_of

proof = proof_of("skills.planner.technical_writer", "skills.planner.quality_reviewer")
for workflow in proof.workflows:
    if "plan-api" in workflow.name:
        pages = [finding for case in proof.cases[workflow.name] for finding in proof.of_case(case)]
        print(workflow.name, pages, proof.of_walk(workflow.name))
"""


def test_phase_of_the_planner_is_a_row_with_texts_and_scripts(checkout: Checkout) -> None:
    row = '    PLAN_API = "plan-api", AgentRole.TECHNICAL_WRITER, "plan_api", True\n'
    checkout.insert("skills/planner/schema/phase.py", "    IMPL_CODE =", row)
    planner = checkout.root / "skills" / "planner"
    for path in [*planner.glob("*/plan_docs*.py"), *planner.glob("prompts/plan-docs*.md")]:
        text = path.read_text()
        for old in ("plan_docs", "plan-docs", "PLAN_DOCS"):
            text = text.replace(old, old.replace("docs", "api").replace("DOCS", "API"))
        (path.parent / path.name.replace("docs", "api")).write_text(text)
    assert "plan-api: " in checkout.ok("stepscript", "rehearse", "planner", "--seed", "0")
    (checkout.root / "prove.py").write_text(PROOF)
    scripts = ("", "-execute", "-qr-fix", "-qr-decompose", "-qr-verify")
    assert checkout.ok("prove").splitlines() == [f"plan-api{script} [] ()" for script in scripts]
