"""Gates: run on any selection of items, counted, held against what people decided, and set to run on every draft."""

import streamlit as st

from pages.parts.build.gates import against_people, every_draft, found_table, run_box
from pages.parts.ui.allowed import why_not
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import note
from workbench import opened

VIEWS = {"run": "Run", "found": "What they found", "people": "Against people", "every": "On every draft"}


def main() -> None:
    """One of the four views."""
    heading("Gates", "Automatic looks at drafts: some cost nothing and look at every draft, others ask an agent.")
    if why := why_not("run gates"):
        note(why)
        return
    if not opened().find.choices()["task"]:
        empty("No items yet", "Gates look at drafts: make some, or import a benchmark.", "pages/build/draft.py", "Draft items")
        return
    view = word("view", "run", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="gates_view",
        format_func=VIEWS.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=held("gates_view", "view", view),
    )
    {"run": run_box.show, "found": found_table.show, "people": against_people.show, "every": every_draft.show}[view]()


main()
