"""The walk of one workflow in this process, together with the workflows of its package."""

from collections.abc import Callable, Mapping

from attrs import frozen

from ...ast.nodes import Document
from ...command import Command
from ...core import Workflow
from ...discovery import Found
from ...testing.findings import Finding
from ...testing.proof import Proof
from ...testing.walk import walk_workflow
from .shelves import package_of


@frozen
class Walked:
    """The result of a walk, from every start of the workflow."""

    workflow: Workflow
    starts: tuple[Command, ...]
    ways: Mapping[Command, tuple[Command, ...]]
    """Each command, with its possible next commands."""
    steps: Mapping[Command, str]
    """The step that each command runs."""
    documents: tuple[Document, ...]
    findings: tuple[Finding, ...]


def walked(found: Found, tell: Callable[[str], None]) -> Walked:
    """Follow every printed command. Raises ValueError if there are too many valid calls to try."""
    workflow = found.workflow
    with Proof(package_of(found), tell=tell) as proof:
        calls = proof.cases_of(workflow)
        starts = tuple(call.command for call in calls if call.step_id == workflow.entry_point)
        walk = walk_workflow(workflow, starts, proof.prints)
        prints = [finding for way in walk.ways for finding in proof.of_print(way)]
        documents = [document for way in walk.ways if (document := proof.prints.of(way))]
        steps = {way: proof.targets.step(way) for way in walk.ways}
        return Walked(workflow, starts, walk.ways, steps, tuple(documents), (*prints, *walk.findings))
