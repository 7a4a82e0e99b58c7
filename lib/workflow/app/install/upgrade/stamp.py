"""The last line of an installed file: a hash of the lines above, so that the file itself shows if it was changed.

So an installation is known without its manifest, in another place, and by another version.
"""

import re
from hashlib import sha256
from typing import Final

_DIGITS: Final = 16
_STAMP: Final = re.compile(rb"^(?:<!-- stepscript [0-9a-f]{16} -->|# stepscript [0-9a-f]{16})\n?", re.MULTILINE)


def stamped(path: str, text: str) -> str:
    """Return the text of a file, Markdown or TOML, with its stamp."""
    body = text if text.endswith("\n") else f"{text}\n"
    mark = f"stepscript {_sum(body.encode())}"
    return f"{body}<!-- {mark} -->\n" if path.endswith(".md") else f"{body}# {mark}\n"


def is_unchanged(data: bytes) -> bool:
    """Return True for the content of an installed file that nobody has changed since; line ends do not count."""
    lines = plain(data).splitlines(keepends=True)
    last = lines[-1] if lines else b""
    return bool(_STAMP.fullmatch(last)) and _sum(b"".join(lines[:-1])).encode() in last


def has_stamp(data: bytes) -> bool:
    """Return True for the content of an installed file, changed or not."""
    return bool(_STAMP.search(plain(data)))


def unstamped(data: bytes) -> bytes:
    """Return the content without stamps, and with plain line ends."""
    return _STAMP.sub(b"", plain(data))


def plain(data: bytes) -> bytes:
    r"""Return the content with `\n` as line ends."""
    return data.replace(b"\r\n", b"\n")


def like(data: bytes, model: bytes | None) -> bytes:
    """Return the content with the line ends of another one."""
    return data.replace(b"\n", b"\r\n") if model and b"\r\n" in model else data


def _sum(data: bytes) -> str:
    return sha256(data).hexdigest()[:_DIGITS]
