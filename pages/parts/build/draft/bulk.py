"""The part of the page Draft that drafts many items: the form, the estimate, and the jobs, one per task and domain."""

from typing import Any, NamedTuple

import streamlit as st

import jobs
from core.as_json import Json
from core.errors import BenchError
from pages.parts.build.draft.choice import ALL, SESSION_OPTIONS, provider_field, task_field
from pages.parts.build.draft.estimate import show_drafts_estimate
from pages.parts.setup.agent import agent_picker, batch_files
from pages.parts.ui import job_card
from pages.parts.ui.buttons import draw_button, draw_link
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.fields import budget_field, count_field, name_languages, seed_field, select_field
from pages.parts.ui.say import show_error, show_warning
from pages.parts.ui.waiting import ask_anew, compute_once, find_turn
from workbench import open_workbench
from workbench.build.trials.one_draft import SEED, DraftChoices

MAX_ITEMS = 10_000
"""Maximum number of items that the form accepts per task and domain."""
MAX_SHOWN_JOBS = 12
_WISH = "bulk_wish"


class DraftOrder(NamedTuple):
    """A person's request for many drafts, as filled in on the form."""

    tasks: tuple[str, ...]
    domains: tuple[str, ...]
    each: int
    agent: str
    seed: int
    budget: float | None
    rag_check: bool
    language: str | None
    places: tuple[tuple[str, int, int], ...] = ()
    """Spans (document, start, end) of the corpus in which document excerpts (windows) begin; an empty sequence means the whole
    corpus."""
    search: str | None = None
    """Name of the search provider for tasks that search; None means the default provider."""
    is_batched: bool = False
    """Whether the requests to the agent are written into batch files."""

    @property
    def settings(self) -> dict[str, Json]:
        """Return the settings of the drafting job. Default values are left out, as in jobs that the command line starts, so
        that equal jobs have equal settings."""
        settings: dict[str, Json] = {} if self.rag_check else {"rag_check": False}
        places: list[Json] = [list(place) for place in self.places]
        own: dict[str, Json] = {"language": self.language, "search": self.search, "places": places}
        return settings | {name: value for name, value in own.items() if value}

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the arguments with which each job is planned and estimated."""
        return {"count": self.each, "agent": self.agent, "seed": self.seed, "budget": self.budget, "settings": self.settings}


def show_bulk(choices: DraftChoices) -> None:
    """Show the form, the estimate of the drafts that the form requests, and the jobs."""
    order = _draw_form(choices)
    if order is not None and (turn := find_turn(_WISH, order)):
        show_estimate(order, turn, _WISH)
    show_jobs()


def _draw_form(choices: DraftChoices) -> DraftOrder | None:
    with st.container(border=True, gap="small"):
        left, right = st.columns(2)
        names = task_field(left, choices.tasks, "bulk_tasks", **SESSION_OPTIONS)
        help = "One job per task and domain; all = one job over every domain."
        domains = right.multiselect(
            "Domains", [ALL, *choices.domains], default=[ALL], key="bulk_domains", help=help, **SESSION_OPTIONS
        )
        columns = st.columns([3, 1.4, 1.4, 1.6, 1.4])
        with columns[0]:
            agent = agent_picker.show("Agent", "bulk_agent")
        count = count_field(columns[1], "Items each", "bulk_count", MAX_ITEMS, 10, bind="query-params")
        seed = seed_field(columns[2], "bulk_seed", SEED, bind="query-params")
        budget = budget_field(columns[3], "bulk_budget", "Budget each, USD", bind="query-params")
        language = select_field(
            columns[4], "Language", {ALL: ALL, **name_languages(choices.languages)}, "bulk_language", **SESSION_OPTIONS
        )
        search = provider_field("bulk_search", any(choices.tasks[name].searches for name in names), **SESSION_OPTIONS)
        with st.container(horizontal=True, vertical_alignment="center"):
            help = "Asks a plain retrieval system each new question, and checks its answer."
            rag_check = st.toggle("RAG check", value=True, key="bulk_rag_check", help=help, **SESSION_OPTIONS)
            is_batched = st.toggle("In a batch", key="bulk_batch", help=batch_files.HELP, **SESSION_OPTIONS)
            draw_link("build/gates", "Gates on every draft", "rule", view="every")
            st.space("stretch")
            order = None
            if names and domains and agent:
                own = None if language == ALL else language
                order = DraftOrder(
                    tuple(names),
                    tuple(domains),
                    count,
                    agent,
                    seed,
                    budget,
                    rag_check,
                    own,
                    search=search,
                    is_batched=is_batched,
                )
            is_new, is_unready = not find_turn(_WISH, order), order is None
            draw_button("Estimate", "bulk_estimate", ask_anew, _WISH, icon="calculate", is_primary=is_new, disabled=is_unready)
    if order is None:
        st.caption("Choose at least one task, one domain and an agent.")
    return order


def show_estimate(order: DraftOrder, turn: str, key: str) -> None:
    """Show the estimate of the drafts in `order` and the button Start; jobs that cannot start are left out, and the reason is
    shown. `turn` is the id of the click on the button Estimate; the button Start removes the session key `key`."""
    bench = open_workbench()
    estimate = compute_once(
        ("drafts", turn),
        lambda: bench.draft_estimate.estimate(names=order.tasks, domains=order.domains, **order.arguments),
        "Filling the prompts with document excerpts",
    )
    if estimate is None:
        return
    show_drafts_estimate(estimate)
    many = len(estimate.jobs)
    for sentence in estimate.troubles:
        (show_warning if many else show_error)(sentence)
    if many and estimate.troubles:
        st.caption(f"The other drafting jobs can start without {'it' if len(estimate.troubles) == 1 else 'them'}.")
    label = "Start the job" if many == 1 else f"Start {many} jobs"
    draw_button(label, "bulk_start", _start, order, key, icon="play_arrow", is_primary=True, disabled=not many)


def _start(order: DraftOrder, key: str) -> None:
    """Plan a job for each task and domain, then start the jobs; a repeated request resumes unfinished jobs. If one job cannot
    start, the others still do."""
    planned: list[str] = []
    troubles: list[str] = []
    for task in order.tasks:
        for domain in order.domains:
            try:
                job = open_workbench().drafts.plan(task=task, domain=domain, **order.arguments)
                batch_files.assign(job, order.is_batched)
                planned.append(job)
            except BenchError as error:
                troubles.append(str(error))
    st.session_state["bulk_troubles"] = list(dict.fromkeys(troubles))
    if planned:
        for job in planned:
            jobs.start(open_workbench()).submit(job)
        st.session_state.pop(key, None)
        st.query_params["jobs"] = planned


def show_jobs() -> None:
    """Show the jobs that the page's URL names, and the reasons why jobs could not start. Another tab with the same URL shows
    the same jobs."""
    for sentence in st.session_state.pop("bulk_troubles", ()):
        show_error(sentence)
    ids = st.query_params.get_all("jobs")
    if not ids:
        return
    st.subheader("Jobs", anchor=False)
    states = []
    for job in ids[:MAX_SHOWN_JOBS]:
        with show_errors():
            states.append(job_card.show(job))
    with st.container(horizontal=True):
        if any(state in ("done", "budget", "cancelled", "paused", "endpoint", "batch") for state in states):
            draw_link("annotate/review", "Review the drafts", "rate_review")
        draw_link("setup/jobs", "All jobs", "pending_actions")
        if len(ids) > MAX_SHOWN_JOBS:
            st.caption(f"{len(ids) - MAX_SHOWN_JOBS} more jobs are on the page Jobs.")
