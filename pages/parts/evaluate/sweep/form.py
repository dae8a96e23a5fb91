"""The form of a sweep: a base run, the factors that vary with their values, the estimate, and the button that starts the
sweep."""

from collections.abc import Sequence

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.run import launch
from pages.parts.evaluate.run.boxes import budget_box, release_box, sample_box, select_box, settings_area
from pages.parts.evaluate.run.estimate import COMPUTING, format_count, format_price, list_bases, show_totals
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.fields import count_field
from pages.parts.ui.say import escape, show_error, show_note, show_warning
from pages.parts.ui.waiting import when_ready
from workbench import open_workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.sweeps.sweep_plan import Factor, SweepPlan, factor
from workbench.settings import read_value

OWN = "own"
FACTORS = {
    "top-k": "top_k",
    "chunk size": "chunk_tokens",
    "overlap": "chunk_overlap",
    "retriever": "retriever",
    "system": "system",
    "agent": "agent",
    "release": "release",
    "embedding model": "embedding_model",
    "another setting": "",
}
"""Dict from label of a factor to the field or setting that it varies; "" means that the person enters the name."""
USUAL_VALUES = {
    "top_k": "1, 5, 10",
    "chunk_tokens": "128, 256",
    "chunk_overlap": "0, 32, 64",
    "embedding_model": "minilm, lexical_vectors",
}
MAX_FACTORS = 6


def show(releases: dict[str, int]) -> None:
    """Show the form of a sweep; `releases` is a dict from name to number of items."""
    with st.container(border=True):
        try:
            plan = _choose_plan(releases)
        except BenchError as error:
            show_error(str(error))
            return
    if plan is None:
        show_note("Choose the factors and their values.")
        return
    st.subheader("Before it starts", anchor=False)
    if _draw_estimate(plan):
        launch.start_button("Start the sweep", "sweep_start", launch.begin_sweep, plan)
    launch.show()


def _choose_plan(releases: dict[str, int]) -> SweepPlan | None:
    presets = open_workbench().sweeps.presets()
    kind_place, release_place, budget_place, sample_place = st.columns([3, 3, 1.5, 1.5])
    kinds = {OWN: "My own", **{name: label for name, (label, _) in presets.items()}}
    kind = select_box(kind_place, "Sweep", kinds, "sweep_kind")
    release = release_box(release_place, releases, "sweep_release")
    budget = budget_box(budget_place, "sweep_budget", "Budget of the whole sweep.")
    sample = sample_box(sample_place, "sweep_sample")
    choices, is_crud = open_workbench().runs.choices(), kind == "crud_rag"
    agent_place, *columns = st.columns(4)
    with agent_place:
        agent = agent_picker.show("Agent", key="sweep_agent", optional=True)
    systems = {name: choice.label for name, choice in choices.systems.items() if agent or not choice.needs_agent}
    system = select_box(columns[0], "System", systems, "sweep_system" if agent else "sweep_no_system", disabled=is_crud)
    names = list(choices.retrievers)
    retriever = select_box(columns[1], "Retriever", names, "sweep_retriever", index=names.index("bm25"), disabled=is_crud)
    repeat = count_field(columns[2], "Repeat", "sweep_repeat", 100, 1)
    with st.expander("More settings of the base configuration", expanded=bool(st.session_state.get("sweep_more"))):
        judge = agent_picker.show("Judge", key="sweep_judge", optional=True)
        settings = settings_area("sweep_more", "chunk_tokens=256\nreranker=models/reranker")
    base = RunRequest(
        release=release,
        system=str(system),
        agent=agent,
        retriever=retriever,
        judges=[judge] if judge else [],
        budget=budget,
        settings=settings,
        repeat=repeat,
        sample=sample,
    )
    if kind == OWN:
        return _choose_own_plan(base, releases)
    st.caption(escape(presets[kind][1]))
    if is_crud and agent is None:
        raise BenchError("The sweep of CRUD-RAG needs an agent: choose one.")
    agents, models = _choose_compared(agent) if is_crud else ([], [])
    return open_workbench().sweeps.preset(kind, base, agents, models)


def _choose_compared(agent: str | None) -> tuple[list[str], list[str]]:
    """Show boxes for the agents and embedding models that a paper's sweep compares, and return both lists; the agent and model
    of the base run come first."""
    left, right = st.columns(2)
    cards = {card.name: card.label for card in open_workbench().agent_list.list_agents()}
    others = left.multiselect(
        "Other agents to compare",
        [name for name in cards if name != agent],
        key="sweep_agents",
        persist_state="session",
        format_func=lambda name: cards[name],
        placeholder="none",
    )
    models = right.text_input(
        "Embedding models",
        USUAL_VALUES["embedding_model"],
        key="sweep_models",
        persist_state="session",
        help="Names or folders, separated by commas; begin with the value of the base configuration.",
    )
    return [*([agent] if agent else []), *others], _split(models)


def _choose_own_plan(base: RunRequest, releases: dict[str, int]) -> SweepPlan | None:
    shape = st.segmented_control(
        "How",
        ["one", "grid"],
        default="one",
        required=True,
        key="sweep_shape",
        format_func=lambda name: "One factor at a time" if name == "one" else "Every combination",
    )
    chosen = st.multiselect(
        "Factors",
        list(FACTORS),
        default=["top-k"],
        key="sweep_factors",
        max_selections=MAX_FACTORS,
        persist_state="session",
    )
    factors = [factor for name in chosen if (factor := _choose_factor(name, releases))]
    if not factors:
        return None
    return SweepPlan(" and ".join(varied.name for varied in factors), base, factors, "grid" if shape == "grid" else "one")


def _choose_factor(name: str, releases: dict[str, int]) -> Factor | None:
    """Show the inputs for one factor of the sweep and its values. Return the factor, or None while it has no value."""
    key, choices = FACTORS[name], open_workbench().runs.choices()
    lists = {
        "retriever": list(choices.retrievers),
        "system": list(choices.systems),
        "release": list(releases),
        "agent": [card.name for card in open_workbench().agent_list.list_agents()],
    }
    values: Sequence[object]
    if key in lists:
        values = st.multiselect(f"Values of {name}", lists[key], key=f"sweep_values_{key}", persist_state="session")
    elif key:
        text = st.text_input(
            f"Values of {name}",
            USUAL_VALUES[key],
            key=f"sweep_values_{key}",
            persist_state="session",
            help="Separated by commas.",
        )
        values = list(map(read_value, _split(text)))
    else:
        left, right = st.columns([1, 3])
        name = key = left.text_input("Name of the setting", key="sweep_setting", persist_state="session").strip()
        text = right.text_input("Its values", key="sweep_setting_values", persist_state="session")
        values = list(map(read_value, _split(text))) if key else []
    return factor(name, values, key) if values else None


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _draw_estimate(plan: SweepPlan) -> bool:
    """Show the estimate of the sweep, and return whether the sweep can start."""
    estimate = when_ready(lambda: open_workbench().sweeps.estimate(plan), COMPUTING)
    if estimate is None:
        return False
    cells = estimate.cells
    show_totals(estimate.total)
    complete = f"{estimate.complete} of the runs are stored already and are not repeated. " if estimate.complete else ""
    bases = " ".join(list_bases([cell.estimate for cell in cells if cell.stored < 1]))
    st.caption(escape(f"{len(cells)} cells. {complete}{bases}"))
    with st.expander(f"All {len(cells)} cells"):
        show_rows(
            [
                {
                    "Cell": cell.label,
                    "System": cell.request.system,
                    "Retriever": cell.request.retriever,
                    "Agent": cell.request.agent,
                    "Stored": f"{cell.stored:.0%}",
                    "Questions": cell.estimate.questions,
                    "Calls": format_count(cell.estimate.calls),
                    "Price": format_price(cell.estimate),
                }
                for cell in cells
            ],
            {"Stored": st.column_config.TextColumn(help="Share of the answers of this run that are already stored.")},
        )
    for sentence in dict.fromkeys(words for cell in cells for words in cell.estimate.notes):
        show_warning(sentence)
    return True
