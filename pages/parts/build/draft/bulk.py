"""Drafting in bulk: what is wanted, what it will come to, and the jobs, one a task and domain."""

from typing import Any, NamedTuple

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.build.draft.choice import ALL, kind_label
from pages.parts.build.draft.estimate import draft_estimate
from pages.parts.build.draft.searching import searching
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.say import caution, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.build.trials.one_draft import SEED

MOST = 10_000
"""Items that one form asks for, per task and domain."""
SHOWN = 12
"""Jobs on the page at once."""


class Order(NamedTuple):
    """What the form asks for."""

    tasks: tuple[str, ...]
    domains: tuple[str, ...]
    each: int
    agent: str
    seed: int
    budget: float | None
    rag_check: bool
    language: str | None
    places: tuple[tuple[str, int, int], ...] = ()
    """(document, start, end) that windows are to begin in; empty = anywhere."""
    search: str | None = None
    """Where tasks search; None = the usual provider."""

    @property
    def settings(self) -> dict[str, Any]:
        """As a job has them: what is the default is left out, so that the command line means the same job."""
        own: dict[str, Any] = {} if self.rag_check else {"rag_check": False}
        own |= {"language": self.language} if self.language else {}
        own |= {"search": self.search} if self.search else {}
        return own | ({"places": [list(place) for place in self.places]} if self.places else {})


def draft_bulk(choices: dict[str, Any]) -> None:
    """Draw it."""
    order = _form(choices)
    if order is not None and st.session_state.get("bulk_order") == order:
        estimated(order)
    begun()


def _form(choices: dict[str, Any]) -> Order | None:
    kinds = {kind["name"]: kind for kind in choices["tasks"]}
    kept: dict[str, Any] = {"bind": "query-params", "persist_state": "session"}
    with st.container(border=True, gap="small"):
        left, right = st.columns(2)
        tasks = left.multiselect(
            "Tasks",
            list(kinds),
            default=list(kinds)[:1],
            key="bulk_tasks",
            format_func=lambda name: kind_label(kinds[name]),
            **kept,
        )
        domains = right.multiselect(
            "Domains",
            [ALL, *(d["name"] for d in choices["domains"])],
            default=[ALL],
            key="bulk_domains",
            **kept,
            help="One job for each task and domain; all = one job over every domain.",
        )
        columns = st.columns([3, 1.4, 1.4, 1.6, 1.4])
        with columns[0]:
            agent = agent_picker.show("Agent", "bulk_agent")
        count = columns[1].number_input("Items each", 1, MOST, 10, 1, key="bulk_count", **kept)
        seed = columns[2].number_input("Seed", 0, 2**31 - 1, SEED, 1, key="bulk_seed", **kept)
        budget = columns[3].number_input(
            "Budget each, USD",
            0.0,
            None,
            None,
            0.5,
            format="%.2f",
            key="bulk_budget",
            **kept,
            placeholder="none",
            help="A job stops before a call that might exceed it, and can go on with more.",
        )
        language = columns[4].selectbox("Language", [ALL, *choices["languages"]], key="bulk_language", **kept)
        search = searching("bulk_search", any(kinds[name]["searches"] for name in tasks), **kept)
        with st.container(horizontal=True, vertical_alignment="center"):
            rag_check = st.toggle(
                "RAG check",
                value=True,
                key="bulk_rag_check",
                **kept,
                help="Asks what a plain retrieval system would make of each new question.",
            )
            st.page_link(
                "pages/build/gates.py",
                label="Gates on every draft",
                icon=":material/rule:",
                width="content",
                query_params={"view": "every"},
            )
            st.space("stretch")
            is_ready = bool(tasks and domains and agent)
            order = (
                Order(
                    tuple(tasks),
                    tuple(domains),
                    int(count),
                    agent or "",
                    int(seed),
                    budget,
                    rag_check,
                    None if language == ALL else language,
                    search=search,
                )
                if is_ready
                else None
            )
            st.button(
                "Estimate",
                key="bulk_estimate",
                icon=":material/calculate:",
                disabled=order is None,
                type="secondary" if st.session_state.get("bulk_order") == order and order else "primary",
                on_click=ask,
                args=(order,),
            )
    if not is_ready:
        st.caption("Choose at least one task, one domain and an agent.")
    return order


def ask(order: Order | None) -> None:
    """From now on the estimate of that order is wanted."""
    st.session_state["bulk_order"] = order
    st.session_state.pop("bulk_found", None)


def estimated(order: Order) -> None:
    """The estimate, and Start: jobs that cannot begin are left out, each with its reason."""
    found = st.session_state.get("bulk_found")
    if found is None:
        key = f"estimate:{order}"
        try:
            found = opened().one_draft.aside.ask(
                key,
                lambda: opened().draft_estimate.of(
                    names=order.tasks,
                    domains=order.domains,
                    count=order.each,
                    agent=order.agent,
                    seed=order.seed,
                    budget=order.budget,
                    settings=order.settings,
                ),
            )
        except BenchError as error:
            del st.session_state["bulk_order"]
            trouble(str(error))
            return
        if found is None:
            waiting(lambda: opened().one_draft.aside.is_ready(key), "Filling the prompts with real windows")
            return
        st.session_state["bulk_found"] = found
    draft_estimate(found)
    many = len(found["jobs"])
    for sentence in found["troubles"]:
        (caution if many else trouble)(sentence)
    if many and found["troubles"]:
        st.caption("The others can start without it." if len(found["troubles"]) == 1 else "The others can start without them.")
    st.button(
        "Start the job" if many == 1 else f"Start {many} jobs",
        key="bulk_start",
        icon=":material/play_arrow:",
        type="primary",
        disabled=not many,
        on_click=_start,
        args=(order,),
    )


def _start(order: Order) -> None:
    """Plan every job, then start them; the same order again resumes unfinished ones. A job that cannot start stops no other."""
    planned: list[str] = []
    troubles: list[str] = []
    for task in order.tasks:
        for domain in order.domains:
            try:
                planned.append(
                    opened().drafts.plan(
                        task=task,
                        domain=domain,
                        count=order.each,
                        agent=order.agent,
                        seed=order.seed,
                        budget=order.budget,
                        settings=order.settings,
                    )
                )
            except BenchError as error:
                troubles.append(str(error))
    st.session_state["bulk_troubles"] = list(dict.fromkeys(troubles))
    if not planned:
        return
    for job in planned:
        jobs.start(opened()).submit(job)
    st.session_state.pop("bulk_order", None)
    st.query_params["jobs"] = planned


def begun() -> None:
    """The jobs that this page began, live; any tab with this address shows them. Above them what kept others from beginning."""
    for sentence in st.session_state.pop("bulk_troubles", ()):
        trouble(sentence)
    ids = st.query_params.get_all("jobs")
    if not ids:
        return
    st.subheader("Jobs", anchor=False)
    states = []
    for job in ids[:SHOWN]:
        try:
            states.append(job_card.show(job))
        except BenchError as error:
            trouble(str(error))
    with st.container(horizontal=True):
        if any(state in ("done", "budget", "cancelled", "paused", "endpoint") for state in states):
            st.page_link("pages/annotate/review.py", label="Review the drafts", icon=":material/rate_review:", width="content")
        st.page_link("pages/setup/jobs.py", label="All jobs", icon=":material/pending_actions:", width="content")
        if len(ids) > SHOWN:
            st.caption(f"{len(ids) - SHOWN} more on the jobs page.")
