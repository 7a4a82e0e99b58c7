"""git, asked to apply one patch to files that belong to no repository."""

import os
import subprocess
from collections.abc import Mapping
from typing import Final

COMMAND: Final = (
    *("git", "-c", "core.hooksPath=/dev/null", "-c", "core.attributesFile=/dev/null", "-c", "core.autocrlf=false"),
    *("apply", "--whitespace=nowarn"),
)
IN_ALREADY: Final = ("--reverse", "--check")
"""Asks whether a patch could be taken back, and changes nothing."""


def applied(patch: str, tree: str, seconds: float, *words: str) -> str | None:
    """Applies the patch to the files below the tree; what git says instead, where it changes nothing.

    More words change what is asked of it, as IN_ALREADY does.

    Neither the settings of the machine or of the user, nor those of a repository around the tree, have a say. Raises
    ValueError where git is not there or takes longer.
    """
    late = "trying the diffs takes too long; try a smaller plan"
    if seconds <= 0:
        raise ValueError(late)
    try:
        run = subprocess.run(
            (*COMMAND, *words, "-"),
            cwd=tree,
            env=_environment(tree),
            input=patch.encode(),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError:
        raise ValueError("git, which tries the diffs, is not here; install it, or leave --repo out") from None
    except subprocess.TimeoutExpired:
        raise ValueError(late) from None
    return None if run.returncode == 0 else run.stderr.decode(errors="replace")


def _environment(tree: str) -> Mapping[str, str]:
    """Only what git needs to run, in English."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "LC_ALL": "C",
        "HOME": tree,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": os.path.dirname(tree),
    }
