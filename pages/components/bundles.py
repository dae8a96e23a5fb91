"""Registers the app's own Streamlit components from their built scripts and styles: `make components` builds `built/NAME.js`
and `built/NAME.css` from the folder NAME."""

import json
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.base_path import find_base

HERE = Path(__file__).parent


def register(folder: str, name: str) -> Any:
    """Return the Streamlit component `benchwright_NAME`, made of the HTML, CSS and JavaScript of a folder; the caller calls the
    component with `data` and `key`."""
    parts = (f"{folder}/{folder}.html", f"built/{folder}.css", f"built/{folder}.js")
    html, css, js = ((HERE / part).read_text(encoding="utf-8") for part in parts)
    base = f"globalThis.benchwrightBase = {json.dumps(find_base())}\n"
    return st.components.v2.component(f"benchwright_{name}", html=html, css=css, js=base + js)
