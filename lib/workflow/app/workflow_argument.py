"""The arguments that name a workflow or a package of workflows."""

import click
from click.shell_completion import CompletionItem

from ..discovery import DiscoveryError, Found
from .arguments import F
from .skills.packages import packages
from .skills.shelves import find, shelves


class WorkflowName(click.ParamType[Found, str]):
    """A parameter that takes the name of a workflow and gives the workflow itself."""

    name = "workflow"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Found:
        try:
            return find(value)
        except DiscoveryError as error:
            raise click.UsageError(str(error), ctx) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [
            CompletionItem(item.workflow.name, help=item.workflow.description)
            for shelf in shelves()
            for item in shelf.found
            if item.workflow.name.startswith(incomplete)
        ]


class PackageName(click.ParamType[str, str]):
    """A parameter that takes the name of any importable package."""

    name = "package"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in packages() if name.startswith(incomplete)]


def workflow_argument(command: F) -> F:
    """Add the argument `WORKFLOW`, passed as `found`."""
    return click.argument("found", type=WorkflowName(), metavar="WORKFLOW")(command)
