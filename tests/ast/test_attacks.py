"""Attacks on the parser: each refused within seconds and 200 MB, in a process of its own."""

import subprocess
import sys

import pytest

from tests.subjects import ROOT

ATTACKS = {
    "billion laughs": "'<!DOCTYPE x [<!ENTITY a \"ha\">' + ''.join(f'<!ENTITY {c} \"{p * 10}\">' for c, p in "
    "zip('bcdefghij', [f'&{x};' for x in 'abcdefghi'])) + ']><x>&j;</x>'",
    "quadratic blow-up": "'<!DOCTYPE x [<!ENTITY a \"' + 'x' * 100000 + '\">]><x>' + '&a;' * 100000 + '</x>'",
    "external entity": "'<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><x>&a;</x>'",
    "parameter entity": "'<!DOCTYPE x [<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;]><x/>'",
    "external DTD": "'<!DOCTYPE x SYSTEM \"http://127.0.0.1/x.dtd\"><x/>'",
    "nesting of 100,000": "'<a>' * 100000",
    "100 MB of text": "'<a>' + 'x' * 100_000_000 + '</a>'",
    "2 million elements": "'<a/>' * 2_000_000",
    "100,000 attributes": "'<a ' + ' '.join(f'b{n}=\"\"' for n in range(100_000)) + '/>'",
    "NUL": "'<a>\\0</a>'",
    "ESC": "'<a>\\x1b[31m</a>'",
    "3,000 false openings": "EXTRACT:'<refusal>' * 3000",
    "3,000 mentions": "EXTRACT:'x <refusal> y ' * 3000",
}

SECONDS = 6
"""Far more than any attack takes (at most 1.4 here): a bound rather than a measurement, so that a slow machine passes."""
SCRIPT = """\
import resource, time
from lib.workflow.ast.parse.extract import extract
from lib.workflow.ast.parse import ParseError, parse
from lib.workflow.ast.results import Refusal
text = {text}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begun = time.process_time()
try:
    {call}
except ParseError as error:
    print("refused", time.process_time() - begun, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused_in_bounded_time_and_memory(name: str) -> None:
    text = ATTACKS[name]
    call = "extract(text, Refusal)" if text.startswith("EXTRACT:") else "parse(text)"
    script = SCRIPT.format(text=text.removeprefix("EXTRACT:"), call=call)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT, encoding="utf-8", check=True)
    verdict, seconds, megabytes = run.stdout.split()
    assert verdict == "refused"
    assert float(seconds) < SECONDS
    assert float(megabytes) < 200
