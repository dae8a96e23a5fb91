"""JSON from others: each accident is refused by the number of its line, and the lines around it come in."""

import io
import json
from pathlib import Path

import pytest

from core import json_lines
from core.json_lines import JsonLine, describe_json_error, number_lines, read_object, read_objects, strict_json


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{broken", "is not JSON (unexpected 'broken' at character 2)"),
        ('["a" "b"]', "(unexpected '\"b\"]' at character 6)"),
        ('{\n"a": 1,\n}', "is not JSON (a comma with nothing after it at line 2, character 7)"),
        ("[1, 2,]", "(a comma with nothing after it at character 6)"),
        ('{"a": 1', "(an early end at character 8)"),
        ("", "(an early end at character 1)"),
        ('["a\\", 2', "(a string without its end at character 2)"),
        ("[1] 2", "(unexpected '2' at character 5)"),
        ("[NaN]", "holds NaN"),
        ("[-Infinity]", "holds -Infinity"),
        ("[1e999]", "holds 1e999, which is too large a number"),
        ("9" * 41, "too many digits (41 digits, but at most 40 are allowed)"),
        ('{"a": 1, "b": {"k": 1, "k": 2}}', "has the key 'k' twice"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 101 + "]" * 101, "nested too deeply (more than 100 levels)"),
        ('["a\\u0000"]', "NUL"),
        ('{"a": ["b\\uD83D"]}', "the lone surrogate U+D83D"),
        ('{"\\udc00": 1}', "the lone surrogate U+DC00"),
    ],
)
@pytest.mark.fault(6, 14)
def test_what_could_not_be_written_again_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError) as raised:
        strict_json(text)
    assert why in str(raised.value)


@pytest.mark.parametrize("at", [10, 7], ids=["as Python 3.11 names it", "as Python 3.13 does"])
def test_a_comma_too_many_is_told_alike_by_every_python(at: int) -> None:
    error = json.JSONDecodeError("Words of the interpreter", '{"a": 1,  }', at)
    assert describe_json_error(error) == "a comma with nothing after it at character 8"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9" * 40, int("9" * 40)),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('"\\\\u0000"', "\\u0000"),
        ('"\\u00e9"', "é"),
        ('{"a": 1, "b": {"a": 1}}', {"a": 1, "b": {"a": 1}}),
        (str([[]] * 300), [[]] * 300),
        ("-1.5e3", -1500.0),
    ],
)
def test_what_only_looks_like_it_comes_in(text: str, value: object) -> None:
    assert strict_json(text) == value


@pytest.mark.fault(12)
def test_lines_keep_their_numbers_through_blanks_marks_and_accidents(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"n": 1}\r\n\r\n[2]\n{"n": "caf\xe9"}\n\xef\xbb\xbf\n{"n": "a\xe2\x80\xa8b"}\n{"n": 7}')
    assert list(read_objects(path)) == [
        JsonLine(1, {"n": 1}),
        JsonLine(3, None, "is not a JSON object"),
        JsonLine(4, None, "is not UTF-8 at its byte 11"),
        JsonLine(6, {"n": "a\u2028b"}),
        JsonLine(7, {"n": 7}),
    ]


def test_a_line_too_long_is_told_once_and_the_next_keeps_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MAX_LINE_BYTES", 2**20)
    path = tmp_path / "x.jsonl"
    path.write_text('{"n": "' + "x" * 4 * 2**20 + '"}\n{"n": 2}\n', encoding="utf-8")
    assert list(read_objects(path)) == [JsonLine(1, None, "is longer than 1 MB"), JsonLine(2, {"n": 2})]


def test_lines_of_bytes_and_of_text_are_numbered_alike() -> None:
    assert list(number_lines(io.BytesIO(b"one\n1234567890\n\nlast"), 5)) == [(1, b"one\n"), (2, None), (3, b"\n"), (4, b"last")]
    assert list(number_lines(io.StringIO("one\n1234567890\n\nlast"), 5)) == [(1, "one\n"), (2, None), (3, "\n"), (4, "last")]


def test_the_caller_says_how_deep_a_line_may_be() -> None:
    assert read_object(1, '{"a": [1]}', 2) == JsonLine(1, {"a": [1]})
    assert read_object(1, '{"a": [1]}', 1) == JsonLine(1, None, "is nested too deeply (more than 1 levels)")
