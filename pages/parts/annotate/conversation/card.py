"""Show a whole conversation: its turns in order, each with its evidence, in one form that accepts or discards all turns."""

from collections.abc import Mapping
from functools import partial
from typing import Literal

import streamlit as st

from pages.parts.annotate.conversation.list import STATES
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.deciding import decision_buttons
from pages.parts.deciding.kept_text import forget_text, sync_text
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.in_url import write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import count_things, escape, show_note
from workbench import open_workbench
from workbench.annotate.reviewing.conversations import ConversationCard, ShownTurn, TurnEdit

KEYS = [
    ("Ctrl Enter", "Accept all turns with your changes, and open the next conversation"),
    ("Alt D", "Discard all turns with the reason"),
    ("Alt N", "Open the next conversation without deciding"),
]
LABELS = {"question": "Question", "standalone": "The same question, understood alone", "answer": "Answer"}
EMPTY_HEIGHT_PIXELS = 68
"""Height of a box with at most one line of text."""
ONE_LINE_CHARACTERS = 80

Press = Literal["accept", "discard"]
BUTTONS: Mapping[Press, tuple[str, str, str]] = {
    "accept": ("Accept all turns", "check", "ctrl+enter"),
    "discard": ("Discard", "close", "alt+d"),
}
"""A dict from what a button does to the label, icon and shortcut of the button."""


def show(conversation: str, key: str) -> None:
    """Show the conversation and its form. Raises BenchError if there is no such conversation."""
    keys_help(KEYS)
    show_feedback(key)
    card = open_workbench().conversation_reviews.load(conversation)
    st.caption(escape(f"{card.id} · {count_things(len(card.turns), 'turn')} · {STATES[card.state].lower()}"))
    if card.goal:
        st.markdown(f"**Goal:** {escape(card.goal)}")
    if card.lacking:
        show_note(f"{count_things(card.lacking, 'turn')} of this conversation are not in the workspace: no release takes it.")
    fields = f"{key}_{'_'.join(str(one.item.revision) for one in card.turns)}_{card.turns[0].item.id[:12]}"
    fields = "".join(sign if sign.isalnum() else "_" for sign in fields)
    texts = {f"{name}_{at}": text for at, one in enumerate(card.turns) for name, text in _list_texts(one).items()}
    sync_text(fields, _place(card), texts | {"reason": ""}, key)
    with st.container(key=fields), st.form(f"{fields}_form", border=False, enter_to_submit=False):
        for at, one in enumerate(card.turns):
            _show_turn(one, at, fields)
        st.text_area("Reason (needed to discard)", key=f"{fields}_reason", height=EMPTY_HEIGHT_PIXELS)
        following = open_workbench().conversation_reviews.find_next(card.id)
        press = partial(_decide, card, fields, key)
        decision_buttons.show(fields, BUTTONS, press, "conversation", following, "decide on items")
    st.caption("This browser keeps what you typed until you decide.")
    ask_here("Give your name: it is stored with the decision.", key)


def _show_turn(one: ShownTurn, at: int, fields: str) -> None:
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown(f"**Turn {one.turn.number}** · {one.item.status}")
        for name in _list_texts(one):
            text = st.session_state[f"{fields}_{name}_{at}"] or ""
            height: Literal["content"] | int = "content" if len(text) > ONE_LINE_CHARACTERS else EMPTY_HEIGHT_PIXELS
            st.text_area(LABELS[name], key=f"{fields}_{name}_{at}", height=height)
        if one.why_unfit:
            show_note(f"As stored, the follow-up {one.why_unfit}.")
    with right:
        st.caption(f"Evidence ({len(one.evidence)})")
        for title, text in one.evidence:
            st.markdown(f"**{escape(title)}**")
            st.text(text)
        if len(one.item.answers) > 1:
            st.caption(escape(f"Also right: {'; '.join(one.item.answers[1:])}"))


def _list_texts(one: ShownTurn) -> dict[str, str]:
    """Return a dict from the name of each text of the turn that a person can edit to the text."""
    answer = one.item.answers[0] if one.item.answers else ""
    alone = {"standalone": one.turn.standalone} if one.turn.is_follow_up else {}
    return {"question": one.item.question, **alone, "answer": answer}


def _place(card: ConversationCard) -> str:
    """Return the name under which the browser stores the text typed for this conversation; it changes with each revision."""
    return f"conversation:{card.id}:{':'.join(str(one.item.revision) for one in card.turns)}"


def _decide(card: ConversationCard, fields: str, key: str, kind: Press) -> None:
    state, stage = st.session_state, open_workbench().conversation_reviews
    edits = {}
    for at, one in enumerate(card.turns):
        typed = {name: str(state[f"{fields}_{name}_{at}"] or "") for name in _list_texts(one)}
        changed = {name: text for name, text in typed.items() if text.strip() != _list_texts(one)[name].strip()}
        if changed:
            edits[one.item.id] = TurnEdit(**changed)
    following = stage.find_next(card.id)
    with keep_errors(key):
        decided = stage.decide(card.id, kind, person=get_person(), edits=edits, reason=str(state[f"{fields}_reason"] or ""))
        forget_text(_place(card))
        keep_success(key, f"The conversation is {STATES[decided.state].lower()}.")
        write_address(conversation=following)
