"""The tags of the node classes as a module, `lib/workflow/ast/reserved.py`. `make docs` writes it."""

import sys

from ...ast.catalogue import BY_TAG

MODULE = '''\
"""Tags of the node classes. Made from the classes by `make docs`; a test keeps it true.

`Element` refuses them, because the parser would read another class. A step imports only the families that it prints.
"""

from typing import Final

RESERVED: Final = frozenset(
    {{
{tags}
    }}
)
'''


def module() -> str:
    """Return the text of the module."""
    return MODULE.format(tags="\n".join(f'        "{tag}",' for tag in sorted(BY_TAG)))


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:  # not by the shell, which would empty what is imported here
        file.write(module())
