"""Commands of the resolving steps: questions, answers in the user's words, the rules that follow."""

from typing import Annotated

from attrs import evolve

from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.util.suggest import repeated

from ..limits import MAX_FILES, MAX_PLANNED, MAX_POSED
from ..record import Question, Run, changed
from ..standing import Standing
from .detect import Result
from .requests import Decision, Posed
from .slips import about
from .telling import each_once, one, refused, result_of


def pose(run: Run, questions: Annotated[tuple[Posed, ...], Flag(description="a list: see the example")]) -> Result:
    """Record questions, each about incoherent candidates with one cause, and one about all slips."""
    if run.to_ask() or run.to_settle():
        raise refused("questions", "a batch is being answered", "Ask the user first, and settle the answers.")
    slips = tuple(each for each in run.to_pose() if each.standing is Standing.SLIP)
    if not (questions or slips) or len(questions) > MAX_POSED:
        raise RequestError("{questions}: ask 1 to {most} at a time", most=str(MAX_POSED))
    waiting = dict.fromkeys(each.id for each in run.to_pose() if each not in slips)
    named = [name for each in questions for name in each.candidates]
    twice = set(repeated(named))
    asked = (*questions, *about(slips))
    for posed in asked:
        _check(posed)
    for header in repeated(each.header for each in asked):
        raise refused(header, "two questions have this header", "Give each question another header.")
    for name in named:
        one(run.candidates, name)
        if name not in waiting or name in twice:
            fix = f"Each is asked about once; waiting: {', '.join(waiting) or 'none'}."
            raise refused(name, "it is not incoherent, or already has a question", fix)
    first = len(run.questions) + 1
    new = tuple(
        Question(id=f"Q-{n:03d}", candidates=each.candidates, header=each.header, text=each.text, options=each.options)
        for n, each in enumerate(asked, first)
    )
    return evolve(run, questions=(*run.questions, *new)), result_of("questions", True)


def _check(posed: Posed) -> None:
    """Raise RequestError for a question that the relay's rules do not allow."""
    from lib.workflow.ast import relay

    if not posed.candidates:
        raise RequestError("{questions}: {header}: it names no candidate", header=posed.header)
    try:
        relay.Question(
            header=posed.header,
            text=posed.text,
            options=tuple(relay.Option(label=each) for each in posed.options),
        )
    except ValueError as error:
        raise RequestError("{questions}: {problem}", problem=str(error)) from None


def decide(
    run: Run, decisions: Annotated[tuple[Decision, ...], Flag(description="a list of question, rule, files")]
) -> Result:
    """Record the rule that follows from each answer, and the files to write it in; no files if nothing changes.

    You can change a rule until tasks are planned.
    """
    for each in decisions:
        if len(each.files) > MAX_FILES:
            raise RequestError("{decisions}: {id}: at most {most} files", id=each.question, most=str(MAX_FILES))
    given = {each.question for each in decisions}
    named = {file for each in run.questions if each.id not in given for file in each.files}
    named |= {file for each in decisions for file in each.files}
    if len(named) > MAX_PLANNED:
        fix = f"All rules together change at most {MAX_PLANNED}; name those that people act on."
        raise refused("files", f"the rules name {len(named)}", fix)
    if run.to_ask():
        raise refused(run.to_ask()[0].id, "the user has not answered it", "Ask the user first.")
    also = () if run.tasks else [each.id for each in run.questions if each.rule]
    each_once((each.question for each in decisions), (each.id for each in run.to_settle()), "question", also)
    by = {each.question: each for each in decisions}
    after = changed(run.questions, by, lambda each: evolve(each, rule=by[each.id].rule, files=by[each.id].files))
    return evolve(run, questions=after), result_of("decisions", True)
