"""The form of a full run, with every setting of the command line, and an estimate before the run starts."""

from typing import Any

import streamlit as st

from core.as_json import Json
from core.errors import BenchError
from pages.parts.evaluate.run import estimate, launch
from pages.parts.evaluate.run.boxes import budget_box, release_box, sample_box, select_box, setting_boxes, settings_area
from pages.parts.setup.agent import agent_picker, batch_files
from pages.parts.ui.fields import count_field, seed_field
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench
from workbench.evaluate.running.run_choices import RunChoices, SystemChoice
from workbench.evaluate.running.run_presets import PRESETS, apply_preset
from workbench.evaluate.running.run_request import RunRequest

MAX_JUDGES = 3


def show(releases: dict[str, int]) -> None:
    """Show the form of a full run; `releases` is a dict from name to number of items."""
    choices = open_workbench().runs.choices()
    _draw_presets()
    with st.container(border=True):
        release, system, agent, retriever = _choose_system(releases, choices)
        own = _choose_settings(choices, system, agent, retriever)
        metrics, judges, votes = _choose_scoring(choices, release)
        extent = _choose_extent()
        try:
            with st.expander("More settings", expanded=bool(st.session_state.get("run_more"))):
                more = settings_area("run_more", "agent.temperature=0.7")
        except BenchError as error:
            show_error(str(error))
            return
    request = RunRequest(
        release=release,
        system=system.name,
        agent=agent,
        retriever=retriever,
        metrics=metrics,
        judges=judges,
        votes=votes,
        settings={**own, **more},
        **extent,
    )
    st.subheader("Before it starts", anchor=False)
    estimate.show(request)
    is_batched = st.toggle("In a batch", key="run_batch", persist_state="session", help=batch_files.HELP)
    st.caption("The same run on the command line:")
    st.code(request.command() + (" --batch OUT" if is_batched else ""), language=None, wrap_lines=True)
    launch.start_button("Start the run", "run_start", launch.begin_runs, [request], "job", is_batched)
    launch.show()


def fill_form(request: RunRequest) -> None:
    """Fill the form with the values of a run request; call this function only in a widget's callback."""
    is_agent_needed = open_workbench().runs.choices().systems[request.system].needs_agent
    judges = {f"run_judge_{n}": request.judges[n] if n < len(request.judges) else None for n in range(MAX_JUDGES)}
    values = {
        "run_release": request.release,
        "run_system": request.system,
        _agent_key(is_agent_needed): request.agent,
        f"run_retriever_{request.system}": request.retriever,
        "run_metrics": list(request.metrics or ()),
        "run_votes": request.votes,
        **judges,
        "run_variants": request.variants,
        "run_repeat": request.repeat,
        "run_seed": request.seed,
        "run_sample": request.sample,
        "run_budget": request.budget,
        "run_more": "\n".join(f"{key}={value}" for key, value in request.settings.items()),
    }
    for key, value in values.items():
        st.session_state[key] = value


def _draw_presets() -> None:
    """Show a select box with runs that papers report; a chosen run fills the form with its settings."""
    presets = PRESETS

    def apply() -> None:
        state = st.session_state
        if state["run_preset"]:
            request = RunRequest(
                release=state.get("run_release") or "",
                system="",
                agent=state.get("run_agent"),
                judges=[state[key] for n in range(MAX_JUDGES) if state.get(key := f"run_judge_{n}")],
                votes=state.get("run_votes") or 1,
                sample=state.get("run_sample"),
                seed=state.get("run_seed") or 0,
            )
            fill_form(apply_preset(state["run_preset"], request))

    name = st.selectbox(
        "Fill in a paper's run",
        list(presets),
        index=None,
        key="run_preset",
        on_change=apply,
        width=420,
        placeholder="none: choose every setting below",
        format_func=lambda name: presets[name].label,
    )
    if name:
        st.caption(escape(presets[name].about))


def _agent_key(is_needed: bool) -> str:
    """Return the session key of the agent box. Systems that need no agent share a separate key, so that an agent chosen for
    another system is not recorded as theirs."""
    return "run_agent" if is_needed else "run_own_agent"


def _choose_system(releases: dict[str, int], choices: RunChoices) -> tuple[str, SystemChoice, str | None, str | None]:
    """Show boxes for the release, system, agent and retriever, and return the chosen values in this order."""
    columns = st.columns(4)
    release = release_box(columns[0], releases, "run_release")
    systems = {name: f"{choice.label} · {choice.family}" for name, choice in choices.systems.items()}
    name = select_box(columns[1], "System", systems, "run_system")
    system = choices.systems[name]
    with columns[2]:
        agent = agent_picker.show("Agent", key=_agent_key(system.needs_agent), optional=not system.needs_agent)
    names = list(choices.retrievers)
    index = names.index("bm25") if system.needs_retriever else None
    retriever = select_box(columns[3], "Retriever", names, f"run_retriever_{name}", index=index, placeholder="none")
    needs = [*(["an agent"] if system.needs_agent else []), *(["a retriever"] if system.needs_retriever else [])]
    st.caption(escape(f"{system.about} " + (f"Needs {' and '.join(needs)}." if needs else "")))
    return release, system, agent, retriever


def _choose_settings(choices: RunChoices, system: SystemChoice, agent: str | None, retriever: str | None) -> dict[str, Json]:
    """Show the boxes for the system's settings, and return the settings that a person changed."""
    own = {setting.name for setting in system.settings}
    rows = [*system.settings]
    rows += [*choices.retrievers[retriever], *choices.retrieval] if retriever else []
    rows += [setting for setting in [*(choices.answering if agent else ()), *choices.load] if setting.name not in own]
    return setting_boxes(rows, f"run_set_{system.name}")


def _choose_scoring(choices: RunChoices, release: str) -> tuple[list[str] | None, list[str], int]:
    """Show the boxes that set how answers are scored, and return (metrics, judges, votes); metrics is None for the default
    metrics of the tasks."""
    metrics = st.multiselect(
        "Metrics",
        choices.metrics,
        key="run_metrics",
        persist_state="session",
        placeholder="Default metrics of the tasks, or choose here",
        format_func=lambda name: f"{name} (needs a judge)" if name in choices.judged else name,
    )
    if not metrics:
        st.caption(escape(f"Default metrics of the tasks: {', '.join(open_workbench().runs.default_metrics(release))}."))
    judges: list[str] = []
    columns = st.columns(MAX_JUDGES + 1)
    for n, column in enumerate(columns[:MAX_JUDGES]):
        with column:
            judge = agent_picker.show("Judge" if n == 0 else f"Judge {n + 1}", key=f"run_judge_{n}", optional=True)
        if not judge:
            break
        judges.append(judge)
    votes = count_field(columns[min(len(judges) + 1, MAX_JUDGES)], "Votes of each judge", "run_votes", 99, 1)
    return metrics or None, judges, votes


def _choose_extent() -> dict[str, Any]:
    """Show the boxes that set the size of the run, and return their values: sample, seed, repeats, budget and variants."""
    columns = st.columns([1, 1, 1, 1.2, 1], vertical_alignment="bottom")
    return {
        "sample": sample_box(columns[0], "run_sample"),
        "seed": seed_field(columns[1], "run_seed", 0, help="Seed of the sample."),
        "repeat": count_field(columns[2], "Repeat", "run_repeat", 100, 1),
        "budget": budget_box(columns[3], "run_budget"),
        "variants": columns[4].toggle("With variants", key="run_variants", persist_state="session"),
    }
