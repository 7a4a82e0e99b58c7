"""Programs in process groups of their own, and the watchdog that ends them when their starter has ended."""

from .groups import VARIABLE, Process, end, has_ended, signal_group, start

__all__ = ["VARIABLE", "Process", "end", "has_ended", "signal_group", "start"]
