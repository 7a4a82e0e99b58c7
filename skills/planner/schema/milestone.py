"""What is built: milestones, the behaviour that each file is to have, and the changes that bring it (002, "plan.json")."""

from collections.abc import Iterator

from attrs import field, frozen

from lib.workflow.characters import one_line

from .ids import IdOf, Kind
from .paths import project_path, project_paths
from .values import text, text_or_blank, texts, version


@frozen(kw_only=True)
class CodeIntent:
    """What the code of one file should do."""

    id: str = field(validator=IdOf(Kind.INTENT))
    version: int = field(default=1, validator=version)
    file: str = field(converter=project_path)
    behavior: str = field(validator=text)
    """Functions and parameters included."""
    decision_refs: tuple[str, ...] = field(default=(), validator=IdOf(Kind.DECISION))


@frozen(kw_only=True)
class CodeChange:
    """A change of one file, documentation included."""

    id: str = field(validator=IdOf(Kind.CHANGE))
    version: int = field(default=1, validator=version)
    intent_ref: str | None = field(default=None, validator=IdOf(Kind.INTENT))
    """None for documentation that concerns several files, such as a README."""
    file: str = field(converter=project_path)
    diff: str = field(validator=text)
    """A unified diff; its line ends are the file's."""
    comments: str = field(default="", validator=text_or_blank)
    """What concerns the change as a whole; may name decisions."""


@frozen(kw_only=True)
class Milestone:
    """A part of the plan that is built and reviewed as one.

    Raises ValueError where an intent or a change is numbered in another milestone's series, and where a milestone of
    documentation has intents.
    """

    id: str = field(validator=IdOf(Kind.MILESTONE))
    version: int = field(default=1, validator=version)
    name: str = field(validator=one_line)
    files: tuple[str, ...] = field(default=(), converter=project_paths)
    requirements: tuple[str, ...] = field(default=(), validator=texts)
    acceptance_criteria: tuple[str, ...] = field(default=(), validator=texts)
    tests: tuple[str, ...] = field(default=(), validator=texts)
    """Free-form: `file:tests/test_auth.py`, `scenario:EDGE empty token returns 401`, `skip:no environment for it`."""
    code_intents: tuple[CodeIntent, ...] = ()
    code_changes: tuple[CodeChange, ...] = ()
    is_documentation_only: bool = False
    delegated_to: str | None = field(default=None, validator=one_line)

    def __attrs_post_init__(self) -> None:
        for kind, entity in ((Kind.INTENT, self.code_intents), (Kind.CHANGE, self.code_changes)):
            for item in entity:
                if item.id.rpartition("-")[0] != f"{kind}-{self.id}":
                    raise ValueError(f"{self.id}: {item.id} is another milestone's; number it {kind}-{self.id}-001")
        if self.is_documentation_only and self.code_intents:
            raise ValueError(f"{self.id}: documents only, and so has no code intents; remove {self.code_intents[0].id}")

    def touched(self) -> Iterator[tuple[str, str]]:
        """Every path that the milestone names, and the entity that does."""
        yield from ((path, self.id) for path in self.files)
        yield from ((item.file, item.id) for item in (*self.code_intents, *self.code_changes))
