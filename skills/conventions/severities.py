"""How grave each category of findings is, read from the tables of the convention `severity`."""

import os
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lib.workflow.errors import WorkflowError
from lib.workflow.pages import read_page
from lib.workflow.types import Severity

from .texts import FOLDER

PATH: Final = os.path.join(FOLDER, "severity.md")
_ROW: Final = re.compile(r"^\| ([A-Z_]+) \| \S", re.MULTILINE)


def severities(path: str = PATH) -> Mapping[str, Severity]:
    """Category -> severity. Raises WorkflowError, with file and line, where the tables do not say one for each."""
    found: dict[str, Severity] = {}
    _, sections = read_page(path)
    if [section.title for section in sections] != list(Severity):
        raise WorkflowError(f"{path}: has other sections than {', '.join(Severity)}; write one table under each")
    for heading, text, line in sections:
        categories = _ROW.findall(text)
        if not categories:
            raise WorkflowError(f"{path}:{line}: {heading} has no row `| CATEGORY | what it shows |`")
        for category in categories:
            if category in found:
                raise WorkflowError(
                    f"{path}:{line}: {category} is {found[category]} already; a category has one severity"
                )
            found[category] = Severity(heading)
    return MappingProxyType(found)
