"""A document's pages as they look, with the evidence of items boxed on them: by the desk's own scripts, without a desk."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.nouns import Span

HERE = Path(__file__).parent
DESK = HERE.parent / "desk"
SCRIPTS = (*(DESK / f"{name}.js" for name in ("text", "shelf", "pages")), HERE / "page_view.js")
STYLES = tuple(DESK / f"{name}.css" for name in ("desk", "pages"))


def show(document: str, evidence: Sequence[Span], key: str) -> None:
    """Draw it at the page of the first evidence."""
    spans = [{"start": span.start, "end": span.end, "n": n} for n, span in enumerate(evidence)]
    _PAGES(data={"document": document, "spans": spans}, key=key)


_PAGES = st.components.v2.component(
    "benchwright_pages", html='<div class="desk lone" role="group" aria-label="Pages"><div class="pages"></div></div>',
    css="\n".join(style.read_text(encoding="utf-8") for style in STYLES),
    js="\n".join(script.read_text(encoding="utf-8") for script in SCRIPTS),
)  # fmt: skip
