"""The form that makes a season (a fixed set of template questions): choose templates, the number of questions per template, and
a seed; a job then drafts the items."""

from collections.abc import Sequence

import streamlit as st

from core.tables.world import Tables
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import job_card
from pages.parts.ui.buttons import draw_button, draw_link
from pages.parts.ui.feedback import keep_errors
from pages.parts.ui.fields import count_field, seed_field
from pages.parts.ui.grid import cells, columns
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import link
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.build.templates.seasons import TemplateTally
from workbench.build.templates.templates import StoredTemplate


def show(world: Tables) -> None:
    """Show the form that starts a job to make a season of questions, and below it the jobs that were started."""
    templates = open_workbench().templates.list_templates()
    if not templates:
        show_empty("No templates yet", "Write a template, or load the samples under Templates.")
        return
    _draw_box(templates)
    for job, state in job_card.show_listed():
        _draw_tally(open_workbench().seasons.tally(job))
        if state == "done":
            with st.container(horizontal=True):
                link("See the seasons", ":material/event_repeat:", f"templates_seasons_{job}", view="seasons")
                draw_link("annotate/review", "Review the items", "rate_review")


def _draw_box(templates: Sequence[StoredTemplate]) -> None:
    with st.container(border=True, gap="small"):
        boxes = st.columns(3)
        levels = boxes[0].pills("Level", ["KS", "KU", "KA"], selection_mode="multi", key="templates_make_level")
        kinds, tables = (
            box.multiselect(
                name.capitalize(),
                list(dict.fromkeys(template.record[name] for template in templates)),
                key=f"templates_make_{name}",
                placeholder=f"every {name}",
            )
            for box, name in ((boxes[1], "kind"), (boxes[2], "table"))
        )
        filters = {"level": levels, "kind": kinds, "table": tables}
        matching = [
            template.id
            for template in templates
            if all(not wanted or template.record[name] in wanted for name, wanted in filters.items())
        ]
        placeholder = f"all {len(matching)} of these templates"
        chosen = st.multiselect("Templates", matching, key="templates_make_ids", placeholder=placeholder) or matching
        each, seed, _ = st.columns([1, 1, 3])
        help = "The same number of questions about head, torso and tail rows, if the table has a popularity column."
        count = len(chosen) * count_field(each, "Questions of each", "templates_make_each", 750, 12, 3, help=help)
        help = "The same seed on the same rows draws the same questions."
        number = seed_field(seed, "templates_make_seed", 42, help=help)
        st.caption(
            f"{count_things(len(chosen), 'template')}, at most {count:,} questions. A question is left out if two entities "
            "answer it, if it has no answer, or if it was asked already."
        )
        label, args, may = f"Make {count:,} questions", (chosen, count, number), "draft items"
        draw_button(
            label, "templates_make", _plan, *args, icon="play_arrow", is_primary=True, requires=may, disabled=not chosen
        )


def _draw_tally(tallies: Sequence[TemplateTally]) -> None:
    """Show a table of how many questions each template gave, and why other rows gave no question."""
    if not tallies:
        return
    heads = [
        *columns("Template", align="left"),
        *columns("Questions"),
        {"label": "Already there", "help": "Questions that an earlier season already asks about the same rows."},
        {
            "label": "Could be asked",
            "align": "left",
            "help": "Questions that could be asked, by popularity of their rows; the count ends at the wanted number.",
        },
        *columns("Rows without a question", align="left"),
    ]
    rows = []
    for tally in tallies:
        buckets = " · ".join(f"{bucket or 'rows'} {n:,}" for bucket, n in tally.candidates.items())
        why = ", ".join(f"{n:,} {reason}" for reason, n in tally.refused.items())
        already = {"text": f"{tally.already:,}", "muted": not tally.already}
        refused = {"text": why or "–", "muted": not why}
        rows.append({"cells": [*cells(tally.template, f"{tally.made:,}"), already, {"text": buckets}, refused]})
    paper_table.show(heads, rows, f"templates_tally_{len(rows)}")


def _plan(ids: Sequence[str], count: int, seed: int) -> None:
    with keep_errors("templates"):
        job_card.start_and_list(open_workbench().seasons.plan(ids, count, seed))
