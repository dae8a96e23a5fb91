"""A form that drafts items where there are few: after an estimate, it starts a job for each chosen task, which drafts from the
sections with the fewest items."""

import streamlit as st

from pages.parts.build.draft.bulk import DraftOrder, show_estimate, show_jobs
from pages.parts.build.draft.choice import ALL, task_field
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.fields import budget_field, count_field, seed_field
from pages.parts.ui.say import escape
from pages.parts.ui.waiting import ask_anew, compute_once, find_turn
from workbench import open_workbench
from workbench.build.corpus.coverage import MAX_PLACES, CoverageMap
from workbench.build.trials.one_draft import SEED

_WISH = "coverage_wish"


def show(coverage: CoverageMap, domain: str) -> None:
    """Show the form, then the estimate, then the jobs that this form started."""
    st.subheader("Draft where items are few", anchor=False)
    st.caption(
        "Drafting starts in the documents of the chosen domain that have the fewest items, in the least used section of each."
    )
    with st.container(border=True, gap="small"):
        columns = st.columns([4, 3, 1.4, 1.4, 1.6], vertical_alignment="bottom")
        names = task_field(columns[0], open_workbench().one_draft.choices().tasks, "coverage_tasks")
        with columns[1]:
            agent = agent_picker.show("Agent", "coverage_agent")
        count = count_field(columns[2], "Items each", "coverage_count", MAX_PLACES // 2, 10)
        seed = seed_field(columns[3], "coverage_seed", SEED)
        budget = budget_field(columns[4], "coverage_budget", "Budget each, USD")
        wish = DraftOrder(tuple(names), (domain,), count, agent or "", seed, budget, True, None)
        label, may, is_unready = "Choose the places and estimate", "draft items", not names or not agent
        icon = "calculate"
        draw_button(label, "coverage_ask", ask_anew, _WISH, icon=icon, is_primary=True, requires=may, disabled=is_unready)
    if turn := find_turn(_WISH, wish):
        _show_estimate(coverage, wish, turn)
    show_jobs()


def _show_estimate(coverage: CoverageMap, wish: DraftOrder, turn: str) -> None:
    """Show the estimate of drafting from the sections with the fewest items. Each click on the form's button chooses these
    sections again."""
    bench, [domain] = open_workbench(), wish.domains
    places = compute_once(
        ("places", turn),
        lambda: bench.coverage.find_thin_places(coverage, wish.tasks, domain, wish.each),
        "Finding the sections with the fewest items",
    )
    if places is not None:
        where = f"{len(places):,} sections of {len({place[0] for place in places}):,} documents"
        where += ", in every domain" if domain == ALL else f", in {domain}"
        st.caption(escape(f"{where}; this list is stored with the job."))
        show_estimate(wish._replace(places=tuple(places)), turn, _WISH)
