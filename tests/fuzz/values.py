"""Strange values: words, numbers, texts, bytes, and JSON with faults."""

import json
import random
from typing import Final, TypeAlias

Json: TypeAlias = str | int | float | bool | list["Json"] | dict[str, "Json"] | None

WORDS: Final = (
    *("", " ", "-", "--", "---", "--help", "-h", "--version", "=", "x", "M-001", "M-999", "C-001", "Q-001:1", "DL-001"),
    *("qa-001", "qa-001,qa-002", "docs-code", "PASS", "FAIL", "pass", "planner", "problem-analysis", "last", "state"),
    *("0", "1", "2", "-1", "99", "1e400", "nan", "inf", "-inf", "0x1", "1_0", "9" * 30, "9" * 5000, "\u00b2", "1.5"),
    *(
        "/proc/nonexistent/x",
        "/proc/x",
        "/dev/full/x",
        "../x",
        "./x",
        "a/../../b",
        ".git/config",
        " /x",
        "x ",
        "~/x",
        "C:\\x",
    ),
    *(
        "\x1b[31mred",
        "\u202eabc",
        "\x9b2J",
        "a\nb",
        "a\rb",
        "a\tb",
        "\u2028",
        "\ufeff",
        "\x7f",
        "\x00",
        "\udcff",
        "\ud800",
    ),
    *("<x/>", "]]>", "&amp;", "{{x}}", "{x}", "%s", "$(id)", "`id`", "a'b\"c", "; exit 3", "| cat", "*", "\\", "a\\"),
    *(
        "\u00e9",
        "\u4f60\u597d",
        "\U0001f642",
        "e\u0301",
        "x" * 300,
        "x" * 70_000,
        "a b",
        "NAME=VALUE",
        "x=1",
        "developer=2",
    ),
)
"""Words of command lines, values of the environment, and texts. None names a program, or a file of the system."""
NUMBERS: Final = (0, 1, -1, 2, 10**9, 10**18, 10**30, -(10**30), 1.5, 1e308, True)
KEYS: Final = ("id", "version", "status", "type", "event", "text", "\ud800", "", "__class__", "x" * 5000)


def text(chance: random.Random) -> str:
    """Return a strange text."""
    if chance.random() < 0.8:
        return chance.choice(WORDS)
    return "".join(
        chr(chance.choice((chance.randrange(0x20, 0x7F), chance.randrange(0x300)))) for _ in range(chance.randrange(20))
    )


def word(chance: random.Random) -> str:
    """Return a strange word that a system can pass: half a character is a byte there, and it contains no NUL."""
    return "".join(char for char in text(chance) if char != "\x00" and not "\ud800" <= char < "\udc80")


def value(chance: random.Random) -> Json:
    """Return a strange value of JSON."""
    match chance.randrange(6):
        case 0:
            return text(chance)
        case 1:
            return chance.choice(NUMBERS)
        case 2:
            return None
        case 3:
            return [value(chance) for _ in range(chance.randrange(3))]
        case 4:
            return {chance.choice(KEYS): value(chance) for _ in range(chance.randrange(3))}
        case _:
            return chance.random() < 0.5


def _places(document: Json) -> list[tuple[list[Json] | dict[str, Json], int | str]]:
    """Return every place in an object or a list, with its container."""
    found: list[tuple[list[Json] | dict[str, Json], int | str]] = []
    waiting = [document]
    while waiting:
        held = waiting.pop()
        if isinstance(held, dict):
            found += [(held, key) for key in held]
            waiting += held.values()
        elif isinstance(held, list):
            found += [(held, number) for number in range(len(held))]
            waiting += held
    return found


def changed_json(document: Json, chance: random.Random) -> str:
    """Return the text of the document with a fault or two in it."""
    for _ in range(chance.randrange(1, 3)):
        places = _places(document)
        if not places:
            break
        held, key = chance.choice(places)
        match chance.randrange(4):
            case 0 if isinstance(held, dict):
                del held[str(key)]
            case 1 if isinstance(held, dict):
                held[chance.choice(KEYS)] = value(chance)
            case 2 if isinstance(held, list):
                held.append(held[int(key)])
            case _:
                held[key] = value(chance)  # type: ignore[index]  # the key is the holder's own
    made = json.dumps(document)
    match chance.randrange(8):
        case 0:
            return made.replace("{", '{"id": 1, ', 1)  # a duplicate key
        case 1:
            return "[" * 3000 + made
        case 2:
            return made.replace(":", ": 1e400, ", 1)
        case _:
            return made


def changed_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes, damaged as by a disk or an editor."""
    at = chance.randrange(len(data) + 1)
    match chance.randrange(8):
        case 0:
            return b""
        case 1:
            return data[:at]
        case 2:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        case 3:
            return (
                data[:at] + chance.choice((b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\n", b"}", b"\x1b[2J")) + data[at:]
            )
        case 4:
            return b"\xef\xbb\xbf" + data
        case 5:
            return data.replace(b"\n", b"\r\n")
        case 6:
            return data + data[at:]
        case _:
            lines = data.splitlines(keepends=True)
            chance.shuffle(lines)
            return b"".join(lines)


def changed(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes of a state file, a journal or a settings file with a fault."""
    if chance.random() < 0.4:
        return changed_bytes(data, chance)
    lines = data.splitlines()
    if len(lines) > 1 and lines[0].endswith(b"}"):  # a journal: one object per line
        number = chance.randrange(len(lines))
        lines[number] = _changed_document(lines[number], chance)
        return b"\n".join(lines) + b"\n"
    return _changed_document(data, chance)


def _changed_document(data: bytes, chance: random.Random) -> bytes:
    try:
        document: Json = json.loads(data)
    except (ValueError, RecursionError):
        return changed_bytes(data, chance)
    return changed_json(document, chance).encode(errors="surrogatepass")
