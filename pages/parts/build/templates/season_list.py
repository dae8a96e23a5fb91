"""The list of seasons, each a fixed set of template questions on which systems are compared, and the chosen season, which can
be refreshed on the current tables."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

import jobs
from core.tables.world import Tables
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import job_card
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_errors
from pages.parts.ui.grid import cells, columns
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.listing import PAGE_ROWS, find_page_start
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.build.templates.seasons import SeasonCard


def show(world: Tables) -> None:
    """Show the list of seasons, and the chosen season."""
    seasons = {card.season.id: card for card in open_workbench().seasons.list_seasons()}
    if not seasons:
        show_empty("No seasons yet", "A season is a fixed set of questions drawn from templates: choose templates under Make.")
        return
    chosen = read_word("season", next(iter(seasons)), list(seasons))
    heads = [
        *columns("Season", "Made", align="left"),
        *columns("Seed", "Questions", "Templates"),
        {"label": "Rows as of", "align": "left", "help": "Hash of the snapshots of the season's tables."},
        *columns("Refreshed from", align="left"),
        {"label": "Changed since", "align": "left", "help": "Tables whose rows have changed since the season was made."},
    ]
    pressed = paper_table.show(heads, [{"cells": _row(card, chosen)} for card in seasons.values()], "templates_seasons")
    if pressed and pressed != chosen:
        write_address(season=pressed)
        st.rerun()
    _draw_season(seasons[chosen])


def _row(card: SeasonCard, chosen: str) -> list[dict[str, Any]]:
    id_, record = card.season.id, card.season.record
    name = {"text": id_, "go": id_, "href": f"?view=seasons&season={id_}", "mark": "best" if id_ == chosen else ""}
    made_at, source, changed = _minute(card.season.made_at), record.get("refreshed_from"), ", ".join(card.changed_tables)
    n, templates = f"{record['n']:,}", f"{len(record['templates']):,}"
    return [
        name,
        *cells(made_at, str(record["seed"]), n, templates, record["data_hash"][:15]),
        {"text": source or "–", "muted": not source},
        {"text": changed or "–", "muted": not changed},
    ]


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")


def _draw_season(card: SeasonCard) -> None:
    id_, record, stage = card.season.id, card.season.record, open_workbench().seasons
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(id_, anchor=False, width="content")
        st.space("stretch")
        help = "Makes a new season: the same questions, with answers computed again from the current tables."
        key, may = "templates_refresh", "draft items"
        draw_button("Refresh", key, _refresh, id_, icon="event_repeat", requires=may, help=help)
    changed = f"Tables with changed rows: {', '.join(card.changed_tables)}. A refresh shows which answers changed."
    st.caption(escape(changed if card.changed_tables else "The season's tables have not changed."))
    for job in stage.list_refreshes(id_)[:3]:
        with show_errors():
            if job_card.show(job) == "done":
                _draw_changes(job)
    start = find_page_start(record["n"], f"templates_season_{id_}")
    _draw_rows(
        [
            {
                "Question": item.question,
                "Answer": item.answers[0],
                "Level": item.level,
                "Kind": item.labels.get("question_type", ""),
                "Popularity": item.labels.get("popularity") or None,
                "Calls": item.labels.get("difficulty", ""),
                "Status": item.status,
                "Template": item.labels.get("template", ""),
            }
            for item in stage.questions(id_, PAGE_ROWS, start)
        ]
    )
    with st.expander("Data and tables", icon=":material/fingerprint:"):
        st.text(f"seed {record['seed']}, {record['n']:,} questions, data {record['data_hash']}")
        for kind in ("table", "template"):
            for name, version in sorted(record[f"{kind}s"].items()):
                st.caption(escape(f"{kind} {name} {version}"))


def _draw_changes(job: str) -> None:
    if changes := open_workbench().seasons.list_changes(job):
        st.markdown(f"**{count_things(len(changes), 'answer')} changed**")
        _draw_rows(
            [
                {"Question": c.question, "Before": c.before, "Now": c.after, "Why there is no answer": c.why or None}
                for c in changes
            ]
        )


def _draw_rows(rows: Sequence[dict[str, Any]]) -> None:
    st.dataframe(
        rows,
        hide_index=True,
        placeholder="–",
        height="content" if len(rows) <= 12 else 440,
        column_config={"Question": st.column_config.TextColumn(width="large")},
    )


def _refresh(id_: str) -> None:
    with keep_errors("templates"):
        jobs.start(open_workbench()).submit(open_workbench().seasons.plan_refresh(id_))
        write_address(season=id_)
