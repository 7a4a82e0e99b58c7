"""URLs of runs whose state is in a database, and the folder that each has on this host.

`postgresql://USER@HOST:PORT/DATABASE?OPTIONS#RUN` is a URL of libpq without a password, and the name of a run. Its
folder is below the user's own state folder, where no repository can put one, and the folder's path contains the URL.
"""

import os
import re
from typing import Final
from urllib.parse import quote, unquote

from ...arguments.parameter import URL_SCHEMES
from ...command import spell
from ...errors import RefusedError
from ..run_dirs import DATABASES, user_folder

LONGEST: Final = 150
"""Maximum characters of a URL without the run: quoted, it is the name of a folder."""
_SSL: Final = ("sslcert", "sslkey", "sslmode", "sslrootcert")
OPTIONS: Final = ("channel_binding", "host", "hostaddr", "port", "require_auth", "service", "user", *_SSL)
"""Parameters of libpq that a URL may have. None of them is a secret; certificates and keys are files."""
_SHAPE: Final = re.compile(
    r"postgresql://(?:[\w.%+-]*@)?[\w.:,%\[\]-]*(?:/[\w.%-]*)?"
    r"(?:\?(?P<options>[\w.,:/%=&~+-]*))?#(?P<run>[A-Za-z0-9][\w.-]{0,63})",
    re.ASCII,
)
_SAMPLE: Final = "postgresql://HOST/DATABASE#RUN"
_SECRETS: Final = "keep it in PGPASSWORD, ~/.pgpass or a service file (?service=NAME)"


def folder_of(url: str) -> str:
    """Return the folder of a run on this host, which need not exist.

    Raises:
        ValueError: If the URL is not legal. The message repeats none of it, because it may contain a password.
    """
    for scheme in URL_SCHEMES:
        url = url.removeprefix(scheme)
    url = f"{URL_SCHEMES[0]}{url}"
    before = url.partition("#")[0]
    if ":" in before.removeprefix(URL_SCHEMES[0]).rpartition("@")[0] or "pass" in before.lower():
        raise ValueError(f"a password must not be in the URL of a run: {_SECRETS}")
    found = _SHAPE.fullmatch(url)
    if found is None:
        raise ValueError(f"it is not a URL of the form {_SAMPLE}; the run's name has letters, digits, '.', '_' and '-'")
    unknown = {pair.partition("=")[0] for pair in (found["options"] or "").split("&") if pair}.difference(OPTIONS)
    if unknown:
        raise ValueError(f"the URL has an option that is not one of: {', '.join(OPTIONS)}")
    if len(before) > LONGEST:
        raise ValueError(f"the URL has over {LONGEST} characters before '#'; use a service file (?service=NAME)")
    try:
        folder = os.path.join(_base(), quote(before, safe=""), found["run"])
    except RefusedError as error:
        raise ValueError(f"{error}; set HOME or XDG_STATE_HOME") from None
    spell(folder, url)
    return folder


def url_of(folder: str) -> str | None:
    """Return the URL of the run that a folder belongs to; None if the state is in the folder itself."""
    place, run = os.path.split(folder)
    base, name = os.path.split(place)
    if os.path.basename(base) != DATABASES:
        return None
    url = f"{unquote(name)}#{run}"
    try:
        if folder_of(url) != os.path.join(os.path.realpath(base), name, run):
            return None
    except ValueError:
        return None
    spell(folder, url)
    return url


def _base() -> str:
    return os.path.join(os.path.realpath(user_folder()), DATABASES)
