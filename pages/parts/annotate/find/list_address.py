"""Converts between a list of items and the URL parameters that describe the list, for the page Find and for a review desk that
goes through the list."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from core.quality import crag
from workbench.annotate.finding.finding import BANDS, ORDERS, STATUSES, ItemKind, ItemSearch, SimilarityQuery

LABELS = tuple(crag.LABELS)
"""Names of CRAG's labels; in a URL, the empty value is written as "web"."""
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
"""Names of the additional filters, which are shown as chips when they are set."""
NAMES = ("task", "level", "domain", "status", "text", "by", "evidence", "exact", "like", "of", *MORE, "order")
"""Names of the URL parameters that together describe one list."""
MEASURED_LEVELS = {"1": 1, "2": 2, "3": 3, "4": 4, "none": 0}
"""Dict from the value of the URL parameter `measured` to the measured level that the search uses; 0 = no level was measured."""
BY_WORDS, BY_SIMILARITY = "", "like"
"""Values of the URL parameter `by`: search the text by words, or by similarity."""
YES, NO = "yes", "no"
WEB = "web"
MAX_PACKED_CHARACTERS = 4_000


def read_address() -> dict[str, str]:
    """Return the parameters of the page's URL that describe the page's list, by name."""
    return {name: str(st.query_params[name]) for name in NAMES if name in st.query_params}


def read_search(words: Mapping[str, str]) -> tuple[ItemSearch, SimilarityQuery]:
    """Return the item search and the similarity query that the URL parameters `words` describe; invalid values are ignored."""
    text, is_similarity, order = words.get("text", ""), words.get("by") == BY_SIMILARITY, words.get("order", "")
    search = ItemSearch(
        kind=ItemKind(**{name: words.get(name) or None for name in ItemKind._fields}),
        status=next((status for status in STATUSES if status == words.get("status")), None),
        text="" if is_similarity else text,
        in_evidence=words.get("evidence") == YES,
        is_exact=words.get("exact") == YES,
        prompt=words.get("prompt") or None,
        person=words.get("person") or None,
        is_edited={YES: True, NO: False}.get(words.get("edited", "")),
        is_commented=words.get("commented") == YES,
        is_disputed=words.get("disputed") == YES,
        document=words.get("document") or None,
        bulk=words.get("bulk") or None,
        labels=tuple((name, value) for name in LABELS if (value := read_label(name, words.get(name, ""))) is not None),
        measured=MEASURED_LEVELS.get(words.get("measured", "")),
        difficulty=next((band for band in BANDS if band == words.get("difficulty")), None),
        order=order if order in ORDERS else "newest",
    )
    side = "answer" if words.get("of") == "answer" else "question"
    return search, SimilarityQuery(words.get("like", ""), text if is_similarity else "", side)  # type: ignore[arg-type]


def read_label(name: str, word: str) -> str | None:
    """Return the value of the label `name` that the URL parameter value `word` stands for, or None if `word` is not valid."""
    value = "" if (name, word) == ("popularity", WEB) else word
    return value if word and value in crag.LABELS[name] else None


def pack(words: Mapping[str, str]) -> str:
    """Encode the URL parameters of a list as one string, which the URL of a review desk contains as one parameter."""
    return urlencode(words)


def unpack(packed: str) -> dict[str, str]:
    """Return the URL parameters in a string made by `pack`."""
    return {name: value for name, value in parse_qsl(packed[:MAX_PACKED_CHARACTERS]) if name in NAMES}
