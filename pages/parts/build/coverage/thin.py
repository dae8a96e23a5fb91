"""Draft where it is thin: a job for each chosen task over the thinnest places, with its estimate before it begins."""

import streamlit as st

from core.errors import BenchError
from pages.parts.build.draft.bulk import Order, ask, begun, estimated
from pages.parts.build.draft.choice import ALL, kind_label
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.build.corpus.coverage import PLACES, Map
from workbench.build.trials.one_draft import SEED

MOST = PLACES // 2
"""Items of each task that one press asks for."""
_ASKED, _CHOSEN = "coverage_asked", "coverage_chosen"


def show(found: Map, domain: str) -> None:
    """Draw the form, then the estimate, then the jobs that began."""
    st.subheader("Draft where it is thin", anchor=False)
    st.caption(
        "Windows begin in the thinnest documents of the chosen domain, in the section of each that fewest items of the "
        "chosen tasks use."
    )
    choices = opened().one_draft.choices()
    kinds = {kind["name"]: kind for kind in choices["tasks"]}
    with st.container(border=True, gap="small"):
        columns = st.columns([4, 3, 1.4, 1.4, 1.6], vertical_alignment="bottom")
        names = columns[0].multiselect(
            "Tasks",
            list(kinds),
            default=list(kinds)[:1],
            key="coverage_tasks",
            format_func=lambda name: kind_label(kinds[name]),
        )
        with columns[1]:
            agent = agent_picker.show("Agent", "coverage_agent")
        count = int(columns[2].number_input("Items each", 1, MOST, 10, 1, key="coverage_count"))
        seed = int(columns[3].number_input("Seed", 0, 2**31 - 1, SEED, 1, key="coverage_seed"))
        budget = columns[4].number_input(
            "Budget each, USD", 0.0, None, None, 0.5, format="%.2f", key="coverage_budget", placeholder="none"
        )
        wish = Order(tuple(names), (domain,), count, agent or "", seed, budget, True, None)
        st.button(
            "Choose the places and estimate",
            key="coverage_ask",
            icon=":material/calculate:",
            type="primary",
            on_click=_ask,
            args=(wish,),
            **kept("draft items", disabled=not names or not agent),
        )
    if st.session_state.get(_ASKED) == wish:
        _estimated(found, wish)
    begun()


def _ask(wish: Order) -> None:
    st.session_state[_ASKED] = wish
    st.session_state.pop(_CHOSEN, None)


def _estimated(found: Map, wish: Order) -> None:
    """The places, chosen once for each press, and what it comes to to draft there."""
    bench, domain = opened(), wish.domains[0]
    if _CHOSEN not in st.session_state:
        key = f"thin:{id(found)}:{wish}"
        try:
            places = bench.one_draft.aside.ask(key, lambda: bench.coverage.thinnest(found, wish.tasks, domain, wish.each))
        except BenchError as error:
            trouble(str(error))
            return
        if places is None:
            waiting(lambda: bench.one_draft.aside.is_ready(key), "Looking for the thinnest places")
            return
        st.session_state[_CHOSEN] = wish._replace(places=tuple((one[0], one[1], one[2]) for one in places))
        ask(st.session_state[_CHOSEN])
    order: Order = st.session_state[_CHOSEN]
    if st.session_state.get("bulk_order") == order:
        documents = len({place[0] for place in order.places})
        st.caption(
            plain(
                f"{len(order.places):,} sections of {documents:,} documents, in "
                f"{'every domain' if domain == ALL else domain}; they are stored with the job."
            )
        )
        estimated(order)
