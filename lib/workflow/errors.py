"""What goes wrong with a workflow, by who can mend it. Raised where the rule lives, caught once, in `main`."""


class WorkflowError(ValueError):
    """The workflow itself is wrong: its author must mend it. The message names workflow and step, and what to write."""


class UsageError(ValueError):
    """The call is wrong: whoever ran the command must change it (exit status 2)."""


class RefusedError(Exception):
    """A request that nothing was done about, and what to do instead: a `refusal` frame (exit status 1).

    `code` is a fixed word for programs, `target` what was refused: a file, an entity, a command.
    """

    def __init__(self, code: str, target: str, message: str, fix: str) -> None:
        super().__init__(f"{target}: {message}; {fix}")
        self.code = code
        self.target = target
        self.message = message
        self.fix = fix
