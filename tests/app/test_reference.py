"""The reference of nodes matches the classes."""

from pathlib import Path

import pytest

from lib.workflow.app.docs import api as docs_api
from lib.workflow.app.docs import cli as docs_cli
from lib.workflow.app.docs import picture as docs_picture
from lib.workflow.app.docs.examples import EXAMPLES
from lib.workflow.app.docs.reference import reference
from lib.workflow.ast.catalogue import CLASSES
from lib.workflow.ast.nodes import Document
from lib.workflow.ast.parse import parse
from lib.workflow.render.xml import render
from tests.run import transcript
from tests.subjects import ROOT


def test_the_page_in_the_repository_is_the_one_that_would_be_made() -> None:
    assert Path(ROOT, "docs", "nodes.md").read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_the_page_of_the_public_api_is_what_docstrings_say() -> None:
    assert Path(ROOT, "docs", "api.md").read_text(encoding="utf-8") == docs_api.reference(), "run `make docs`"


def test_the_page_of_the_command_is_what_its_help_texts_say() -> None:
    assert Path(ROOT, "docs", "cli.md").read_text(encoding="utf-8") == docs_cli.reference(), "run `make docs`"


def test_the_picture_of_a_terminal_is_what_its_commands_print() -> None:
    assert Path(ROOT, "docs", "session.svg").read_text(encoding="utf-8") == docs_picture.picture(), "run `make docs`"


def test_every_standalone_class_has_an_example_that_reads_back() -> None:
    assert {cls for cls in CLASSES if cls.standalone} <= EXAMPLES.keys()
    for node in EXAMPLES.values():
        assert parse(render(node)) == (node if isinstance(node, Document) else Document([node]))


def test_every_class_has_a_docstring() -> None:
    assert [cls.__name__ for cls in CLASSES if not (cls.__doc__ or "").strip()] == []


def test_session_in_a_terminal_is_current() -> None:
    page = Path(ROOT, "docs", "running.md").read_text(encoding="utf-8")
    assert transcript.with_session(page, transcript.session()) == page, "run `make docs`"


def test_page_without_marks_gets_no_session() -> None:
    with pytest.raises(ValueError, match="write"):
        transcript.with_session("a page", "a session")
