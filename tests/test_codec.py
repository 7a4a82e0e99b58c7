"""JSON of declared classes: other fields and values are refused, with the place and the legal values."""

import json
from enum import StrEnum
from typing import Annotated

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from lib.workflow.arguments.parameter import Arg
from lib.workflow.codec import MAX_SIZE, CodecError, codec
from lib.workflow.util.characters import one_line
from tests.wording import carries


class Status(StrEnum):
    TODO = "TODO"
    PASS = "PASS"


@frozen(kw_only=True)
class Part:
    id: str = field(validator=one_line)
    version: Annotated[int, Arg(min=1)]
    files: tuple[str, ...]
    status: Status = Status.TODO
    note: str | None = None
    done: bool = False
    mode: Annotated[str, Arg(choices=("full", "quick"))] = "full"
    level: Annotated[int, Arg(min=0, max=9)] = 0


@frozen
class Whole:
    parts: tuple[Part, ...]
    first: Part | None = None


CODEC = codec(Whole)
GOOD = {"id": "P-1", "version": 2, "files": ["a.py"]}


def one(**changes: object) -> bytes:
    return json.dumps({"parts": [GOOD, {**GOOD, **changes}]}).encode()


WRONG = {
    "an unknown key": (one(milestons=1), "parts[1]: … 'milestons'"),
    "a key nearly right": (one(filess=[]), "parts[1]: … 'filess' … 'files'"),
    "an unknown key beside a wrong value": (one(version="2", filess=[]), "parts[1]: … 'filess'"),
    "a missing key": (b'{"parts": [{"id": "a", "version": 1}]}', "parts[0]: … 'files'"),
    "a version as text": (one(version="2"), 'parts[1].version: "2" … 1'),
    "a version as float": (one(version=1.0), "parts[1].version: 1.0 … 1"),
    "a version as bool": (one(version=True), "parts[1].version: true … 1"),
    "a version of zero": (one(version=0), "parts[1].version: 0 … 1"),
    "a vast version": (one(version=10**30), "parts[1].version: … 18"),
    "a number out of range": (one(level=10), "parts[1].level: 10 … 0 to 9"),
    "a status in lower case": (one(status="pass"), "TODO, PASS … 'PASS'"),
    "an unknown status": (one(status="SKIPPED"), 'parts[1].status: "SKIPPED" … TODO, PASS'),
    "a status that is not a text": (one(status=["TODO"]), "parts[1].status: … TODO, PASS"),
    "another choice": (one(mode="slow"), 'parts[1].mode: "slow" … full, quick'),
    "false for a list": (one(files=False), "parts[1].files: false"),
    "a text for a list": (one(files="a.py"), 'parts[1].files: "a.py"'),
    "a number in a list": (one(files=["a", 1]), "parts[1].files[1]: 1"),
    "null for a text": (one(id=None), "parts[1].id: null"),
    "a number for an optional text": (one(note=0), "parts[1].note: 0"),
    "one for yes": (one(done=1), "parts[1].done: 1"),
    "what a validator refuses": (one(id=" "), "parts[1].id:"),
    "a control character": (one(note="\0"), "parts[1].note: … U+0000 … 0"),
    "a lone surrogate": (one(note="a\ud800"), "parts[1].note: … U+D800 … 1"),
    "an object for a list": (b'{"parts": {}}', "parts:"),
    "a number for an object": (b'{"parts": [1]}', "parts[0]: 1"),
    "a list for the whole": (b"[]", ""),
    "a wrong value further in": (b'{"parts": [], "first": {"id": 1, "version": 1, "files": []}}', "first.id: 1"),
    "a duplicate key": (b'{"parts": [], "parts": []}', "'parts'"),
    "a nested duplicate key": (b'{"parts": [{"id": "a", "id": "b"}]}', "parts[0]: … 'id'"),
    "a cut text": (b'{"parts": [', "JSON: … 1, column 12"),
    "an empty text": (b" \n", ""),
    "no number": (b'{"parts": NaN}', "NaN"),
    "more digits than Python reads": (b'{"parts": ' + b"9" * 5000 + b"}", "JSON"),
    "a deep text": (b"[" * 200_000, ""),
    "another encoding": ('{"parts": "é"}'.encode("latin-1"), "UTF-8 … 11"),
    "a vast text": (b" " * (MAX_SIZE + 1), "16,777,217 … 16,777,216"),
}


@pytest.mark.parametrize("name", WRONG)
def test_undeclared_data_is_refused_with_its_path(name: str) -> None:
    data, message = WRONG[name]
    with pytest.raises(CodecError) as caught:
        CODEC.loads(data)
    assert carries(str(caught.value), message)
    assert len(str(caught.value)) < 300


def test_a_field_with_a_default_may_be_left_out_and_is_written() -> None:
    whole = CODEC.loads(b'\xef\xbb\xbf{"parts": [{"id": "P", "version": 1, "files": []}]}')
    assert whole == Whole((Part(id="P", version=1, files=()),))
    assert CODEC.dumps(Whole(())) == '{\n  "parts": [],\n  "first": null\n}'
    assert json.loads(CODEC.dumps(whole))["parts"][0] == {
        "id": "P",
        "version": 1,
        "files": [],
        "status": "TODO",
        "note": None,
        "done": False,
        "mode": "full",
        "level": 0,
    }


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]) | st.sampled_from("\r\n\t"))
PARTS = st.builds(
    Part,
    id=st.just("é-1"),
    version=st.integers(1, 10**18 - 1),
    files=st.lists(TEXTS).map(tuple),
    status=st.sampled_from(Status),
    note=st.none() | TEXTS,
    done=st.booleans(),
    mode=st.sampled_from(("full", "quick")),
    level=st.integers(0, 9),
)


@given(st.builds(Whole, st.lists(PARTS).map(tuple), st.none() | PARTS))
def test_value_round_trips_through_canonical_json(whole: Whole) -> None:
    text = CODEC.dumps(whole)
    assert CODEC.loads(text.encode()) == whole
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Part(id="a", version=True, files=()), "first.version:"),
        (Part(id="a", version=1, files=("x", "\0")), "first.files[1]: … U+0000"),
        (Part(id="a", version=1, files=["x"]), "first.files:"),  # type: ignore[arg-type]  # what the test is about
        (Whole(()), "first: … Part"),
    ],
)
def test_value_that_cannot_be_read_back_is_not_written(part: Part, message: str) -> None:
    with pytest.raises(CodecError) as caught:
        CODEC.dumps(Whole((), part))
    assert carries(str(caught.value), message)


def test_a_class_that_json_cannot_carry_is_refused_when_its_codec_is_made() -> None:
    @frozen
    class Odd:
        value: float

    @frozen
    class Odder:
        value: dict[str, str]

    for cls in (Odd, Odder):
        with pytest.raises(TypeError, match="JSON"):
            codec(cls)
    assert codec(Whole) is CODEC
