"""Resources of a step, from any source: one protocol for five kinds."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, Protocol

from .ast.nodes import FileContent
from .errors import WorkflowError
from .prompts.markdown import read_text
from .state.files import read_whole
from .util.suggest import expected

if TYPE_CHECKING:
    from .core.step import StepDef
    from .core.workflow import Workflow

MAX_FILE: Final = 1 << 20
"""Maximum bytes of a file that a step embeds."""


class ResourceProvider(Protocol):
    """A source of resources. Each method raises WorkflowError for a missing one, with the nearest name."""

    def convention(self, name: str) -> FileContent:
        """Return a convention that skills share."""

    def resource(self, name: str) -> FileContent:
        """Return a page that belongs to the skill."""

    def file(self, path: str) -> FileContent:
        """Return a file of the user's."""

    def workflow(self, name: str) -> "Workflow":
        """Return a workflow as an object."""

    def step(self, workflow: str, step_id: str) -> "StepDef":
        """Return a step of a workflow as data."""


class Packaged:
    """The provider of an installed skill.

    It holds the skill's folder with `resources`, a function that reads conventions, and its package.
    """

    def __init__(self, skill: str, conventions: Callable[[str], str], package: str = "skills") -> None:
        self._resources = os.path.join(skill, "resources")
        self._conventions = conventions
        self._package = package

    def convention(self, name: str) -> FileContent:
        """Return the text that the skills share under this name."""
        return FileContent(path=f"{name}.md", text=self._conventions(name))

    def resource(self, name: str) -> FileContent:
        """Return the Markdown file of this name in the skill's folder `resources`."""
        pages = [entry.removesuffix(".md") for entry in os.listdir(self._resources) if entry.endswith(".md")]
        file = f"{_known(name, pages, 'resource')}.md"
        return FileContent(path=file, text=read_text(os.path.join(self._resources, file)))

    def file(self, path: str) -> FileContent:
        """Return an ordinary file in UTF-8, within MAX_FILE."""
        try:
            return FileContent(path=path, text=read_whole(path, MAX_FILE).decode())
        except (OSError, ValueError) as error:
            raise WorkflowError(f"{path}: cannot be embedded: {error}") from None

    def workflow(self, name: str) -> "Workflow":
        """Return the workflow of this name in the package."""
        from .discovery import discover_workflows

        found = discover_workflows(self._package)
        return found[_known(name, found, "workflow")]

    def step(self, workflow: str, step_id: str) -> "StepDef":
        """Return a step of a workflow in the package."""
        steps = self.workflow(workflow).steps
        return steps[_known(step_id, steps, "step")]


def _known(name: str, names: Iterable[str], kind: str) -> str:
    known = sorted(names)
    if name not in known:
        raise WorkflowError(f"there is no {kind} {name!r:.60}; {expected(name, known)}")
    return name
