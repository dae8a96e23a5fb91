"""What the workbench returns to pages, serving and terminal has types: dataclasses, not dicts of Any."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.house.test_floors import ROOT

DONE = ("build", "setup", "upkeep", "settings.py", "evaluate", "roles.py", "annotate")
"""Rooms of the workbench that return no Any, in the order in which they got there."""
NOT_YET = {
    "release": 9,
    "home": 1,
}
"""Room -> public functions that still return Any: a number may fall, and a room that comes to none moves to DONE."""


def public_functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from public_functions(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


def functions_that_return_any() -> Counter[str]:
    """Room of the workbench -> how many of its public functions have Any in their return type."""
    counts: Counter[str] = Counter()
    for path in (ROOT / "workbench").rglob("*.py"):
        room = path.relative_to(ROOT / "workbench").parts[0]
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")).body):
            counts[room] += bool(function.returns and re.search(r"\bAny\b", ast.unparse(function.returns)))
    return counts


def test_rooms_that_are_done_return_no_any() -> None:
    counts = functions_that_return_any()
    assert set(DONE) <= set(counts) and {room: counts[room] for room in DONE} == dict.fromkeys(DONE, 0)


def test_no_other_room_returns_more_any_than_before() -> None:
    found = {room: count for room, count in functions_that_return_any().items() if count and room not in DONE}
    assert found == NOT_YET, "write the lower number down; where it rose, return a dataclass"
