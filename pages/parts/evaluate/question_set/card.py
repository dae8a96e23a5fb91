"""One question set (questions about a gold answer): its questions, each with the answer according to the gold answer, for a
person to edit; and all earlier versions of the set."""

import streamlit as st

from pages.parts.ui import long_text
from pages.parts.ui.allowed import guard
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_success, show_errors, show_feedback
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench
from workbench.evaluate.scoring.question_sets import UNANSWERABLE, QuestionSet, QuestionSetCard

OPEN = "question_set_open"


def show(item: str, gold: str, key: str) -> None:
    """Show the question set in a table that a person can edit. Raises BenchError if the set does not exist."""
    stage = open_workbench().question_sets
    card = stage.card(item, gold)
    current = card.current
    left, right = st.columns([3, 2])
    with left:
        st.caption("Question")
        long_text.show(card.question, f"{key}_question", is_prose=True)
    with right:
        st.caption("Gold answer")
        long_text.show(current.answer, f"{key}_gold", is_prose=True)
    show_feedback(key)
    shown = _find_shown(card, item, gold)
    st.caption(escape(_describe(shown)))
    if shown != current:
        show_warning(
            f"{current.by} saved set {current.number} in the meantime. What you typed is still here, but cannot be saved."
        )
        st.button(
            f"Show set {current.number}",
            key=f"{key}_newest",
            icon=":material/refresh:",
            on_click=forget,
            help="Discards the text that you typed here.",
        )
    widget = f"{key}_{item}_{gold}_{shown.number}"
    rows = st.data_editor(
        _list_rows(shown) or [{"question": "", "answer": ""}],
        key=f"{widget}_rows",
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        column_config={
            "question": st.column_config.TextColumn("Question about the gold answer", width="large"),
            "answer": st.column_config.TextColumn(
                "Answer according to the gold answer",
                width="medium",
                help=f"Leave empty, or write {UNANSWERABLE['en']}, if the gold answer does not answer the question.",
            ),
        },
    )
    ask_here("Give your name: it is stored with the set.", "set")
    if st.button("Save", type="primary", icon=":material/save:", key=f"{widget}_save", **guard("edit question sets")):
        with show_errors():
            saved = stage.save(item, gold, rows, seen=shown.number, by=get_person())
            is_new = saved.number != shown.number
            keep_success(key, f"Saved as set {saved.number}: {_count(saved)}" if is_new else "Nothing was changed.")
            forget()
            st.rerun()
    st.caption(
        "Stored scores do not change. Start the same run again to score it with the new set: only its judge is asked, and the "
        "new scores record the set's number."
    )
    if len(card.versions) > 1:
        with st.expander(f"Earlier sets ({len(card.versions) - 1})", icon=":material/history:"):
            for version in reversed(card.versions[:-1]):
                st.caption(escape(_describe(version)))
                show_rows(_list_rows(version), {"question": "Question", "answer": "Answer"})


def forget() -> None:
    """Forget the version that this person was editing, so that the page shows the current version of the next set that
    opens."""
    st.session_state.pop(OPEN, None)


def _find_shown(card: QuestionSetCard, item: str, gold: str) -> QuestionSet:
    """Return the version that was current when this person opened the question set. The person edits this version, even if
    somebody else saves a newer version."""
    if st.session_state.get(OPEN, ())[:2] != (item, gold):
        st.session_state[OPEN] = (item, gold, card.current.number)
    number: int = st.session_state[OPEN][2]
    return card.versions[number - 1]


def _list_rows(version: QuestionSet) -> list[dict[str, str]]:
    return [{"question": question, "answer": answer} for question, answer in version.pairs]


def _describe(version: QuestionSet) -> str:
    """Describe a version of a question set in a line: its number, author, time and number of questions."""
    who = f"changed by {version.by}" if version.is_written else f"made by the judge {version.by}"
    offline = ", with no LLM, so only offline judges use this set" if version.is_offline else ""
    return f"Set {version.number}, {who}, {version.at[:16].replace('T', ' ')} UTC{offline}. {_count(version)}"


def _count(version: QuestionSet) -> str:
    return f"{len(version.pairs)} questions, {version.answered} of them answered by the gold answer."
