"""A foreign package adds a node class, a format and skills; its import changes nothing of the project."""

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator

import pytest

from lib.workflow.app.forms import FORMATS, forms
from lib.workflow.app.main import main
from lib.workflow.ast.fields import Node
from lib.workflow.ast.nodes import Document, Element
from lib.workflow.ast.parse import parse
from lib.workflow.ast.vocabulary import Vocabulary
from lib.workflow.cli.script import FORMS
from lib.workflow.render.document import parse_document, render_document
from lib.workflow.render.json import parse_json, render_json
from lib.workflow.render.markdown import render_markdown
from lib.workflow.render.text import render_text
from lib.workflow.render.xml import render
from tests.plugins.sites import installed

SITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def tidy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a package with a workflow for one test, including its processes."""
    monkeypatch.setenv("PYTHONPATH", SITE)
    yield from installed("site", monkeypatch)


@pytest.fixture
def shout(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Node]]:
    """Install the package for one test, and return its node class."""
    monkeypatch.syspath_prepend(SITE)
    yield importlib.import_module("shout").Shout
    del sys.modules["shout"]


def test_a_foreign_node_prints_in_every_form_as_what_it_lowers_to(shout: Callable[[str], Node]) -> None:
    document, lowered = Document([shout("hey <you>")]), Document([Element("shout", {"loud": "yes"}, "HEY <YOU>")])
    for form in (render, render_text, render_markdown, render_json):
        assert form(document) == form(lowered)
    assert parse(render(document)) == parse_json(render_json(document)) == lowered
    assert parse_document(render_document(document, vocabulary=Vocabulary(["shout"]))) == lowered


def test_a_form_of_another_package_is_found_by_name(shout: Callable[[str], Node], capfd: Captured) -> None:
    assert main(["step", "problem-analysis", "2", "--format", "shout"]) == 0
    assert capfd.readouterr().out == "HYPOTHESIZE\n"


def test_built_in_format_cannot_be_replaced(shout: Callable[[str], Node]) -> None:
    assert forms()["xml"] is FORMS["xml"]
    assert forms().keys() == {"shout", *FORMS, *FORMATS}


def test_every_form_of_the_projects_own_prints_a_step(capfd: Captured) -> None:
    for form in forms():
        assert main(["step", "problem-analysis", "1", "--format", form]) == 0
        assert "Gate the problem" in capfd.readouterr().out
    assert main(["step", "problem-analysis", "1", "--format", "pdf"]) == 2


def test_the_schema_is_printed_with_a_skills_own_tags(capfd: Captured) -> None:
    assert main(["schema", "--tag", "example"]) == 0
    assert 'name="example"' in capfd.readouterr().out
    assert main(["schema", "--tag", "a b"]) == 2
    assert "'a b'" in capfd.readouterr().err


def test_the_skills_of_another_package_are_listed_run_and_proved_like_our_own(tidy: None, capfd: Captured) -> None:
    assert main(["list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capfd.readouterr().out)["workflows"]}
    assert {name: rows[name]["package"] for name in ("problem-analysis", "sweep")} == {
        "problem-analysis": "skills",
        "sweep": "tidy",
    }
    assert main(["step", "sweep", "1"]) == 0
    assert "Sweep the floor." in capfd.readouterr().out
    assert main(["rehearse", "sweep"]) == 0
    assert main(["validate", "tidy"]) == 0
