"""The time at which a client says that its usage limit is reset."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LONGEST: Final = timedelta(days=40)
"""Maximum time until a reset; limits are per month at most."""
JUST_NOW: Final = timedelta(minutes=30)
"""A time of the day that is past by less is today's, not tomorrow's."""
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
UNITS: Final = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_EPOCH: Final = re.compile(r"(?:\||resets?_?at\D{1,4})(1\d{9})(?!\d)", re.IGNORECASE)
_IN: Final = re.compile(
    r"\b(?:again in|retry in|resets? in|reset after|resets_in_seconds\W{1,3})\s{0,3}(.{1,60})", re.IGNORECASE
)
_PART: Final = re.compile(r"(?:and )?(\d{1,7})(?:\.\d{1,9})?\s*(ms|[a-z]*)[\s,]{0,2}", re.IGNORECASE)
_AT: Final = re.compile(
    r"\b(?:again at|resets?(?: at)?|reset at)\s+"
    r"(?:([a-z]{3})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,? (?:at )?(?:(\d{4}),? )?)?"
    r"(\d{1,2})(?::(\d\d))?(?::\d\d)?\s?([ap]m)?(?:\s?\(?([a-z]+/[a-z_/+-]+|utc|(?:gmt|utc)[+-]\d{1,2})\)?)?",
    re.IGNORECASE,
)


def reset_time(text: str, now: datetime) -> int:
    """Return the time in seconds since the epoch; 0 if a message names none.

    Args:
        text: The message.
        now: The current time, with the zone of times without one.
    """
    for found in _times(text, now):
        if now - JUST_NOW <= found <= now + LONGEST:
            return round(found.timestamp())
    return 0


def _times(text: str, now: datetime) -> Iterator[datetime]:
    for found in _EPOCH.finditer(text):
        yield datetime.fromtimestamp(int(found[1]), now.tzinfo)
    for found in _IN.finditer(text):
        seconds = _seconds(found[1])
        if 0 < seconds <= LONGEST.total_seconds():
            yield now + timedelta(seconds=seconds)
    for found in _AT.finditer(text):
        yield from _moment(found, now)


def _seconds(text: str) -> int:
    """Return the length of a time such as `2 days 17 hours 14 minutes`, `3h12m5s`, `51840.5s` or `600`."""
    total, at = 0, 0
    while found := _PART.match(text, at):
        unit = found[2].lower()
        total += int(found[1]) * (UNITS.get(unit[:1] or "s", 0) if unit != "ms" else 0)
        at = found.end()
    return total


def _moment(found: "re.Match[str]", now: datetime) -> Iterator[datetime]:
    """Yield the moment of a time of the day, with or without a date."""
    month, day, year, hour, minute, half, zone = found.groups()
    if not (half or minute) or int(hour) > 23 or (month and month.lower() not in MONTHS):
        return
    here = now.astimezone(_zone(zone) if zone else now.tzinfo)
    hours = int(hour) % 12 + (12 if half.lower() == "pm" else 0) if half else int(hour)
    moment = here.replace(hour=hours, minute=int(minute or 0), second=0, microsecond=0)
    if not month:
        yield moment if moment >= here - JUST_NOW else moment + timedelta(days=1)
        return
    try:
        dated = moment.replace(year=int(year or here.year), month=MONTHS.index(month.lower()) + 1, day=int(day))
        yield dated if year or dated >= here - JUST_NOW else dated.replace(year=here.year + 1)
    except ValueError:  # no such day
        return


def _zone(name: str) -> tzinfo | None:
    """Return a time zone, or None for the local one if it is unknown."""
    offset = re.fullmatch(r"(?:gmt|utc)([+-]\d{1,2})?", name, re.IGNORECASE)
    if offset:
        hours = int(offset[1] or 0)
        return timezone(timedelta(hours=hours)) if abs(hours) < 24 else None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
