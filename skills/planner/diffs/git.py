"""Application of one patch with git to plain files, independent of any repository around them."""

import subprocess
from typing import Final

from lib.workflow.state.git import ask_git_apart

IN_ALREADY: Final = ("--reverse", "--check")
"""The options that check if a patch could be reversed; they change nothing."""


def applied(patch: str, tree: str, seconds: float, *words: str) -> str | None:
    """Apply the patch to the files below the tree.

    Args:
        patch: A unified diff.
        tree: The folder that its paths are relative to.
        seconds: The time limit of git.
        words: More options, such as IN_ALREADY.

    Returns:
        git's message if it changes nothing; None if the patch is applied.

    Raises:
        ValueError: If git is missing, or takes longer.
    """
    late = "trying the diffs takes too long; try a smaller plan, or leave --repo out"
    if seconds <= 0:
        raise ValueError(late)
    try:
        said = ask_git_apart(tree, "apply", "--whitespace=nowarn", *words, "-", given=patch, seconds=seconds)
    except FileNotFoundError:
        raise ValueError("git is not installed, but tries the diffs; install it, or leave --repo out") from None
    except subprocess.TimeoutExpired:
        raise ValueError(late) from None
    return said.errors if said.status else None
