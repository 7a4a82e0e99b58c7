"""`stepscript schema`: prints the XML Schema of pages."""

import click

from ...ast.vocabulary import Vocabulary
from ...render.schema import schema
from ...util.output import DONE
from ..arguments import json_option
from ..output.screen import emit, out


@click.command()
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="an additional element of a skill; repeatable")
@json_option
def command(tags: tuple[str, ...], as_json: bool) -> int:
    """Print the XML Schema 1.0 of the output of steps."""
    text = schema(Vocabulary(tags))
    emit({"xsd": text}) if as_json else out().text(text)
    return DONE
