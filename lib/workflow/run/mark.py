"""The mark on the folder of a driven run: this user agreed to start its agent, and to ask its server."""

from ..codec import codec
from ..state import consent
from .engine import Spec

Server = tuple[str, ...]
"""Address and namespace of the Temporal server that keeps the run; nothing for a run on this machine."""


def mark(run: str, spec: Spec, server: Server = ()) -> None:
    """Mark the driver's folder of a run. Raises RefusedError if no mark can be made."""
    consent.mark(run, "", codec(Spec).dumps(spec), *server)


def is_marked(run: str, spec: Spec, server: Server = ()) -> bool:
    """Whether this user has begun the run, or agreed to it, with this agent and this server, in this folder."""
    return consent.is_marked(run, "", codec(Spec).dumps(spec), *server)


def check(run: str, spec: Spec, server: Server = ()) -> None:
    """Raise RefusedError for a run that this user has neither begun nor agreed to."""
    consent.check(run, "", codec(Spec).dumps(spec), *server)
