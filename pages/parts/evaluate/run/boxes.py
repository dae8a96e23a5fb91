"""Input boxes that the forms of runs and sweeps share. The session keeps the values of the boxes."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.as_json import Json
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import replace_address
from pages.parts.ui.say import escape
from workbench.evaluate.running.run_choices import RunSetting
from workbench.settings import parse_settings, read_value

BOXES_IN_A_ROW = 5


def choose_view(views: Sequence[str], key: str) -> str:
    """Show the switch between the views of a page, and return the open view; the page's URL contains the choice as the
    parameter `key`."""
    return str(
        st.segmented_control(
            "View", views, default=views[0], required=True, key=key, bind="query-params", label_visibility="collapsed"
        )
    )


def back_button(label: str, key: str, view_key: str, view: str) -> None:
    """Show the button that closes the job on the screen and opens `view` of the switch `view_key`."""

    def go_back() -> None:
        replace_address()
        st.session_state[view_key] = view

    st.button(label, key=key, icon=":material/arrow_back:", type="tertiary", on_click=go_back)


def say_no_release() -> None:
    """Show a note in place of the form when the workspace has no release to run on."""
    about = "A run needs accepted items. Accept some, or import a benchmark."
    show_empty("Nothing to run on yet", about, "pages/annotate/review.py", "Review items")


def say_offline(parts: Sequence[str]) -> None:
    """Show a line that names the parts of a run that were done offline, without an LLM; show nothing if there are none."""
    if parts:
        st.caption(f":material/cloud_off: Done offline, without an LLM: {escape(', '.join(parts))}.")


def select_box(where: Any, label: str, options: Sequence[str] | Mapping[str, str], key: str, **more: Any) -> Any:
    """Show a select box, and return the chosen option, or None if none is chosen. If `options` is a mapping, its values are the
    labels of the options."""
    labels = options if isinstance(options, Mapping) else {}
    return where.selectbox(
        label, list(options), key=key, persist_state="session", format_func=lambda name: labels.get(name, name), **more
    )


def release_box(where: Any, releases: Mapping[str, int], key: str) -> str:
    """Show a select box for a release, and return the release's name; `releases` is a dict from release name to number of
    items."""
    return str(select_box(where, "Release", {name: f"{name} ({n:,} items)" for name, n in releases.items()}, key))


def sample_box(where: Any, key: str) -> int | None:
    """Show the box for the number of items in a sample, and return that number, or None for all items."""
    size = where.number_input(
        "Sample",
        min_value=1,
        value=None,
        step=1,
        placeholder="all items",
        key=key,
        persist_state="session",
        help="Number of items, spread over levels, domains and languages.",
    )
    return None if size is None else int(size)


def budget_box(where: Any, key: str, help: str | None = None) -> float | None:
    """Show the box for a budget in US dollars, and return the budget, or None for no limit."""
    usd: float | None = where.number_input(
        "Budget, USD",
        min_value=0.0,
        value=None,
        placeholder="no limit",
        format="%.4f",
        key=key,
        persist_state="session",
        help=help,
    )
    return usd


def settings_area(key: str, example: str) -> dict[str, Json]:
    """Show the text area for settings, one key=value per line, and return them as a dict. Raises BenchError if a line has no
    key."""
    text = st.text_area(
        "One key=value per line",
        key=key,
        persist_state="session",
        height=90,
        placeholder=example,
        help="Settings as for --set on the command line; these settings override the values in the boxes.",
    )
    return parse_settings(line for line in text.splitlines() if line.strip())


def setting_boxes(settings: Sequence[RunSetting], key: str) -> dict[str, Json]:
    """Show a box for each setting of a system, and return a dict with the settings that a person changed."""
    changed: dict[str, Json] = {}
    for first in range(0, len(settings), BOXES_IN_A_ROW):
        for column, setting in zip(st.columns(BOXES_IN_A_ROW), settings[first : first + BOXES_IN_A_ROW], strict=False):
            value = _draw_setting_box(column, setting, f"{key}_{setting.name}")
            if value != setting.default and value not in ("", None):
                changed[setting.name] = value
    return changed


def _draw_setting_box(column: Any, setting: RunSetting, key: str) -> Json:
    common = {"key": key, "help": setting.about or None, "persist_state": "session"}
    value: Json
    if setting.of:
        value = column.selectbox(setting.name, setting.of, **common)
    elif setting.kind is bool:
        value = column.toggle(setting.name, value=bool(setting.default), **common)
    elif setting.kind in (int, float):
        step = 1 if setting.kind is int else 0.1
        number = column.number_input(setting.name, value=setting.default, step=step, placeholder="not set", **common)
        value = None if number is None else setting.kind(number)
    else:
        value = read_value(column.text_input(setting.name, value=str(setting.default), **common))
    return value
