"""A form that draws a random sample of question variants, which two people then judge."""

from collections.abc import Mapping

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import guard
from pages.parts.ui.fields import MAX_SEED
from pages.parts.ui.in_url import write_address
from pages.parts.ui.say import show_error
from workbench.annotate.wordings.variant_quality import DEFAULT_SAMPLE_SIZE, MAX_SAMPLE_SIZE, QualityStage


def show(stage: QualityStage, pool: Mapping[str, int], names: list[str], person: str) -> None:
    """Show a button that opens the form; after a sample is drawn, the page opens the sample."""
    total = sum(pool.values())
    with st.popover("Draw a sample", icon=":material/casino:", width="content"), st.form("sample_draw", border=False):
        start = min(DEFAULT_SAMPLE_SIZE, max(total, 1))
        size = st.number_input("Variants", 1, MAX_SAMPLE_SIZE, start, help=f"{total:,} variants are available.")
        kinds = st.multiselect("Kinds", list(pool), placeholder="all", format_func=lambda kind: f"{kind} ({pool[kind]:,})")
        seed = st.number_input(
            "Seed", 0, MAX_SEED, 0, help="The same kinds, number and seed draw the same sample from the same variants."
        )
        people = st.multiselect(
            "Reviewers", names, placeholder="the first two people who judge", max_selections=2, accept_new_options=True
        )
        may = guard("set the rules of the work", disabled=not total or not person)
        if st.form_submit_button("Draw", width="stretch", **may):
            try:
                sample = stage.draw(by=person, size=int(size), kinds=kinds, seed=int(seed), reviewers=people)
            except BenchError as error:
                show_error(str(error))
            else:
                write_address(sample=sample.id)
                st.rerun()
