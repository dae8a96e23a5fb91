"""Which gates that ask an agent run on every new draft, and whom they ask."""

import streamlit as st

from core.errors import BenchError
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import done, plain, trouble
from workbench import opened
from workbench.build.gating.gating import Asks

OWN, SET = "own", "set"
MODES = {OWN: "Each task's own", SET: "The same for every task"}
DONE, TROUBLE = "every_done", "every_trouble"


def show() -> None:
    """Draw it."""
    for key, say in ((DONE, done), (TROUBLE, trouble)):
        if sentence := st.session_state.pop(key, ""):
            say(sentence)
    stage = opened().gating
    now = stage.standing()
    every = {one["name"]: one for one in stage.choices() if one["asks"]}
    st.caption(
        "Gates that cost nothing run on every draft anyway. These ask an agent, and their calls count into the drafting "
        "job's budget; they flag, and never refuse."
    )
    with st.container(border=True, gap="small"):
        mode = st.radio(
            "Gates that ask, on every draft",
            list(MODES),
            index=int(now is not None),
            key="every_mode",
            format_func=MODES.__getitem__,
            horizontal=True,
        )
        if mode == OWN:
            st.text(_own(stage.of_tasks()))
            asks = None
        else:
            asks = _form(now or Asks(), every)
        st.button(
            "Set",
            key="every_set",
            type="primary",
            on_click=_set,
            args=(asks,),
            **kept("set the rules of the work", asks == now),
        )


def _form(now: Asks, every: dict[str, dict[str, str]]) -> Asks:
    left, middle, right = st.columns([4, 3, 1.2])
    gates = left.multiselect(
        "Gates",
        list(every),
        default=[name for name in now.gates if name in every],
        key="every_gates",
        format_func=lambda name: every[name]["label"],
        placeholder="none",
    )
    with middle:
        if "every_agent" not in st.session_state and now.agents:
            st.session_state["every_agent"] = now.agents[0]
        agent = agent_picker.show("Asked; none = the agent that drafts", "every_agent", optional=True)
    samples = right.number_input("Samples", 1, 20, now.samples, 1, key="every_samples")
    for name in gates:
        st.caption(plain(f"{every[name]['label']}: {every[name]['about']}"))
    return Asks(tuple(gates), (agent,) if agent else (), int(samples))


def _own(of_tasks: dict[str, tuple[str, ...]]) -> str:
    if not of_tasks:
        return "No task asks an agent about its drafts by itself."
    return "\n".join(f"{task.replace('_', ' ')}: {', '.join(gates)}" for task, gates in sorted(of_tasks.items()))


def _set(asks: Asks | None) -> None:
    try:
        opened().gating.set_standing(asks)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
    else:
        st.session_state[DONE] = "New drafts are looked at so from now on."
