"""The weights of CRAG's question types in its weighted means."""

import streamlit as st

from core.errors import BenchError
from core.quality.crag import QUESTION_TYPES
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import trouble
from workbench import opened


def show(key: str) -> None:
    """Draw a box for each type; storing the weights draws the table anew."""
    reports = opened().reports
    stored = reports.weights()
    with st.expander("Weights of question types", key=key), st.form(f"{key}_form", border=False):
        columns = st.columns(4)
        weights = {
            name: columns[place % 4].number_input(
                name, min_value=0.0, value=stored[name], step=0.1, key=f"{key}_{name}", help=about
            )
            for place, (name, about) in enumerate(QUESTION_TYPES.items())
        }
        if st.form_submit_button("Store the weights", **kept("set the rules of the work")):
            try:
                reports.set_weights(weights)
            except BenchError as error:
                trouble(str(error))
            else:
                st.rerun()
