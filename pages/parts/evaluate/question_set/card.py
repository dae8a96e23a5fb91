"""One question set (questions about a gold answer): its questions, each with the answer according to the gold answer, in a form
that a person can edit; and all earlier versions of the set."""

import streamlit as st

from pages.parts.annotate.gold_set.edits import Row
from pages.parts.annotate.gold_set.form import FormColumn, GoldSetForm
from pages.parts.evaluate.links import link_nuggets
from pages.parts.evaluate.question_set.list import read_filter
from pages.parts.ui import long_text
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.evaluate.scoring.question_sets import UNANSWERABLE, QuestionSet

COLUMNS = {
    "question": FormColumn(label="Question about the gold answer", width=5, is_long=True),
    "answer": FormColumn(
        label="Answer according to the gold answer",
        width=4,
        is_long=True,
        help=f"Leave empty, or write {UNANSWERABLE['en']}, if the gold answer does not answer the question.",
    ),
}


def show(item: str, gold: str, key: str) -> None:
    """Show the question set in a form that a person can edit. Raises BenchError if the set does not exist."""
    stage = open_workbench().question_sets
    card = stage.card(item, gold)
    left, right = st.columns([3, 2])
    with left:
        st.caption("Question")
        long_text.show(card.question, f"{key}_question", is_prose=True)
    with right:
        st.caption("Nuggets, one a line" if card.is_of_nuggets else "Gold answer")
        long_text.show(card.current.answer, f"{key}_gold", is_prose=True)
        if card.is_of_nuggets:
            link_nuggets(item)
    following = stage.find_next(item, gold, *read_filter())
    form: GoldSetForm[QuestionSet] = GoldSetForm(
        key=key,
        noun="question",
        whole="set",
        permission="edit question sets",
        place=f"{item}/{gold}",
        columns=COLUMNS,
        versions=card.versions,
        build_rows=_build_rows,
        save=lambda rows, seen, by: stage.save(item, gold, rows, seen=seen, by=by),
        count=lambda version: (
            f"{count_things(len(version.pairs), 'question')}, {version.answered} of them answered by the gold answer"
        ),
        made="made by the judge",
        closing="Stored scores do not change. Start the same run again to score it with the new set: only its judge is asked, "
        "and the new scores record the set's number.",
        following=dict(zip(("item", "gold"), following, strict=True)) if following else None,
    )
    form.show()


def _build_rows(version: QuestionSet | None) -> list[Row]:
    return [{"question": question, "answer": answer} for question, answer in version.pairs] if version else []
