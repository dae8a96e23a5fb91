"""Settings as boxes of their types; only settings that differ from their default are returned, as on the command line."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.as_json import Json
from workbench.evaluate.running.run_choices import RunSetting
from workbench.settings import read

COLUMNS = 5


def show(settings: Sequence[RunSetting], key: str) -> dict[str, Json]:
    """Draw a box for each setting; returns name -> value of the changed ones."""
    changed: dict[str, Json] = {}
    for first in range(0, len(settings), COLUMNS):
        for column, setting in zip(st.columns(COLUMNS), settings[first : first + COLUMNS], strict=False):
            value = _box(column, setting, f"{key}_{setting.name}")
            if value != setting.default and value not in ("", None):
                changed[setting.name] = value
    return changed


def _box(column: Any, setting: RunSetting, key: str) -> Json:
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
        value = read(column.text_input(setting.name, value=str(setting.default), **common))
    return value
