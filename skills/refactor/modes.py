"""Parameters of every command of the analysis and of its explorers: the mode and the scope."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from lib.workflow.core import Arg


class Mode(StrEnum):
    """The side of a program that is examined."""

    DESIGN = "design"
    CODE = "code"
    BOTH = "both"


ModeArg: TypeAlias = Annotated[Mode, Arg(description="what is examined")]
Scope: TypeAlias = Annotated[
    str, Arg(description="where: a folder, file or document", samples=("/srv/shop/src",), path=True)
]
