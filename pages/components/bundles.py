"""Components from their bundles: `make components` builds `built/NAME.js` and `built/NAME.css` from the folder NAME."""

from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent


def register(folder: str, name: str) -> Any:
    """Return the Streamlit component `benchwright_NAME` of that folder's bundle, to call with `data` and `key`."""
    parts = (f"{folder}/{folder}.html", f"built/{folder}.css", f"built/{folder}.js")
    html, css, js = ((HERE / part).read_text(encoding="utf-8") for part in parts)
    return st.components.v2.component(f"benchwright_{name}", html=html, css=css, js=js)
