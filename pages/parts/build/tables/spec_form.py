"""The form in which a person describes a table: what a row is, its special columns, its relations and its functions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.json_lines import strict_json
from core.tables.nouns import TYPES, TableSpec
from workbench.build.templates.tables import ColumnFacts

SPECIAL_COLUMNS = {
    "key": ("Key", "Column whose value identifies a row. With a time column, a key may occur once for each time."),
    "label": ("Name", "Column by which rows are searched; names may repeat."),
    "time": ("Time", "Column with the time from which a row is valid: a question asked earlier does not see the row."),
    "popularity": ("Popularity", "Column with a number that says how well known a row is: votes, citations, followers."),
}
"""Dict from field of the spec to its (label, help text)."""
FACTS = {"different": "Different", "missing": "Missing", "first_values": "First values"}
BLANK_RELATION = {"name": None, "column": None, "to": None, "to_column": None, "many": False, "back": None}
MAX_LISTED_COLUMNS = 14
"""Maximum number of columns that are listed without a scroll bar."""


def show(spec: TableSpec, facts: Mapping[str, ColumnFacts], tables: Sequence[str], key: str) -> dict[str, Any]:
    """Show the form, and return the spec in it as a dict. `tables` are the names of the tables that relations can lead to.
    Raises BenchError if the functions are not valid JSON."""
    columns = list(spec.columns)
    places = st.columns(2 + len(SPECIAL_COLUMNS))
    name = places[0].text_input("Table", spec.name, key=f"{key}_name", help="Name of the table: letters, digits and _.")
    help = "What a row describes, such as person, film or company; empty if a row only links other tables."
    entity = places[1].text_input("One row is a", spec.entity, key=f"{key}_entity", help=help)
    special = {}
    for place, (field, (label, about)) in zip(places[2:], SPECIAL_COLUMNS.items(), strict=True):
        with place:
            special[field] = _choose_column(label, columns, getattr(spec, field), f"{key}_{field}", about)
    rows = [
        {"Column": column, "Type": kind, "Asked for": column in spec.attributes, **_label_facts(facts.get(column))}
        for column, kind in spec.columns.items()
    ]
    edited = st.data_editor(
        rows,
        key=f"{key}_columns",
        hide_index=True,
        disabled=["Column", *(FACTS.values() if facts else ())],
        height="content" if len(columns) <= MAX_LISTED_COLUMNS else 480,
        column_config={
            "Type": st.column_config.SelectboxColumn(options=list(TYPES), required=True),
            "Asked for": st.column_config.CheckboxColumn(help="Whether templates may ask for the values of this column."),
        },
    )
    st.markdown("**Leads to**")
    relations = st.data_editor(
        [asdict(relation) for relation in spec.relations] or [BLANK_RELATION],
        key=f"{key}_relations",
        hide_index=True,
        num_rows="dynamic",
        column_config={
            "name": st.column_config.TextColumn("Called"),
            "column": st.column_config.SelectboxColumn("From column", options=columns),
            "to": st.column_config.SelectboxColumn("To table", options=sorted({*tables, name})),
            "to_column": st.column_config.TextColumn("Its column", help="If empty, the key column of the other table is used."),
            "many": st.column_config.CheckboxColumn("To several"),
            "back": st.column_config.TextColumn("Name of the reverse relation"),
        },
    )
    with st.expander("Functions", key=f"{key}_functions_box"):
        st.caption("Leave empty for the default functions (search, get, aggregate, one per relation), or give a JSON list.")
        stored = [asdict(function) for function in spec.functions]
        text = json.dumps(stored, ensure_ascii=False, indent=1) if stored else ""
        functions = st.text_area("Functions as JSON", text, key=f"{key}_functions", height=200, label_visibility="collapsed")
    return {
        "name": name.strip(),
        "entity": entity.strip(),
        **special,
        "columns": {row["Column"]: row["Type"] for row in edited},
        "attributes": [row["Column"] for row in edited if row["Asked for"]],
        "relations": [_read_relation(row) for row in relations if row.get("column") and row.get("to")],
        "functions": _read_functions(functions),
    }


def _choose_column(label: str, columns: Sequence[str], chosen: str, key: str, about: str) -> str:
    options = ["none", *columns]
    place = options.index(chosen) if chosen in columns else 0
    picked = st.selectbox(label, range(len(options)), place, format_func=options.__getitem__, key=key, help=about)
    return columns[picked - 1] if picked else ""


def _label_facts(facts: ColumnFacts | None) -> dict[str, Any]:
    return {label: getattr(facts, name) for name, label in FACTS.items()} if facts else {}


def _read_relation(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": (row.get("name") or row["to"]).strip(),
        "column": row["column"],
        "to": row["to"],
        "to_column": (row.get("to_column") or "").strip(),
        "many": bool(row.get("many")),
        "back": (row.get("back") or "").strip(),
    }


def _read_functions(text: str) -> list[Any]:
    if not text.strip():
        return []
    try:
        functions = strict_json(text)
    except ValueError as error:
        raise BenchError(f"The text of the functions {error}: correct it, or leave the box empty.") from error
    if not isinstance(functions, list):
        raise BenchError("The functions are not a list: write [{...}, {...}], or leave the box empty.")
    return functions
