"""The start of a short process: modules that it does not use are not executed."""

import subprocess
import sys
from pathlib import Path

from lib.workflow.util.startup import LAZY

STEP = """
import runpy, sys
sys.argv = ["analyze", "--step", "1"]
try:
    runpy.run_module("skills.problem_analysis.analyze", run_name="__main__")
finally:
    assert not sys.modules.keys() & {"copy", "inspect", "linecache", "platform", "threading", "unicodedata", "weakref"}
    print(*(name for name in sys.modules if type(sys.modules[name]).__name__ == "StandIn"), file=sys.stderr)
"""
RUNS = """
import sys
sys.argv = ["stepscript", "runs"]
from stepscript.cli import main
assert main() == 0
assert not sys.modules.keys() & {"gettext", "inspect", "linecache", "platform", "threading", "uuid"}
import click
number = "12345678-1234-5678-1234-567812345678"
assert str(click.UUID.convert(number, None, None)) == number and "uuid" in sys.modules
sys.argv = ["stepscript", "runs", "--help"]
assert main() == 0 and "inspect" in sys.modules
"""
USE = """
import sys
from lib.workflow.util.startup import short_process
short_process()
import attr
from attrs import converters, field, frozen, validators
@frozen
class Port:
    number: int | None = field(converter=converters.optional(int), validator=validators.optional(validators.lt(65536)))
assert Port("80").number == 80 and sys.modules["attr.converters"] is attr.converters
from attrs.validators import *
from attr.validators import in_ as other
assert in_ is other
Port("65536")
"""


CONSTRUCTED = """
from lib.workflow.util.startup import short_process
short_process()
import sys
from functools import cached_property
from attrs import field, frozen, make_class
assert "inspect" not in sys.modules
@frozen
class Port:
    number: int = field(converter=int)
    def __attrs_pre_init__(self, number): pass
    @cached_property
    def next(self) -> int: return self.number + 1
@frozen
class Host:
    name: str
@frozen
class Server(Host):
    port: int = 22
assert Port("80").next == 81
assert Server("a").name == "a" and "weakref" not in sys.modules
assert make_class("Point", ["x"])(1).x == 1
import inspect
assert [*inspect.signature(Port).parameters] == ["number"]
"""


def test_step_executes_no_unused_module() -> None:
    run = subprocess.run([sys.executable, "-I", "-c", STEP], capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    assert set(run.stderr.split()) == {f"{package}.{name}" for package in ("attr", "attrs") for name in LAZY}


def test_command_imports_inspect_for_help_only(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-c", RUNS]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr


def test_unused_module_works_as_soon_as_it_is_used() -> None:
    run = subprocess.run([sys.executable, "-I", "-c", USE], capture_output=True, encoding="utf-8", check=False)
    assert run.stderr.splitlines()[-1].startswith("ValueError: ")


def test_attrs_reads_signatures_as_soon_as_a_class_needs_them() -> None:
    run = subprocess.run([sys.executable, "-I", "-c", CONSTRUCTED], capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
