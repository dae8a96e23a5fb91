"""The card of one agent: its settings, whether its key is set, and a test call that shows the reply."""

import streamlit as st

from agents.kind import kinds
from agents.saved import SavedAgent
from core.errors import BenchError
from pages.parts.setup.agent import form as agent_form
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench
from workbench.setup.agent_list import AgentCard
from workbench.setup.trial_call import TrialCall

_LIMITS = (
    ("context", "context {:,.0f} tokens"),
    ("rpm", "{:,.0f} requests a minute"),
    ("tpm", "{:,.0f} tokens a minute"),
    ("concurrency", "{:.0f} at once"),
    ("timeout", "timeout {:g} s"),
    ("temperature", "temperature {:g}"),
    ("max_tokens", "replies of {:,.0f} tokens"),
    ("reasoning", "reasoning {}"),
    ("thinking_tokens", "{:,.0f} tokens for thinking"),
    ("structured", "JSON {}"),
    ("extra", "also sent: {}"),
)


def show(card: AgentCard) -> None:
    """Show the card of an agent with its buttons."""
    with st.container(border=True, gap="xsmall", key=f"agent_card_{card.name}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(card.name)}**", width="content")
            _badges(card)
            st.space("stretch")
            _buttons(card)
        st.caption(escape(_describe(card)))
        if card.saved and (facts := _facts(card.saved)):
            st.caption(escape(facts))
        if card.hint:
            st.caption(f":material/key_off: {escape(card.hint)}")
        last = open_workbench().trial_calls.find_last(card.name)
        asking = last is not None and last.state == "asking"
        if last is not None or f"agent_trouble_{card.name}" in st.session_state:
            draw_in_place(_test, every=0.5 if asking else None)(card.name, asking)


def _describe_price(usd: float | None) -> str:
    """Describe the highest price of a test call in words."""
    if usd is None:
        return "Price of a test unknown"
    return f"A test costs at most ${usd:.6f}".rstrip("0") if usd else "A test costs nothing"


def _badges(card: AgentCard) -> None:
    if card.saved is None:
        kind = kinds()[card.name]
        st.badge(kind.badge or kind.label, color="gray")
    elif card.key_is_set is not None:
        known = card.key_is_set
        st.badge(
            "key set: yes" if known else "key set: no",
            color="green" if known else "orange",
            icon=":material/key:" if known else ":material/key_off:",
        )


def _describe(card: AgentCard) -> str:
    if card.saved is None:
        return kinds()[card.name].about
    where = f" at {card.endpoint} · key from {card.saved.key_env}" if card.endpoint else ""
    return f"{card.saved.full_name}{where}"


def _facts(agent: SavedAgent) -> str:
    facts = [words.format(agent.settings[name]) for name, words in _LIMITS if name in agent.settings]
    if agent.asks_endpoint:
        is_known = agent.price_in is not None and agent.price_out is not None
        price = f"${agent.price_in:g} in, ${agent.price_out:g} out per million tokens" if is_known else "price unknown"
        facts.insert(0, price)
    return " · ".join(facts)


def _buttons(card: AgentCard) -> None:
    calls = open_workbench().trial_calls
    try:
        worst, why = calls.worst_price(card.name), ""
    except BenchError as error:
        worst, why = None, str(error)
    last = calls.find_last(card.name)
    asking = last is not None and last.state == "asking"
    if not why:
        st.caption(escape(_describe_price(worst)), width="content")
    draw_button(
        "Test call",
        f"agent_test_{card.name}",
        _begin,
        card.name,
        icon="network_check",
        requires="change agents",
        disabled=bool(why) or asking,
        help=escape(why) if why else None,
    )
    if card.saved is not None:
        draw_button("Edit", f"agent_edit_{card.name}", agent_form.begin, card.saved, icon="edit", requires="change agents")
        with st.popover("Delete", icon=":material/delete:"):
            st.caption(
                "Only the agent's name and settings are deleted. Everything made with the agent, and the record of its "
                "calls, stays."
            )
            draw_button(
                "Delete it",
                f"agent_delete_{card.name}",
                open_workbench().agent_list.delete,
                card.name,
                is_primary=True,
                requires="change agents",
            )


def _begin(name: str) -> None:
    """Start a test call to the agent; if it cannot start, the card shows the reason in place of a result."""
    st.session_state.pop(f"agent_trouble_{name}", None)
    try:
        open_workbench().trial_calls.begin(name)
    except BenchError as error:
        st.session_state[f"agent_trouble_{name}"] = str(error)


def _test(name: str, drawn_asking: bool) -> None:
    """Show the most recent test call, and update it while the call waits for the agent's reply."""
    if sentence := st.session_state.get(f"agent_trouble_{name}"):
        show_error(sentence)
    last = open_workbench().trial_calls.find_last(name)
    if last is None:
        return
    if drawn_asking and last.state != "asking":
        redraw_page()  # a redrawn page enables the buttons around this part and stops the polling
    if last.state == "asking":
        st.caption(f":material/hourglass_top: Waiting for the reply, {last.waiting:.0f} s ...")
    elif last.state == "failed":
        show_error(last.message)
    else:
        _answer(last)


def _answer(last: TrialCall) -> None:
    is_counted = (last.tokens_in, last.tokens_out) != (None, None)
    thinking = f" ({last.tokens_thinking:,} of them thinking)" if last.tokens_thinking else ""
    tokens = f"{_count(last.tokens_in)} tokens in, {_count(last.tokens_out)} out{thinking}" if is_counted else ""
    price = "price unknown" if last.price is None else "free" if last.price == 0 else f"${last.price:.6f}".rstrip("0")
    again = f"{last.attempts} requests" if (last.attempts or 0) > 1 else ""
    how = f"structured output {last.structured}" if last.structured else ""
    read = "the reply has the requested form" if last.is_read else "the reply does not have the requested form"
    facts = " · ".join(part for part in (f"Answered in {last.seconds:.2f} s", again, tokens, price, how, read) if part)
    st.caption(f":material/{'check' if last.is_read else 'warning'}: {escape(facts)}")
    if last.message:
        st.caption(escape(last.message))
    st.code(last.text or "(an empty reply)", language=None, wrap_lines=True)
    if last.capabilities:
        with st.expander("What it accepts", icon=":material/checklist:"):
            st.table(
                {"": list(last.capabilities), "found": list(last.capabilities.values())}, hide_index=True, hide_header=True
            )


def _count(n: int | None) -> str:
    return "–" if n is None else f"{n:,}"
