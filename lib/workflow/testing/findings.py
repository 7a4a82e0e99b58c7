"""Findings of a proof about a workflow."""

from enum import StrEnum

from attrs import frozen


class Fault(StrEnum):
    """The kinds of findings, in the words of the report."""

    UNUSABLE = "cannot be used"
    TOO_MANY_CASES = "has too many valid calls"
    BROKEN = "does not print"
    CALL = "refuses a valid call"
    FORM = "prints an invalid document"
    LENGTH = "prints too much"
    ENDING = "does not say what comes next"
    REFUSED = "prints a command that does not run"
    REPEAT = "prints something else when repeated"
    RELATIVE = "handles a relative path differently from an absolute one"
    STATE = "changes the state directory"
    PROCESS = "prints something else when it runs"
    UNREACHED = "is never reached"
    DEAD_END = "leads to no end"
    LOOP = "loops beyond its limit"
    SKILL_FILE = "has a fault in its skill file"


@frozen
class Finding:
    """One finding and its place."""

    fault: Fault
    workflow: str
    """Name of the workflow, or its module if it has none."""
    where: str
    """The step, and the command if one shows it; empty for the workflow as a whole."""
    what: str

    def __str__(self) -> str:
        return f"{', '.join(part for part in (self.workflow, self.where) if part)} {self.fault}: {self.what}"
