"""The nuggets of one item in a table that a person can edit, beside the question, the gold answer and the numbered sentences of
the evidence, which nuggets cite; and all earlier versions of the set."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.text.numbered import Sentence
from pages.parts.annotate.nugget import draft_box
from pages.parts.annotate.nugget.address import read_filter
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui import long_text
from pages.parts.ui.allowed import guard
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.in_url import write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import count_things, escape, show_note, show_warning
from workbench import open_workbench
from workbench.evaluate.scoring.nuggets import (
    IMPORTANCES,
    NuggetCard,
    NuggetFields,
    NuggetFilter,
    NuggetSet,
    encode_rows,
    merge_rows,
)

OPEN = "nugget_card_open"
"""Session key of what this person edits, a dict: `item`, `number` of the version, `rows` of the table, and `turn`, which is
part of the key of the table's widget."""
SAVE_KEY, SAVE_AND_NEXT_KEY, MERGE_KEY, NEXT_KEY = "ctrl+s", "ctrl+enter", "ctrl+m", "alt+n"
KEYS = (
    ("Ctrl S", "Save the nuggets"),
    ("Ctrl Enter", "Save the nuggets and open the next item"),
    ("Ctrl M", "Merge the ticked nuggets into one"),
    ("Alt N", "Open the next item without saving"),
)
EVIDENCE_HEIGHT_PIXELS, ROW_HEIGHT_PIXELS = 300, 66  # texts wrap in rows above 64


def show(item: str, key: str) -> None:
    """Show the item with its nuggets in a table that a person can edit. Raises BenchError if the item does not exist."""
    keys_help(KEYS)
    stage, only = open_workbench().nuggets, read_filter()
    card = stage.card(item)
    _show_item(card, key)
    show_feedback(key)
    if card.current is None:
        draft_box.show(f"{key}_draft", NuggetFilter(), 1, item)
        card = stage.card(item)  # a job may have just ended
    shown = _find_shown(card, item)
    number = shown.number if shown else 0
    st.caption(escape(_describe(shown) if shown else "This item has no nuggets yet: write them, or let an agent draft them."))
    if shown != card.current and card.current:
        show_warning(
            f"{card.current.by} saved set {card.current.number} in the meantime. What you typed is still here, but cannot be "
            "saved."
        )
        st.button(
            f"Show set {card.current.number}",
            key=f"{key}_newest",
            icon=":material/refresh:",
            on_click=forget,
            help="Discards the text that you typed here.",
        )
    rows = _edit_rows(card, key)
    ask_here("Give your name: it is stored with the nuggets.", "nuggets")
    _show_buttons(card, rows, number, only, key)
    st.caption(
        "Stored scores do not change. Start the same run again to score it with the new nuggets: only its judge is asked. A "
        "release keeps the nuggets that it was frozen with."
    )
    if earlier := [version for version in card.versions if version != shown]:
        with st.expander(f"Other sets ({len(earlier)})", icon=":material/history:"):
            for version in reversed(earlier):
                st.caption(escape(_describe(version)))
                show_rows(_build_rows(encode_rows(version), card.sentences), {"merge": None} | _COLUMNS)


def forget() -> None:
    """Forget what this person was editing, so that the page shows the current version of the next item that opens."""
    st.session_state.pop(OPEN, None)


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


_COLUMNS: dict[str, Any] = {
    "text": st.column_config.TextColumn("Nugget", width="large", required=True, help="One short fact, in one sentence."),
    "importance": st.column_config.SelectboxColumn(
        "Importance",
        options=list(IMPORTANCES),
        width=110,
        help="vital: a good answer must contain the fact; okay: it may. Empty means vital.",
    ),
    "sentences": st.column_config.TextColumn(
        "Sentences", width=105, help="Numbers of the sentences above that state the fact, such as 1, 3."
    ),
    "quote": st.column_config.TextColumn("What they say", width="medium", disabled=True),
}


def _edit_rows(card: NuggetCard, key: str) -> list[dict[str, Any]]:
    """Show the table of nuggets, and return its rows as the person sees them now."""
    state: dict[str, Any] = st.session_state[OPEN]
    empty = [{"merge": False, "text": "", "importance": "vital", "sentences": "", "quote": ""}]
    edited: list[dict[str, Any]] = st.data_editor(
        _build_rows(state["rows"], card.sentences) or empty,
        key=f"{key}_{state['item']}_{state['number']}_{state['turn']}",
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        row_height=ROW_HEIGHT_PIXELS,
        column_order=["merge", "text", "importance", "sentences", "quote"],
        column_config={
            "merge": st.column_config.CheckboxColumn("Merge", width=80, default=False, help="Tick nuggets to merge them."),
            **_COLUMNS,
        },
    )
    return edited


def _show_buttons(card: NuggetCard, rows: Sequence[Mapping[str, Any]], number: int, only: NuggetFilter, key: str) -> None:
    """Show the buttons that save the rows, merge those that are ticked, and open the next item."""
    ticked = [place for place, row in enumerate(rows) if row.get("merge")]
    following = open_workbench().nuggets.find_next(card.item.id, only)
    right = guard("edit nuggets")
    with st.container(horizontal=True):
        for label, name, icon, shortcut, goes_on in (
            ("Save and next", "save_next", "check", SAVE_AND_NEXT_KEY, True),
            ("Save", "save", "save", SAVE_KEY, False),
        ):
            st.button(
                label,
                f"{key}_{name}",
                type="primary" if goes_on else "secondary",
                icon=f":material/{icon}:",
                shortcut=shortcut,
                on_click=_save,
                args=(card, rows, number, following if goes_on else None, key),
                **right,
            )
        st.button(
            f"Merge {count_things(len(ticked), 'nugget')}" if len(ticked) > 1 else "Merge",
            f"{key}_merge",
            icon=":material/merge:",
            shortcut=MERGE_KEY,
            disabled=len(ticked) < 2,
            on_click=_merge,
            args=(card, rows, ticked, key),
        )
        st.button(
            "Next item",
            f"{key}_next",
            icon=":material/arrow_forward:",
            shortcut=NEXT_KEY,
            disabled=following is None,
            on_click=_open_item,
            args=(following,),
            type="tertiary",
        )
    if following is None:
        show_note("No other item matches the filters of the list.")


def _save(card: NuggetCard, rows: Sequence[Mapping[str, Any]], seen: int, following: str | None, key: str) -> None:
    """Save the rows, then open the item `following`, if there is one."""
    with keep_errors(key):
        given = _read_rows(rows, card.sentences)
        saved = open_workbench().nuggets.save(card.item.id, given, seen=seen, by=get_person())
        done = f"Saved as set {saved.number}: {_count(saved)}" if saved.number != seen else "Nothing was changed."
        keep_success(key, f"The item before: {done[0].lower()}{done[1:]}" if following else done)
        forget()
        if following:
            _open_item(following)


def _merge(card: NuggetCard, rows: Sequence[Mapping[str, Any]], ticked: Sequence[int], key: str) -> None:
    """Merge the ticked rows in the table, for the person to edit and save."""
    with keep_errors(key):
        state: dict[str, Any] = st.session_state[OPEN]
        merged = merge_rows(_read_rows(rows, card.sentences), ticked)
        st.session_state[OPEN] = {**state, "rows": merged, "turn": state["turn"] + 1}


def _open_item(item: str) -> None:
    forget()
    write_address(item=item, job=None)


def _find_shown(card: NuggetCard, item: str) -> NuggetSet | None:
    """Return the version that was current when this person opened the item, or None if there was none. The person edits this
    version, even if somebody else saves a newer one; a table that was empty shows the first set that an agent drafts."""
    state = st.session_state.get(OPEN, {})
    is_first = state.get("item") == item and not state["number"] and card.current and not card.current.is_written
    if state.get("item") != item or is_first:
        number = card.current.number if card.current else 0
        st.session_state[OPEN] = {"item": item, "number": number, "rows": encode_rows(card.current), "turn": 0}
    number = st.session_state[OPEN]["number"]
    return card.versions[number - 1] if number else None


def _build_rows(rows: Sequence[Mapping[str, Any]], sentences: Sequence[Sentence]) -> list[dict[str, Any]]:
    """Return the rows of the table for rows with evidence."""
    numbers = {(one.span.document, one.span.start, one.span.end): number for number, one in enumerate(sentences, 1)}
    built = []
    for row in rows:
        cited = sorted(numbers[tuple(span)] for span in row["evidence"] if tuple(span) in numbers)
        quote = " … ".join(" ".join(sentences[number - 1].text.split()) for number in cited)
        named = {"text": row["text"], "importance": row["importance"], "sentences": ", ".join(map(str, cited)), "quote": quote}
        built.append({"merge": False, **named})
    return built


def _read_rows(rows: Sequence[Mapping[str, Any]], sentences: Sequence[Sentence]) -> list[NuggetFields]:
    """Return rows with evidence for the rows of the table. Raises BenchError if a row names a sentence that does not exist."""
    read: list[NuggetFields] = []
    for place, row in enumerate(rows, 1):
        words = str(row.get("sentences") or "")
        numbers = list(map(int, re.findall(r"\d{1,6}", words)))
        if re.sub(r"[\d\s,;、，]", "", words) or any(not 1 <= number <= len(sentences) for number in numbers):
            raise BenchError(
                f"Row {place} names the sentences {words!r}: give numbers from 1 to {len(sentences)}, separated by commas."
            )
        spans = [sentences[number - 1].span for number in sorted(set(numbers))]
        evidence = [[span.document, span.start, span.end] for span in spans]
        read.append({"text": row.get("text") or "", "importance": row.get("importance"), "evidence": evidence})
    return read


def _describe(version: NuggetSet) -> str:
    """Describe a version of a nugget set in a line: its number, author, time and number of nuggets."""
    who = f"saved by {version.by}" if version.is_written else f"drafted by {version.by}"
    offline = ", with no LLM, so only offline judges use this set" if version.is_offline else ""
    return f"Set {version.number}, {who}, {version.at[:16].replace('T', ' ')} UTC{offline}. {_count(version)}"


def _count(version: NuggetSet) -> str:
    return f"{count_things(len(version.nuggets), 'nugget')}, {version.vital} of them vital."
