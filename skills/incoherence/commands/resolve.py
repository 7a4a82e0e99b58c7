"""Commands of the resolving steps: questions, answers in the user's words, the rules that follow."""

from typing import Annotated, TypeAlias

from attrs import evolve

from lib.workflow.cli.table.arguments import Flag
from lib.workflow.cli.table.requests import RequestError
from lib.workflow.util.suggest import repeated

from ..limits import MAX_BATCH, MAX_FILES, MAX_PLANNED
from ..record import TEXT, Question, Run, answered, changed
from .detect import Result
from .requests import Decision, Posed
from .telling import each_once, one, refused, result_of

QuestionId: TypeAlias = Annotated[str, Flag(positional=True, description="the id of a question, such as Q-001")]
Words: TypeAlias = Annotated[str, Flag(long=True, rule=TEXT.check, description="the user's own words, one line")]


def pose(run: Run, questions: Annotated[tuple[Posed, ...], Flag(description="a list: see the example")]) -> Result:
    """Record a batch of questions, each about incoherent candidates with one cause. The user is asked next."""
    if not 1 <= len(questions) <= MAX_BATCH:
        raise RequestError("{questions}: ask 1 to {most} in a batch", most=str(MAX_BATCH))
    if run.to_ask() or run.to_settle():
        raise refused("questions", "a batch is being answered", "Ask the user first, and settle the answers.")
    waiting = dict.fromkeys(each.id for each in run.to_pose())
    named = [name for each in questions for name in each.candidates]
    twice = set(repeated(named))
    for posed in questions:
        _check(posed)
    for name in named:
        one(run.candidates, name)
        if name not in waiting or name in twice:
            fix = f"Each is asked about once; waiting: {', '.join(waiting) or 'none'}."
            raise refused(name, "it is not incoherent, or already has a question", fix)
    first = len(run.questions) + 1
    new = tuple(
        Question(id=f"Q-{n:03d}", candidates=each.candidates, header=each.header, text=each.text, options=each.options)
        for n, each in enumerate(questions, first)
    )
    return evolve(run, questions=(*run.questions, *new)), result_of("questions", True)


def _check(posed: Posed) -> None:
    """Raise RequestError for a question that the relay's rules do not allow."""
    from lib.workflow.ast.relay import Option
    from lib.workflow.ast.relay import Question as Asked

    if not posed.candidates:
        raise RequestError("{questions}: {header}: it names no candidate", header=posed.header)
    try:
        Asked(header=posed.header, text=posed.text, options=tuple(Option(label=each) for each in posed.options))
    except ValueError as error:
        raise RequestError("{questions}: {problem}", problem=str(error)) from None


def answer(run: Run, question: QuestionId, words: Words) -> Result:
    """Record an answer that is not one of the options, in the user's own words. An option is recorded by step 14."""
    before = one(run.questions, question)
    if before.rule is not None:
        raise refused(question, "a rule was made of its answer", "Tell the user that the recorded answer stays.")
    after = answered(run, question, words)
    return after, result_of(question, after != run)


def decide(
    run: Run, decisions: Annotated[tuple[Decision, ...], Flag(description="a list of question, rule, files")]
) -> Result:
    """Record the rule that follows from each answer, and the files to write it in; no files if nothing changes."""
    for each in decisions:
        if len(each.files) > MAX_FILES:
            raise RequestError("{decisions}: {id}: at most {most} files", id=each.question, most=str(MAX_FILES))
    named = {file for each in run.questions for file in each.files}
    named |= {file for each in decisions for file in each.files}
    if len(named) > MAX_PLANNED:
        fix = f"All rules together change at most {MAX_PLANNED}; name those that people act on."
        raise refused("files", f"the rules name {len(named)}", fix)
    if run.to_ask():
        raise refused(run.to_ask()[0].id, "the user has not answered it", "Ask the user first.")
    each_once((each.question for each in decisions), (each.id for each in run.to_settle()), "question")
    by = {each.question: each for each in decisions}
    after = changed(run.questions, by, lambda each: evolve(each, rule=by[each.id].rule, files=by[each.id].files))
    return evolve(run, questions=after), result_of("decisions", True)
