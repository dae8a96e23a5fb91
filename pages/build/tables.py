"""Tables of entities: add files with a description of their columns (the spec) that a person can correct; show a table's rows,
spec, popularity and functions; and try a function."""

import streamlit as st

from pages.parts.build.tables import add_box, functions, listing, popularity, spec_view
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import switch_view
from workbench import open_workbench

VIEWS = {"rows": listing.show_rows, "spec": spec_view.show, "popularity": popularity.show, "functions": functions.show}


def main() -> None:
    """Show the list of tables, and one of the four views of the table that a person chose."""
    show_heading(
        "Tables", "Tables of entities: templates make questions from their rows, and systems query them with functions."
    )
    is_empty = open_workbench().tables.is_empty()
    with st.expander("Add tables", icon=":material/upload_file:", expanded=is_empty, key="tables_add"):
        add_box.show()
    show_feedback("tables")
    if is_empty:
        show_empty(
            "No tables yet",
            "Drop a CSV, Parquet or JSON lines file above, or load the samples: scholars with their papers, "
            "companies with their prices, and templates of questions over them.",
        )
        label, may = "Load the sample tables", "change the corpus"
        draw_button(label, "tables_samples", _load_samples, icon="table_view", requires=may)
        return
    card = listing.choose_table(open_workbench().tables.list_tables())
    VIEWS[switch_view({name: name.capitalize() for name in VIEWS}, "tables_view")](card)


def _load_samples() -> None:
    with keep_errors("tables"):
        open_workbench().templates.load_samples()


main()
