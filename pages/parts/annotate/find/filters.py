"""The filters of the list on the page Find: text, properties, and a popover with further filters. The page's URL contains all
filters, so that a reload or a link shows the same list."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.quality import crag
from pages.parts.annotate.find.list_address import (
    BY_SIMILARITY,
    BY_WORDS,
    LABELS,
    MEASURED_LEVELS,
    MORE,
    NO,
    WEB,
    YES,
    read_address,
)
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.in_url import keep_in_address, read_word, write_address
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.annotate.finding.finding import ANY_FLAG, BANDS, NO_FLAG, STATUSES
from workbench.build.corpus.corpus import DocumentFilter

ORDERS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "overlap": "Most overlap first",
    "little overlap": "Least overlap first",
    "longest": "Longest first",
    "shortest": "Shortest first",
}
WAYS = {BY_WORDS: "by words", BY_SIMILARITY: "by similarity"}
FIXED_CHOICES = ("by", "status", "order", "edited", "measured", "difficulty")
"""Names of the filters with a fixed set of values, which does not depend on the workspace."""
MAX_TITLES = 20
FLAGS = {ANY_FLAG: "any gate", NO_FLAG: "none"}
CHIP_LABELS = {
    "like": "Similar to",
    "flag": "Flagged by",
    "person": "Decided on by",
    "edited": "Edited",
    "commented": "Commented on",
    "measured": "Measured level",
    "difficulty": "Difficulty",
    "disputed": "Opinions differ",
    "bulk": "Bulk action",
    **{name: crag.NAMES[name] for name in crag.LABELS},
}


def show(choices: Mapping[str, Sequence[Any]], may_see_others: bool) -> None:
    """Show the filters; a changed filter is written to the page's URL, and the list returns to its first page."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        is_similarity = read_word("by") == BY_SIMILARITY
        st.text_input(
            "Find",
            key="find_text",
            type="search",
            width=205,
            on_change=keep_in_address("find_text", "text", read_word("text"), "page", "like"),
            placeholder="a similar text" if is_similarity else "in question or answer",
            help="Every word must occur in the question or an answer. Put a phrase in quotation marks.",
        )
        _choose("by", "Search", list(WAYS), WAYS.__getitem__, 125, "like")
        _choose("status", "Status", ["", *STATUSES], width=110)
        for name, width in (("level", 80), ("domain", 120), ("task", 130)):
            _choose(name, name.capitalize(), _with_any(choices[name]), width=width)
        _show_more(choices, may_see_others)
    _show_chips()


def show_order() -> None:
    """Show a select box for the order of the list; show no box if the list is ordered by similarity."""
    if not _is_similarity():
        _choose("order", "Order", list(ORDERS), ORDERS.__getitem__, 180, is_label_shown=False)


def show_reset() -> None:
    """Show a button that removes all filters; show nothing if no filter is set."""
    if read_address():
        st.button("Show all items", key="find_all", on_click=clear, type="tertiary", icon=":material/filter_list_off:")


def clear() -> None:
    """Remove all filters from the page's URL."""
    write_address(**dict.fromkeys([*read_address(), "page"]))


def _show_more(choices: Mapping[str, Sequence[Any]], may_see_others: bool) -> None:
    active = sum(bool(read_word(name)) for name in (*MORE, "evidence", "exact"))
    with st.popover(f"More ({active})" if active else "More", icon=":material/tune:", width="content"):
        left, right = st.columns(2, width=520)
        with left:
            for name in ("language", "agent", "prompt"):
                _choose(name, name.capitalize(), _with_any(choices[name]))
            _tick("evidence", "Search the evidence too")
            _tick("exact", "Match case")
            _show_documents()
        with right:
            _choose("flag", CHIP_LABELS["flag"], _with_any(choices["flag"]), lambda value: FLAGS.get(value) or _spell(value))
            about = "Level that the gate `level` measured; none = not measured, or the item has no evidence."
            _choose("measured", CHIP_LABELS["measured"], ["", *MEASURED_LEVELS], help=about)
            if not explain_refusal("see runs"):
                about = "Share of the panel's systems that solved the item; the page Coverage shows the rule."
                _choose("difficulty", CHIP_LABELS["difficulty"], ["", *BANDS], help=about)
            _choose("edited", "Words", ["", YES, NO], lambda value: {YES: "edited", NO: "as drafted"}.get(value, "any"))
            people = _with_any(choices["person"])
            _choose("person", CHIP_LABELS["person"], people, lambda value: value or "anybody, or nobody")
            for name in LABELS:
                values = ["", *(value or WEB for value in crag.LABELS[name])]
                about = "\n\n".join(f"{value or WEB}: {meaning}" for value, meaning in crag.LABELS[name].items())
                _choose(name, crag.NAMES[name], values, lambda value: value or "any", help=about)
            _tick("commented", CHIP_LABELS["commented"])
            if may_see_others:
                _tick("disputed", "All opinions are given, and the opinions differ")


def _show_documents() -> None:
    """Show the filter by document, with a search for documents by title."""
    part = st.text_input("Document", key="find_title", placeholder="a part of the title")
    if part.strip():
        documents, n = open_workbench().corpus.page(DocumentFilter(part), "title", MAX_TITLES)
        titles = {document.id: document.title for document in documents}
        count = f"the first {len(titles)} of {n:,}" if n > len(titles) else f"{n:,}"
        st.selectbox(
            f"Of these ({count})" if n else "No title contains this text",
            list(titles),
            index=None,
            key="find_document",
            format_func=titles.__getitem__,
            placeholder="choose one",
            on_change=_choose_document,
            disabled=not n,
        )


def _choose_document() -> None:
    write_address(document=st.session_state["find_document"], page=None)
    st.session_state["find_title"] = ""


def _load_title(document: str) -> str:
    """Return the title of the document, or its id if the document cannot be found."""
    try:
        return open_workbench().corpus.heading(document).title
    except BenchError:
        return document


def _show_chips() -> None:
    """Show a chip for each filter that is set in the popover with further filters; a click on the chip removes the filter."""
    words = {name: read_word(name) for name in ("like", *MORE, "evidence", "exact") if read_word(name)}
    if not words and not _is_similarity():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if "document" in words:
            words["document"] = _load_title(words["document"])
        for name, value in words.items():
            label = CHIP_LABELS.get(name, name.capitalize()) + ("" if value == YES else f": {FLAGS.get(value, value)[:60]}")
            st.button(
                escape(label),
                key=f"find_chip_{name}",
                icon=":material/close:",
                on_click=write_address,
                type="tertiary",
                kwargs={name: None, "page": None},
            )
        if _is_similarity():
            st.segmented_control(
                "Compare",
                ["question", "answer"],
                key="find_of",
                required=True,
                label_visibility="collapsed",
                width="content",
                format_func=lambda side: f"by {side}",
                on_change=keep_in_address("find_of", "of", read_word("of", "question"), "page"),
            )


def _is_similarity() -> bool:
    return bool(read_word("like")) or (read_word("by") == BY_SIMILARITY and bool(read_word("text")))


def _spell(value: str) -> str:
    return value.replace("_", " ") if value else "any"


def _with_any(values: Sequence[Any]) -> list[str]:
    return ["", *map(str, values)]


def _choose(
    name: str,
    label: str,
    options: Sequence[str],
    describe: Callable[[str], str] = _spell,
    width: int | None = None,
    *forgets: str,
    is_label_shown: bool = True,
    help: str | None = None,
) -> None:
    value = read_word(name, options[0], options if name in FIXED_CHOICES else None)
    st.selectbox(
        label,
        # also offer the value in the URL if no item has this value any more
        options if value in options else [*options, value],
        key=f"find_{name}",
        format_func=describe,
        width=width or "stretch",
        help=help,
        label_visibility="visible" if is_label_shown else "collapsed",
        on_change=keep_in_address(f"find_{name}", name, value, "page", *forgets),
    )


def _tick(name: str, label: str) -> None:
    key = f"find_{name}"
    st.session_state[key] = read_word(name) == YES

    def keep() -> None:
        write_address(**{name: YES if st.session_state[key] else None}, page=None)

    st.checkbox(label, key=key, on_change=keep)
