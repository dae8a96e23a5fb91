"""The search providers, which find further documents when summaries and continuations are drafted, and the form for an external
search service. The form asks for the name of the environment variable that holds the API key, never for the key itself."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.say import escape, show_error, show_success, show_warning
from workbench import open_workbench
from workbench.build.corpus.search import ProviderCard

LABELS = {
    "url": ("Address", "https://host/search?q=$query&n=$k"),
    "results": ("Path to the results", "data.items"),
    "text": ("Path to a result's text", "body"),
    "title": ("Path to a result's title", "title"),
    "link": ("Path to a result's link", "url"),
    "published": ("Path to a result's date", ""),
    "score": ("Path to a result's score", ""),
    "key_env": ("Key variable", "SEARCH_API_KEY"),
    "key_header": ("HTTP header for the key", ""),
    "key_prefix": ("Text before the key in the header", ""),
    "timeout": ("Timeout, seconds", ""),
}
"""Dict from setting to its (label, example)."""


def show() -> None:
    """Show the list of search providers, and the settings form of an external provider."""
    if saved := st.session_state.pop("search_saved", ""):
        show_success(f"The search provider {saved} is saved.")
    for card in open_workbench().search.list_providers():
        with st.container(border=True):
            needs = " · not set up" if card.needs else ""
            st.markdown(f"**{escape(card.name)}**  \n:small[{escape(card.label + needs)}]")
            if card.key_is_set is False:
                show_warning(f"{card.settings['key_env']} is not set on the server: set it and start the app again.")
            if card.settings:
                with st.expander("Settings", key=f"search_{card.name}"):
                    _form(card)


def _form(card: ProviderCard) -> None:
    name = card.name
    for number, (setting, value) in enumerate(card.settings.items()):
        if number % 3 == 0:
            places = st.columns(3)
        label, example = LABELS.get(setting, (setting, ""))
        places[number % 3].text_input(
            label, "" if value is None else str(value), key=f"search_{name}_{setting}", placeholder=example
        )
    if sentence := st.session_state.get("search_trouble"):
        show_error(sentence)
    draw_button("Save", f"search_save_{name}", _save, name, card.settings, requires="change agents")


def _save(name: str, before: Mapping[str, Any]) -> None:
    """Save the search provider in the form, or store the error message that explains what is wrong."""
    values = {setting: st.session_state[f"search_{name}_{setting}"].strip() for setting in before}
    try:
        open_workbench().search.save(name, {setting: _value(setting, value) for setting, value in values.items()})
    except BenchError as error:
        st.session_state["search_trouble"] = str(error)
    else:
        st.session_state.pop("search_trouble", None)
        st.session_state["search_saved"] = name


def _value(setting: str, value: str) -> Any:
    """Return a setting's value from its text; the text of `timeout` becomes a number if possible."""
    if setting != "timeout":
        return value
    try:
        return float(value)
    except ValueError:
        return value
