"""The weights of CRAG's question types, which its weighted means take."""

import streamlit as st

from core.errors import BenchError
from core.quality.crag import QUESTION_TYPES
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import trouble
from workbench import opened


def show(key: str) -> None:
    """A number a type; storing them draws the table anew."""
    reports = opened().reports
    now = reports.weights()
    with st.expander("Weights of question types", key=key), st.form(f"{key}_form", border=False):
        columns = st.columns(4)
        weights = {
            name: float(
                columns[place % 4].number_input(
                    name, min_value=0.0, value=now[name], step=0.1, key=f"{key}_{name}", help=QUESTION_TYPES[name]
                )
            )
            for place, name in enumerate(QUESTION_TYPES)
        }
        if st.form_submit_button("Store the weights", **kept("set the rules of the work")):
            try:
                reports.set_weights(weights)
            except BenchError as error:
                trouble(str(error))
            else:
                st.rerun()
