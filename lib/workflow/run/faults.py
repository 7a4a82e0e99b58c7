"""What agents of a rehearsal can do wrong."""

from enum import StrEnum


class Fault(StrEnum):
    """What an agent does wrong."""

    FAIL = "fail"
    """Reviews find something; how, is the mind's to say."""
    ASK = "ask"
    NONSENSE = "nonsense"
    CRASH = "crash"
    HANG = "hang"
