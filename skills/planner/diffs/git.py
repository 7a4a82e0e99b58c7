"""git, asked to apply one patch to files as they lie there, whatever repository is around them."""

import subprocess
from typing import Final

from lib.workflow.state.git import ask_git_apart

IN_ALREADY: Final = ("--reverse", "--check")
"""Asks whether a patch could be taken back, and changes nothing."""


def applied(patch: str, tree: str, seconds: float, *words: str) -> str | None:
    """Apply the patch to the files below the tree.

    Args:
        patch: A unified diff.
        tree: The folder that its paths are below.
        seconds: How long git may take.
        words: More options, such as IN_ALREADY.

    Returns:
        What git says if it changes nothing; None if the patch is applied.

    Raises:
        ValueError: If git is not there, or takes longer.
    """
    late = "trying the diffs takes too long; try a smaller plan"
    if seconds <= 0:
        raise ValueError(late)
    try:
        said = ask_git_apart(tree, "apply", "--whitespace=nowarn", *words, "-", given=patch, seconds=seconds)
    except FileNotFoundError:
        raise ValueError("git, which tries the diffs, is not here; install it, or leave --repo out") from None
    except subprocess.TimeoutExpired:
        raise ValueError(late) from None
    return said.errors if said.status else None
