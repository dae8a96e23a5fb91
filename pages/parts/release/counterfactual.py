"""Make a counterfactual release: the questions of a frozen release with other gold answers, in a corpus that states them."""

from collections import Counter
from collections.abc import Mapping

import streamlit as st

from core.errors import BenchError
from core.quality.counterfactual import DEFAULT_SEED, Obstacle
from pages.parts.ui.allowed import guard
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.say import count_things, escape, show_error, show_success
from workbench import open_workbench

OBSTACLES: Mapping[Obstacle, str] = {
    "unanswerable": "whose right answer is a refusal",
    "own text": "whose question brings its own text",
    "from a table": "from a table",
    "yes or no": "answered by yes or no",
    "long answer": "with a long answer",
    "no type": "whose answer is no date, number or name",
    "too short": "whose answer is too short",
    "several facts": "whose gold answers state several facts",
    "not in its evidence": "whose evidence does not state the answer",
    "in the question": "whose question states the answer",
    "in another question": "whose answer another question states",
    "in a title alone": "whose answer is only in the title of a document",
    "part of a longer name": "whose answer is a part of a longer name somewhere",
    "shared in part": "whose answer another item shares in part",
    "overlaps another replacement": "whose answer overlaps another replaced one",
    "no replacement": "for whose answer no replacement was found",
    "left in a document": "whose old answer would be left in a document",
    "new answer not in its evidence": "whose evidence would not state the new answer",
}


def show() -> None:
    """Show the folded form and, after a press of its button, the release that was made."""
    bench = open_workbench()
    names = [header.name for header in bench.release_browser.list_releases()]
    with st.expander("Make a counterfactual release from a frozen one"):
        st.caption(
            "The new release has the same questions, other gold answers, and a changed copy of the corpus that states these. "
            "It shows whether systems read or remember their answers, and refreshes a benchmark whose answers leaked."
        )
        left, right, third, fourth = st.columns([3, 3, 2, 2], vertical_alignment="bottom")
        of = left.selectbox("Made from", names, index=None, placeholder="a release", key="counterfactual_of")
        name = right.text_input("Name of the new release", max_chars=64, key="counterfactual_name")
        share = third.number_input("Share of items in %", 1, 100, 100, key="counterfactual_share")
        seed = fourth.number_input("Seed of the draw", 0, 2**31, DEFAULT_SEED, key="counterfactual_seed")
        if not st.button("Make the release", key="counterfactual_make", **guard("freeze releases", not (of and name.strip()))):
            return
        try:
            with st.spinner("Replacing answers ..."):
                made = bench.releases.freeze_counterfactual(name.strip(), str(of), share / 100, int(seed))
        except BenchError as error:
            show_error(str(error))
            return
        show_success(
            f"{made.release} is frozen: {count_things(made.items, 'item')}, answers replaced of {made.replaced} of "
            f"{made.chosen} chosen items. Hash {made.hash}."
        )
        if why := Counter(made.obstacles.values()):
            st.caption(f"Items that keep their answers: {', '.join(f'{n:,} {OBSTACLES[one]}' for one, n in why.items())}.")
        if made.left_out:
            many = count_things(len(made.left_out), "item")
            st.caption(f"Left out: {many}, whose evidence states a replaced date or number that is not the answer.")
        if made.variants_left_out:
            st.caption(f"Left out: {count_things(made.variants_left_out, 'variant')} of changed items.")
        if made.twins_left_out:
            st.caption(f"Left out: {count_things(made.twins_left_out, 'absence twin')}, because the corpus changed.")
        draw_link("release/browse", f"Open {escape(made.release)}", "arrow_forward", release=made.release)
