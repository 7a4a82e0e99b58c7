"""`stepscript schema`: the XML Schema of what steps print."""

import click

from ...ast.vocabulary import Vocabulary
from ...util.output import DONE
from ..arguments import json_option
from ..screen import emit, out


@click.command()
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="An element of a skill's own; may be repeated.")
@json_option
def command(tags: tuple[str, ...], as_json: bool) -> int:
    """The XML Schema 1.0 of what steps print."""
    from ...render.schema import schema

    text = schema(Vocabulary(tags))
    emit({"schema": text}) if as_json else out().text(text)
    return DONE
