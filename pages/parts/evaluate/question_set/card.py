"""One question set: its questions with the answers that the gold answer gives to them, to be changed, added to and taken away
from; and every set that counted before it."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui import long_text
from pages.parts.ui.allowed import kept
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import caution, done, plain, trouble
from workbench import opened
from workbench.evaluate.scoring.question_sets import NOT_TOLD, Card, QuestionSet

OPEN = "question_set_open"


def show(item: str, gold: str, key: str) -> None:
    """Draw it. Raises BenchError when there is none."""
    stage = opened().question_sets
    card = stage.card(item, gold)
    counts = card.counts
    left, right = st.columns([3, 2])
    with left:
        st.caption("Question")
        long_text.show(card.question, f"{key}_question", is_prose=True)
    with right:
        st.caption("Gold answer")
        long_text.show(counts.answer, f"{key}_gold", is_prose=True)
    if said := st.session_state.pop(f"{key}_saved", ""):
        done(said)
    shown = _shown(card, item, gold)
    st.caption(plain(_made(shown)))
    if shown != counts:
        caution(f"{counts.by} saved set {counts.number} meanwhile. What you typed stands here still, but cannot be saved.")
        st.button(
            f"Show set {counts.number}",
            key=f"{key}_newest",
            icon=":material/refresh:",
            on_click=forget,
            help="What you typed here goes.",
        )
    at = f"{key}_{item}_{gold}_{shown.number}"
    rows = st.data_editor(
        [{"question": question, "answer": answer} for question, answer in shown.pairs] or [{"question": "", "answer": ""}],
        key=f"{at}_rows",
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        column_config={
            "question": st.column_config.TextColumn("Question about the gold answer", width="large"),
            "answer": st.column_config.TextColumn(
                "The gold answer's answer",
                width="medium",
                help=f"{NOT_TOLD['en']} = the gold answer does not tell; so does nothing.",
            ),
        },
    )
    ask_here("Give your name: a set stands under it.", "set")
    if st.button("Save", type="primary", icon=":material/save:", key=f"{at}_save", **kept("edit question sets")):
        try:
            saved = stage.save(item, gold, rows, seen=shown.number, by=person())
        except BenchError as error:
            trouble(str(error))
        else:
            st.session_state[f"{key}_saved"] = _saved(shown, saved)
            forget()
            st.rerun()
    st.caption(
        "Scores that are there stay. The same run again asks its judge alone, by the set that stands here then, and its "
        "new scores bear the set's number."
    )
    if len(card.versions) > 1:
        with st.expander(f"Earlier sets ({len(card.versions) - 1})", icon=":material/history:"):
            for one in reversed(card.versions[:-1]):
                _earlier(one)


def forget() -> None:
    """Whatever set is opened next is shown as it is then."""
    st.session_state.pop(OPEN, None)


def _shown(card: Card, item: str, gold: str) -> QuestionSet:
    """The set that counted when this person opened it: what they type is over that, whoever saves another meanwhile."""
    if st.session_state.get(OPEN, ())[:2] != (item, gold):
        st.session_state[OPEN] = (item, gold, card.counts.number)
    number: int = st.session_state[OPEN][2]
    return card.versions[number - 1]


def _earlier(one: QuestionSet) -> None:
    st.caption(plain(_made(one)))
    st.dataframe(
        [{"question": question, "answer": answer} for question, answer in one.pairs],
        hide_index=True,
        column_config={"question": "Question", "answer": "Answer"},
    )


def _made(one: QuestionSet) -> str:
    """Which it is, whose, and of when."""
    who = f"changed by {one.by}" if one.is_written else f"made by the judge {one.by}"
    no_llm = ", with no LLM, so only offline judges ask by it" if one.is_offline else ""
    return (
        f"Set {one.number}, {who}, {one.at[:16].replace('T', ' ')} UTC{no_llm}. "
        f"{len(one.pairs)} questions, {one.answered} of them answered by the gold answer."
    )


def _saved(before: QuestionSet, saved: QuestionSet) -> str:
    if saved.number == before.number:
        return "Nothing was changed."
    return f"Saved as set {saved.number}: {len(saved.pairs)} questions, {saved.answered} of them answered by the gold answer."
