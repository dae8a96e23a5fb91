"""The buttons of a form in which a person decides on one thing of a list: each decision, the next thing, and the whole list."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import streamlit as st

from pages.parts.ui.allowed import guard
from pages.parts.ui.in_url import write_address

P = TypeVar("P", bound=str)


def show(
    fields: str,
    buttons: Mapping[P, tuple[str, str, str]],
    press: Callable[[P], None],
    noun: str,
    following: str | None,
    permission: str,
) -> None:
    """Show the buttons in one line. `fields` begins their keys. `buttons` is a dict from decision to label, icon and shortcut,
    the main decision first; `press` takes the decision whose button was pressed. `noun` is what the list contains, and the name
    of the URL parameter with the id of the open one; `following` is the id of the next one, or None."""
    main = next(iter(buttons))
    with st.container(horizontal=True):
        for kind, (label, icon, shortcut) in buttons.items():
            st.form_submit_button(
                label,
                key=f"{fields}_{kind}",
                icon=f":material/{icon}:",
                type="primary" if kind == main else "secondary",
                shortcut=shortcut,
                on_click=partial(press, kind),
                **guard(permission),
            )
        st.form_submit_button(
            f"Next {noun}",
            key=f"{fields}_next",
            icon=":material/arrow_forward:",
            type="tertiary",
            shortcut="alt+n",
            disabled=following is None,
            on_click=partial(write_address, **{noun: following}),
        )
        st.form_submit_button(
            f"All {noun}s",
            key=f"{fields}_back",
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=partial(write_address, **{noun: None}),
        )
