"""`stepscript answer`: gives the user's answers to a run, and goes on with it."""

from typing import TYPE_CHECKING

import click

from ...errors import RefusedError
from ...run.engine import State
from ...util.output import DONE
from ..arguments import far_options, json_option
from ..output.asking import can_ask
from ..output.screen import emit, err, out
from ..runs.driving import go, questions
from ..runs.engines import answer_at, questions_at
from ..runs.found_runs import command_line, find, is_handle, server_of, spelled
from ..runs.run_argument import RunName
from ..runs.run_index import only
from ..runs.standings import choice_of, spec_at
from ..runs.trust import check

if TYPE_CHECKING:
    from ...ast.relay import Question


@click.command()
@click.argument("words", nargs=-1, type=RunName(), metavar="[RUN] [ANSWER]...")
@click.option("--no-resume", is_flag=True, help="only record the answers")
@far_options
@json_option
def command(
    words: tuple[str, ...], no_resume: bool, all_hosts: bool, address: str, namespace: str, as_json: bool
) -> int:
    """Answer the questions of a run, and go on with it.

    For each question, give the number of an option, or a text. A question whose options each have a command takes only
    options. Without an answer, you are asked. Without RUN, answers the only run that waits. The exit status is that of
    `stepscript resume`. With --all-hosts, RUN is a run that a server knows, whose folder may be on another machine.
    """
    server = server_of(all_hosts, address, namespace)
    if server is not None:
        from ..runs.views.far_runs import answer_run

        answer_run(server, words, as_json)
        return DONE
    named = bool(words) and is_handle(words[0])
    folder = find(words[0]) if named else only(State.WAITING)
    check(folder)
    goes_on = _answered(folder, words[1:] if named else words)
    if not (goes_on or no_resume):
        return go(folder, spec_at(folder), as_json, choice=choice_of(folder))
    if as_json:
        emit({"run": folder, "answered": True, "goes_on": goes_on})
    elif goes_on:
        out().line("answer recorded; the run continues; watch it with  ", command_line("resume", spelled(folder)))
    else:
        out().line("answer recorded; continue with  ", command_line("resume", spelled(folder)))
    return DONE


def _answered(run: str, answers: tuple[str, ...]) -> bool:
    """Send the answers to a run, after asking for them if there are none. Returns True if the run goes on by itself."""
    if answers:
        return answer_at(run, answers)
    asked = questions_at(run)
    if not can_ask():
        raise click.UsageError(f"give an answer to each question: {'; '.join(map(_said, asked.questions))}")
    questions(err(), run, asked)
    while True:
        try:
            return answer_at(run, [click.prompt(each.header, err=True) for each in asked.questions])
        except RefusedError:
            raise
        except ValueError as error:
            questions_at(run)  # raises if nothing is asked any more
            err().error(str(error))


def _said(question: "Question") -> str:
    options = ", ".join(f"{number} ({option.label})" for number, option in enumerate(question.options, 1))
    return f"{question.header}: {question.text} {options}".strip()
