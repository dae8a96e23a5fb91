"""Numbers in an address are whatever somebody typed there."""

import pytest
import streamlit as st

from pages.parts.ui.in_url import read_number


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("3", 3),
        ("007", 7),
        ("999999999", 999_999_999),
        ("9" * 5000, 1),
        ("0" * 5000 + "1", 1),
        ("\u00b2", 1),
        ("-1", 1),
        ("0", 1),
        ("", 1),
        ("1e9", 1),
        ("\u0663", 1),
    ],
)
def test_a_page_number_is_a_small_one_or_the_first(typed: str, page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "query_params", {"page": typed})
    assert read_number("page") == page
