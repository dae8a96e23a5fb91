"""The form in which a person writes, removes and saves the entries of one gold set (nuggets, or questions about a gold answer),
and its earlier versions. Each button of the form also sends the form's fields, so that text typed just before a click is never
lost. The browser stores text that was not sent yet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeVar

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.gold_set.edits import (
    Edits,
    Row,
    forget_edits,
    keep_rows,
    leave_edits,
    load_edits,
    note_rows,
    sync_browser,
)
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.ui.allowed import guard
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.in_url import write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_note, show_warning
from workbench.evaluate.scoring.nuggets import NuggetSet
from workbench.evaluate.scoring.question_sets import QuestionSet

S = TypeVar("S", bound=NuggetSet | QuestionSet)


@dataclass(frozen=True, kw_only=True)
class FormColumn:
    """A column of the form, with one field per row."""

    label: str
    width: float
    placeholder: str = ""
    help: str | None = None
    choices: Sequence[str] = ()
    """The values that a person can choose from; empty = the person types text."""
    is_long: bool = False
    """Whether the field grows with its text."""


@dataclass(frozen=True, kw_only=True)
class GoldSetForm(Generic[S]):
    """The form of one gold set."""

    key: str
    noun: str
    """Noun for one entry of the set, such as "nugget" or "question"."""
    whole: str
    """Noun for the things that the buttons Next go through, such as "item" or "set"."""
    permission: str
    place: str
    """Key of the set, unique among all sets that the page edits."""
    columns: Mapping[str, FormColumn]
    versions: Sequence[S]
    """All versions of the set, oldest first."""
    build_rows: Callable[[S | None], list[Row]]
    save: Callable[[Sequence[Row], int, str], S]
    """Function that stores the rows as the next version after the given version number, under this person's name. Raises
    BenchError if the rows cannot be stored."""
    count: Callable[[S], str]
    """Function that returns a text with the number of entries of a version."""
    made: str
    """How an agent made a version, in front of the agent's name: "drafted by" or "made by the judge"."""
    empty: str = ""
    """Sentence that is shown if the set has no version."""
    closing: str
    """Sentence that is shown below the form."""
    following: Mapping[str, str] | None
    """URL parameters of the next set; None if there is no other set."""
    merge: Callable[[Sequence[Row], Sequence[int]], Sequence[Row]] | None = None
    """Function that merges the rows at these positions into one row; None = entries cannot be merged."""
    quote: Callable[[Row], str] | None = None
    """Function that returns the text to show below a row's first field."""

    def show(self) -> None:
        """Show the state of the set, the form, and the other versions."""
        keys_help(self._list_keys())
        current = self.versions[-1] if self.versions else None
        last, rows = len(self.versions), self.build_rows(current)
        edits = load_edits(self.place, last, rows, current is not None and not current.is_written)
        sync_browser(self.key, self.place, list(self.columns), self._build_empty(), rows, last)
        shown = self.versions[edits["number"] - 1] if edits["number"] else None
        with st.container():  # one container for all messages keeps the form's position, so that the form is not drawn anew
            show_feedback(self.key)
            changed = " You have changes that are not saved; this browser keeps them." if edits["is_changed"] else ""
            st.caption(escape(f"{self._describe(shown) if shown else self.empty}{changed}"))
            if shown != current and current:
                show_warning(
                    f"{current.by} saved set {current.number} in the meantime. What you typed is still here, but cannot be "
                    "saved."
                )
            if edits["is_changed"] or shown != current:
                st.button(
                    f"Show set {current.number}" if current else "Start again",
                    key=f"{self.key}_newest",
                    icon=":material/refresh:",
                    on_click=forget_edits,
                    args=(self.place,),
                    help="Discards what you typed here.",
                )
        self._show_form(edits)
        ask_here(f"Give your name: it is stored with the {self.noun}s.", self.noun)
        st.caption(self.closing)
        if others := [version for version in self.versions if version != shown]:
            with st.expander(f"Other sets ({len(others)})", icon=":material/history:"):
                for version in reversed(others):
                    st.caption(escape(self._describe(version)))
                    labels = {name: column.label for name, column in self.columns.items()}
                    show_rows([dict[str, Any](row) for row in self.build_rows(version)], labels)

    def _list_keys(self) -> list[tuple[str, str]]:
        return [
            ("Ctrl Enter", f"Save the {self.noun}s and open the next {self.whole}"),
            ("Ctrl S", f"Save the {self.noun}s"),
            *([("Ctrl M", f"Merge the ticked {self.noun}s into one")] if self.merge else []),
            ("Alt A", f"Add a {self.noun}"),
            ("Alt N", f"Open the next {self.whole} without saving; this browser keeps what you typed"),
        ]

    def _describe(self, version: S) -> str:
        """Describe a version in a line: its number, author, time and size."""
        who = f"saved by {version.by}" if version.is_written else f"{self.made} {version.by}"
        offline = ", with no LLM, so only offline judges use this set" if version.is_offline else ""
        at = version.at[:16].replace("T", " ")
        return f"Set {version.number}, {who}, {at} UTC{offline}. {self.count(version)}."

    def _show_form(self, edits: Edits) -> None:
        rows = edits["rows"] or [self._build_empty()]
        fields = f"{self.key}_{edits['turn']}"
        # Enter does not submit the form, because it would press another button than Ctrl+Enter
        with st.container(key=fields), st.form(f"{self.key}_form", border=False, enter_to_submit=False):
            for number, row in enumerate(rows):
                self._draw_row(row, number, f"{fields}_{number}")
            self._draw_buttons(edits["number"], partial(self._read, fields, len(rows)))
        if self.following is None:
            show_note(f"No other {self.whole} matches the filters of the list.")

    def _build_empty(self) -> Row:
        return {name: column.choices[0] if column.choices else "" for name, column in self.columns.items()}

    def _draw_row(self, row: Row, number: int, fields: str) -> None:
        tick, *boxes = st.columns([0.4, *(column.width for column in self.columns.values())])
        visibility: Literal["visible", "collapsed"] = "collapsed" if number else "visible"
        tick.checkbox(f"Tick {self.noun} {number + 1}", key=f"{fields}_tick", label_visibility="collapsed")
        for box, (name, column) in zip(boxes, self.columns.items(), strict=True):
            label = f"{column.label} {number + 1}" if number else column.label
            shared: dict[str, Any] = {
                "key": f"{fields}_{name}",
                "help": None if number else column.help,
                "placeholder": column.placeholder,
                "label_visibility": visibility,
            }
            if column.choices:
                place = column.choices.index(row[name]) if row[name] in column.choices else 0
                box.selectbox(label, column.choices, place, **shared)
            elif column.is_long:
                box.text_area(label, row[name], height="content", **shared)
            else:
                box.text_input(label, row[name], **shared)
        if self.quote and (quote := self.quote(row)):
            boxes[0].caption(escape(quote))

    def _read(self, fields: str, n: int) -> tuple[list[Row], list[int]]:
        """Return the rows that the person typed, and the positions of the ticked rows."""
        state = st.session_state
        typed = [{name: state[f"{fields}_{number}_{name}"] or "" for name in self.columns} for number in range(n)]
        return typed, [number for number in range(n) if state[f"{fields}_{number}_tick"]]

    def _draw_buttons(self, number: int, read: Callable[[], tuple[list[Row], list[int]]]) -> None:
        key, place, following, right = self.key, self.place, self.following, guard(self.permission)

        def save(goes_on: bool) -> None:
            rows, _ = read()
            note_rows(place, rows)
            with keep_errors(key):
                saved = self.save(rows, number, get_person())
                if not goes_on and len(self.build_rows(saved)) == len(rows):
                    note_rows(place, rows, saved.number)
                else:  # rows without text were left out
                    forget_edits(place)
                done = f"Saved as set {saved.number}: {self.count(saved)}."
                done = done if saved.number != number else "Nothing was changed."
                goes_on = goes_on and following is not None
                keep_success(key, f"The {self.whole} before: {done[0].lower()}{done[1:]}" if goes_on else done)
                if goes_on:
                    open_address(following)

        def change(edit: Callable[[Sequence[Row], Sequence[int]], Sequence[Row]], least: int, refusal: str) -> None:
            rows, ticked = read()
            keep_rows(place, rows)
            with keep_errors(key):
                if len(ticked) < least:
                    raise BenchError(refusal)
                keep_rows(place, edit(rows, ticked))

        def add() -> None:
            rows, _ = read()
            keep_rows(place, [*rows, self._build_empty()], focus=len(rows))

        def leave(to: Mapping[str, str] | None) -> None:
            rows, _ = read()
            if rows != [self._build_empty()]:
                keep_rows(place, rows)
            leave_edits(place)
            open_address(to)

        def open_address(to: Mapping[str, str] | None) -> None:
            write_address(**{"item": None, "gold": None, "job": None, **(to or {})})

        def button(label: str, name: str, icon: str, pressed: Callable[[], None], **more: Any) -> None:
            st.form_submit_button(label, key=f"{key}_{name}", icon=f":material/{icon}:", on_click=pressed, **more)

        with st.container(horizontal=True):
            button("Save and next", "save_next", "check", partial(save, True), shortcut="ctrl+enter", type="primary", **right)
            button("Save", "save", "save", partial(save, False), shortcut="ctrl+s", **right)
            if self.merge:
                merge = partial(change, self.merge, 2, f"Tick two {self.noun}s or more to merge them into one.")
                button("Merge", "merge", "merge", merge, shortcut="ctrl+m")
            button("Remove", "remove", "delete", partial(change, _leave_out, 1, f"Tick the {self.noun}s to remove first."))
            button("Add", "add", "add", add, shortcut="alt+a")
            more = {"shortcut": "alt+n", "disabled": following is None, "type": "tertiary"}
            button(f"Next {self.whole}", "next", "arrow_forward", partial(leave, following), **more)
            button(f"All {self.whole}s", "back", "arrow_back", partial(leave, None), type="tertiary")


def _leave_out(rows: Sequence[Row], places: Sequence[int]) -> list[Row]:
    return [row for place, row in enumerate(rows) if place not in places]
