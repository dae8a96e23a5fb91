"""What is looked for, as it stands in an address: the page's own, or that of a desk that walks through what was found."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from core.quality import crag
from workbench.annotate.finding.finding import BANDS, ORDERS, STATUSES, ItemKind, ItemSearch, Like

KIND = ("task", "level", "domain", "language", "agent", "flag")
LABELS = tuple(crag.LABELS)
"""CRAG's labels; the value of no letter stands in an address as "web"."""
MORE = (
    "language",
    "agent",
    "flag",
    "prompt",
    "person",
    "edited",
    "commented",
    "disputed",
    "document",
    "bulk",
    "measured",
    "difficulty",
    *LABELS,
)
"""What stands in the small box of further filters, and in chips."""
NAMES = ("task", "level", "domain", "status", "text", "by", "evidence", "exact", "like", "of", *MORE, "order")
"""Names in the address that make up one list."""
MEASURED = {"1": 1, "2": 2, "3": 3, "4": 4, "none": 0}
"""Levels that the audit measured, as an address asks for them."""
WORDS, LIKENESS = "", "like"
"""How a text is looked for."""
YES, NO = "yes", "no"
WEB = "web"


def words() -> dict[str, str]:
    """What the page's address says."""
    return {name: str(st.query_params[name]) for name in NAMES if name in st.query_params}


def read(said: Mapping[str, str]) -> tuple[ItemSearch, Like]:
    """What these words ask for; what cannot be asked for is not."""
    text, is_like = said.get("text", ""), said.get("by") == LIKENESS
    order = said.get("order", "")
    search = ItemSearch(
        kind=ItemKind(**{name: said.get(name) or None for name in KIND}),
        status=next((one for one in STATUSES if one == said.get("status")), None),
        text="" if is_like else text,
        in_evidence=said.get("evidence") == YES,
        is_exact=said.get("exact") == YES,
        prompt=said.get("prompt") or None,
        person=said.get("person") or None,
        is_edited=_either(said.get("edited")),
        is_commented=said.get("commented") == YES,
        is_disputed=said.get("disputed") == YES,
        document=said.get("document") or None,
        bulk=said.get("bulk") or None,
        labels=tuple((name, value) for name in LABELS if (value := label_of(name, said.get(name, ""))) is not None),
        measured=MEASURED.get(said.get("measured", "")),
        difficulty=next((band for band in BANDS if band == said.get("difficulty")), None),
        order=order if order in ORDERS else "newest",
    )
    return search, Like(said.get("like", ""), text if is_like else "", "answer" if said.get("of") == "answer" else "question")


def label_of(name: str, said: str) -> str | None:
    """The value of that label that an address asks for; None where it asks for none that there is."""
    value = "" if (name, said) == ("popularity", WEB) else said
    return value if said and value in crag.LABELS[name] else None


def packed(said: Mapping[str, str]) -> str:
    """These words as one, for the address of a desk."""
    return urlencode(said)


def unpacked(said: str) -> dict[str, str]:
    """The words that were packed so."""
    return {name: value for name, value in parse_qsl(said[:4000]) if name in NAMES}


def _either(said: str | None) -> bool | None:
    return {YES: True, NO: False}.get(said or "")
