"""The choice of the LLM gates that run on every new draft, and of the agents that these gates ask."""

import streamlit as st

from pages.parts.setup.agent import agent_picker
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.fields import count_field
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.build.gating.gating import GateCard, LlmGateChoice

OWN, SET = "own", "set"
MODES = {OWN: "Each task's own", SET: "Same choice for every task"}


def show() -> None:
    """Show the current choice of gates for every new draft, and the form that changes it."""
    show_feedback("every")
    stage = open_workbench().gating
    current = stage.load_choice()
    st.caption(
        "Gates that ask no agent always run on every draft. The gates below ask an agent: their calls count towards the "
        "drafting job's budget, and they flag drafts but never refuse them."
    )
    with st.container(border=True, gap="small"):
        mode = st.radio(
            "LLM gates on every draft",
            list(MODES),
            index=int(current is not None),
            key="every_mode",
            format_func=MODES.__getitem__,
            horizontal=True,
        )
        choice = None
        if mode == OWN:
            own = [f"{name_task(task)}: {', '.join(gates)}" for task, gates in sorted(stage.list_own_gates().items())]
            st.text("\n".join(own) or "No task has its own choice of LLM gates.")
        else:
            choice = _draw_form(current or LlmGateChoice(), {gate.name: gate for gate in stage.list_gates() if gate.asks})
        may, is_set = "set the rules of the work", choice == current
        draw_button("Set", "every_set", _set, choice, is_primary=True, requires=may, disabled=is_set)


def _draw_form(current: LlmGateChoice, cards: dict[str, GateCard]) -> LlmGateChoice:
    left, middle, right = st.columns([4, 3, 1.2])
    gates = left.multiselect(
        "Gates",
        list(cards),
        default=[name for name in current.gates if name in cards],
        key="every_gates",
        format_func=lambda name: cards[name].label,
        placeholder="none",
    )
    with middle:
        if "every_agent" not in st.session_state and current.agents:
            st.session_state["every_agent"] = current.agents[0]
        agent = agent_picker.show("Agent that the gates ask; none = the agent that drafts", "every_agent", optional=True)
    samples = count_field(right, "Samples", "every_samples", 20, current.samples)
    for name in gates:
        st.caption(escape(f"{cards[name].label}: {cards[name].about}"))
    return LlmGateChoice(tuple(gates), (agent,) if agent else (), samples)


def _set(choice: LlmGateChoice | None) -> None:
    with keep_errors("every"):
        open_workbench().gating.set_choice(choice)
        keep_success("every", "These gates run on new drafts from now on.")
