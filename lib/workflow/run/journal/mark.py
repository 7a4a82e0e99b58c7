"""The mark on a driven run's folder: this user agreed to start its agent, and to contact its server."""

from ...codec import codec
from ...state import consent
from .spec import Spec

Server = tuple[str, ...]
"""Address and namespace of the run's Temporal server; empty for a run on this machine."""


def mark(run: str, spec: Spec, server: Server = ()) -> None:
    """Mark the driver's folder of a run. Raises RefusedError if no mark can be made."""
    consent.mark(run, "", codec(Spec).dumps(spec), *server)


def is_marked(run: str, spec: Spec, server: Server = ()) -> bool:
    """Return True if this user started or agreed to the run, with this agent and server, in this folder."""
    return consent.is_marked(run, "", codec(Spec).dumps(spec), *server)


def check(run: str, spec: Spec, server: Server = ()) -> None:
    """Raise RefusedError for a run that this user neither started nor agreed to."""
    consent.check(run, "", codec(Spec).dumps(spec), *server)
