"""Defaults of `stepscript run`, from the project's file and from the user's own.

A project's file may have come with a repository. So it names clients that are known, and never a program; it passes no
variable to agents and says no price; and it can only lower a ceiling of the user.
"""

import os
import tomllib
from collections.abc import Mapping
from typing import Annotated, Final

from attrs import fields, frozen

from ..arguments.parameter import Arg
from ..codec import CodecError, codec
from ..run.clients.prices import prices_of
from ..run.clients.roles import NAMES, by_role, choices, is_model, role_of
from ..run.clients.variables import check_names
from ..run.defaults import MOST_AGENTS, MOST_CENTS, MOST_MINUTES, MOST_PARALLEL, MOST_TOKENS
from ..state.files import read_whole
from ..state.run_dirs import home_folder, runs_folder
from ..util.suggest import expected

PROJECT_FILE: Final = "stepscript.toml"
PYPROJECT: Final = "pyproject.toml"
TABLE: Final = ("tool", "stepscript")
"""The table of `pyproject.toml` with the settings."""
USER_FILE: Final = "config.toml"
DOLLARS: Final = {"max_cents": "max-cost"}
"""Keys of amounts that a file has in dollars, by their fields."""
MOST_DOLLARS: Final = 999_999
MAX_SIZE: Final = 1 << 20
"""Maximum bytes of a file."""


@frozen(kw_only=True)
class Models:
    """Names of models by tier; empty if the file names none."""

    fast: str = ""
    standard: str = ""
    strong: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the names as values of `--model`."""
        named = {"fast": self.fast, "standard": self.standard, "strong": self.strong}
        return tuple(f"{tier}={name}" for tier, name in named.items() if name)


@frozen(kw_only=True)
class Settings:
    """The content of one file. An underscore in a name is a hyphen in the file; an empty value or 0 is not set."""

    agents: tuple[str, ...] = ()
    """Values of `--agent`."""
    models: Models = Models()
    max_parallel: Annotated[int, Arg(min=1, max=MOST_PARALLEL)] = 0
    max_agents: Annotated[int, Arg(min=1, max=MOST_AGENTS)] = 0
    max_minutes: Annotated[int, Arg(min=1, max=MOST_MINUTES)] = 0
    max_tokens: Annotated[int, Arg(min=1, max=MOST_TOKENS)] = 0
    max_cents: Annotated[int, Arg(min=1, max=MOST_CENTS)] = 0
    """The file has dollars, `max-cost`."""
    prices: tuple[str, ...] = ()
    """US dollars for a million tokens, `codex=2.50`; a table in the file."""
    pass_env: tuple[str, ...] = ()
    """Values of `--pass-env`."""

    def over(self, user: "Settings") -> "Settings":
        """Return a project's settings, completed by those of the user."""
        return Settings(
            agents=self.agents or user.agents,
            models=self.models if self.models.words else user.models,
            max_parallel=self.max_parallel or user.max_parallel,
            max_agents=_lower(self.max_agents, user.max_agents),
            max_minutes=_lower(self.max_minutes, user.max_minutes),
            max_tokens=_lower(self.max_tokens, user.max_tokens),
            max_cents=_lower(self.max_cents, user.max_cents),
            prices=user.prices,
            pass_env=user.pass_env,
        )


def settings() -> Settings:
    """Return the settings for a run in the current folder. Raises ValueError for a file that cannot be used."""
    return _project_settings().over(_user_settings())


def user_file() -> str | None:
    """Return the path of the user's file; None if the user has no home folder."""
    base, home = os.environ.get("XDG_CONFIG_HOME", ""), home_folder()
    if not os.path.isabs(base):
        if home is None:
            return None
        base = os.path.join(home, ".config")
    return os.path.join(base, "stepscript", USER_FILE)


def _project_settings() -> Settings:
    root = os.path.dirname(os.path.dirname(runs_folder()))
    own, shared = os.path.join(root, PROJECT_FILE), os.path.join(root, PYPROJECT)
    alone, table = _read(own), _read(shared)
    for key in TABLE:
        inner = {} if table is None else table.get(key)
        table = inner if isinstance(inner, dict) else None
    if alone is not None and table:
        raise ValueError(f"{own} and [{'.'.join(TABLE)}] of {shared} both have settings; keep one of them")
    path = own if alone is not None else shared
    found = _settings(path, alone if alone is not None else table or {})
    for name in found.agents:
        if any(each.agent not in NAMES for each in choices(role_of(name)[1])):
            raise ValueError(
                f"{path}: agents: {name!r:.60} is not a known client: {', '.join(NAMES)}. A project's file may name no "
                f"program; name it with --agent, or in {user_file()}"
            )
    for key, value in (("pass-env", found.pass_env), ("prices", found.prices)):
        if value:
            raise ValueError(f"{path}: {key}: a project's file may not have it; write it into {user_file()}")
    for name in (found.models.fast, found.models.standard, found.models.strong):
        if name and not is_model(name):
            raise ValueError(f"{path}: models: {name!r:.60} is not the name of a model")
    return found


def _user_settings() -> Settings:
    path = user_file()
    found = None if path is None else _read(path)
    return Settings() if path is None or found is None else _settings(path, found)


def _read(path: str) -> Mapping[str, object] | None:
    """Return the content of a TOML file; None without the file."""
    try:
        return tomllib.loads(read_whole(path, MAX_SIZE).decode())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    except RecursionError:
        raise ValueError(f"{path} is not TOML: it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{path} is not TOML: {error}") from None


def _settings(path: str, table: Mapping[str, object]) -> Settings:
    """Return the settings of a file. Raises ValueError for a key or a value that is not legal."""
    names = {DOLLARS.get(each.name, each.name.replace("_", "-")): each.name for each in fields(Settings)}
    for key in table:
        if key not in names:
            raise ValueError(f"{path}: unknown key {key!r:.60}; {expected(key, names)}")
    written = {names[key]: value for key, value in table.items()}
    if "max_cents" in written:
        written["max_cents"] = max(round(_dollars(path, "max-cost", written["max_cents"]) * 100), 1)
    if "prices" in written:
        written["prices"] = _prices(path, written["prices"])
    if isinstance(written.get("agents"), str):
        written["agents"] = [written["agents"]]
    try:
        found = codec(Settings).decode(written)
    except CodecError as error:
        raise ValueError(f"{path}: {_key(error.path)}: {error.problem}") from None
    try:
        check_names(found.pass_env)
    except ValueError as error:
        raise ValueError(f"{path}: pass-env: {error}") from None
    try:
        general = [text for text in found.agents if role_of(text)[0] is None]
        if len(general) > 1:
            raise ValueError("name the clients for all roles in one text, such as 'codex,claude'")
        by_role("".join(general) or NAMES[0], [text for text in found.agents if text not in general])
    except ValueError as error:
        raise ValueError(f"{path}: agents: {error}") from None
    return found


def _key(path: str) -> str:
    """Return the key in a file for the path of an error."""
    return DOLLARS.get(path, path.replace("_", "-"))


def _prices(path: str, value: object) -> list[str]:
    if not isinstance(value, dict):
        raise ValueError(f"{path}: prices: it is not a table of clients with dollars for a million tokens")
    texts = [f"{name}={_dollars(path, f'prices.{name}', price):.6f}" for name, price in value.items()]
    try:
        prices_of(texts)
    except ValueError as error:
        raise ValueError(f"{path}: prices: {error}") from None
    return texts


def _dollars(path: str, key: str, value: object) -> float:
    """Return a number of dollars. Raises ValueError for any other value."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= MOST_DOLLARS:
        raise ValueError(f"{path}: {key:.100}: {value!r:.60} is not a number of dollars up to {MOST_DOLLARS:,}")
    return float(value)


def _lower(one: int, other: int) -> int:
    """Return the lower ceiling; 0 means no ceiling."""
    return min(one or other, other or one)
