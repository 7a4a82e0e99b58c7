"""The user of a rehearsal: answers as the mind does, and ends what would never end."""

from lib.workflow.ast.relay import NeedsUserInput, Option, Question
from lib.workflow.run.driver.jobs import LOST_HEADER
from lib.workflow.run.rehearsal import MOST_LOST, RehearsedUser
from lib.workflow.testing.reader import Simple

OPTIONS = (Option(label="Try again"), Option(label="Give up"))


def asked(header: str, text: str) -> NeedsUserInput:
    return NeedsUserInput((Question(header=header, text=text, options=OPTIONS),))


def test_an_agent_that_is_lost_for_one_reason_again_and_again_is_given_up() -> None:
    user = RehearsedUser(Simple())
    said = [user.answer(asked(LOST_HEADER, "It has crashed")).answers[0].text for _ in range(MOST_LOST + 1)]
    assert said == ["Try again"] * MOST_LOST + ["Give up"]
    assert user.answer(asked(LOST_HEADER, "It has another reason")).answers[0].text == "Try again"


def test_other_questions_are_answered_as_often_as_they_come() -> None:
    user = RehearsedUser(Simple())
    said = {user.answer(asked("Gate", "Go on?")).answers[0].text for _ in range(3 * MOST_LOST)}
    assert said == {"Try again"}
