"""Input of the commands in help and tests: one small run from start to end."""

from typing import Final

SURVEY: Final = """\
{"scope": "how uploads are limited, in docs and src", "depth": "full",
 "sources": [{"id": "S1", "kind": "document", "path": "README.md"},
             {"id": "S2", "kind": "code", "path": "src/upload.py"}]}"""
SWEEPS: Final = """\
[{"dimension": "docs-code", "sources": ["S1", "S2"]}, {"dimension": "limits", "sources": ["S2"]}]"""
SWEPT: Final = """\
[{"dimension": "docs-code",
 "searched": "README.md whole; src/upload.py for each figure of it; nothing left out",
 "found": [{"fact": "How large may an upload be?",
            "left": "README.md:12", "left_says": "5 MB",
            "right": "src/upload.py:8", "right_says": "MAX = 4 << 20"},
           {"fact": "Is an upload kept?",
            "left": "README.md:14", "left_says": "for a day",
            "right": "src/upload.py:30", "right_says": "removed at once"}],
 "slips": [{"fact": "Which folder holds the form?",
            "left": "README.md:40", "left_says": "src/forms.py",
            "right": "src/form.py", "right_says": "class Form"}]},
 {"dimension": "limits", "searched": "src/upload.py, every figure; each occurs once", "found": []}]"""
CHOICES: Final = """\
[{"candidate": "C-001", "dive": true, "why": "users meet it"},
 {"candidate": "C-002", "dive": false, "why": "README.md:14 is about the copy in the backup"}]"""
EVIDENCE: Final = """\
[{"candidate": "C-001",
  "evidence": "upload.py:8 is read at :20 and refuses 4.5 MB (run: 413); README.md:12 is older, 2023 against 2025"}]"""
CORRECTION: Final = '{"old": "older, 2023 against 2025", "new": "older (2023)"}'
VERDICTS: Final = '[{"candidate": "C-001", "verdict": "incoherent", "reason": "4.5 MB is allowed and refused"}]'
QUESTIONS: Final = """\
[{"candidates": ["C-001"], "header": "Upload size",
  "text": "README.md:12 allows uploads of 5 MB; src/upload.py:8 refuses what is over 4 MiB. Which holds?",
  "options": ["5 MB: change src/upload.py", "4 MiB: change README.md"]}]"""
DECISIONS: Final = """\
[{"question": "Q-001", "rule": "An upload has at most 5 MiB (5 << 20), and is called 5 MiB everywhere",
  "files": ["README.md", "src/upload.py"]},
 {"question": "Q-002", "rule": "Each first place of the question says what its second place says",
  "files": ["README.md"]}]"""
TASKS: Final = '[{"wave": 1, "questions": ["Q-001", "Q-002"], "files": ["src/upload.py", "README.md"]}]'
CHECKS: Final = (
    '[{"task": "T-001", "good": true, "why": "upload.py:8 is 5 << 20, README.md:12 says 5 MiB; tests pass"}]'
)
