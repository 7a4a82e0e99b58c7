"""What goes wrong with a workflow, by who can mend it. Raised where the rule lives, caught once, in `main`."""


class WorkflowError(ValueError):
    """The workflow itself is wrong: its author must mend it. The message names workflow and step, and what to write."""


class UsageError(ValueError):
    """The call is wrong: whoever ran the command must change it (exit status 2)."""
