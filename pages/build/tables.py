"""Tables of entities: files come in with a spec to correct; a table's rows, spec, popularity and functions are looked at, and a
function is tried."""

import streamlit as st

from core.errors import BenchError
from pages.parts.build.tables import add_box, functions, listing, popularity, rows, spec_view
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_url import held, word
from pages.parts.ui.say import trouble
from workbench import opened

VIEWS = {
    "rows": ("Rows", rows.show),
    "spec": ("Spec", spec_view.show),
    "popularity": ("Popularity", popularity.show),
    "functions": ("Functions", functions.show),
}


def main() -> None:
    """The list, and one of the four views of a table."""
    heading("Tables", "What is known in rows and columns: questions are made from it, and systems ask it by functions.")
    tables = opened().tables
    is_empty = tables.is_empty()
    with st.expander("Add tables", icon=":material/upload_file:", expanded=is_empty, key="tables_add"):
        add_box.show()
    if sentence := st.session_state.pop("tables_trouble", ""):
        trouble(sentence)
    if is_empty:
        empty(
            "No tables yet",
            "Drop a CSV, Parquet or JSON lines file above, or look around in the samples: scholars with "
            "their papers, companies with their prices, and templates of questions over them.",
        )
        st.button("Load the sample tables", on_click=_samples, icon=":material/table_view:", **kept("change the corpus"))
        return
    cards = tables.every()
    name = listing.show(cards)
    card = next(card for card in cards if card["name"] == name)
    view = word("view", "rows", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="tables_view",
        required=True,
        format_func=lambda one: VIEWS[one][0],
        label_visibility="collapsed",
        on_change=held("tables_view", "view", view),
    )
    VIEWS[view][1](card)


def _samples() -> None:
    try:
        opened().templates.load_samples()
    except BenchError as error:
        st.session_state["tables_trouble"] = str(error)


main()
