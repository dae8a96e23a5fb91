"""The form of a sweep: a base, what is varied around it, what it will come to, and its start."""

from collections.abc import Sequence
from uuid import uuid4

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.evaluate.run.estimate import bases, counted, figures, price
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.allowed import kept
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import caution, note, plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.sweeps.sweep_plan import Factor, SweepPlan, factor
from workbench.settings import parse_settings, read

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
USUAL = {
    "top_k": "1, 5, 10",
    "chunk_tokens": "128, 256",
    "chunk_overlap": "0, 32, 64",
    "embedding_model": "minilm, lexical_vectors",
}
MOST = 6
_PENDING, _TROUBLE = "sweep_pending", "sweep_trouble"


def show(releases: dict[str, int]) -> None:
    """Draw it; `releases` are those there are to run on."""
    with st.container(border=True):
        try:
            plan = _plan(releases)
        except BenchError as error:
            trouble(str(error))
            return
    if plan is None:
        note("Choose what is varied, and its values.")
        return
    st.subheader("Before it starts", anchor=False)
    if _estimate(plan):
        st.button(
            "Start the sweep",
            type="primary",
            icon=":material/play_arrow:",
            key="sweep_start",
            on_click=_begin,
            args=(plan,),
            **kept("run systems"),
        )
    _begun()


def _plan(releases: dict[str, int]) -> SweepPlan | None:
    presets = opened().sweeps.presets()
    kind, release, budget, sample = st.columns([3, 3, 1.5, 1.5])
    chosen = kind.selectbox(
        "Sweep",
        [OWN, *presets],
        key="sweep_kind",
        persist_state="session",
        format_func=lambda name: "My own" if name == OWN else presets[name][0],
    )
    name = release.selectbox(
        "Release",
        list(releases),
        key="sweep_release",
        persist_state="session",
        format_func=lambda name: f"{name} ({releases[name]:,} items)",
    )
    most = budget.number_input(
        "Budget, USD",
        min_value=0.0,
        value=None,
        placeholder="no limit",
        format="%.4f",
        key="sweep_budget",
        persist_state="session",
        help="Of the whole sweep.",
    )
    few = sample.number_input(
        "Sample", min_value=1, value=None, step=1, placeholder="all items", key="sweep_sample", persist_state="session"
    )
    choices = opened().runs.choices()
    columns = st.columns(4)
    with columns[0]:
        agent = agent_picker.show("Agent", key="sweep_agent", optional=True)
    names = [n for n, s in choices.systems.items() if agent or not s.needs_agent]
    system = columns[1].selectbox(
        "System",
        names,
        key="sweep_system" if agent else "sweep_no_system",
        persist_state="session",
        disabled=chosen == "crud_rag",
        format_func=lambda n: choices.systems[n].label,
    )
    retriever = columns[2].selectbox(
        "Retriever",
        list(choices.retrievers),
        index=list(choices.retrievers).index("bm25"),
        key="sweep_retriever",
        persist_state="session",
        disabled=chosen == "crud_rag",
    )
    repeat = columns[3].number_input("Repeat", 1, 100, 1, key="sweep_repeat", persist_state="session")
    with st.expander("More of the base", expanded=bool(st.session_state.get("sweep_more"))):
        judge = agent_picker.show("Judge", key="sweep_judge", optional=True)
        more = st.text_area(
            "One key=value a line",
            key="sweep_more",
            persist_state="session",
            height=90,
            placeholder="chunk_tokens=256\nreranker=models/reranker",
        )
    settings = parse_settings(line for line in more.splitlines() if line.strip())
    base = RunRequest(
        release=str(name),
        system=str(system),
        agent=agent,
        retriever=retriever,
        judges=[judge] if judge else [],
        budget=most,
        settings=settings,
        repeat=int(repeat),
        sample=None if few is None else int(few),
    )
    if chosen == OWN:
        return _own(base, releases)
    st.caption(plain(presets[chosen][1]))
    if chosen == "crud_rag" and agent is None:
        raise BenchError("CRUD-RAG's sweep asks an agent: choose one.")
    agents, models = _given(agent) if chosen == "crud_rag" else ([], [])
    return opened().sweeps.preset(chosen, base, agents, models)


def _given(agent: str | None) -> tuple[list[str], list[str]]:
    """(agents, embedding models) that a paper's sweep goes over; the base's own first."""
    left, right = st.columns(2)
    cards = {card.name: card.label for card in opened().agent_list.every()}
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
        "minilm, lexical_vectors",
        key="sweep_models",
        persist_state="session",
        help="Names or folders, the base's first, with commas between.",
    )
    return [*([agent] if agent else []), *others], _split(models)


def _own(base: RunRequest, releases: dict[str, int]) -> SweepPlan | None:
    shape = st.segmented_control(
        "How",
        ["one", "grid"],
        default="one",
        required=True,
        key="sweep_shape",
        format_func=lambda s: "One factor at a time" if s == "one" else "Every combination",
    )
    chosen = st.multiselect(
        "What is varied", list(FACTORS), default=["top-k"], key="sweep_factors", max_selections=MOST, persist_state="session"
    )
    found = [made for name in chosen if (made := _factor(name, releases))]
    if not found:
        return None
    return SweepPlan(" and ".join(one.name for one in found), base, found, "grid" if shape == "grid" else "one")


def _factor(name: str, releases: dict[str, int]) -> Factor | None:
    """One factor with its values; None while it has none."""
    key, choices = FACTORS[name], opened().runs.choices()
    lists = {
        "retriever": list(choices.retrievers),
        "system": list(choices.systems),
        "release": list(releases),
        "agent": [card.name for card in opened().agent_list.every()],
    }
    if key in lists:
        values: Sequence[str] = st.multiselect(
            f"Values of {name}", lists[key], key=f"sweep_values_{key}", persist_state="session"
        )
        return factor(name, values, key) if values else None
    if not key:
        left, right = st.columns([1, 3])
        key = left.text_input("Name of the setting", key="sweep_setting", persist_state="session").strip()
        text = right.text_input("Its values", key="sweep_setting_values", persist_state="session")
        return factor(key, [read(value) for value in _split(text)]) if key and text.strip() else None
    text = st.text_input(
        f"Values of {name}", USUAL[key], key=f"sweep_values_{key}", persist_state="session", help="With commas between."
    )
    return factor(name, [read(value) for value in _split(text)], key) if _split(text) else None


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _estimate(plan: SweepPlan) -> bool:
    """What it will come to; whether it can start."""
    try:
        found = opened().sweeps.estimate(plan)
    except BenchError as error:
        trouble(str(error))
        return False
    if found is None:
        waiting(lambda: opened().sweeps.estimate(plan, wait=0.0) is not None, "Reckoning what it will come to.")
        return False
    cells = found["cells"]
    figures(found["total"])
    there = f"{found['there']} of them ran before and are not asked again. " if found["there"] else ""
    rest = bases([cell["estimate"] for cell in cells if cell["there"] < 1])
    st.caption(plain(f"{len(cells)} cells. {there}{' '.join(rest)}"))
    with st.expander(f"Its {len(cells)} cells"):
        st.dataframe(
            [
                {
                    "Cell": cell["label"],
                    "System": cell["asked"].system,
                    "Retriever": cell["asked"].retriever,
                    "Agent": cell["asked"].agent,
                    "There": f"{cell['there']:.0%}",
                    "Questions": cell["estimate"]["questions"],
                    "Calls": counted(cell["estimate"]["calls"]),
                    "Price": price(cell["estimate"]),
                }
                for cell in cells
            ],
            hide_index=True,
            placeholder="–",
            height="content",
            column_config={"There": st.column_config.TextColumn(help="Share of its answers that are stored already.")},
        )
    for sentence in dict.fromkeys(said for cell in cells for said in cell["estimate"]["notes"]):
        caution(sentence)
    return True


def _begin(plan: SweepPlan) -> None:
    st.session_state.pop(_TROUBLE, None)
    st.session_state[_PENDING] = (uuid4().hex, plan)


def _begun() -> None:
    """What became of the last press."""
    if _PENDING in st.session_state:
        if _planned(0.5):
            st.rerun()
        draw_in_place(_waiting, every=0.5)()
    if message := st.session_state.pop(_TROUBLE, ""):
        trouble(message)


def _waiting() -> None:
    if _PENDING not in st.session_state or _planned(0.0):
        st.rerun()
    st.caption(":material/hourglass_top: The releases are being read. The sweep starts by itself.")


def _planned(wait: float) -> bool:
    """Whether the waiting is over."""
    ticket, plan = st.session_state[_PENDING]
    try:
        job = opened().sweeps.planned(plan, ticket, wait)
        if job is None:
            return False
        jobs.start(opened()).submit(job)
        st.query_params.from_dict({"job": job})
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
    del st.session_state[_PENDING]
    return True
