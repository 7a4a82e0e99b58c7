"""A file of bounded size holds all that was written, or its first and last parts."""

from pathlib import Path

import pytest

from lib.workflow.run.processes.capture import Capture, tail

PART = 4


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 100])
@pytest.mark.parametrize("total", range(30))
def test_capture_holds_the_first_and_the_last_part_in_order(total: int, size: int, tmp_path: Path) -> None:
    data = bytes(range(65, 65 + total))
    with open(tmp_path / "out", "x+b", buffering=0) as file:
        capture = Capture(lambda: file, PART)
        for start in range(0, total, size):
            capture.write(data[start : start + size])
            assert (tmp_path / "out").stat().st_size <= 2 * PART
        capture.settle()
        held = (tmp_path / "out").read_bytes()
        left = total - 2 * PART
        if left <= 0:
            assert held == data
        else:
            assert (held[:PART], held[-PART:]) == (data[:PART], data[-PART:])
            assert f"\n[{left:,} ".encode() in held[PART:-PART]
        assert capture.total == total


@pytest.mark.parametrize(("size", "said"), [(100, "one\ntwo\n"), (8, "one\ntwo\n"), (4, "two\n"), (0, "")])
def test_tail_is_the_end_of_a_file(size: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("one\ntwo\n")
    assert tail(str(tmp_path / "out"), size) == said
    assert tail(str(tmp_path / "none"), size) == ""
