"""Law 12, for the commands that agents run most: the imports of each, and no more."""

import os
from pathlib import Path
from typing import Final

from lib.workflow.codec import codec
from skills.planner.schema.phase import Phase
from skills.planner.schema.review.document import Review, ReviewItem
from tests.skills.planner.runs import run_with
from tests.starts import HEAVY, brought, imported

LIBRARY: Final = frozenset(
    f"lib.workflow{name}"
    for name in (
        "",
        ".arguments",
        ".arguments.parameter",
        ".arguments.stdin",
        ".ast",
        ".ast.fields",
        ".ast.nodes",
        ".ast.reserved",
        ".ast.results",
        ".ast.visitor",
        ".cli",
        ".cli.script",
        ".cli.table",
        ".cli.table.arguments",
        ".cli.table.calls",
        ".cli.table.command_line",
        ".cli.table.command_line.line",
        ".cli.table.command_line.sources",
        ".cli.table.command_line.spellings",
        ".cli.table.edits",
        ".cli.table.requests",
        ".cli.table.rows",
        ".cli.table.run",
        ".cli.table.signature",
        ".cli.words",
        ".codec",
        ".codec.objects",
        ".codec.scalars",
        ".command",
        ".command.command",
        ".command.quoting",
        ".errors",
        ".render",
        ".render.layout",
        ".render.writer",
        ".render.xml",
        ".state",
        ".state.attempts",
        ".state.files",
        ".state.locks",
        ".state.run_dirs",
        ".state.run_documents",
        ".state.run_folder",
        ".state.store",
        ".types",
        ".util",
        ".util.characters",
        ".util.digests",
        ".util.documents",
        ".util.output",
        ".util.plurals",
        ".util.startup",
        ".arguments.signatures",
        ".util.structs",
        ".util.suggest",
    )
) | {"lib", "fcntl"}
JSON: Final = frozenset({"json", "json.decoder", "json.encoder", "json.scanner", "_json"})
DIGESTS: Final = frozenset({"_sha256", "_sha2"})
"""The interpreter's own, by its version."""
REVIEW: Final = frozenset(
    f"skills{name}"
    for name in (
        "",
        ".planner",
        ".planner.cli",
        ".planner.commands",
        ".planner.commands.record",
        ".planner.commands.review",
        ".planner.commands.review_reading",
        ".planner.commands.review_table",
        ".planner.limits",
        ".planner.modules",
        ".planner.phases",
        ".planner.review",
        ".planner.review.verdicts",
        ".planner.schema",
        ".planner.schema.depth",
        ".planner.schema.ids",
        ".planner.schema.phase",
        ".planner.schema.review",
        ".planner.schema.review.correction",
        ".planner.schema.review.document",
        ".planner.schema.review.item_status",
        ".planner.schema.review.ledger",
        ".planner.schema.run",
        ".planner.schema.values",
        ".planner.state",
        ".planner.state.files",
        ".planner.state.reviews",
    )
)
"""Imports without the schema of the plan and without lxml."""


def test_verdict_command_imports_only_the_listed_modules(tmp_path: Path) -> None:
    run_with(tmp_path, Phase.PLAN_DESIGN)
    review = Review(phase=Phase.PLAN_DESIGN, iteration=1, items=(ReviewItem(id="qa-1", scope="*", check="x"),))
    (tmp_path / "qr-plan-design.json").write_text(codec(Review).dumps(review))
    options = ("--state-dir", os.fspath(tmp_path), "--qr-phase", "plan-design")
    modules = imported("-m", "skills.planner.cli.qr", *options, "update-item", "qa-1", "--status", "PASS")
    assert modules - brought() <= LIBRARY | JSON | DIGESTS | REVIEW
    assert not modules & (HEAVY - JSON)
