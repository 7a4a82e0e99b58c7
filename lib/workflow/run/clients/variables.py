"""Variables of the environment that agents get: all but those that hold secrets of others.

A variable is taken for a secret by its name, such as `NPM_TOKEN`, or because its value is an address with a password.
"""

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Final

_SECRET: Final = re.compile(
    r"SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|COOKIE|ASKPASS|AUTHTOKEN|APIKEY|^(?:AWS|AZURE|ARM|VAULT)_"
    r"|(?:^|_)(?:TOKENS?|KEYS?|AUTH|PAT|PASS|DSN|JWT)(?:_|$)|_PWD$|(?:^|_)(?:DATABASE|DB|REDIS|MONGO|MONGODB)_UR[IL]$"
)
_PASSWORD: Final = re.compile(r"://[^/\s:@]{0,200}:[^/\s@]{1,1000}@")
"""A password in an address."""
_PROXY: Final = re.compile(r"(?:HTTPS?|ALL|NPM_CONFIG(?:_HTTPS)?)_PROXY")
"""Proxies, which a client needs to reach its service, also with a password."""
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}\*?", re.ASCII)
PROVIDERS: Final = tuple(
    f"{name}_API_KEY"
    for name in (
        *("ANTHROPIC", "AZURE", "AZURE_OPENAI", "CEREBRAS", "DEEPSEEK", "FIREWORKS", "GEMINI", "GOOGLE"),
        *("GOOGLE_GENERATIVE_AI", "GROQ", "MISTRAL", "MOONSHOT", "OPENAI", "OPENROUTER", "TOGETHER", "XAI"),
    )
)
"""Keys of providers of models."""


def check_names(names: Iterable[str]) -> None:
    """Raise ValueError if a text is neither the name of a variable nor the beginning of one with `*`."""
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(f"variable {name!r:.60}: write its name, or the beginning of names and a *, such as AWS_*")


def is_secret(name: str, value: str) -> bool:
    """Return True for a variable that may hold a secret."""
    if _PROXY.fullmatch(name.upper()):
        return False
    return bool(_SECRET.search(name.upper()) or _PASSWORD.search(value))


def withheld(environment: Mapping[str, str], own: Iterable[str], passes: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of the variables that an agent does not get, in order.

    Args:
        environment: The whole environment.
        own: Names of variables that belong to the agent's client, or beginnings with `*`.
        passes: Names that the user passes, in the same form.
    """
    named = (*own, *passes)
    secrets = (name for name, value in sorted(environment.items()) if is_secret(name, value))
    return tuple(name for name in secrets if not any(fnmatchcase(name, each) for each in named))


def visible(environment: Mapping[str, str], own: Iterable[str], passes: Iterable[str] = ()) -> dict[str, str]:
    """Return the environment of an agent. The arguments are those of `withheld`."""
    hidden = frozenset(withheld(environment, own, passes))
    return {name: value for name, value in environment.items() if name not in hidden}
