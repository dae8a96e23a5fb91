"""Drafting with an agent: one question at a time with its window before one's eyes, or many as a job."""

import streamlit as st

from pages.components.review.desk import KEYS
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.build.draft.bulk import draft_bulk
from pages.parts.build.draft.one import draft_one
from pages.parts.ui.heading import empty, heading
from workbench import opened

MODES = {"one": "One at a time", "bulk": "In bulk"}

heading("Draft", "An agent writes questions and answers on stretches of the corpus; people decide on every one.")
choices = opened().one_draft.choices()
if not choices["domains"]:
    empty(
        "No documents yet", "Drafts are made from documents: add some, or load the samples.", "pages/build/corpus.py", "Corpus"
    )
else:
    mode = st.segmented_control(
        "How",
        list(MODES),
        default="one",
        required=True,
        format_func=MODES.__getitem__,
        key="draft_mode",
        label_visibility="collapsed",
        bind="query-params",
        persist_state="session",
    )
    if mode == "bulk":
        draft_bulk(choices)
    else:
        draft_one(choices)
keys_help([(keys, "Another context" if keys == "n" else about) for keys, about in KEYS if keys != "b"])
