"""The nuggets of one item in a form that a person can edit, below the question, the gold answer and the numbered sentences of
the evidence, which nuggets cite; and all earlier versions of the set."""

from itertools import groupby
from typing import Any

import streamlit as st

from pages.parts.annotate.nugget import draft_box, form
from pages.parts.annotate.nugget.address import read_filter
from pages.parts.annotate.nugget.edits import build_rows, forget_edits, load_edits
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui import long_text
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import show_feedback
from pages.parts.ui.person import ask_here
from pages.parts.ui.say import count_things, escape, show_warning
from workbench import open_workbench
from workbench.evaluate.scoring.nuggets import NuggetCard, NuggetFilter, NuggetSet, encode_rows

EVIDENCE_HEIGHT_PIXELS = 300
_COLUMNS: dict[str, Any] = {"text": "Nugget", "importance": "Importance", "sentences": "Sentences"}


def show(item: str, key: str) -> None:
    """Show the item with its nuggets in a form that a person can edit. Raises BenchError if the item does not exist."""
    keys_help(form.KEYS)
    stage = open_workbench().nuggets
    card = stage.card(item)
    _show_item(card, key)
    show_feedback(key)
    if card.current is None:
        draft_box.show(f"{key}_draft", NuggetFilter(), 1, item)
        card = stage.card(item)  # a job may have just ended
    edits = load_edits(card)
    shown = card.versions[edits["number"] - 1] if edits["number"] else None
    changed = " You have changes that are not saved." if edits["is_changed"] else ""
    state = _describe(shown) if shown else "This item has no nuggets yet: write them, or let an agent draft them."
    st.caption(escape(f"{state}{changed}"))
    if shown != card.current and card.current:
        show_warning(
            f"{card.current.by} saved set {card.current.number} in the meantime. What you typed is still here, but cannot be "
            "saved."
        )
    if edits["is_changed"] or shown != card.current:
        st.button(
            f"Show set {card.current.number}" if card.current else "Start again",
            key=f"{key}_newest",
            icon=":material/refresh:",
            on_click=forget_edits,
            args=(item,),
            help="Discards what you typed here.",
        )
    form.show(card, edits, read_filter(), key)
    ask_here("Give your name: it is stored with the nuggets.", "nuggets")
    st.caption(
        "Stored scores do not change. Start the same run again to score it with the new nuggets: only its judge is asked. A "
        "release keeps the nuggets that it was frozen with."
    )
    if earlier := [version for version in card.versions if version != shown]:
        with st.expander(f"Other sets ({len(earlier)})", icon=":material/history:"):
            for version in reversed(earlier):
                st.caption(escape(_describe(version)))
                show_rows([dict(row) for row in build_rows(encode_rows(version), card.sentences)], _COLUMNS)


def _show_item(card: NuggetCard, key: str) -> None:
    """Show question and gold answer on the left, and the numbered sentences of the evidence on the right."""
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.caption("Question")
        long_text.show(card.item.question, f"{key}_question", is_prose=True)
        st.caption("Gold answer")
        long_text.show(card.item.answers[0], f"{key}_gold", is_prose=True)
    with right:
        st.caption("Evidence")
        if not card.sentences:
            st.text("This item has no evidence.")
            return
        with st.container(height="content" if len(card.sentences) < 8 else EVIDENCE_HEIGHT_PIXELS, border=False):
            numbered = enumerate(card.sentences, 1)
            for title, sentences in groupby(numbered, lambda pair: pair[1].title):
                st.markdown(f"**{escape(title)}**")
                st.text("\n".join(f"[{number}] {' '.join(one.text.split())}" for number, one in sentences))


def _describe(version: NuggetSet) -> str:
    """Describe a version of a nugget set in a line: its number, author, time and number of nuggets."""
    who = f"saved by {version.by}" if version.is_written else f"drafted by {version.by}"
    offline = ", with no LLM, so only offline judges use this set" if version.is_offline else ""
    return f"Set {version.number}, {who}, {version.at[:16].replace('T', ' ')} UTC{offline}. {_count(version)}"


def _count(version: NuggetSet) -> str:
    return f"{count_things(len(version.nuggets), 'nugget')}, {version.vital} of them vital."
