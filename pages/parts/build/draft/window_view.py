"""A window of text as a person reads it before anything is asked: where it is from, how long it is, its numbered sentences."""

from typing import Any

import streamlit as st

from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import plain
from workbench import opened

LINES = 200
"""Sentences on the screen at once: a window may hold five thousand."""

_TEXT = st.components.v2.component(
    "benchwright_window",
    html="<div class='paper' tabindex='0' role='region' aria-label='Text of the window'></div>",
    css="""
.paper {
  height: 23rem; overflow: auto; padding: .7rem 1rem; box-sizing: border-box; font-family: var(--st-font); font-size: .95rem;
  line-height: 1.55; color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius);
}
.paper:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
.line { display: grid; grid-template-columns: 3.2rem 1fr; padding: .1rem 0; max-width: 62rem; }
.number { color: var(--st-text-color); opacity: .5; font-variant-numeric: tabular-nums; user-select: none; }
.title { margin: .5rem 0 .3rem; font-weight: 620; max-width: 62rem; }
.title:first-child { margin-top: 0; }
.words { overflow-wrap: anywhere; white-space: pre-wrap; }
""",
    js="""
export default function ({ data, parentElement }) {
  const paper = parentElement.querySelector(".paper")
  if (paper.dataset.shown === data.key) return
  paper.dataset.shown = data.key
  const make = (kind, text) => Object.assign(document.createElement("div"), { className: kind, textContent: text, dir: "auto" })
  paper.lang = data.language
  paper.replaceChildren(...data.lines.flatMap(line => {
    const row = make("line", "")
    row.append(make("number", String(line.n)), make("words", line.text))
    return line.title ? [make("title", line.title), row] : [row]
  }))
  paper.scrollTop = 0
}
""",
)


def window_view(window: dict[str, Any]) -> None:
    """Draw it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{titles(window)}**")
        for words in facts(window):
            st.badge(plain(words), color="gray")
    for document in window["documents"]:
        st.caption(_about(document, len(window["documents"]) > 1))
    if window["source"]:
        _source(window["source"])
    draw_in_place(_paper)(window)


def facts(window: dict[str, Any]) -> list[str]:
    """Domain, language, length."""
    sentences = window["sentences"]
    return [
        window["domain"],
        window["language"],
        f"{window['tokens']:,} tokens",
        f"{sentences:,} {'sentence' if sentences == 1 else 'sentences'}",
    ]


def titles(window: dict[str, Any]) -> str:
    """The first document's title, escaped for markdown, and how many more there are."""
    first, *more = [document["title"] for document in window["documents"]] or ["Untitled"]
    shown = plain(first if len(first) <= 90 else f"{first[:89]}…")
    return f"{shown} and {len(more)} more" if more else shown


def _about(document: dict[str, Any], with_title: bool) -> str:
    """One document's metadata in one line; what nobody knows is left out, but for the licence."""
    said = [document["title"]] if with_title else []
    said += [f"{document['characters']:,} characters of it", document["licence"] or "licence unknown"]
    said += [str(document[name]) for name in ("origin", "published") if document[name]]
    said += [f"{name}: {_short(value)}" for name, value in document["meta"].items()]
    return plain(" · ".join(said))


def _short(value: Any) -> str:
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return words if len(words) <= 80 else f"{words[:79]}…"


def _source(source: dict[str, Any]) -> None:
    with st.container(border=True, gap="xsmall"):
        st.caption("It starts from this stored item, whose referent the new question must not name")
        st.markdown(plain(source["question"]))
        st.caption(plain(" / ".join(source["answers"])))


def _paper(window: dict[str, Any]) -> None:
    pages = max(1, -(-window["sentences"] // LINES))
    place = st.empty()
    page = 1
    if pages > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            page = st.pagination(pages, key=f"window_page_{window['key']}")
            last = min(page * LINES, window["sentences"])
            st.caption(f"Sentences {(page - 1) * LINES + 1:,} to {last:,} of {window['sentences']:,}")
    lines = opened().one_draft.lines(window["key"], (page - 1) * LINES, LINES)
    if len(window["documents"]) == 1:
        lines = [line | {"title": ""} for line in lines]
    with place:
        _TEXT(
            data={"key": f"{window['key']}:{page}", "language": window["language"], "lines": lines},
            key=f"window_text_{window['key']}_{page}",
        )
