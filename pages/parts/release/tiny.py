"""Make a tiny release, and show how often decisions on it are wrong."""

import streamlit as st

from core.errors import BenchError
from core.quality.tiny import DEFAULT_SEED, DEFAULT_SIZE, MAX_SIZE, MIN_SIZE
from pages.parts.evaluate.results.absence_table import show_tables
from pages.parts.ui.allowed import guard
from pages.parts.ui.say import escape, show_error, show_success
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.results.tiny import NOTES

ASKED = "tiny_asked"
"""Session key of the values of the form with which a tiny release is being made or was made."""


def show_form() -> None:
    """Show the folded form and, after a press of its button, the release that was made, or the work while it runs."""
    bench = open_workbench()
    names = [header.name for header in bench.release_browser.list_releases()]
    with st.expander("Make a tiny release from a frozen one (experimental)"):
        st.caption(
            "The tiny release has 40 to 100 items that stand for all items, chosen by the scores of the finished runs, in the "
            "same corpus. The page says how often decisions on such items differed from those on the whole release."
        )
        left, right, third, fourth = st.columns([3, 3, 2, 2], vertical_alignment="bottom")
        of = left.selectbox("Made from", names, index=None, placeholder="a release", key="tiny_of")
        name = right.text_input("Name of the new release", max_chars=64, key="tiny_name")
        size = third.number_input("Items", MIN_SIZE, MAX_SIZE, DEFAULT_SIZE, key="tiny_size")
        seed = fourth.number_input("Seed of the samples", 0, 2**31, DEFAULT_SEED, key="tiny_seed")
        metrics = bench.tiny.list_metrics(str(of)) if of else []
        metric = st.selectbox(
            "Score by which items are chosen", metrics, index=None, placeholder="the one that most runs have", key="tiny_metric"
        )
        asked = (name.strip(), str(of), int(size), metric, int(seed))
        if st.button("Make the release", key="tiny_make", **guard("freeze releases", not (of and name.strip()))):
            st.session_state[ASKED] = asked
        if st.session_state.get(ASKED) != asked:
            return
        try:
            made = until_ready(lambda: bench.tiny.start_freeze(*asked), "Choosing items, and holding out systems", height=60)
        except BenchError as error:
            st.session_state.pop(ASKED)
            show_error(str(error))
            return
        if made is None:
            return
        show_success(f"{made.release} is frozen. Hash {made.hash}.")
        for sentence in made.sentences:
            st.caption(escape(sentence))
        st.page_link(
            "pages/release/browse.py",
            label=f"See how often decisions on {escape(made.release)} are wrong",
            icon=":material/arrow_forward:",
            query_params={"release": made.release},
        )


def show_tables_of(release: str) -> None:
    """Show the tables on the tiny release, and buttons that download them."""
    show_tables(open_workbench().tiny, NOTES, "Holding out systems, and deciding on few items", [release], "tiny")
