"""The nuggets of one item in a form that a person can edit, below the question, the gold answer and the numbered sentences of
the evidence, which nuggets cite; and all earlier versions of the set."""

from itertools import groupby

import streamlit as st

from pages.parts.annotate.gold_set.form import FormColumn, GoldSetForm
from pages.parts.annotate.nugget import draft_box
from pages.parts.annotate.nugget.address import read_filter
from pages.parts.annotate.nugget.rows import build_rows, quote_sentences, read_rows
from pages.parts.ui import long_text
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.evaluate.scoring.nuggets import IMPORTANCES, NuggetCard, NuggetFilter, NuggetSet, encode_rows, merge_rows

EVIDENCE_HEIGHT_PIXELS = 300
COLUMNS = {
    "text": FormColumn(label="Nugget", width=7, placeholder="One short fact, in one sentence", is_long=True),
    "importance": FormColumn(
        label="Importance",
        width=1.4,
        choices=IMPORTANCES,
        help="vital: a good answer must contain the fact; okay: it may.",
    ),
    "sentences": FormColumn(
        label="Sentences", width=1.4, placeholder="1, 3", help="Numbers of the sentences above that state the fact."
    ),
}


def show(item: str, key: str) -> None:
    """Show the item with its nuggets in a form that a person can edit. Raises BenchError if the item does not exist."""
    stage = open_workbench().nuggets
    card = stage.card(item)
    _show_item(card, key)
    with st.container():  # one container keeps the form's position, also if it does not show the box
        if card.current is None:
            draft_box.show(f"{key}_draft", NuggetFilter(), 1, item)
            card = stage.card(item)  # a drafting job may have just ended
    sentences, following = card.sentences, stage.find_next(item, read_filter())
    form: GoldSetForm[NuggetSet] = GoldSetForm(
        key=key,
        noun="nugget",
        whole="item",
        permission="edit nuggets",
        place=item,
        columns=COLUMNS,
        versions=card.versions,
        build_rows=lambda version: build_rows(encode_rows(version), sentences),
        save=lambda rows, seen, by: stage.save(item, read_rows(rows, sentences), seen=seen, by=by),
        count=lambda version: f"{count_things(len(version.nuggets), 'nugget')}, {version.vital} of them vital",
        made="drafted by",
        empty="This item has no nuggets yet: write them, or let an agent draft them.",
        closing="Stored scores do not change. Start the same run again to score it with the new nuggets: only its judge is "
        "asked. A release keeps the nuggets that it was frozen with.",
        following={"item": following} if following else None,
        merge=lambda rows, ticked: build_rows(merge_rows(read_rows(rows, sentences), ticked), sentences),
        quote=lambda row: quote_sentences(row["sentences"], sentences),
    )
    form.show()


def _show_item(card: NuggetCard, key: str) -> None:
    """Show question and gold answer on the left, and the numbered sentences of the evidence on the right."""
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.caption("Question")
        long_text.show(card.item.question, f"{key}_question", is_prose=True)
        st.caption("Gold answer")
        long_text.show(card.item.answers[0], f"{key}_gold", is_prose=True)
    with right:
        st.caption("Evidence")
        if not card.sentences:
            st.text("This item has no evidence.")
            return
        with st.container(height="content" if len(card.sentences) < 8 else EVIDENCE_HEIGHT_PIXELS, border=False):
            numbered = enumerate(card.sentences, 1)
            for title, sentences in groupby(numbered, lambda pair: pair[1].title):
                st.markdown(f"**{escape(title)}**")
                st.text("\n".join(f"[{number}] {' '.join(one.text.split())}" for number, one in sentences))
