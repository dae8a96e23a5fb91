"""The choices at the top of the page Draft: tasks, agent, and texts to draft from; and the ids, in the page's URL, of the
document excerpt (window) and of the job on the screen."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.setup.agent import agent_picker
from pages.parts.ui.fields import name_languages, seed_field, select_field
from pages.parts.ui.in_url import write_address
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.build.corpus.search import DEFAULT_PROVIDER, ProviderCard
from workbench.build.drafting.sampling import WindowRequest
from workbench.build.trials.one_draft import SEED, DraftChoices, DraftTask

ALL = "all"
"""Value of a select box that stands for all domains or all languages."""
SESSION_OPTIONS: dict[str, Any] = {"bind": "query-params", "persist_state": "session"}
"""Arguments of a widget that store its value both in the page's URL and in the session."""
_ADDRESS = "draft_at"


class DraftChoice(NamedTuple):
    """What the person chose at the top of the page Draft."""

    request: WindowRequest
    agent: str
    rag_check: bool


def show_choice(choices: DraftChoices) -> DraftChoice | None:
    """Show the choices, and return the chosen values, or None while no agent is chosen. A change of task, domain, language or
    seed removes the document excerpt from the screen, because the excerpt no longer matches the choices."""
    kinds = choices.tasks
    options: dict[str, Any] = {"on_change": open_window, **SESSION_OPTIONS}
    with st.container(border=True, gap="small"):
        columns = st.columns([3, 3, 2.2, 1.6, 1.2], vertical_alignment="top")
        with columns[0]:
            agent = agent_picker.show("Agent", "draft_agent")
        titles = {name: kind.title for name, kind in kinds.items()}
        task = select_field(columns[1], "Task", titles, "draft_task", **options)
        domain = columns[2].selectbox("Domain", [ALL, *choices.domains], key="draft_domain", **options)
        language = select_field(
            columns[3], "Language", {ALL: ALL, **name_languages(choices.languages)}, "draft_language", **options
        )
        help = "The same seed gives the same windows in the same order."
        seed = seed_field(columns[4], "draft_seed", SEED, on_change=open_window, bind="query-params", help=help)
        search = provider_field("draft_search", kinds[task].searches, on_change=open_window, persist_state="session")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(escape(kinds[task].definition), width="stretch")
            help = "Asks a plain retrieval system the new question, and checks its answer: two or three more calls."
            rag_check = st.toggle("RAG check", value=True, key="draft_rag_check", help=help, **SESSION_OPTIONS)
    if not agent:
        return None
    request = WindowRequest(task, domain, None if language == ALL else language, seed, search)
    return DraftChoice(request, agent, rag_check)


def task_field(place: DeltaGenerator, tasks: Mapping[str, DraftTask], key: str, **options: Any) -> list[str]:
    """Show a box in which one or more tasks can be chosen, and return the names of the chosen tasks."""
    names = list(tasks)
    chosen: list[str] = place.multiselect(
        "Tasks", names, default=names[:1], key=key, format_func=lambda name: tasks[name].title, **options
    )
    return chosen


def provider_field(key: str, is_needed: bool, **options: Any) -> str | None:
    """If a chosen task searches, show a select box for the search provider. Return the provider's name, or None for the default
    provider or no search."""
    if not is_needed:
        return None
    cards = {card.name: card for card in open_workbench().search.list_providers()}
    labels, place = {name: card.label for name, card in cards.items()}, list(cards).index(DEFAULT_PROVIDER)
    help = "Where the task looks for other documents on the same event. Services are set up on the page Agents."
    chosen = select_field(st, "Search in", labels, key, index=place, width=300, help=help, **options)
    if missing := _explain_missing(cards[chosen]):
        st.caption(f":material/key_off: {escape(missing)}")
    return None if chosen == DEFAULT_PROVIDER else chosen


def _explain_missing(card: ProviderCard) -> str:
    """Return a sentence that names the missing settings of the search provider, or "" if no setting is missing."""
    if card.needs:
        return f"The provider is not set up yet: give its {', '.join(card.needs)} on the page Agents."
    return f"The provider's key is not set: set {card.settings['key_env']}." if card.key_is_set is False else ""


def load_address() -> dict[str, str]:
    """Return a dict with the ids of the document excerpt ("window") and of the job ("job") on the screen; "" stands for none.
    The page's URL keeps both ids when the page is reloaded, and the session keeps both ids when the person visits another
    page."""
    address = {name: st.query_params.get(name, "") for name in ("window", "job")}
    if any(address.values()):
        st.session_state[_ADDRESS] = address
    stored: dict[str, str] = st.session_state.setdefault(_ADDRESS, address)
    open_window(**stored)
    return dict(stored)


def open_window(window: str = "", job: str = "") -> None:
    """Make the page show the document excerpt (window) and the job with these ids from now on; "" stands for none."""
    st.session_state[_ADDRESS] = {"window": window, "job": job}
    write_address(window=window, job=job)
