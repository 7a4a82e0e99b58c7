"""A command in a document, used by steps and results; results need not import steps."""

from attrs import frozen

from ..command import Command
from .fields import Node


@frozen
class Invoke(Node):
    """A command to run exactly as printed."""

    tag = "invoke"
    command: Command
