"""`stepscript uninstall`: removes the files of `stepscript install`."""

import click

from ...util.output import DONE, REFUSED
from ..arguments import json_option
from ..install.changes import ChangeKind
from ..install.host import starter
from ..install.work import removals, uninstall
from ..install_options import ask, dry_run_option, needs_consent, place_options, report, tree_of, yes_option
from ..skills.listing_cache import forget


@click.command()
@place_options
@yes_option
@dry_run_option
@json_option
def command(scope: str, project: str | None, yes: bool, dry_run: bool, as_json: bool) -> int:
    """Remove the files of `stepscript install`.

    Shows what it will remove, and asks. A file that you changed is kept, and named; the exit status is then 1. Runs
    and plans are not touched.
    """
    tree = tree_of(scope, project)
    done = removals(tree)
    if not dry_run:
        if not yes and needs_consent(done):
            ask(tree, "Uninstall?", done, as_json)
        done = uninstall(tree)
    if not (dry_run or starter.is_used()):
        forget()
    report(tree, done, as_json, "would be" if dry_run else "")
    return REFUSED if any(change.kind is ChangeKind.KEPT for change in done) else DONE
