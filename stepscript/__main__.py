"""`python -m stepscript`: the `stepscript` command by a chosen interpreter."""

from .cli import start

start()
