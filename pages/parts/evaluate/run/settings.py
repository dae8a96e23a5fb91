"""Settings as boxes of their types; only what differs from the default is handed on, as on the command line."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from workbench.evaluate.running.run_choices import RunSetting
from workbench.settings import read

COLUMNS = 5


def show(settings: Sequence[RunSetting], key: str) -> dict[str, Any]:
    """{name: value} of those that were changed."""
    changed: dict[str, Any] = {}
    for first in range(0, len(settings), COLUMNS):
        for place, setting in zip(st.columns(COLUMNS), settings[first : first + COLUMNS], strict=False):
            with place:
                value = _box(setting, f"{key}_{setting.name}")
            if value != setting.default and value not in ("", None):
                changed[setting.name] = value
    return changed


def _box(setting: RunSetting, key: str) -> Any:
    label, about = setting.name, setting.about or None
    if setting.of:
        return st.selectbox(label, setting.of, key=key, help=about, persist_state="session")
    if setting.kind is bool:
        return st.toggle(label, value=bool(setting.default), key=key, help=about, persist_state="session")
    if setting.kind is int:
        value = st.number_input(
            label, value=setting.default, step=1, key=key, help=about, placeholder="not set", persist_state="session"
        )
        return None if value is None else int(value)
    if setting.kind is float:
        value = st.number_input(
            label, value=setting.default, step=0.1, key=key, help=about, placeholder="not set", persist_state="session"
        )
        return None if value is None else float(value)
    return read(st.text_input(label, value=str(setting.default), key=key, help=about, persist_state="session"))
