"""The folders in which the steps and agents of a run work."""


class Workplace:
    """The current folder, for all of them."""

    is_shared = True
    """False if each launched agent has a folder of its own."""

    def prepare(self) -> None:
        """Make the folder of the run, before anything works in it. Raises RefusedError if that fails."""

    def lend(self, key: str) -> str | None:
        """Return the folder of a launched agent, by the key of its job; None for that of the run."""
        return None

    def give(self, key: str) -> None:
        """Take over the changes of a launched agent that has replied. Raises CrashError if they do not fit."""

    def finish(self) -> None:
        """Bring the result of the run back, before its end is recorded. Raises RefusedError if that fails."""
