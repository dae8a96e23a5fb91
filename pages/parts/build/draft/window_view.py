"""A window of text that a person reads before a question is drafted from it: its source, its length, and its numbered
sentences."""

import streamlit as st

from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.build.drafting.sampling import WindowDocument
from workbench.build.trials.one_draft import DraftWindow

MAX_LINES = 200
"""Number of sentences shown at once, because a window may have thousands of sentences."""

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


def show_window(window: DraftWindow) -> None:
    """Show the document excerpt `window`: its documents and one page of its sentences."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{title_window(window)}**")
        for fact in list_facts(window):
            st.badge(escape(fact), color="gray")
    for document in window.documents:
        st.caption(_describe_document(document, len(window.documents) > 1))
    if window.source:
        with st.container(border=True, gap="xsmall"):
            st.caption("The draft is made from this stored item; the new question must not name the subject of the stored item")
            st.markdown(escape(window.source.question))
            st.caption(escape(" / ".join(window.source.answers)))
    draw_in_place(_draw_text)(window)


def list_facts(window: DraftWindow) -> list[str]:
    """Return the domain, language and length of the document excerpt `window` as short texts."""
    return [window.domain, window.language, f"{window.tokens:,} tokens", count_things(window.sentences, "sentence")]


def title_window(window: DraftWindow) -> str:
    """Return the title of the first document in the excerpt `window`, escaped for markdown, with the number of further
    documents."""
    first, *more = [entry.document.title for entry in window.documents] or ["Untitled"]
    shown = escape(first if len(first) <= 90 else f"{first[:89]}…")
    return f"{shown} and {len(more)} more" if more else shown


def _describe_document(entry: WindowDocument, with_title: bool) -> str:
    """Return one line with the metadata of a document. Unknown values are left out; only a missing licence is stated."""
    document = entry.document
    facts = [document.title] if with_title else []
    facts += [f"{entry.characters:,} characters of it", document.licence or "licence unknown"]
    facts += [text for text in (document.origin, document.published) if text]
    for name, value in document.meta.items():
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        facts.append(f"{name}: {words if len(words) <= 80 else f'{words[:79]}…'}")
    return escape(" · ".join(facts))


def _draw_text(window: DraftWindow) -> None:
    pages = max(1, -(-window.sentences // MAX_LINES))
    place = st.empty()
    page = 1
    if pages > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            page = st.pagination(pages, key=f"window_page_{window.key}")
            last = min(page * MAX_LINES, window.sentences)
            st.caption(f"Sentences {(page - 1) * MAX_LINES + 1:,} to {last:,} of {window.sentences:,}")
    lines = [line._asdict() for line in open_workbench().one_draft.lines(window.key, (page - 1) * MAX_LINES, MAX_LINES)]
    if len(window.documents) == 1:
        lines = [line | {"title": ""} for line in lines]
    data = {"key": f"{window.key}:{page}", "language": window.language, "lines": lines}
    with place:
        _TEXT(data=data, key=f"window_text_{window.key}_{page}")
