"""The blocks that stand among a step's actions (specifications 000 and 001, the XML formatters)."""

from typing import Final

from attrs import field, frozen

from ..util.characters import one_line
from .fields import TEXT, Node
from .nodes import content


@frozen(kw_only=True, eq=False, repr=False)
class StateBanner(Node):
    """Where a review loop stands."""

    tag = "state_banner"
    checkpoint: str = field(validator=one_line)
    iteration: int
    mode: str = field(validator=one_line)

    def check(self) -> None:
        if self.iteration < 1:
            raise ValueError(f"StateBanner.iteration: {self.iteration}; iterations count from 1")


@frozen(eq=False, repr=False)
class ExpectedOutput(Node):
    """What must exist when the step is done."""

    tag = "expected_output"
    items: tuple[str, ...]


@frozen(eq=False, repr=False)
class Forbidden(Node):
    """True boundaries of the step."""

    tag = "forbidden"
    items: tuple[str, ...]


@frozen(eq=False, repr=False)
class DetectionQuestions(Node):
    """Questions whose answers show whether a fault is there."""

    tag = "detection_questions"
    items: tuple[str, ...]


@frozen(eq=False, repr=False)
class VerificationChecklist(Node):
    """What a verifier goes through, one by one."""

    tag = "verification_checklist"
    items: tuple[str, ...]


@frozen(eq=False, repr=False)
class IncorrectBehavior(Node):
    """Examples of what does not count as following the step."""

    tag = "incorrect_behavior"
    items: tuple[str, ...]


@frozen(eq=False, repr=False)
class Routing(Node):
    """Where the workflow goes from here, in words; the commands themselves stand in `InvokeAfter`."""

    tag = "routing"
    text: str = field(metadata=TEXT)


@frozen(eq=False, repr=False)
class PostQrRouting(Node):
    """What follows a review that passed, and one that failed."""

    tag = "post_qr_routing"
    text: str = field(metadata=TEXT)


@frozen(kw_only=True, eq=False, repr=False)
class Resource(Node):
    """A reference text, embedded whole, so that the agent need not look for it.

    (Specification 001 calls that RE2. RE2 is re-reading the question, Xu et al. 2023: another technique.)
    """

    tag = "resource"
    name: str
    text: str = field(metadata=TEXT)


@frozen(eq=False, repr=False)
class OrchestratorConstraint(Node):
    """What the orchestrator itself must leave to others."""

    tag = "orchestrator_constraint"
    text: str = field(metadata=TEXT)


@frozen(eq=False, repr=False)
class FactoredVerificationRationale(Node):
    """Why questions are answered apart from the draft under test (chain-of-verification, Dhuliawala et al. 2023)."""

    tag = "factored_verification_rationale"
    text: str = field(metadata=TEXT)


@frozen(eq=False, repr=False)
class OpenQuestionGuidance(Node):
    """How to ask so that the question does not carry its answer: open rather than yes or no (the same paper)."""

    tag = "open_question_guidance"
    text: str = field(metadata=TEXT)


@frozen(eq=False, repr=False)
class OrchestratorAction(Node):
    """What the orchestrator does next. It stands in a sub-agent's output, the one text read after the agent returns."""

    tag = "orchestrator_action"
    children: tuple[Node, ...] = field(converter=content)


@frozen(kw_only=True, eq=False, repr=False)
class QrFileOutput(Node):
    """Where a review left its findings, and what the orchestrator does with them (001, "Invisible Knowledge" 3)."""

    tag = "qr_file_output"
    phase: str = field(validator=one_line)
    path: str
    action: OrchestratorAction


NODES: Final = (
    StateBanner,
    ExpectedOutput,
    Forbidden,
    DetectionQuestions,
    VerificationChecklist,
    IncorrectBehavior,
    Routing,
    PostQrRouting,
    Resource,
    OrchestratorConstraint,
    FactoredVerificationRationale,
    OpenQuestionGuidance,
    OrchestratorAction,
    QrFileOutput,
)
"""The classes of this family."""
