"""The report of a driven run as a document: verdict, request, numbers, timeline, pages with their replies."""

import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from attrs import define

from ....ast.fields import Node
from ....ast.nodes import Code, Document, Element
from ....ast.parse import ParseError, parse
from ....ast.prose import Tone, bar, bullets, chart, facts, folded, item, labelled, markdown, section
from ....ast.step import CurrentAction
from ....run.journal.entry import read_questions, read_response
from ....run.journal.projection import State, milliseconds
from ....run.journal.status import Standing
from ....run.journal.visits import Attempt, Exchange, Outcome, Visit, Visits
from ....run.spending.breakdown import AgentUsage, by_agent, by_phase
from ....run.spending.usage import Usage, total
from ....state.consent import why_not
from ....util.characters import printable
from ....util.plurals import count
from ...output.screen import clock, moment
from ..found_runs import command_line, drivers, name_of, spelled
from ..placing import result_of
from ..standings import events_at, standing_at
from ..trust import how, is_yours, without_commands
from .summaries import asked

MOST: Final = 4_000_000
"""Maximum characters of all replies and pages, shared equally."""
LEAST: Final = 500
LONGEST: Final = 50_000
"""Limits of one reply's share."""
RICH: Final = 200_000
"""Maximum characters of all texts that are read as Markdown; later texts are shown as they are."""
FAILURES: Final = 50
REASON: Final = 600
"""Maximum failures in their list, and characters of the reason of each; the page's part has it whole."""
TONES: Final = {Outcome.REPLIED: Tone.GOOD, Outcome.FAILED: Tone.BAD, Outcome.LOST: Tone.BAD}
MARKS: Final = {Outcome.REPLIED: "✓", Outcome.FAILED: "✗", Outcome.LOST: "✗", Outcome.AT_WORK: "…"}
VERDICTS: Final = {State.DONE: Tone.GOOD, State.STOPPED: Tone.BAD, State.CANCELLED: Tone.BAD}
GO_ON: Final = {State.WAITING: "answer", State.STOPPED: "resume", State.INTERRUPTED: "resume"}
"""The command that goes on with a run, by its state."""
QUESTIONS: Final = "<needs_user_input>"
"""Begin of a reply that is only questions."""
_DIRECTIONS: Final = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that change the direction of text, so that it reads as another one, and controls."""


@define(kw_only=True)
class Driven:
    """One driver's part of a run: a sequel in the same folder has its own."""

    standing: Standing
    visits: Visits
    is_yours: bool
    agents: Sequence[AgentUsage]


def run_document(folder: str, own: Document | None) -> Document:
    """Return the report of the runs that stepscript has driven in a folder.

    Args:
        folder: The run directory.
        own: The report of the run's skill, if it has one; its sections follow.
    """
    parts: list[Driven] = []
    for driver in drivers(folder):
        begin = parts[-1].visits.now if parts else 0
        parts.append(_driven(driver, begin))
    made = section(_title(parts[-1]), *_Report(parts).blocks(), *(own.blocks if own else ()))
    return Document([made] if made else [])


def _driven(driver: str, begin: int) -> Driven:
    now, yours = standing_at(driver), is_yours(driver)
    entries = events_at(driver)
    live = milliseconds(now.account.last, datetime.now(UTC).isoformat()) if now.state is State.AT_WORK else None
    past = entries if yours else map(without_commands, entries)
    agents = by_agent(driver, entries, now.spec)
    return Driven(standing=now, visits=Visits(past, begin, live), is_yours=yours, agents=agents)


def _title(last: Driven) -> str:
    return f"{shown(last.standing.spec.workflow)}: {shown(name_of(last.standing.run))}"


class _Report:
    """Builder of the report; it limits the characters of all texts together."""

    def __init__(self, parts: Sequence[Driven]) -> None:
        self._parts, self._last = parts, parts[-1]
        self._attempts = [attempt for part in parts for attempt in part.visits.attempts]
        self._visits = [visit for part in parts for visit in part.visits.pages.values()]
        self._share = min(max(MOST // (len(self._attempts) + len(self._visits) or 1), LEAST), LONGEST)
        self._rich = RICH
        self._agents = [agent for part in parts for agent in part.agents]
        self._used = {
            id(visit): {agent.key: agent.usage for agent in part.agents if agent.page == visit.key}
            for part in parts
            for visit in part.visits.pages.values()
        }

    def blocks(self) -> Iterator[Node | None]:
        """Yield the parts of the report, the verdict first."""
        yield self._verdict()
        yield labelled("Request", shown(self._last.standing.spec.request))
        yield facts(*self._numbers())
        yield self._worktree()
        length = duration(self._last.visits.now)
        yield section("Timeline", chart("Pages and agents over the time of work", length, *self._bars()))
        yield section("Tokens and price", facts(*self._phases()))
        exchanges = [each for part in self._parts for each in part.visits.exchanges]
        yield section("Questions", *(pair for each in exchanges for pair in self._exchange(each)))
        yield section("Failures", bullets(*self._failures()))
        yield section("Pages and agents", *map(self._page, self._visits))

    def _verdict(self) -> Node | None:
        """Return the state of the run, the reason, and the command that goes on with it."""
        now, label = self._last.standing, str(self._last.standing.state).capitalize()
        tone = VERDICTS.get(now.state, Tone.OPEN)
        if not self._last.is_yours:
            folder = os.path.dirname(now.run)
            return labelled(label, shown(why_not(now.run)), shown(how(folder)), tone=tone)
        go = GO_ON.get(now.state)
        command = Code(language="sh", text=shown(command_line(go, spelled(now.run)))) if go else None
        return labelled(label, self._text(_why(now)), command, tone=tone)

    def _worktree(self) -> Node | None:
        """Return what the run's worktree holds, with the command that takes it over."""
        found = result_of(self._last.standing.run) if self._last.is_yours else None
        if found is None:
            return None
        command = Code(language="sh", text=shown(found.command)) if found.command else None
        return labelled("Worktree", shown(found.path), shown(found.sentence), command)

    def _numbers(self) -> Iterator[tuple[str, str]]:
        outcomes = [attempt.outcome for attempt in self._attempts]
        failed = outcomes.count(Outcome.FAILED) + outcomes.count(Outcome.LOST)
        yield "Time of work", duration(self._last.visits.now)
        yield "Pages", f"{len(self._visits):,}"
        yield "Agents", f"{len({(id(v), a.key) for v in self._visits for a in v.attempts}):,}"
        yield "Attempts", f"{len(outcomes):,}"
        yield "Failed attempts", f"{failed:,}"
        used = total(each.usage for each in self._agents)
        if used.tokens:
            yield "Tokens", used.said
        if used.cost:
            yield "Price", used.price
        if self._last.is_yours:
            yield "Characters of pages", f"{sum(len(visit.page) for visit in self._visits):,}"
        yield "Characters of replies", f"{sum(len(attempt.text) for attempt in self._attempts):,}"
        yield "Started", moment(self._parts[0].standing.account.begun, 16)
        yield "Last event", moment(self._last.standing.account.last, 16)

    def _phases(self) -> Iterator[tuple[str, str]]:
        """Yield the tokens and the price of each phase that used any."""
        for phase, usage in by_phase(self._agents).items():
            if usage.tokens:
                yield shown(phase) or "?", spent(usage)

    def _exchange(self, each: Exchange) -> Iterator[Node | None]:
        answers = {a.header: a.text for a in read_response(each.answers).answers} if each.answers else {}
        for question in read_questions(each.questions).questions:
            answer = answers.get(question.header)
            label = f"{shown(question.header)}: {shown(question.text)}"
            yield labelled(label, shown(answer) if answer else "not answered", tone=None if answer else Tone.OPEN)

    def _failures(self) -> Iterator[Node | None]:
        """Yield the reasons of attempts without a reply."""
        found = [each for each in self._attempts if each.outcome in (Outcome.FAILED, Outcome.LOST, Outcome.PAUSED)]
        for each in found[:FAILURES]:
            yield item(
                labelled(_name(each), shown(_shortened(each.text, REASON)), tone=TONES.get(each.outcome, Tone.OPEN))
            )
        if len(found) > FAILURES:
            yield item(f"{len(found) - FAILURES:,} more; the parts of their pages have the reasons")

    def _bars(self) -> Iterator[Element | None]:
        for visit in self._visits:
            yield bar(_heading(visit), visit.begin, visit.begin, is_head=True)
            for each in visit.attempts:
                yield bar(_short(each), each.begin, each.end, TONES.get(each.outcome, Tone.OPEN))

    def _page(self, visit: Visit) -> Node | None:
        page = folded(f"The page ({len(visit.page):,} characters)", *self._action(visit)) if visit.page else None
        used = self._used[id(visit)]
        whole = total(used.values())
        last = {each.key: each.number for each in visit.attempts}
        replies = (
            self._attempt(each, used.get(each.key) if each.number == last[each.key] else None)
            for each in visit.attempts
        )
        return section(
            _heading(visit), facts(("Tokens and price", spent(whole))) if whole.tokens else None, page, *replies
        )

    def _action(self, visit: Visit) -> Iterator[Node | None]:
        """Yield what the page says to do, and its command."""
        try:
            blocks = parse(visit.page).blocks
        except ParseError:  # the driver reported it
            yield self._text(visit.page)
        else:
            for block in blocks:
                if isinstance(block, CurrentAction):
                    for child in block.children:
                        value = getattr(child, "value", None)
                        yield self._text(value) if isinstance(value, str) else child
        if visit.command:
            yield labelled("Printed by", Code(language="sh", text=shown(visit.command)))

    def _attempt(self, each: Attempt, used: Usage | None) -> Node | None:
        """Return an attempt; the last one of an agent shows what all of them used."""
        questions = asked(each.text) if each.text.startswith(QUESTIONS) else ""
        text = self._text(f"It asks: {questions}" if questions else each.text)
        content = text or labelled(str(each.outcome), "It has no reply yet.")
        more = f", {spent(used)}" if used is not None and used.tokens else ""
        return folded(_name(each) + more, content, tone=TONES.get(each.outcome, Tone.OPEN))

    def _text(self, text: str) -> Node | None:
        """Return a text of others: its share of it, as Markdown as long as that has not become too much."""
        cut = shown(text[: self._share])
        if len(text) > self._share:
            cut += f"\n\n… {len(text) - self._share:,} more characters; `stepscript logs --agent KEY` shows all"
        self._rich -= len(cut)
        if not cut.strip():
            return None
        return markdown(cut) if self._rich >= 0 else Code(text=cut)


def shown(text: str) -> str:
    """Return a text of others without controls and marks of direction, which are escaped."""
    return _DIRECTIONS.sub(lambda mark: mark[0].encode("unicode_escape").decode(), printable(text.replace("\r", "\n")))


def spent(usage: Usage) -> str:
    """Return tokens and price in words; `~` marks an estimate."""
    return f"{usage.said} tokens{', ' if usage.price else ''}{usage.price}"


def duration(milliseconds: int) -> str:
    """Return a duration: `0.3 s`, `12 s`, `4:05`."""
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s" if seconds < 60 else clock(seconds)


def _why(now: Standing) -> str:
    """Return why the run is in its state."""
    account = now.account
    match now.state:
        case State.AT_WORK:
            return f"{account.step}: {count(len(account.at_work), 'agent')} at work"
        case State.WAITING:
            questions = (each for open_one in account.questions for each in read_questions(open_one.text).questions)
            return "\n\n".join(f"It waits for your answer: {each.text}" for each in questions)
        case State.INTERRUPTED:
            return f"No process drives it any more. Its last step is {account.step or 'its start'}."
        case _:
            return account.text or f"The run is {now.state}."


def _heading(visit: Visit) -> str:
    return shown(visit.title) or f"Activity {visit.key}"


def _shortened(text: str, most: int) -> str:
    """Return the beginning of a text, at most `most` characters."""
    return text if len(text) <= most else f"{text[:most]} …"


def _short(each: Attempt) -> str:
    return f"{MARKS.get(each.outcome, '?')} {shown(each.role)} {each.key} {duration(each.end - each.begin)}"


def _name(each: Attempt) -> str:
    again = f", attempt {each.number}" if each.number > 1 else ""
    return f"{shown(each.role)} {each.key}{again}: {each.outcome}, {duration(each.end - each.begin)}"
