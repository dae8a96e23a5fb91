"""What is looked for, above the list: the words, what the items are of, and a small box of the rest. The address holds all of
it, so that a reload and a link keep the list."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.quality import crag
from pages.parts.annotate.find.asked import LABELS, LIKENESS, MEASURED, MORE, NO, WEB, WORDS, YES, words
from pages.parts.ui.allowed import why_not
from pages.parts.ui.in_url import held, put, word
from pages.parts.ui.say import plain
from workbench import opened
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
BY = {WORDS: "as it stands", LIKENESS: "by likeness"}
_FIXED = ("by", "status", "order", "edited", "measured", "difficulty")
"""What has no other values than ours."""
MOST_TITLES = 20
_FLAGS = {ANY_FLAG: "any gate", NO_FLAG: "none"}
_LABELS = {
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


def show(choices: Mapping[str, list[Any]], may_see_others: bool) -> None:
    """Draw them; a choice goes into the address, and the page's number out of it."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        is_like = word("by") == LIKENESS
        st.text_input(
            "Find",
            key="find_text",
            type="search",
            width=205,
            on_change=held("find_text", "text", word("text"), "page", "like"),
            placeholder="a text that is like it" if is_like else "in question or answer",
            help="Every word stands in the question or an answer. Put a phrase in quotation marks.",
        )
        _choice("by", "Look for it", list(BY), lambda name: BY[name], 125, "like")
        _choice("status", "Status", ["", *STATUSES], _any, 110)
        for name, width in (("level", 80), ("domain", 120), ("task", 130)):
            _choice(name, name.capitalize(), ["", *map(str, choices[name])], _any, width)
        _more(choices, may_see_others)
    _chips()


def order() -> None:
    """What comes first in the list; nothing to choose where that is likeness."""
    if not word("like") and not (word("by") == LIKENESS and word("text")):
        _choice("order", "Order", list(ORDERS), lambda name: ORDERS[name], 180, is_label_shown=False)


def reset() -> None:
    """A way to every item again, where something is asked for."""
    if words():
        st.button("Show all items", key="find_all", on_click=clear, type="tertiary", icon=":material/filter_list_off:")


def clear() -> None:
    """Every item again."""
    put(**dict.fromkeys([*words(), "page"]))


def _more(choices: Mapping[str, list[Any]], may_see_others: bool) -> None:
    set_ = sum(bool(word(name)) for name in (*MORE, "evidence", "exact"))
    with st.popover(f"More ({set_})" if set_ else "More", icon=":material/tune:", width="content"):
        left, right = st.columns(2, width=520)
        with left:
            for name in ("language", "agent", "prompt"):
                _choice(name, name.capitalize(), ["", *map(str, choices[name])], _any)
            for name, label in (("evidence", "Text in evidence too"), ("exact", "Upper and lower case count")):
                st.checkbox(label, key=f"find_{name}", on_change=_held_check(name))
            _document()
        with right:
            _choice("flag", _LABELS["flag"], ["", *choices["flag"]], lambda value: _FLAGS.get(value) or _any(value))
            _choice(
                "measured",
                _LABELS["measured"],
                ["", *MEASURED],
                lambda value: value or "any",
                help="By the gate level; none = it was not measured, or has no evidence.",
            )
            if not why_not("see runs"):
                _choice(
                    "difficulty",
                    _LABELS["difficulty"],
                    ["", *BANDS],
                    lambda value: value or "any",
                    help="The share of the panel that solved it: see Coverage for what counts.",
                )
            _choice("edited", "Words", ["", YES, NO], lambda value: {YES: "edited", NO: "as drafted"}.get(value, "any"))
            _choice("person", _LABELS["person"], ["", *choices["person"]], lambda value: value or "anybody, or nobody")
            for name in LABELS:
                values = ["", *(value or WEB for value in crag.LABELS[name])]
                about = "\n\n".join(f"{value or WEB}: {said}" for value, said in crag.LABELS[name].items())
                _choice(name, crag.NAMES[name], values, lambda value: value or "any", help=about)
            st.checkbox(_LABELS["commented"], key="find_commented", on_change=_held_check("commented"))
            if may_see_others:
                st.checkbox("All opinions are in, and differ", key="find_disputed", on_change=_held_check("disputed"))


def _document() -> None:
    """One document that they are of, looked for by its title."""
    part = st.text_input("Document", key="find_title", placeholder="a part of its title")
    if part.strip():
        found, n = opened().corpus.page(DocumentFilter(part), "title", MOST_TITLES)
        titles = {one.id: one.title for one in found}
        more = f"the first {len(found)} of {n:,}" if n > len(found) else f"{n:,}"
        st.selectbox(
            f"Of these ({more})" if n else "No title has that in it",
            list(titles),
            index=None,
            key="find_document",
            format_func=titles.__getitem__,
            placeholder="choose one",
            on_change=_chosen,
            disabled=not n,
        )


def _chosen() -> None:
    put(document=st.session_state["find_document"], page=None)
    st.session_state["find_title"] = ""


def _title(document: str) -> str:
    """Of a document that there is; else its id."""
    try:
        return opened().corpus.heading(document).title
    except BenchError:
        return document


def _chips() -> None:
    """What is asked for and stands in no box in sight, each with a way to take it away."""
    told = {name: word(name) for name in ("like", *MORE, "evidence", "exact") if word(name)}
    is_like = bool(word("like")) or (word("by") == LIKENESS and bool(word("text")))
    if not told and not is_like:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if "document" in told:
            told["document"] = _title(told["document"])
        for name, value in told.items():
            said = _LABELS.get(name, name.capitalize()) + ("" if value == YES else f": {_FLAGS.get(value, value)[:60]}")
            st.button(
                plain(said),
                key=f"find_chip_{name}",
                icon=":material/close:",
                on_click=put,
                type="tertiary",
                kwargs={name: None, "page": None},
            )
        if is_like:
            st.segmented_control(
                "Compare",
                ["question", "answer"],
                key="find_of",
                required=True,
                label_visibility="collapsed",
                width="content",
                format_func=lambda side: f"by {side}",
                on_change=held("find_of", "of", word("of", "question"), "page"),
            )


def _choice(
    name: str,
    label: str,
    options: Sequence[str],
    said: Callable[[str], str],
    width: int | None = None,
    *forgets: str,
    is_label_shown: bool = True,
    help: str | None = None,
) -> None:
    value = word(name, options[0], options if name in _FIXED else None)
    options = options if value in options else [*options, value]  # one that nothing is of any more
    st.selectbox(
        label,
        options,
        key=f"find_{name}",
        format_func=said,
        width=width or "stretch",
        help=help,
        label_visibility="visible" if is_label_shown else "collapsed",
        on_change=held(f"find_{name}", name, value, "page", *forgets),
    )


def _held_check(name: str) -> Callable[[], None]:
    """As held, of a box that is ticked."""
    st.session_state[f"find_{name}"] = word(name) == YES

    def changed() -> None:
        put(**{name: YES if st.session_state[f"find_{name}"] else None}, page=None)

    return changed


def _any(value: str) -> str:
    return value.replace("_", " ") if value else "any"
