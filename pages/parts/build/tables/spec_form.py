"""The form in which a person says what a table is."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.json_lines import strict_json

TYPES = ("text", "integer", "number", "boolean", "date", "list")
NONE = "none"
_SPECIAL = {
    "key": ("Key", "Tells rows apart. With a time column a key may stand once for each time."),
    "label": ("Name", "What it is searched by; names may repeat."),
    "time": ("Time", "From when on a row stands: a question asked earlier does not see it."),
    "popularity": ("Popularity", "A number of how well known it is: votes, citations, followers."),
}
"""Columns of a special meaning: field of the spec -> its label, and what it is for."""
_TALL = 14
"""Columns that are listed without scrolling."""


def show(record: Mapping[str, Any], facts: Mapping[str, Mapping[str, Any]], tables: Sequence[str], key: str) -> dict[str, Any]:
    """Draw it; returns the spec's record as it stands in the form. `facts` = what is shown beside each column; `tables` = names
    that relations can lead to. Raises BenchError on functions that are not JSON."""
    columns = list(record["columns"])
    places = st.columns(2 + len(_SPECIAL))
    name = places[0].text_input("Table", record["name"], key=f"{key}_name", help="Letters, digits and _.")
    entity = places[1].text_input(
        "One row is a",
        record["entity"],
        key=f"{key}_entity",
        help="person, film, company; nothing = a row only links other tables.",
    )
    named = {}
    for place, (one, (label, about)) in zip(places[2:], _SPECIAL.items(), strict=True):
        with place:
            named[one] = _column(label, columns, record[one], f"{key}_{one}", about)
    edited = st.data_editor(
        [
            {
                "Column": column,
                "Type": record["columns"][column],
                "Asked for": column in record["attributes"],
                **facts.get(column, {}),
            }
            for column in columns
        ],
        key=f"{key}_columns",
        hide_index=True,
        disabled=["Column", *_labels(facts)],
        height="content" if len(columns) <= _TALL else 480,
        column_config={
            "Type": st.column_config.SelectboxColumn(options=list(TYPES), required=True),
            "Asked for": st.column_config.CheckboxColumn(help="Questions may ask for it."),
        },
    )
    st.markdown("**Leads to**")
    relations = st.data_editor(
        [dict(relation) for relation in record["relations"]] or [_blank()],
        key=f"{key}_relations",
        hide_index=True,
        num_rows="dynamic",
        column_config={
            "name": st.column_config.TextColumn("Called"),
            "column": st.column_config.SelectboxColumn("From column", options=columns),
            "to": st.column_config.SelectboxColumn("To table", options=sorted({*tables, name})),
            "to_column": st.column_config.TextColumn("Its column", help="Nothing = its key."),
            "many": st.column_config.CheckboxColumn("To several"),
            "back": st.column_config.TextColumn("The way back is called"),
        },
    )
    with st.expander("Functions", key=f"{key}_functions_box"):
        st.caption(
            "Empty: search, get, one for each relation, and aggregate, named for what a row is. A list as JSON takes "
            "their place."
        )
        written = json.dumps(record["functions"], ensure_ascii=False, indent=1) if record["functions"] else ""
        functions = st.text_area("Functions as JSON", written, key=f"{key}_functions", height=200, label_visibility="collapsed")
    return {
        "name": name.strip(),
        "entity": entity.strip(),
        **named,
        "columns": {row["Column"]: row["Type"] for row in edited},
        "attributes": [row["Column"] for row in edited if row["Asked for"]],
        "relations": [_relation(row) for row in relations if row.get("column") and row.get("to")],
        "functions": _functions(functions),
    }


def _column(label: str, columns: Sequence[str], chosen: str, key: str, about: str) -> str:
    options = [NONE, *columns]
    place = options.index(chosen) if chosen in columns else 0
    found = st.selectbox(label, range(len(options)), place, format_func=options.__getitem__, key=key, help=about)
    return columns[found - 1] if found else ""


def _labels(facts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return list(next(iter(facts.values()), {}))


def _blank() -> dict[str, Any]:
    return {"name": None, "column": None, "to": None, "to_column": None, "many": False, "back": None}


def _relation(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": (row.get("name") or row["to"]).strip(),
        "column": row["column"],
        "to": row["to"],
        "to_column": (row.get("to_column") or "").strip(),
        "many": bool(row.get("many")),
        "back": (row.get("back") or "").strip(),
    }


def _functions(text: str) -> list[Any]:
    if not text.strip():
        return []
    try:
        found = strict_json(text)
    except ValueError as error:
        raise BenchError(f"The text of the functions {error}: mend it, or leave the box empty.") from error
    if not isinstance(found, list):
        raise BenchError("The functions are no list: write [{...}, {...}], or leave the box empty.")
    return found
