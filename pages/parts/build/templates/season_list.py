"""The seasons, frozen draws that systems are compared within; one is looked at, and refreshed on the tables as they are now."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from core.tables.world import Tables
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import job_card
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import put, word
from pages.parts.ui.listing import page_of
from pages.parts.ui.say import plain, trouble
from workbench import opened

SIZE = 50


def show(world: Tables) -> None:
    """Draw the list and the chosen one."""
    seasons = {one["id"]: one for one in opened().seasons.every()}
    if not seasons:
        empty("No seasons yet", "A season is what one draw made: choose templates under Make.")
        return
    chosen = word("season", next(iter(seasons)), list(seasons))
    pressed = paper_table.show(_COLUMNS, [_row(one, chosen) for one in seasons.values()], "templates_seasons")
    if pressed and pressed != chosen:
        put(season=pressed)
        st.rerun()
    _season(seasons[chosen])


_COLUMNS = [
    {"label": "Season", "align": "left"},
    {"label": "Made", "align": "left"},
    {"label": "Seed"},
    {"label": "Questions"},
    {"label": "Templates"},
    {"label": "Rows as of", "align": "left", "help": "The hash of the tables' snapshots."},
    {"label": "Refreshed from", "align": "left"},
    {"label": "Changed since", "align": "left", "help": "Tables with other rows now."},
]


def _row(one: Mapping[str, Any], chosen: str) -> dict[str, Any]:
    changed = ", ".join(one["changed_tables"])
    return {
        "cells": [
            {
                "text": one["id"],
                "go": one["id"],
                "href": f"?view=seasons&season={one['id']}",
                "mark": "best" if one["id"] == chosen else "",
            },
            {"text": one["made_at"][:16].replace("T", " ")},
            {"text": str(one["seed"])},
            {"text": f"{one['n']:,}"},
            {"text": f"{len(one['templates']):,}"},
            {"text": one["data_hash"][:15]},
            {"text": one["refreshed_from"] or "–", "muted": not one["refreshed_from"]},
            {"text": changed or "–", "muted": not changed},
        ]
    }


def _season(one: Mapping[str, Any]) -> None:
    id_, stage = one["id"], opened().seasons
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(id_, anchor=False, width="content")
        st.space("stretch")
        st.button(
            "Refresh",
            icon=":material/event_repeat:",
            key="templates_refresh",
            on_click=_refresh,
            args=(id_,),
            **kept(
                "draft items",
                help="The same questions with their answers reckoned from the tables as they are now, "
                "as a season of their own.",
            ),
        )
    others = ", ".join(one["changed_tables"])
    st.caption(
        plain(f"Other rows now: {others}. A refresh tells which answers changed." if others else "Its tables are as they were.")
    )
    for job in stage.refreshes(id_)[:3]:
        try:
            if job_card.show(job) == "done":
                _changes(job)
        except BenchError as error:
            trouble(str(error))
    start = page_of(one["n"], f"templates_season_{id_}")
    st.dataframe(
        [
            {
                "Question": row["question"],
                "Answer": row["answer"],
                "Level": row["level"],
                "Kind": row["question_type"],
                "Popularity": row["popularity"] or None,
                "Calls": row["difficulty"],
                "Status": row["status"],
                "Template": row["template"],
            }
            for row in stage.questions(id_, SIZE, start)
        ],
        hide_index=True,
        placeholder="–",
        height="content" if one["n"] <= 12 else 440,
        column_config={"Question": st.column_config.TextColumn(width="large")},
    )
    with st.expander("What it stands on", icon=":material/fingerprint:"):
        st.text(f"seed {one['seed']}, {one['n']:,} questions, data {one['data_hash']}")
        for name, hash in sorted(one["tables"].items()):
            st.caption(plain(f"table {name} {hash}"))
        for name, version in sorted(one["templates"].items()):
            st.caption(plain(f"template {name} {version}"))


def _changes(job: str) -> None:
    found = opened().seasons.changes(job)
    if found:
        st.markdown(f"**{len(found):,} {'answer' if len(found) == 1 else 'answers'} changed**")
        rows = [
            {"Question": one["question"], "Before": one["before"], "Now": one["after"], "Why there is none": one["why"] or None}
            for one in found
        ]
        st.dataframe(
            rows,
            hide_index=True,
            placeholder="–",
            height="content" if len(rows) <= 12 else 440,
            column_config={"Question": st.column_config.TextColumn(width="large")},
        )


def _refresh(id_: str) -> None:
    bench = opened()
    try:
        job = bench.seasons.plan_refresh(id_)
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)
        return
    jobs.start(bench).submit(job)
    put(season=id_)
