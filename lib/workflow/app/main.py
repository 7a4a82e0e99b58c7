"""The `stepscript` command: for people who want to see, start and try workflows."""

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.metadata import version

from ..cli import main as step_main
from ..command import Command, flags
from ..discovery import DiscoveryError, Found, search
from ..output import drop, use_utf_8
from ..script import DONE, INTERRUPTED, REFUSED, USAGE
from ..vocabulary import Vocabulary
from .forms import forms

EPILOG = """\
examples:
  stepscript list                            what there is to run
  stepscript step problem-analysis 1         print a step, as an agent gets it
  stepscript step problem-analysis 1 --format markdown   (or text, json, xml)
  stepscript demo problem-analysis           walk a workflow to its end"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status; wrong usage exits with 2, as in the step scripts."""
    use_utf_8()
    arguments, rest = _parser().parse_known_args(argv)
    if rest and arguments.command != "step":
        _parser().error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        status = _run(arguments, rest)
        sys.stdout.flush()  # here, where a reader that has gone away can be told from a failure
        return status
    except BrokenPipeError:
        drop()
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except ValueError as error:
        print(f"stepscript: {error}", file=sys.stderr)
        return USAGE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stepscript",
        description="Scripted agent workflows: every step prints what to do now and the command that comes next.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"stepscript {version('stepscript')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    listing = commands.add_parser("list", help="list the workflows and the commands that start them")
    listing.add_argument("--json", action="store_true", help="one JSON document, for programs")
    step = commands.add_parser("step", add_help=False, help="print one step of a workflow; --help shows its flags")
    step.add_argument("workflow", metavar="WORKFLOW")
    step.add_argument("number", metavar="N")
    printed = commands.add_parser("schema", help="print the XML Schema 1.0 of what steps print")
    printed.add_argument("--tag", action="append", default=[], metavar="TAG", help="an element of a skill's own")
    demo = commands.add_parser("demo", help="walk a workflow from its first step to its end, reading every print back")
    demo.add_argument("workflow", metavar="WORKFLOW")
    return parser


def _run(arguments: argparse.Namespace, rest: list[str]) -> int:
    if arguments.command == "list":
        return _list(as_json=arguments.json)
    if arguments.command == "schema":
        from ..render.schema import schema

        print(schema(Vocabulary(arguments.tag)))
        return DONE
    found = _find(arguments.workflow)
    if arguments.command == "step":
        return step_main(found.home, ["--step", arguments.number, *rest], forms())
    from .demo import demo

    return demo(found.workflow)


def _find(name: str) -> Found:
    found, unusable = search()
    for item in found:
        if item.workflow.name == name:
            return item
    broken = "".join(f"\n  {fault.home}: {fault.reason}" for fault in unusable)
    names = ", ".join(item.workflow.name for item in found) or "none"
    raise DiscoveryError(f"there is no workflow {name!r}; there is: {names}{broken}")


def _list(as_json: bool) -> int:
    found, unusable = search()
    rows = [
        {
            "name": item.workflow.name,
            "steps": item.workflow.total_steps,
            "description": item.workflow.description,
            "start": str(Command(item.workflow.module, flags({"step": 1}))),
        }
        for item in found
    ]
    if as_json:
        broken = [fault._asdict() for fault in unusable]
        print(json.dumps({"workflows": rows, "unusable": broken}, indent=2, ensure_ascii=False))
    else:
        for row in rows:
            print(f"{row['name']}  ({row['steps']} steps)\n  {row['description']}\n  {row['start']}")
        for fault in unusable:
            print(f"stepscript: {fault.home} cannot be used:\n  {fault.reason}", file=sys.stderr)
    return REFUSED if unusable else DONE
