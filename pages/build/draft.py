"""Draft: an agent drafts questions from the corpus, one at a time with the source text shown, or many as a job."""

import streamlit as st

from pages.components.review.desk import KEYS
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.build.draft.bulk import show_bulk
from pages.parts.build.draft.choice import SESSION_OPTIONS
from pages.parts.build.draft.one_draft import show_one_draft
from pages.parts.ui.heading import show_empty, show_heading
from workbench import open_workbench

MODES = {"one": "One at a time", "bulk": "In bulk"}

show_heading("Draft", "An agent drafts questions and answers from passages of the corpus; people review every draft.")
choices = open_workbench().one_draft.choices()
if not choices.domains:
    about = "Questions are drafted from documents: add documents, or load the samples."
    show_empty("No documents yet", about, "pages/build/corpus.py", "Corpus")
else:
    mode = st.segmented_control(
        "How",
        list(MODES),
        default="one",
        required=True,
        format_func=MODES.__getitem__,
        key="draft_mode",
        label_visibility="collapsed",
        **SESSION_OPTIONS,
    )
    if mode == "bulk":
        show_bulk(choices)
    else:
        show_one_draft(choices)
keys_help([(keys, "Another context" if keys == "n" else about) for keys, about in KEYS if keys != "b"])
