"""Which templates, how many questions of each, by what seed: made as a job into drafted items, which are a season."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from core.tables.world import Tables
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import job_card
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import link, put, words
from pages.parts.ui.say import trouble
from workbench import opened


def show(world: Tables) -> None:
    """Draw the box and its jobs."""
    cards = opened().templates.every()
    if not cards:
        empty("No templates yet", "Write one, or load the samples under Templates.")
        return
    _box(cards)
    for job in words("job")[:6]:
        try:
            state = job_card.show(job)
            _made(opened().seasons.tally(job))
            if state == "done":
                with st.container(horizontal=True):
                    link("See the seasons", ":material/event_repeat:", f"templates_seasons_{job}", view="seasons")
                    st.page_link("pages/annotate/review.py", label="Review the items", icon=":material/rate_review:")
        except BenchError as error:
            trouble(str(error))


def _box(cards: Sequence[Mapping[str, Any]]) -> None:
    with st.container(border=True, gap="small"):
        narrow = st.columns(3)
        levels = narrow[0].pills("Level", ["KS", "KU", "KA"], selection_mode="multi", key="templates_make_level")
        kinds = narrow[1].multiselect(
            "Kind", list(dict.fromkeys(card["kind"] for card in cards)), key="templates_make_kind", placeholder="every kind"
        )
        tables = narrow[2].multiselect(
            "Table", list(dict.fromkeys(card["table"] for card in cards)), placeholder="every table", key="templates_make_table"
        )
        fit = [
            card["id"]
            for card in cards
            if (not levels or card["level"] in levels)
            and (not kinds or card["kind"] in kinds)
            and (not tables or card["table"] in tables)
        ]
        chosen = st.multiselect("Templates", fit, key="templates_make_ids", placeholder=f"all {len(fit)} of these") or fit
        each, seed, _ = st.columns([1, 1, 3])
        n = int(
            each.number_input(
                "Questions of each",
                1,
                750,
                12,
                3,
                key="templates_make_each",
                help="As many of head, torso and tail, where the table has a popularity.",
            )
        )
        drawn = int(
            seed.number_input(
                "Seed",
                0,
                2**31 - 1,
                42,
                1,
                key="templates_make_seed",
                help="The same seed on the same rows draws the same questions.",
            )
        )
        count = n * len(chosen)
        st.caption(
            f"{len(chosen):,} {'template' if len(chosen) == 1 else 'templates'}, {count:,} questions at most: one that "
            "two entities answer, that has no answer or was asked already is left out."
        )
        st.button(
            f"Make {count:,} questions",
            type="primary",
            icon=":material/play_arrow:",
            key="templates_make",
            on_click=_plan,
            args=(chosen, count, drawn),
            **kept("draft items", disabled=not chosen),
        )


def _made(tally: Sequence[Mapping[str, Any]]) -> None:
    """What each template came to."""
    if not tally:
        return
    columns = [
        {"label": "Template", "align": "left"},
        {"label": "Questions"},
        {"label": "Already there", "help": "The same question on the same rows, of an earlier draw."},
        {"label": "Could be asked", "align": "left", "help": "Up to the number wanted, by bucket."},
        {"label": "Rows that gave none", "align": "left"},
    ]
    rows = []
    for one in tally:
        buckets = " · ".join(f"{bucket or 'rows'} {n:,}" for bucket, n in one["candidates"].items())
        why = ", ".join(f"{n:,} {reason}" for reason, n in one["refused"].items())
        rows.append(
            {
                "cells": [
                    {"text": one["template"]},
                    {"text": f"{one['made']:,}"},
                    {"text": f"{one['already']:,}", "muted": not one["already"]},
                    {"text": buckets},
                    {"text": why or "–", "muted": not why},
                ]
            }
        )
    paper_table.show(columns, rows, f"templates_tally_{len(rows)}")


def _plan(ids: Sequence[str], count: int, seed: int) -> None:
    bench = opened()
    try:
        job = bench.seasons.plan(ids, count, seed)
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)
        return
    jobs.start(bench).submit(job)
    put(job=list(dict.fromkeys([job, *words("job")]))[:6])
