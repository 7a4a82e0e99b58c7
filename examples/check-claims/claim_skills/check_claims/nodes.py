"""The node of the skill: a claim with its place."""

from attrs import field, frozen

from lib.workflow.ast.fields import TEXT, Node


@frozen(eq=False, repr=False, kw_only=True)
class Claim(Node):
    """One claim of a document. It prints as `<claim place="…">…</claim>`."""

    tag = "claim"
    place: str
    """File and line."""
    text: str = field(metadata=TEXT)

    def check(self) -> None:
        if ":" not in self.place:
            raise ValueError(f"Claim.place: {self.place!r:.60} has no line; write FILE:LINE")
