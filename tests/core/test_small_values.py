"""Values out of a sandbox become plain, and are counted no further than the bound."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from core.functions.small_values import TooLarge, shrink_value


def shared(times: int) -> list[Any]:
    value: list[Any] = [1]
    for _ in range(times):
        value = [value, value]
    return value


def test_a_value_that_shares_itself_is_counted_as_it_would_be_written_out() -> None:
    assert shrink_value(shared(3), 100) == shared(3)
    with pytest.raises(TooLarge, match="more than 1,000 parts"):
        shrink_value(shared(60), 1_000)


def test_a_value_within_itself_a_deep_one_and_a_long_number_are_too_large() -> None:
    within: list[Any] = []
    within.append(within)
    deep: Any = 1
    for _ in range(500):
        deep = (deep,)
    for value in (within, deep):
        with pytest.raises(TooLarge, match="nested deeper"):
            shrink_value(value, 10_000)
    with pytest.raises(TooLarge, match="digits"):
        shrink_value([10**5000], 10_000)


def test_texts_count_with_their_length_and_a_bare_one_is_cut() -> None:
    assert shrink_value("x" * 200, 100) == "x" * 100
    with pytest.raises(TooLarge):
        shrink_value(["x" * 200], 100)


def test_what_is_not_plain_becomes_so() -> None:
    class Made:
        def __init__(self) -> None:
            self.attributes = {"a": (1, 2)}

    found = shrink_value([date(2020, 1, 2), Decimal("1.50"), {(1, 2): {None}}, Made(), ValueError("no"), object()], 1_000)
    assert found == ["2020-01-02", "1.50", {"[1, 2]": {None}}, {"a": [1, 2]}, ["ValueError", "no"], "object"]
