"""The form of a full run: everything that can be set, the same as a command line, and what it will come to before it starts."""

from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.run import estimate, settings, start
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import caution, plain, trouble
from workbench import opened
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.running.run_choices import Choices, SystemChoice
from workbench.evaluate.running.run_presets import preset_run, run_presets
from workbench.settings import parse_settings

JUDGES = 3


def show(releases: dict[str, int]) -> None:
    """Draw it; `releases` are those there are to run on."""
    choices = opened().runs.choices()
    _presets()
    with st.container(border=True):
        release, system, agent, retriever = _what(releases, choices)
        own = _settings(choices, system, agent, retriever)
        metrics, judges, votes = _scored(choices, release)
        rest = _extent()
        more = _more()
        if more is None:
            return
        asked = RunRequest(
            release=release,
            system=system.name,
            agent=agent,
            retriever=retriever,
            metrics=metrics,
            judges=judges,
            votes=votes,
            settings={**own, **more},
            **rest,
        )
    st.subheader("Before it starts", anchor=False)
    estimate.show(asked)
    st.caption("The same on a terminal:")
    st.code(asked.command(), language=None, wrap_lines=True)
    st.button(
        "Start the run",
        type="primary",
        icon=":material/play_arrow:",
        key="run_start",
        on_click=start.begin,
        args=([asked], "job"),
        **kept("run systems"),
    )
    start.show()


def fill(asked: RunRequest) -> None:
    """A callback: put those settings into the form."""
    state = st.session_state
    state["run_release"], state["run_system"] = asked.release, asked.system
    state[_agent_key(opened().runs.choices().systems[asked.system].needs_agent)] = asked.agent
    state[f"run_retriever_{asked.system}"] = asked.retriever
    state["run_metrics"], state["run_votes"] = list(asked.metrics or ()), asked.votes
    for n in range(JUDGES):
        state[f"run_judge_{n}"] = asked.judges[n] if n < len(asked.judges) else None
    state["run_variants"], state["run_repeat"], state["run_seed"] = asked.variants, asked.repeat, asked.seed
    state["run_sample"], state["run_budget"] = asked.sample, asked.budget
    state["run_more"] = "\n".join(f"{key}={value}" for key, value in asked.settings.items())


def _presets() -> None:
    """A paper's own runs by name: choosing one fills the form."""
    found = run_presets()

    def take() -> None:
        name, state = st.session_state["run_preset"], st.session_state
        if name and not found[name].lacks:
            judges = [state[key] for n in range(JUDGES) if state.get(key := f"run_judge_{n}")]
            fill(
                preset_run(
                    name,
                    RunRequest(
                        release=state.get("run_release") or "",
                        system="",
                        agent=state.get("run_agent"),
                        judges=judges,
                        votes=state.get("run_votes") or 1,
                        sample=state.get("run_sample"),
                        seed=state.get("run_seed") or 0,
                    ),
                )
            )

    name = st.selectbox(
        "A run by name",
        list(found),
        index=None,
        key="run_preset",
        on_change=take,
        width=420,
        placeholder="none: set everything below",
        format_func=lambda name: found[name].label,
    )
    if name and found[name].lacks:
        caution(found[name].lacks)
    elif name:
        st.caption(plain(found[name].about))


def _agent_key(is_needed: bool) -> str:
    """A system that needs no agent does not inherit the one chosen for another: its run would be marked by it."""
    return "run_agent" if is_needed else "run_own_agent"


def _what(releases: dict[str, int], choices: Choices) -> tuple[str, SystemChoice, str | None, str | None]:
    """(release, system, agent, retriever)."""
    columns = st.columns(4)
    release = columns[0].selectbox(
        "Release",
        list(releases),
        key="run_release",
        persist_state="session",
        format_func=lambda name: f"{name} ({releases[name]:,} items)",
    )
    systems = choices.systems
    name = columns[1].selectbox(
        "System",
        list(systems),
        key="run_system",
        persist_state="session",
        format_func=lambda name: f"{systems[name].label} · {systems[name].family}",
    )
    system = systems[name]
    with columns[2]:
        agent = agent_picker.show("Agent", key=_agent_key(system.needs_agent), optional=not system.needs_agent)
    names = list(choices.retrievers)
    retriever = columns[3].selectbox(
        "Retriever",
        names,
        index=names.index("bm25") if system.needs_retriever else None,
        placeholder="none",
        key=f"run_retriever_{name}",
        persist_state="session",
    )
    needs = [word for word, is_so in (("an agent", system.needs_agent), ("a retriever", system.needs_retriever)) if is_so]
    st.caption(plain(f"{system.about} " + (f"Needs {' and '.join(needs)}." if needs else "")))
    return str(release), system, agent, retriever


def _settings(choices: Choices, system: SystemChoice, agent: str | None, retriever: str | None) -> dict[str, Any]:
    """Those that were changed."""
    own = {setting.name for setting in system.settings}
    rows = [*system.settings]
    rows += [*choices.retrievers[retriever], *choices.retrieval] if retriever else []
    rows += [setting for setting in [*(choices.answering if agent else ()), *choices.going] if setting.name not in own]
    return settings.show(rows, f"run_set_{system.name}")


def _scored(choices: Choices, release: str) -> tuple[list[str] | None, list[str], int]:
    """(metrics or None for the tasks' own, judges, votes)."""
    chosen = st.multiselect(
        "Metrics",
        choices.metrics,
        key="run_metrics",
        persist_state="session",
        placeholder="The tasks' own, or choose here",
        format_func=lambda name: f"{name} (wants a judge)" if name in choices.judged else name,
    )
    if not chosen:
        st.caption(plain(f"The tasks' own: {', '.join(opened().runs.default_metrics(release))}."))
    judges: list[str] = []
    columns = st.columns(JUDGES + 1)
    for n, column in enumerate(columns[:JUDGES]):
        with column:
            judge = agent_picker.show("Judge" if n == 0 else f"Judge {n + 1}", key=f"run_judge_{n}", optional=True)
        if not judge:
            break
        judges.append(judge)
    after = columns[min(len(judges) + 1, JUDGES)]
    votes = after.number_input("Votes of each judge", 1, 99, 1, key="run_votes", persist_state="session")
    return chosen or None, judges, int(votes)


def _extent() -> dict[str, Any]:
    """How much is asked, and how much it may cost."""
    columns = st.columns([1, 1, 1, 1.2, 1], vertical_alignment="bottom")
    sample = columns[0].number_input(
        "Sample",
        min_value=1,
        value=None,
        step=1,
        placeholder="all items",
        key="run_sample",
        persist_state="session",
        help="So many items, spread over level, domain and language.",
    )
    seed = columns[1].number_input("Seed", 0, 2**31, 0, key="run_seed", persist_state="session", help="Of the sample.")
    repeat = columns[2].number_input("Repeat", 1, 100, 1, key="run_repeat", persist_state="session")
    budget = columns[3].number_input(
        "Budget, USD",
        min_value=0.0,
        value=None,
        placeholder="no limit",
        format="%.4f",
        key="run_budget",
        persist_state="session",
    )
    variants = columns[4].toggle("With variants", key="run_variants", persist_state="session")
    return {
        "sample": None if sample is None else int(sample),
        "seed": int(seed),
        "repeat": int(repeat),
        "budget": budget,
        "variants": variants,
    }


def _more() -> dict[str, Any] | None:
    """Settings written out, as after --set; None when they cannot be read."""
    with st.expander("More settings", expanded=bool(st.session_state.get("run_more"))):
        text = st.text_area(
            "One key=value a line",
            key="run_more",
            persist_state="session",
            height=90,
            placeholder="agent.temperature=0.7",
            help="As after --set on the command line. They stand before the boxes above.",
        )
    try:
        return parse_settings(line for line in text.splitlines() if line.strip())
    except BenchError as error:
        trouble(str(error))
        return None
