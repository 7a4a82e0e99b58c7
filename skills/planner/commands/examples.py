"""Examples of every command. In this order, starting from an empty folder, they make a small plan."""

from collections.abc import Mapping
from typing import Final

from lib.workflow.cli.table.rows import Example

DIFF: Final = """\
--- a/src/auth.py
+++ b/src/auth.py
@@ -1,2 +1,2 @@
 def login(user):
-    return sessions.open(user)
+    return sign(user.name)
"""
DOCUMENTED: Final = """\
--- a/src/auth.py
+++ b/src/auth.py
@@ -1,2 +1,3 @@
 def login(user):
-    return sessions.open(user)
+    # signed, not stored: a check costs no query (DL-001)
+    return sign(user.name)
"""
README: Final = """\
--- /dev/null
+++ b/src/README.md
@@ -0,0 +1 @@
+Tokens are signed with HMAC; the key comes from the environment.
"""
REQUESTS: Final = """\
[
  {"command": "set-decision", "as": "daily", "decision": "Rotate keys daily", "reasoning": "a key leaks -> one day"},
  {"command": "set-risk", "risk": "Clocks differ", "mitigation": "Allow a minute", "decision_ref": "$daily"},
  {"command": "set-milestone", "id": "M-001", "version": 1, "add_tests": ["scenario:EDGE a key of yesterday"]},
  {"command": "set-intent", "id": "CI-M-001-001", "version": 2, "add_decision_refs": ["$daily"],
   "replace": [["returns a token", "returns a token, good for a day"]]}
]"""
CONTEXT: Final = """\
## task_spec
- Sign tokens instead of storing sessions
- out-of-scope: rate limits
## constraints
- MUST: Python 3.11, or newer (user-specified)
## entry_points
- src/auth.py:login - opens the sessions,
  and every request passes it"""


def _of(*words: str, given: str = "") -> Example:
    return Example(words, given)


EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    "init": (_of("--task-file", "-", given='Let callers prove who they are, without a "store" of sessions'),),
    "set-context": (
        _of("--fields-file", "-", given=CONTEXT),
        _of("user_quotes", "--entry-file", "-", given="Nobody's password may be asked for twice"),
        _of("assumptions", "--entry", "One key for all (M)", "--entry", "Clocks agree within a minute (L)"),
    ),
    "freeze-context": (_of(),),
    "set-depth": (_of("full"),),
    "set-answer": (_of("plan-design", "--header", "Auth", "--text", "Tokens"),),
    "set-overview": (
        _of("--problem", "Each check costs a query", "--approach", "Tokens that are signed"),
        _of("--version", "176523", "--replace", "that are signed", "signed by the server"),
    ),
    "set-knowledge": (_of("--invariant", "A key never reaches a log", "--tradeoff", "No token is ever revoked"),),
    "set-constraint": (
        _of("--constraint", "SHOULD: no new dependency (src/auth.py)"),
        _of("--id", "C-001", "--version", "141598", "--constraint", "MUST: Python 3.11 (user-specified)"),
    ),
    "set-decision": (
        _of("--decision", "Sign with HMAC-SHA256", "--reasoning", "many calls -> bcrypt is too slow -> HMAC"),
        _of("--id", "DL-001", "--version", "1", "--reasoning-file", "-", given="many calls -> bcrypt too slow -> HMAC"),
    ),
    "set-rejected-alternative": (
        _of("--alternative", "Keep sessions", "--reason", "A query per call", "--decision-ref", "DL-001"),
    ),
    "set-risk": (
        _of("--risk", "The key leaks", "--mitigation", "Rotate it", "--anchor", "src/auth.py:L1-L2"),
        _of("--id", "R-001", "--version", "1", "--no-anchor"),
    ),
    "set-milestone": (
        _of(
            *(
                "--name",
                "Sign tokens",
                "--file",
                "src/auth.py",
                "--requirement",
                "login returns a name, and a signature",
            ),
            *("--criterion", "a forged token is refused", "--test", "scenario:EDGE an empty token"),
        ),
        _of("--name", "Describe", "--is-documentation-only", "--criterion", "src/README.md says how"),
    ),
    "set-intent": (
        _of("--milestone", "M-001", "--file", "src/auth.py", "--behavior", "login(user) returns a token"),
        _of("--id", "CI-M-001-001", "--version", "1", "--decision-ref", "DL-001"),
    ),
    "set-wave": (_of("--milestone", "M-001"),),
    "set-diagram": (_of("--scope", "overview", "--title", "How a token comes about"),),
    "add-diagram-node": (
        _of("--diagram", "DIAG-001", "--node", "login", "--label", "login"),
        _of("--diagram", "DIAG-001", "--label", "Key", "--type", "secret"),
    ),
    "add-diagram-edge": (
        _of("--diagram", "DIAG-001", "--source", "login", "--target", "node-001", "--label", "reads"),
        _of("--diagram", "DIAG-001", "--source", "node-001", "--target", "login", "--protocol", "HTTP"),
    ),
    "set-change": (_of("--intent-ref", "CI-M-001-001", "--diff-file", "-", given=DIFF),),
    "set-doc": (
        _of("--id", "CC-M-001-001", "--version", "1", "--diff-file", "-", given=DOCUMENTED),
        _of("--milestone", "M-002", "--file", "src/README.md", "--diff-file", "-", given=README),
    ),
    "set-diagram-render": (_of("--id", "DIAG-001", "--version", "5"),),
    "remove": (_of("--id", "R-001", "--version", "2"), _of("--id", "DIAG-001", "--version", "6", "--edge", "2")),
    "remove-change": (_of("--id", "CC-M-002-001", "--version", "1"),),
    "get": (_of("--id", "M-001"), _of("--id", "CC-M-001-001", "--raw"), _of("--id", "context")),
    "list": (_of(), _of("--kind", "milestones")),
    "render-diagram": (
        _of("--id", "DIAG-001"),
        _of("--id", "DIAG-001", "--stored"),
        _of("--id", "DIAG-001", "--mermaid"),
    ),
    "validate": (_of(), _of("--phase", "plan-code")),
    "scratch": (_of(),),
    "copy": (_of(),),
    "record-changes": (_of("--milestone", "M-001"),),
    "submit": (_of("plan-design"),),
    "reopen": (Example(("plan-design", "--reason", "The user wants tokens that can be revoked"), early=True),),
    "reconciled": (_of("--done", "M-001"),),
    "apply": (Example(("--id", "CC-M-001-001"), early=True),),
    "compare": (_of(),),
    "difference": (_of("plan-design"),),
    "render": (_of(), _of("--show")),
}
BATCH: Final = (Example((), REQUESTS),)
