"""Modules that printed commands run, besides the scripts of the phases."""

from typing import Final

PLANNER: Final = "skills.planner.orchestrator.planner"
EXECUTOR: Final = "skills.planner.orchestrator.executor"
PLAN: Final = "skills.planner.cli.plan"
QR: Final = "skills.planner.cli.qr"
RESUME: Final = "skills.planner.resume"
STATUS: Final = "skills.planner.status"
