"""The README's table of skills, made from their workflows. `make docs` writes it."""

import sys
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from ...arguments.parameter import Parameter
from ...discovery import Found, discover_workflows, search
from ...util.plurals import count
from .start_commands import SKILL, home_of, skill_file, starts_by_hand, told_at_start

BEGIN: Final = "<!-- skills: made by `make docs`, from the workflows -->"
END: Final = "<!-- end of skills -->"


@frozen
class Skill:
    """A workflow that a skill file starts, and the numbers of steps of the scripts for its agents."""

    found: Found
    agents: tuple[int, ...]


def skills(package: str = "skills") -> Iterator[Skill]:
    """Yield the workflows that a skill file starts, by name; the others of its package are for its agents.

    Raises DiscoveryError for a package with unusable workflows, because the table would leave them out.
    """
    discover_workflows(package)
    found, _ = search(package)
    for item in found:
        if starts_by_hand(item) and skill_file(item):
            others = [other for other in found if home_of(other) == home_of(item) and not starts_by_hand(other)]
            yield Skill(item, tuple(other.workflow.total_steps for other in others))


def table(package: str = "skills") -> str:
    """Return the table, one row per skill."""
    rows = [_row(skill) for skill in skills(package)]
    return "\n".join(["| skill | what it does | steps | parameters | starts with |", "|---|---|---|---|---|", *rows])


def with_table(page: str, made: str) -> str:
    """Return the page with the table between its two marks. Raises ValueError for a page without them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no table of skills; write {BEGIN} and {END} where it belongs")
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the table into the page given by path."""
    (path,) = sys.argv[1:] if argv is None else argv
    with open(path, encoding="utf-8") as file:
        page = file.read()
    made = with_table(page, table())
    with open(path, "w", encoding="utf-8") as file:
        file.write(made)
    return 0


def _row(skill: Skill) -> str:
    workflow = skill.found.workflow
    needed = "".join(f" {flag} …" for flag in told_at_start(skill.found))
    cells = [
        f"[{workflow.name}]({home_of(skill.found).replace('.', '/')}/{SKILL})",
        workflow.description,
        f"{workflow.total_steps}{_of_agents(skill.agents)}",
        ", ".join(map(_told, workflow.parameters.values())) or "none",
        f"`stepscript step {workflow.name} 1{needed}`",
    ]
    escaped = [cell.replace("|", r"\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"


def _of_agents(steps: tuple[int, ...]) -> str:
    if len(steps) < 2:
        return "".join(f" (+{number})" for number in steps)
    return f" (+{count(len(steps), 'script')} for its agents)"


def _told(parameter: Parameter) -> str:
    low, high = parameter.arg.min, parameter.arg.max
    legal = "/".join(parameter.choices) or (f"{low}-{high}" if low is not None and high is not None else "")
    return f"`{parameter.flag}`{legal and f' {legal}'}"


if __name__ == "__main__":
    raise SystemExit(main())
