"""The kinds tried on three items: what would come out."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.build.vary import one
from pages.parts.ui.say import plain, trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.build.varying.varying import Vary


def show(wanted: Vary, turn: str) -> None:
    """Draw it, a skeleton until it is there."""
    try:
        rows = until_ready(lambda: opened().vary.preview(wanted, turn), "Trying the kinds on three items")
    except BenchError as error:
        trouble(str(error))
        return
    if rows is None:
        return
    for item in dict.fromkeys(row["item"] for row in rows):
        own = [row for row in rows if row["item"] == item]
        with st.container(border=True, gap="small"):
            word_diff.show(own[0]["question"][: one.LONGEST], own[0]["question"][: one.LONGEST])
            for row in own:
                if row["text"] is None:
                    st.caption(plain(f"{row['kind']}: {row['why']}"))
                else:
                    one.show(row["question"], row["kind"], row["text"], row["checks"])
    st.caption("Nothing of this is stored; likeness in meaning is measured by the job.")
