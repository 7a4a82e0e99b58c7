"""Commands as data, and their parts: quoting, templates, permissions."""

from .command import (
    ISOLATED,
    LAUNCHER_VARIABLE,
    MAX_WORD,
    Command,
    CommandError,
    carry,
    check_launcher,
    check_module,
    check_words,
    flag_of,
    flags,
    is_module,
    launcher,
    spell,
    words_of,
)

__all__ = [
    "ISOLATED",
    "LAUNCHER_VARIABLE",
    "MAX_WORD",
    "Command",
    "CommandError",
    "carry",
    "check_launcher",
    "check_module",
    "check_words",
    "flag_of",
    "flags",
    "is_module",
    "launcher",
    "spell",
    "words_of",
]
