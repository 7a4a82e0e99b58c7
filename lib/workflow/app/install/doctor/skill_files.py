"""Checks of a package's skill files: the rules of the Agent Skills format, and the commands that they name."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Final

from ....command.quoting import ShellError, split
from ....core import Workflow
from ....discovery import DiscoveryError, Found, search
from ....errors import RefusedError, WorkflowError
from ....prompts.markdown import NOT_BUILT, read_front_matter
from ....testing.findings import Fault, Finding
from ...skills.start_commands import SKILL, home_of
from ..sources import MAX_DESCRIPTION, Skill, is_name

OURS: Final = "skills"
"""Package of this project's skills, which its tests check."""
FIELDS: Final = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
MAX_COMPATIBILITY: Final = 500
COMMON: Final = frozenset({"--step", "--format", "--help"})
"""Flags of every step."""
_COMMAND: Final = re.compile(r"\bpython3 -m ([A-Za-z_][\w.]*\w)([^\n`]*)")
MISSING: Final = (
    f"it has no {SKILL}, so no client finds the skill; write one, or, if the package is installed: {NOT_BUILT}"
)


def faults(package: str, found: Sequence[Found]) -> Iterator[Finding]:
    """Yield the findings on the skill files of a package.

    Args:
        package: The package. Only a top-level one needs skill files, because only it is installed.
        found: Its workflows.
    """
    by_home: dict[str, dict[str, Workflow]] = {}
    for item in found:
        by_home.setdefault(home_of(item), {})[item.workflow.module] = item.workflow
    for home, workflows in by_home.items():
        folder = _folder(home)
        if folder is None or home.count(".") != 1:
            continue
        path = os.path.join(folder, SKILL)
        if os.path.isfile(path):
            yield from (Finding(Fault.SKILL_FILE, home, "", what) for what in _of_file(path, workflows))
        elif package == home.partition(".")[0]:
            yield Finding(Fault.SKILL_FILE, home, "", MISSING)


def check(chosen: Iterable[Skill]) -> None:
    """Check the files of skills that other packages and the project bring. Raises RefusedError for the first fault."""
    homes = {skill.home: skill.package for skill in chosen if skill.package != OURS}
    for package in dict.fromkeys(homes.values()):
        with suppress(DiscoveryError):  # `stepscript list` reports it
            for finding in faults(package, search(package)[0]):
                if finding.workflow in homes:
                    fix = f"Fix it, and try:  stepscript validate {package}\nOr install others: --skill NAME"
                    raise RefusedError("faulty-skill", finding.workflow, f"{finding.fault}: {finding.what}", fix)


def _folder(home: str) -> str | None:
    spec = find_spec(home)
    return next(iter(spec.submodule_search_locations or ()), None) if spec else None


def _of_file(path: str, workflows: Mapping[str, Workflow]) -> Iterator[str]:
    try:
        front, body = read_front_matter(path, yaml=True)
    except WorkflowError as error:
        yield str(error)
        return
    name, wanted = front.get("name", ""), os.path.basename(os.path.dirname(path)).replace("_", "-")
    if not is_name(name):
        yield f"name: {name!r:.80}: use lower-case letters, digits and single hyphens, at most 64 characters"
    elif name != wanted:
        yield f"name: {name!r} does not match the folder: write {wanted!r}"
    description = front.get("description", "")
    if not 0 < len(description) <= MAX_DESCRIPTION or not {"<", ">"}.isdisjoint(description):
        yield f"description: write 1 to {MAX_DESCRIPTION:,} characters, without < and >; it has {len(description):,}"
    if len(front.get("compatibility", "")) > MAX_COMPATIBILITY:
        yield f"compatibility: write at most {MAX_COMPATIBILITY} characters"
    for field in front.keys() - FIELDS:
        yield f"{field!r:.60} is not a field of a skill file; known: {', '.join(sorted(FIELDS))}"
    commands = _COMMAND.findall(body)
    for module, words in commands:
        yield from _of_command(module, words, workflows)
    if not any(module in workflows for module, _ in commands):
        scripts = ", ".join(f"`python3 -m {module} --step 1`" for module in workflows)
        yield f"it starts no workflow of the skill; write one of: {scripts}"


def _of_command(module: str, text: str, workflows: Mapping[str, Workflow]) -> Iterator[str]:
    workflow = workflows.get(module)
    if workflow is None:
        if not _exists(module):
            yield f"`python3 -m {module}` names no module; scripts of the skill: {', '.join(workflows)}"
        return
    words = [word for word in _words(text) if word]
    step = _value(words, "--step")
    if step is None:
        yield f"`python3 -m {module}` has no step; begin with --step {workflow.number(workflow.entry_point)}"
    elif step.isdecimal() and not 1 <= int(step[:9]) <= workflow.total_steps:
        yield f"`python3 -m {module} --step {step}`: {workflow.name} has steps 1 to {workflow.total_steps}"
    flags = {parameter.flag for parameter in workflow.parameters.values()}
    for word in words:
        flag = word.partition("=")[0]
        if flag.startswith("--") and flag.replace("--no-", "--", 1) not in flags | COMMON and flag not in flags:
            yield f"`python3 -m {module}` takes no {flag}; it takes {', '.join(sorted(flags)) or 'no parameters'}"


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _words(text: str) -> Sequence[str]:
    try:
        return split(text)
    except ShellError:  # a page may show placeholders in any form
        return text.split()


def _value(words: Sequence[str], flag: str) -> str | None:
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == flag:
            return value if equals else next(iter(words[number + 1 : number + 2]), "")
    return None
