"""Buttons that call a function, and links to other pages, each with a Material symbol."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.parts.ui.allowed import guard


def draw_button(
    label: str,
    key: str,
    act: Callable[..., Any],
    *args: Any,
    icon: str = "",
    is_primary: bool = False,
    requires: str = "",
    disabled: bool = False,
    help: str | None = None,
    **options: Any,
) -> None:
    """Show a button that, when pressed, calls `act` with the given arguments.

    For people without the permission `requires`, the button is disabled and its tooltip gives the reason; `options` are passed
    to st.button."""
    permission: Any = guard(requires, disabled, help) if requires else {"disabled": disabled, "help": help}
    if is_primary:
        options["type"] = "primary"
    symbol = f":material/{icon}:" if icon else None
    st.button(label, key=key, icon=symbol, on_click=act, args=args, **permission, **options)


def draw_link(page: str, label: str, icon: str, help: str | None = None, **address: str) -> None:
    """Show a link, as wide as its label, to a page such as "annotate/review"; the keyword arguments become the parameters of
    the link's URL."""
    symbol = f":material/{icon}:"
    st.page_link(f"pages/{page}.py", label=label, icon=symbol, help=help, query_params=address or None, width="content")
