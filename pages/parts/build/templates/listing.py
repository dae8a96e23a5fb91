"""The templates in use, a row each; one is chosen to be looked at: its words, what it asks of these tables, its versions."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.tables.world import Tables
from pages.parts.build.templates import preview
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import put, word
from pages.parts.ui.person import person
from pages.parts.ui.say import plain
from workbench import opened

OF = {"subject": "names the entity", "other": "names the other", "condition": "is a condition", "false": "is not so"}
"""What a slot is for, as people read it."""


LONG = 9
"""Templates that are listed without scrolling above the chosen one."""


def show(world: Tables) -> None:
    """Draw the list and the chosen one."""
    cards = opened().templates.every()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "New template",
            icon=":material/add:",
            key="templates_new",
            on_click=_begin,
            args=("",),
            **kept("draft items", help=None if person() else "Give your name first."),
        )
        st.caption(f"{len(cards):,} {'template' if len(cards) == 1 else 'templates'}")
    if not cards:
        empty("No templates yet", "Write one, or load the samples: 23 templates of every kind over scholars and companies.")
        st.button(
            "Load the sample tables and templates", on_click=_samples, icon=":material/table_view:", **kept("change the corpus")
        )
        return
    chosen = word("template", "", [card["id"] for card in cards])
    with st.container(height=380 if chosen and len(cards) > LONG else "content", border=False):
        pressed = paper_table.show(_COLUMNS, [_row(card, chosen) for card in cards], "templates_list")
    if pressed and pressed != chosen:
        put(template=pressed)
        st.rerun()
    if chosen:
        _card(next(card for card in cards if card["id"] == chosen))


_COLUMNS = [
    {"label": "Template", "align": "left"},
    {"label": "Question", "align": "left"},
    {"label": "Level", "align": "left"},
    {"label": "Kind", "align": "left"},
    {"label": "Table", "align": "left"},
    {"label": "Answer", "align": "left"},
    {"label": "Versions"},
]


def _row(card: Mapping[str, Any], chosen: str) -> dict[str, Any]:
    answer = " ".join(part for part in (card["measure"], card["answer"]) if part) or "invalid question"
    return {
        "cells": [
            {
                "text": card["id"],
                "go": card["id"],
                "href": f"?template={card['id']}",
                "mark": "best" if card["id"] == chosen else "",
                "sub": "words by an agent" if card["about"] else "",
            },
            {"text": card["text"], "clamp": True},
            {"text": card["level"]},
            {"text": card["kind"]},
            {"text": card["table"]},
            {"text": answer, "muted": not card["answer"]},
            {"text": f"{card['versions']:,}"},
        ]
    }


def _card(card: Mapping[str, Any]) -> None:
    """What the template is, and what it asks."""
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(card['id'])}**", width="content")
            st.caption(plain(f"{card['version']} · {_saved(card)}"), width="content")
            st.space("stretch")
            st.button(
                "Edit", icon=":material/edit:", key="templates_edit", on_click=_begin, args=(card["id"],), **kept("draft items")
            )
            with st.popover("Remove", icon=":material/delete:"):
                st.caption("Its versions go; items that were made from it stay, with all that they were made of.")
                st.button("Remove it", key="templates_remove", on_click=_remove, args=(card["id"],), **kept("draft items"))
        st.text(card["text"])
        for name, slot in card["slots"].items():
            st.caption(plain(f"{{{name}}} = {slot['path']}, {OF[slot['of']]}"))
        preview.show(card, card["id"])
        _versions(opened().templates.versions(card["id"]))


def _versions(versions: Sequence[Mapping[str, Any]]) -> None:
    if len(versions) < 2:
        return
    with st.expander(f"{len(versions):,} versions", icon=":material/history:"):
        for place, one in enumerate(versions):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(one["text"], width="stretch")
                st.caption(plain(f"{one['version']} · {_saved(one)}"), width="content")
                if place == 0:
                    st.badge("in use", icon=":material/check:", color="green")
                else:
                    st.button(
                        "Use this one",
                        key=f"templates_stand_{one['version']}",
                        on_click=_stand,
                        args=(one["id"], one["version"]),
                        **kept("draft items"),
                    )


def _saved(card: Mapping[str, Any]) -> str:
    by = f" by {card['saved_by']}" if card["saved_by"] else ""
    return f"saved {card['saved_at'][:16].replace('T', ' ')} UTC{by}"


def _begin(of: str) -> None:
    try:
        put(view="write", draft=opened().templates.begin(person(), of), template=None)
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)


def _stand(id_: str, version: str) -> None:
    try:
        opened().templates.stand(id_, version)
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)


def _remove(id_: str) -> None:
    try:
        opened().templates.remove(id_)
        put(template=None)
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)


def _samples() -> None:
    try:
        opened().templates.load_samples()
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)
