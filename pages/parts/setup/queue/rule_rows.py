"""Shows the rules of the review queue as rows of input boxes: each row selects items and sets a value for them. Changes stay in
this browser tab until a person applies or discards them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import streamlit as st

from pages.parts.ui.buttons import draw_button
from workbench.annotate.queue.queueing import ANY_FLAG, MAX_WANTED_PEOPLE, NO_FLAG, ItemKind, OverlapRule, QueueRules

FIELDS = ("task", "level", "domain", "language", "agent", "flag")
ANY = ""
_DRAFT = "queue_draft"
_FLAGS = {ANY_FLAG: "flagged by any gate", NO_FLAG: "passed by all gates"}
_WIDTHS = [1.5, 0.8, 1.1, 0.9, 1.1, 1.3]


def draft(now: QueueRules) -> QueueRules:
    """Return the rules that the boxes show, which are the current rules if nobody has changed a box in this tab."""
    kept = st.session_state.get(_DRAFT)
    if kept is None:
        kept = st.session_state[_DRAFT] = {
            "version": now.version,
            "seed": now.seed,
            "overlaps": [
                _row(overlap.kind, wanted=overlap.wanted, share=round(overlap.share * 100, 2)) for overlap in now.overlaps
            ],
            "first": [_row(kind) for kind in now.first],
        }
    return QueueRules(
        [OverlapRule(_kind(row), int(row["wanted"]), float(row["share"]) / 100) for row in kept["overlaps"]],
        [kind for row in kept["first"] if (kind := _kind(row)) != ItemKind()],
        kept["seed"],
        kept["version"],
    )


def forget() -> None:
    """Discard the changes in the boxes, which then show the current rules."""
    st.session_state.pop(_DRAFT, None)


def show(choices: Mapping[str, Sequence[Any]], may: bool) -> None:
    """Show the rules on the number of reviewers and on the order of the queue."""
    kept = st.session_state[_DRAFT]
    st.markdown("**How many people**")
    st.caption(
        "One person decides on an item, unless a rule below asks for more people. If several rules apply, the largest number "
        "of people counts. A share applies to each task, level, domain and language; the chosen items do not change later."
    )
    for row in kept["overlaps"]:
        _boxes("overlaps", row, choices, may, kept["overlaps"])
    draw_button("Add a rule", "queue_add_overlaps", _add, "overlaps", icon="add", type="tertiary", disabled=not may)
    st.markdown("**What comes first**")
    st.caption(
        "These items come first, in this order. All other items follow, the oldest first, but items of a person's open "
        "document come before them."
    )
    for row in kept["first"]:
        _boxes("first", row, choices, may, kept["first"])
    draw_button("Add a priority", "queue_add_first", _add, "first", icon="add", type="tertiary", disabled=not may)


def describe_items(kind: ItemKind) -> str:
    """Describe in a few words the items that a rule chooses."""
    told = [
        _flag(kind.flag) if name == "flag" else f"level {value}" if name == "level" else str(value).replace("_", " ")
        for name, value in kind._asdict().items()
        if value is not None
    ]
    return ", ".join(told) or "all items"


def _boxes(sort: str, row: dict[str, Any], choices: Mapping[str, Sequence[Any]], may: bool, rows: Sequence[Any]) -> None:
    more = [0.8, 0.9, 0.4] if sort == "overlaps" else [0.4, 0.4]
    columns = st.columns([*_WIDTHS, *more], vertical_alignment="bottom", gap="small")
    for name, column in zip(FIELDS, columns, strict=False):
        options = [ANY, *choices[name], *([row[name]] if row[name] not in (ANY, *choices[name]) else [])]
        with column:
            st.selectbox(
                name.capitalize(),
                options,
                key=_key(row, name),
                disabled=not may,
                on_change=_set,
                args=(row, name),
                format_func=_flag if name == "flag" else _label,
            )
    rest = columns[len(FIELDS) :]
    if sort == "overlaps":
        rest[0].number_input(
            "People", 1, MAX_WANTED_PEOPLE, key=_key(row, "wanted"), disabled=not may, on_change=_set, args=(row, "wanted")
        )
        rest[1].number_input(
            "Share, %",
            0.1,
            100.0,
            key=_key(row, "share"),
            step=5.0,
            format="%g",
            disabled=not may,
            on_change=_set,
            args=(row, "share"),
        )
    else:
        rest[0].button(
            "",
            key=f"queue_up_{row['id']}",
            icon=":material/arrow_upward:",
            help="Earlier",
            type="tertiary",
            disabled=not may or row is rows[0],
            on_click=_move_up,
            args=(row["id"],),
        )
    rest[-1].button(
        "",
        key=f"queue_drop_{row['id']}",
        icon=":material/close:",
        help="Remove the rule",
        type="tertiary",
        disabled=not may,
        on_click=_drop,
        args=(sort, row["id"]),
    )


def _key(row: dict[str, Any], name: str) -> str:
    """Set the box `name` of a row to the row's value, and return the box's session key."""
    key = f"queue_{row['id']}_{name}"
    st.session_state[key] = row[name]
    return key


def _set(row: dict[str, Any], name: str) -> None:
    row[name] = st.session_state[f"queue_{row['id']}_{name}"]


def _add(sort: str) -> None:
    st.session_state[_DRAFT][sort].append(_row(ItemKind(), wanted=2, share=100.0))


def _drop(sort: str, id_: str) -> None:
    st.session_state[_DRAFT][sort] = [row for row in st.session_state[_DRAFT][sort] if row["id"] != id_]


def _move_up(id_: str) -> None:
    rows = st.session_state[_DRAFT]["first"]
    at = next(place for place, row in enumerate(rows) if row["id"] == id_)
    rows[at - 1], rows[at] = rows[at], rows[at - 1]


def _row(kind: ItemKind, **more: Any) -> dict[str, Any]:
    return {"id": uuid4().hex[:8], **{name: ANY if value is None else value for name, value in kind._asdict().items()}, **more}


def _kind(row: Mapping[str, Any]) -> ItemKind:
    return ItemKind(**{name: None if row[name] == ANY else row[name] for name in FIELDS})


def _label(value: Any) -> str:
    return "any" if value == ANY else str(value).replace("_", " ")


def _flag(value: Any) -> str:
    return _FLAGS.get(value) or ("any" if value == ANY else f"flagged by {value}".replace("_", " "))
