"""The guidance blocks that a step prints among its actions."""

from attrs import field, frozen

from ..util.characters import one_line
from .fields import TEXT, Node
from .nodes import content


@frozen(kw_only=True)
class StateBanner(Node):
    """The position of a review loop: checkpoint, iteration and mode."""

    tag = "state_banner"
    checkpoint: str = field(validator=one_line)
    iteration: int
    mode: str = field(validator=one_line)

    def check(self) -> None:
        if self.iteration < 1:
            raise ValueError(f"StateBanner.iteration: {self.iteration}; iterations start at 1")


@frozen
class ExpectedOutput(Node):
    """The results that must exist when the step is done."""

    tag = "expected_output"
    items: tuple[str, ...]


@frozen
class Forbidden(Node):
    """Absolute limits of the step."""

    tag = "forbidden"
    items: tuple[str, ...]


@frozen
class DetectionQuestions(Node):
    """Questions whose answers show whether a fault exists."""

    tag = "detection_questions"
    items: tuple[str, ...]


@frozen
class VerificationChecklist(Node):
    """The items that a verifier checks one by one."""

    tag = "verification_checklist"
    items: tuple[str, ...]


@frozen
class IncorrectBehavior(Node):
    """Examples of behaviour that breaks the step's rules."""

    tag = "incorrect_behavior"
    items: tuple[str, ...]


@frozen
class Routing(Node):
    """The route of the workflow from here, in words; the commands themselves are in `InvokeAfter`."""

    tag = "routing"
    text: str = field(metadata=TEXT)


@frozen
class PostQrRouting(Node):
    """The routes after a review that passed and one that failed."""

    tag = "post_qr_routing"
    text: str = field(metadata=TEXT)


@frozen(kw_only=True)
class Resource(Node):
    """A reference text, embedded whole, so that the agent need not look for it."""

    tag = "resource"
    is_verbatim = True
    name: str
    text: str = field(metadata=TEXT)


@frozen
class OrchestratorConstraint(Node):
    """The work that the orchestrator must leave to others."""

    tag = "orchestrator_constraint"
    text: str = field(metadata=TEXT)


@frozen
class FactoredVerificationRationale(Node):
    """The reason to answer questions apart from the tested draft (chain-of-verification, Dhuliawala et al. 2023)."""

    tag = "factored_verification_rationale"
    text: str = field(metadata=TEXT)


@frozen
class OpenQuestionGuidance(Node):
    """Advice on open questions, which do not suggest their answer (chain-of-verification, Dhuliawala et al. 2023)."""

    tag = "open_question_guidance"
    text: str = field(metadata=TEXT)


@frozen
class OrchestratorAction(Node):
    """The orchestrator's next action. A sub-agent prints it, because its reply is all that the orchestrator reads."""

    tag = "orchestrator_action"
    children: tuple[Node, ...] = field(converter=content)


@frozen(kw_only=True)
class QrFileOutput(Node):
    """The file in which a review left its findings, and the orchestrator's next action."""

    tag = "qr_file_output"
    phase: str = field(validator=one_line)
    path: str
    action: OrchestratorAction
