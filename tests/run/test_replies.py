"""Replies of agents: decoration does not matter, two answers do."""

import pytest

from lib.workflow.run.clients.job import Job, ReplyError, Want, read_reply
from lib.workflow.types import AgentRole

LIST = "- a: one\n- b: two\n"
DECORATED = (
    "{}",
    "I looked at it.\n\n{}\n",
    "{}.",
    "**{}**",
    "**{}**.",
    "_{}_",
    "`{}`",
    "### {}",
    "> {}",
    "- {}",
    "* **{}**",
    "2. {}",
    "  {}  \t",
    "```\n{}\n```",
    "```text\n{}\n```\nThat is all.",
    "\ufeff{}",
    "Notes\r\n{}\r\n",
    "working...\r{}\r",
    "\x1b[32m{}\x1b[0m",
    "\x1b[1;38;5;196m{}\x1b[0m\x1b[K",
    "\x1b]0;a title\x07{}",
    "\x1b]8;;https://example.org\x1b\\{}\x1b]8;;\x1b\\",
    "\x9b32m{}\x9b0m",
    "{0}\n{0}",
)
"""Forms in which models and programs write a mark."""


def job(want: Want = Want.WORD, listed: tuple[int, ...] = ()) -> Job:
    role = AgentRole.EXPLORE
    return Job(key="1", role=role, prompt="", want=want, ways=3, listed=listed, least=1, most=8, characters=40)


@pytest.mark.parametrize("form", DECORATED, ids=repr)
def test_decoration_around_a_mark_does_not_matter(form: str) -> None:
    assert read_reply(job(Want.WAY), form.format("WAY: 2")).way == 2
    assert read_reply(job(Want.VERDICT), form.format("PASS")).passed
    assert not read_reply(job(Want.VERDICT), form.format("FAIL: qa-1")).passed
    listed = f"{form.format('LIST:')}\n{LIST}{form.format('END OF LIST')}"
    if len(form.splitlines()) == 1:
        assert read_reply(job(listed=(0,)), listed).roster == LIST


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("PASSED", True),
        ("PASS: all items hold", True),
        ("Verdict: PASS", True),
        ("**Verdict:** PASS", True),
        ("The final verdict is PASS.", True),
        ("PASS: qa-1\nPASS: qa-2", True),
        ("qa-1: PASS\nqa-2: PASS", True),
        ("| qa-1 | PASS |\n| qa-2 | PASS |", True),
        ("PASS: 5\nFAIL: 0", True),
        ("PASS\nFAIL: none", True),
        ("PASS\nFAIL: qa-001", False),
        ("FAIL: qa-1\nPASS: qa-2", False),
        ("qa-1: PASS\nqa-2: FAIL, no test", False),
        ("| qa-1 | FAIL | no test |", False),
        ("Verdict: FAIL", False),
        ("FAILED: x", False),
        ("FAIL", False),
        ("PASS: 0\nFAIL: 3", False),
    ],
)
def test_any_clear_fail_is_a_fail(text: str, passed: bool) -> None:
    assert read_reply(job(Want.VERDICT), text).passed is passed


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (job(), "  \n"),
        (job(), "<needs_user_input><question"),
        (job(), "<needs_user_input/>"),
        (job(), "x" * 200_001),
        (job(Want.VERDICT), "It looks fine"),
        (job(Want.VERDICT), "PASS or FAIL"),
        (job(Want.VERDICT), "Reply PASS"),
        (job(Want.VERDICT), "PASS: 0"),
        (job(Want.VERDICT), "my guess would be: PASS"),
        (job(Want.VERDICT), "pass it on"),
        (job(Want.VERDICT), "PASSPORT: PASSING"),
        (job(Want.WAY), "WAY: 4"),
        (job(Want.WAY), "WAY: 0"),
        (job(Want.WAY), "WAY: 1\nWAY: 2"),
        (job(Want.WAY), "**WAY: 1**\n- WAY: 2."),
        (job(Want.WAY), "WAY: 1 or 2"),
        (job(Want.WAY), "way one"),
        (job(Want.WAY, (1,)), "WAY: 1"),
        (job(listed=(0,)), "- a: one"),
        (job(listed=(0,)), f"LIST:\n{LIST}"),
        (job(listed=(0,)), "LIST:\nEND OF LIST"),
        (job(listed=(0,)), "LIST:\nno list\nEND OF LIST"),
        (job(listed=(0,)), "LIST:\n- a: one\n- a: two\nEND OF LIST"),
        (job(listed=(0,)), "LIST:\n" + "".join(f"- a{number}: x\n" for number in range(9)) + "END OF LIST"),
        (job(listed=(0,)), f"LIST:\n- a: {'x' * 41}\nEND OF LIST"),
        (job(listed=(0,)), f"LIST:\n{LIST}END OF LIST\nLIST:\n- c: d\nEND OF LIST"),
    ],
    ids=repr,
)
def test_reply_without_one_clear_answer_is_refused(asked: Job, text: str) -> None:
    with pytest.raises(ReplyError):
        read_reply(asked, text)


@pytest.mark.parametrize(
    "text",
    [
        f"LIST: \n{LIST}END OF LIST",
        f"**LIST:**\n{LIST}**END OF LIST**",
        f"LIST\n\n```\n{LIST}```\nEND OF LIST.",
        f"```text\nLIST:\n{LIST}END OF LIST\n```",
        f"LIST:\n{LIST}END OF LIST\nagain:\nLIST:\n{LIST}END OF LIST",
        "LIST:\n* a: one\n* **b**: two\nEND OF LIST",
        "LIST:\n1. a: one\n2. `b`: two\nEND OF LIST",
        f"LIST:\r\n{LIST}END OF LIST\r\n".replace("\n-", "\r\n-"),
    ],
    ids=repr,
)
def test_list_is_read_in_any_form_that_is_clear(text: str) -> None:
    said = read_reply(job(listed=(0,)), text).roster
    assert [line for line in said.split("\n") if line] == LIST.splitlines()


def test_list_is_wanted_only_for_a_way_that_reads_it() -> None:
    asked = job(Want.WAY, (2,))
    assert read_reply(asked, "WAY: 1").roster == ""
    assert read_reply(asked, f"LIST:\n{LIST}END OF LIST\nWAY: 2").roster == LIST
    assert read_reply(asked, "LIST:\nnonsense\nWAY: 1").roster == ""


def test_lines_of_a_task_keep_their_form() -> None:
    text = "LIST:\n* a: one\n  * sub: item\n  **b**: two\nEND OF LIST"
    assert read_reply(job(listed=(0,)), text).roster == "- a: one\n  * sub: item\n  **b**: two\n"
