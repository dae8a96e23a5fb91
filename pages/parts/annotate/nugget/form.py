"""The form in which a person writes, merges, removes and saves the nuggets of one item. Its fields are sent together with the
press of any of its buttons, so that a press never misses what was typed just before it."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.nugget.edits import Edits, Row, build_rows, forget_edits, keep_rows, quote_sentences, read_rows
from pages.parts.ui.allowed import guard
from pages.parts.ui.feedback import keep_errors, keep_success
from pages.parts.ui.in_url import write_address
from pages.parts.ui.person import get_person
from pages.parts.ui.say import count_things, escape, show_note
from workbench import open_workbench
from workbench.evaluate.scoring.nuggets import IMPORTANCES, NuggetCard, NuggetFilter, merge_rows

KEYS = (
    ("Ctrl Enter", "Save the nuggets and open the next item"),
    ("Ctrl S", "Save the nuggets"),
    ("Ctrl M", "Merge the ticked nuggets into one"),
    ("Alt A", "Add a nugget"),
    ("Alt N", "Open the next item without saving; what you typed is kept until you sign out or close the page"),
)
EMPTY = Row(text="", importance="vital", sentences="")
CHOICES: list[str] = list(IMPORTANCES)
WIDTHS = (0.4, 7, 1.4, 1.4)


def show(card: NuggetCard, edits: Edits, only: NuggetFilter, key: str) -> None:
    """Show the form; `only` says which item is the next one."""
    rows = edits["rows"] or [EMPTY]
    fields = f"{key}_{card.item.id}_{edits['number']}_{edits['turn']}"
    following = open_workbench().nuggets.find_next(card.item.id, only)

    def read() -> tuple[list[Row], list[int]]:
        """Return the rows as typed, and the positions of those that are ticked."""
        state, places = st.session_state, range(len(rows))
        typed = [
            Row(
                text=state[f"{fields}_{place}_text"] or "",
                importance=state[f"{fields}_{place}_importance"],
                sentences=state[f"{fields}_{place}_sentences"] or "",
            )
            for place in places
        ]
        return typed, [place for place in places if state[f"{fields}_{place}_tick"]]

    with st.form(f"{key}_form", border=False, enter_to_submit=False):  # Ctrl Enter would press twice
        for place, row in enumerate(rows):
            _draw_row(card, row, place, f"{fields}_{place}")
        _draw_buttons(card, edits["number"], read, following, key)
    if following is None:
        show_note("No other item matches the filters of the list.")


def _draw_row(card: NuggetCard, row: Row, place: int, fields: str) -> None:
    tick, text, importance, sentences = st.columns(WIDTHS)
    visibility: Literal["visible", "collapsed"] = "collapsed" if place else "visible"
    tick.checkbox(f"Tick nugget {place + 1}", key=f"{fields}_tick", label_visibility="collapsed")
    text.text_area(
        "Nugget" if not place else f"Nugget {place + 1}",
        row["text"],
        key=f"{fields}_text",
        height="content",
        placeholder="One short fact, in one sentence",
        label_visibility=visibility,
    )
    importance.selectbox(
        "Importance" if not place else f"Importance of nugget {place + 1}",
        CHOICES,
        CHOICES.index(row["importance"]),
        key=f"{fields}_importance",
        help="vital: a good answer must contain the fact; okay: it may." if not place else None,
        label_visibility=visibility,
    )
    sentences.text_input(
        "Sentences" if not place else f"Sentences of nugget {place + 1}",
        row["sentences"],
        key=f"{fields}_sentences",
        placeholder="1, 3",
        help="Numbers of the sentences above that state the fact." if not place else None,
        label_visibility=visibility,
    )
    if quote := quote_sentences(row["sentences"], card.sentences):
        text.caption(escape(quote))


def _draw_buttons(
    card: NuggetCard, number: int, read: Callable[[], tuple[list[Row], list[int]]], following: str | None, key: str
) -> None:
    """Show the buttons of the form."""
    item, right = card.item.id, guard("edit nuggets")

    def save(goes_on: bool) -> None:
        rows, _ = read()
        keep_rows(item, rows)
        with keep_errors(key):
            saved = open_workbench().nuggets.save(item, read_rows(rows, card.sentences), seen=number, by=get_person())
            forget_edits(item)
            count = f"{count_things(len(saved.nuggets), 'nugget')}, {saved.vital} of them vital"
            done = f"Saved as set {saved.number}: {count}." if saved.number != number else "Nothing was changed."
            keep_success(key, f"The item before: {done[0].lower()}{done[1:]}" if goes_on and following else done)
            if goes_on and following:
                write_address(item=following, job=None)

    def merge() -> None:
        rows, ticked = read()
        keep_rows(item, rows)
        with keep_errors(key):
            if len(ticked) < 2:
                raise BenchError("Tick two nuggets or more to merge them into one.")
            keep_rows(item, build_rows(merge_rows(read_rows(rows, card.sentences), ticked), card.sentences))

    def remove() -> None:
        rows, ticked = read()
        keep_rows(item, rows)
        with keep_errors(key):
            if not ticked:
                raise BenchError("Tick the nuggets to remove first.")
            keep_rows(item, [row for place, row in enumerate(rows) if place not in ticked])

    def add() -> None:
        keep_rows(item, [*read()[0], EMPTY])

    def leave(to: str | None) -> None:
        rows, _ = read()
        if [row for row in rows if row != EMPTY]:
            keep_rows(item, rows)
        forget_edits(item, unless_changed=True)
        write_address(item=to, job=None)

    def button(
        label: str,
        name: str,
        icon: str,
        pressed: Callable[[], None],
        shortcut: str | None = None,
        kind: Literal["primary", "secondary", "tertiary"] = "secondary",
        disabled: bool = False,
        help: str | None = None,
    ) -> None:
        st.form_submit_button(
            label,
            key=f"{key}_{name}",
            icon=f":material/{icon}:",
            on_click=pressed,
            shortcut=shortcut,
            type=kind,
            disabled=disabled,
            help=help,
        )

    with st.container(horizontal=True):
        button("Save and next", "save_next", "check", partial(save, True), "ctrl+enter", "primary", **right)
        button("Save", "save", "save", partial(save, False), "ctrl+s", **right)
        button("Merge", "merge", "merge", merge, "ctrl+m")
        button("Remove", "remove", "delete", remove)
        button("Add", "add", "add", add, "alt+a")
        button("Next item", "next", "arrow_forward", partial(leave, following), "alt+n", "tertiary", following is None)
        button("All items", "back", "arrow_back", partial(leave, None), None, "tertiary")
