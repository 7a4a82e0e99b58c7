"""The question relay: a sub-agent that needs the user replies with its questions and stops."""

from attrs import field, frozen

from ..types import MAX_HEADER, MAX_OPTIONS, MAX_QUESTIONS, MIN_OPTIONS
from ..util.characters import one_line
from ..util.suggest import repeated
from .fields import ELEMENT, TEXT, Node


@frozen(kw_only=True)
class Option(Node):
    """One answer that the user can pick."""

    tag = "option"
    standalone = False
    label: str = field(validator=one_line)
    description: str = field(default="", metadata=TEXT)


@frozen(kw_only=True)
class Question(Node):
    """One question with distinct options. The answer comes back under its header."""

    tag = "question"
    standalone = False
    header: str = field(validator=one_line)
    text: str = field(metadata=ELEMENT)
    options: tuple[Option, ...]

    def check(self) -> None:
        if len(self.header) > MAX_HEADER:
            raise ValueError(f"Question.header: {self.header!r:.60} has over {MAX_HEADER} characters; shorten it")
        if not MIN_OPTIONS <= len(self.options) <= MAX_OPTIONS:
            raise ValueError(
                f"Question {self.header!r}: options: {len(self.options)}; give {MIN_OPTIONS} or {MAX_OPTIONS}"
            )
        _check_distinct(f"Question {self.header!r}: the label", [option.label for option in self.options])
        if not self.text.strip():
            raise ValueError(f"Question {self.header!r}: has no text; write the question")


@frozen
class NeedsUserInput(Node):
    """A sub-agent's whole reply when it cannot go on without the user."""

    tag = "needs_user_input"
    questions: tuple[Question, ...]

    def check(self) -> None:
        if not 1 <= len(self.questions) <= MAX_QUESTIONS:
            raise ValueError(f"NeedsUserInput: questions: {len(self.questions)}; ask 1 to {MAX_QUESTIONS}")
        _check_distinct("NeedsUserInput: the header", [question.header for question in self.questions])


@frozen(kw_only=True)
class Answer(Node):
    """The user's answer to one question."""

    tag = "answer"
    standalone = False
    header: str = field(validator=one_line)
    text: str = field(metadata=TEXT)


@frozen
class UserResponse(Node):
    """The user's answers, for the agent when it is launched again."""

    tag = "user_response"
    answers: tuple[Answer, ...]

    def check(self) -> None:
        if not self.answers:
            raise ValueError("UserResponse: has no answers")
        _check_distinct("UserResponse: the header", [answer.header for answer in self.answers])


def _check_distinct(what: str, names: list[str]) -> None:
    for name in repeated(names):
        raise ValueError(f"{what} {name!r:.60} is used twice; make them distinct")
