"""Work to build: milestones, the intents of their code, and the changes that implement them."""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import field, frozen

from lib.workflow.util.characters import one_line
from lib.workflow.util.paths import project_path, project_paths
from lib.workflow.util.structs import Struct

from ..ids import EntityKind, IdOf
from ..values import count, text, text_or_blank, texts

COMMAND: Final = "command:"
"""The prefix of a test that is a check of the project."""
TEST_FORMS: Final[Mapping[str, str]] = {
    "file:tests/test_api.py": "a test file",
    "scenario:EDGE empty token returns 401": "a case: NORMAL, EDGE or ERROR, then input and result",
    "skip:needs a license server": "no test, and why",
    "command:python3 -m pytest -q": "a check of the project, run at the end",
}
"""The forms of a milestone's tests: an example of each, and its meaning."""
FILE: Final = "file:"
"""The prefix of a test that names a file of tests."""


def command_of(test: str) -> list[str]:
    """Return the words of a check; none for another test. Raises ValueError for unclosed quotes, or no words."""
    if not test.startswith(COMMAND):
        return []
    from shlex import split  # few plans name one

    try:
        words = split(test.removeprefix(COMMAND))
    except ValueError as error:
        raise ValueError(f"tests: {test!r:.80}: {error}; write one command as a shell takes it") from None
    if not words:
        raise ValueError(f"tests: {test!r:.80} names no command; write it as {COMMAND}python3 -m pytest -q")
    return words


def _check_file(test: str) -> None:
    """Raise ValueError for a test that names a file outside the project."""
    if test.startswith(FILE):
        try:
            project_path(test.removeprefix(FILE))
        except ValueError as error:
            raise ValueError(f"tests: {test!r:.80}: {error}") from None


@frozen(kw_only=True)
class CodeIntent(Struct):
    """The intended behaviour of the code of one file."""

    id: str = field(validator=IdOf(EntityKind.INTENT))
    version: int = field(default=1, validator=count)
    file: str = field(converter=project_path)
    behavior: str = field(validator=text)
    """The behaviour, including functions and parameters."""
    decision_refs: tuple[str, ...] = field(default=(), validator=IdOf(EntityKind.DECISION))


@frozen(kw_only=True)
class CodeChange(Struct):
    """A change of one file, or of documentation."""

    id: str = field(validator=IdOf(EntityKind.CHANGE))
    version: int = field(default=1, validator=count)
    intent_ref: str | None = field(default=None, validator=IdOf(EntityKind.INTENT))
    """None for documentation that concerns several files, such as a README."""
    file: str = field(converter=project_path)
    diff: str = field(validator=text)
    """A unified diff; its line ends are the file's."""
    comments: str = field(default="", validator=text_or_blank)
    """Comments on the change as a whole; they may name decisions."""


@frozen(kw_only=True)
class Milestone(Struct):
    """A part of the plan that is built and reviewed as one.

    Raises ValueError if an intent or a change is numbered in another milestone's series, or if a milestone of
    documentation has intents.
    """

    id: str = field(validator=IdOf(EntityKind.MILESTONE))
    version: int = field(default=1, validator=count)
    name: str = field(validator=one_line)
    files: tuple[str, ...] = field(default=(), converter=project_paths)
    requirements: tuple[str, ...] = field(default=(), validator=texts)
    acceptance_criteria: tuple[str, ...] = field(default=(), validator=texts)
    tests: tuple[str, ...] = field(default=(), validator=texts)
    """Texts in one of the forms of TEST_FORMS, such as `scenario:EDGE empty token returns 401`."""
    code_intents: tuple[CodeIntent, ...] = ()
    code_changes: tuple[CodeChange, ...] = ()
    is_documentation_only: bool = False
    delegated_to: str | None = field(default=None, validator=one_line)

    def __attrs_post_init__(self) -> None:
        for kind, ids in (
            (EntityKind.INTENT, [intent.id for intent in self.code_intents]),
            (EntityKind.CHANGE, [change.id for change in self.code_changes]),
        ):
            for entity_id in ids:
                if entity_id.rpartition("-")[0] != f"{kind}-{self.id}":
                    raise ValueError(
                        f"{self.id}: {entity_id} has the number of another milestone; name it {kind}-{self.id}-001"
                    )
        for test in self.tests:
            command_of(test)
            _check_file(test)
        if self.is_documentation_only and self.code_intents:
            raise ValueError(
                f"{self.id}: is documentation only and cannot have code intents; remove {self.code_intents[0].id}"
            )

    def touched(self) -> Iterator[tuple[str, str]]:
        """Yield every path that the milestone names, and the entity that names it."""
        yield from ((path, self.id) for path in self.files)
        yield from ((intent.file, intent.id) for intent in self.code_intents)
        yield from ((change.file, change.id) for change in self.code_changes)
