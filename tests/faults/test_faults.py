"""Every fault of tests/FAULTS.md that applies has its tests, and every test that is marked with a fault stands in its row."""

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.house.test_readme import README

TESTS = Path(__file__).parents[1]
ROW = re.compile(r"^\| (\d+) \| (.+?) \| (applies|does not apply: .+?) \|(.*)\|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
FAULTS = 65


def table() -> list[tuple[int, str, set[str]]]:
    """Row, state, tests."""
    text = (TESTS / "FAULTS.md").read_text(encoding="utf-8")
    return [
        (int(row), state, {f"{file}::{name}" for file, name in NAMED.findall(tests)})
        for row, _, state, tests in ROW.findall(text)
    ]


def marked() -> dict[int, set[str]]:
    """Row -> tests, as their markers say."""
    found: dict[int, set[str]] = defaultdict(set)
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.fault":
                        for row in mark.args:
                            name = f"{path.relative_to(TESTS)}::{node.name.removeprefix('test_')}"
                            found[int(ast.unparse(row))].add(name)
    return found


def test_every_row_is_there_once() -> None:
    assert [row for row, _, _ in table()] == list(range(1, FAULTS + 1))


def test_table_and_markers_say_the_same() -> None:
    marks = marked()
    assert set(marks) <= set(range(1, FAULTS + 1))
    for row, _, tests in table():
        assert tests == marks.get(row, set()), f"row {row}: `pytest.mark.fault({row})` and tests/FAULTS.md are not the same"


def test_what_applies_is_tested() -> None:
    assert [row for row, state, tests in table() if state == "applies" and not tests] == []


def test_the_readme_leads_there() -> None:
    assert "tests/FAULTS.md" in README
