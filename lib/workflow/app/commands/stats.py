"""`stepscript stats`: measures a workflow, or a run, in characters, commands and agents."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click
from attrs import asdict
from click.shell_completion import CompletionItem

from ...run.spending import breakdown
from ...run.spending.breakdown import AgentUsage, as_data, by_agent
from ...run.spending.costs import spent
from ...run.spending.usage import Usage, total
from ...run.temporal.place import is_remote
from ...testing.costs import Cost, Shown, by_kind, by_role, by_step, cost_of
from ...util.output import DONE
from ..arguments import json_option
from ..output.screen import Screen, count, emit, out
from ..output.waiting import telling
from ..runs.found_runs import drivers, find, name_of, undriven
from ..runs.run_argument import RunName
from ..runs.standings import events_at, spec_at
from ..workflow_argument import WorkflowName

if TYPE_CHECKING:
    from ...discovery import Found


class _Subject(click.ParamType["Found | str", str]):
    """A workflow by its name; else a run by its name or folder, given as the driver's folder."""

    name = "workflow"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> "Found | str":
        try:
            return WorkflowName().convert(value, param, ctx)
        except click.UsageError as error:
            folder = undriven(value)
            if folder is not None:
                raise click.UsageError(_undriven(folder), ctx) from None
            try:
                return find(value)
            except ValueError:
                raise click.UsageError(f"{error}\nNo run of this project has this name, either.", ctx) from None

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        kinds = (WorkflowName(), RunName())
        return [item for kind in kinds for item in kind.shell_complete(ctx, param, incomplete)]


def _undriven(folder: str) -> str:
    return (
        f"{folder}: an agent leads this run itself, so its pages are not recorded. Name the workflow of the run "
        "instead, to measure a simulated run"
    )


@click.command()
@click.argument("subject", type=_Subject(), metavar="WORKFLOW|RUN")
@json_option
def command(subject: "Found | str", as_json: bool) -> int:
    """Measure the costs of a workflow, or of a run.

    It counts launched agents, the commands that agents run, the characters that these print, and the share in lines
    that the same agent saw before. A workflow is measured by a simulated run; a RUN that stepscript drives, by its
    records. Its tokens and price are those that the client reports; else the tokens are an estimate: one for 4
    characters.
    """
    used: Sequence[AgentUsage] = ()
    if isinstance(subject, str):
        name, shown, untold = _of_run(subject)
        used = _used(subject)
    else:
        name, shown, untold = subject.workflow.name, _of_workflow(subject), 0
    if as_json:
        more = {"usage": as_data(used)} if isinstance(subject, str) else {}
        emit(_document(name, shown, untold) | more)
    else:
        _print(name, shown, untold, out())
        _print_usage(used, out())
    return DONE


def _of_workflow(found: "Found") -> Sequence[Shown]:
    from ..runs.simulation import Simulation, simulate  # a large import, and `stepscript --help` loads every command

    with telling() as tell:
        tell(f"a simulated run of {found.workflow.name}")
        return simulate(Simulation(found=found))


def _of_run(run: str) -> tuple[str, Sequence[Shown], int]:
    """Return the texts of all workflows driven in the run's folder: a sequel has its own driver's folder."""
    if is_remote(run):
        raise ValueError(
            f"{name_of(run)} is kept by a Temporal server, which does not store the pages of steps; the transcripts of "
            f"its agents are in {os.path.join(run, 'agents')}"
        )
    found = [spent(driver, events_at(driver)) for driver in drivers(os.path.dirname(run))]
    return name_of(run), [each for part in found for each in part.shown], sum(part.untold for part in found)


def _used(run: str) -> Sequence[AgentUsage]:
    """Return the tokens of the agents of all workflows driven in the run's folder."""
    found = drivers(os.path.dirname(run))
    return [each for driver in found for each in by_agent(driver, events_at(driver), spec_at(driver))]


def _print_usage(used: Sequence[AgentUsage], screen: Screen) -> None:
    found = total(each.usage for each in used)
    if not found.tokens:
        return
    phases, steps = list(breakdown.by_phase(used).items()), list(breakdown.by_step(used).items())
    agents = [(f"{each.key} {each.role}", each.usage) for each in used]
    for title, rows in (("phase", phases), ("step, by its agents", steps), ("agent", agents)):
        screen.line()
        screen.table((title, "attempts", "tokens", "price"), [(name, *_spent(usage)) for name, usage in rows])
    screen.line()
    screen.line(found.sentence)


def _spent(usage: Usage) -> tuple[str, ...]:
    return f"{usage.attempts:>8,}", f"{usage.said:>12}", f"{usage.price:>8}"


def _document(name: str, shown: Sequence[Shown], untold: int) -> dict[str, object]:
    groups = {"steps": by_step(shown), "roles": by_role(shown), "kinds": by_kind(shown)}
    rows = {key: [{"name": row, **asdict(cost)} for row, cost in costs.items()] for key, costs in groups.items()}
    return {"name": name, **asdict(cost_of(shown)), "untold": untold, **rows}


def _print(name: str, shown: Sequence[Shown], untold: int, screen: Screen) -> None:
    whole = cost_of(shown)
    screen.line((name, "bold"))
    _table("step, with the agents that it launches", by_step(shown), screen)
    screen.line()
    _table("role", by_role(shown), screen)
    screen.line()
    screen.line(
        f"{whole.characters:,} characters by {count(whole.commands, 'command')} in {count(whole.pages, 'page')}, "
        f"{whole.percent:.0f} % repeated; {count(whole.agents, 'agent')}"
    )
    if untold:
        screen.paragraph(f"{count(untold, 'agent')} not counted: no record of their pages.")


def _table(title: str, costs: Mapping[str, Cost], screen: Screen) -> None:
    heads = (title, "agents", "pages", "commands", "characters", "repeated")
    screen.table(heads, [(name, *_numbers(cost)) for name, cost in costs.items()])


def _numbers(cost: Cost) -> tuple[str, ...]:
    counted = zip((cost.agents, cost.pages, cost.commands, cost.characters), (6, 5, 8, 10), strict=True)
    return (*(f"{number:>{width},}" for number, width in counted), f"{cost.percent:7.0f}%")
