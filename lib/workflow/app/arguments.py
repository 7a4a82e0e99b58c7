"""The arguments and options that several commands share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem

from .packages import packages

if TYPE_CHECKING:
    from ..discovery import Found

F = TypeVar("F", bound=Callable[..., object])


class WorkflowName(click.ParamType["Found", str]):
    """The name of a workflow; a command gets the workflow itself."""

    name = "workflow"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> "Found":
        from ..discovery import DiscoveryError  # whoever names no workflow pays for none
        from .shelves import find

        try:
            return find(value)
        except DiscoveryError as error:
            raise click.UsageError(str(error), ctx) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from .shelves import shelves

        return [
            CompletionItem(item.workflow.name, help=item.workflow.description)
            for shelf in shelves()
            for item in shelf.found
            if item.workflow.name.startswith(incomplete)
        ]


class PackageName(click.ParamType[str, str]):
    """The name of a package with workflows; any that can be imported will do."""

    name = "package"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in packages() if name.startswith(incomplete)]


class OneOf(click.Choice[str]):
    """One of a few words; for another it says which is near."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        from .shelves import instead

        return f"{value!r:.60} is unknown. {instead(str(value), map(str, self.choices))}"


def workflow_argument(command: F) -> F:
    """`WORKFLOW`, which becomes `found`."""
    return click.argument("found", type=WorkflowName(), metavar="WORKFLOW")(command)


def json_option(command: F) -> F:
    """`--json`, which becomes `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON document, for programs.")(command)


def server_options(command: F) -> F:
    """`--address`, `--namespace` and `--host-queue`, of a Temporal server and a host that it knows."""
    address = click.option(
        "--address",
        default="127.0.0.1:7233",
        envvar="TEMPORAL_ADDRESS",
        show_default=True,
        metavar="HOST:PORT",
        help="Of the Temporal server.",
    )
    namespace = click.option(
        "--namespace", default="default", envvar="TEMPORAL_NAMESPACE", show_default=True, help="Of the server."
    )
    queue = click.option("--host-queue", default="", metavar="NAME", help="Of the host; its name if you give none.")
    return address(namespace(queue(command)))


def engine_options(command: F) -> F:
    """`--engine`, and which server and host it has."""
    engine = click.option(
        "--engine",
        type=click.Choice(("local", "temporal")),
        default="local",
        show_default=True,
        help="Temporal keeps the run on a server, and `stepscript worker` does it.",
    )
    return engine(server_options(command))
