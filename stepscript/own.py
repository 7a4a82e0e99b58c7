"""Starts a module of a project's own skills, if the user has agreed to them: `python own.py PROJECT -m MODULE WORD…`.

It replaces the interpreter in printed commands, so it takes `-c CODE` too.
"""

import runpy
import sys
from typing import TYPE_CHECKING

from stepscript.names import claim

if TYPE_CHECKING:
    from lib.workflow.errors import RefusedError

USAGE = "usage: own.py PROJECT (-m MODULE | -c CODE) [WORD...]\n"


def main(words: list[str]) -> int:
    """Run the module in this process and return the exit status of a refusal."""
    if len(words) < 3 or words[1] not in ("-m", "-c"):
        sys.stderr.write(USAGE)
        return 2

    claim()
    from lib.workflow.errors import RefusedError
    from lib.workflow.state.own_skills import admit

    root, option, named, *rest = words
    try:
        admit(root)
    except RefusedError as error:
        return _refused(named, rest, error)
    sys.argv = [option, *rest]
    if option == "-c":
        exec(compile(named, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102 - as the interpreter does
    else:
        runpy.run_module(named, run_name="__main__", alter_sys=True)
    return 0


def _refused(named: str, words: list[str], error: "RefusedError") -> int:
    from lib.workflow.cli.script import FORMS, run

    def refuse() -> tuple[int, str]:
        raise error

    return run(named, words, FORMS, refuse)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
