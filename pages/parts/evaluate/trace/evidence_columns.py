"""Retrieved passages beside the gold evidence, what stands in both marked in each; every text is set as text."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.ui.nodes import MAKE
from workbench.evaluate.traces.evidence_overlap import EvidenceColumns, Passage

_CSS = """
.both { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.2rem; font-family: var(--st-font);
        color: var(--st-text-color); font-size: .87rem; line-height: 1.45; align-items: start; }
h4 { margin: 0 0 .5rem; font-size: .9rem; font-weight: 600; }
.card { border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); padding: .55rem .75rem;
        margin-bottom: .6rem; }
.card.hit { border-left: 3px solid var(--st-primary-color); }
.head { display: flex; flex-wrap: wrap; gap: .2rem .6rem; align-items: baseline; margin-bottom: .3rem; }
.number { font-weight: 650; font-variant-numeric: tabular-nums; }
.title { unicode-bidi: isolate; overflow-wrap: anywhere; }
.place { opacity: .65; font-size: .78rem; font-variant-numeric: tabular-nums; }
.cover { margin-left: auto; font-size: .78rem; color: var(--st-primary-color); font-weight: 600; }
.cover.no { color: inherit; opacity: .65; font-weight: 400; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 15rem; overflow-y: auto; unicode-bidi: isolate; }
mark { background: color-mix(in oklab, var(--st-primary-color) 28%, transparent); color: inherit; border-radius: 2px; }
a { color: var(--st-link-color); text-decoration: none; font-size: .78rem; } a:hover { text-decoration: underline; }
.left-out { opacity: .65; font-size: .78rem; margin-top: .3rem; }
"""
_JS = (
    MAKE
    + """
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".both")
  root.replaceChildren(...data.columns.map(column => {
    const side = make("section")
    side.append(make("h4", "", column.title))
    if (column.empty) side.append(make("p", "place", column.empty))
    for (const card of column.cards) {
      const box = make("article", card.hit ? "card hit" : "card"), head = make("div", "head"), text = make("div", "text")
      head.append(make("span", "number", card.number), make("span", "title", card.title), make("span", "place", card.place))
      if (card.document) {
        const open = make("a", "", "Open document")
        open.href = card.href
        open.onclick = event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          setTriggerValue("open", card.document)
        }
        head.append(open)
      }
      head.append(make("span", card.hit ? "cover" : "cover no", card.cover))
      text.dir = "auto"
      text.append(...card.pieces.map(([part, both]) => make(both ? "mark" : "span", "", part)))
      box.append(head, text)
      if (card.hidden) box.append(make("div", "left-out", card.hidden))
      side.append(box)
      const first = text.querySelector("mark")
      if (first) requestAnimationFrame(() => { text.scrollTop = Math.max(0, first.offsetTop - text.offsetTop - 40) })
    }
    return side
  }))
}
"""
)
_BOTH = st.components.v2.component("benchwright_evidence", html="<div class='both'></div>", css=_CSS, js=_JS)


def show(found: EvidenceColumns, key: str) -> Any:
    """Draw both columns; gives {"document", "start", "end"} of a passage whose document is to be opened, or None."""
    nothing = "This system tells no passages." if found.passages is None else "Nothing was retrieved."
    retrieved = {
        "title": "Retrieved, best first",
        "cards": [_card(one, "gold") for one in found.passages or ()],
        "empty": "" if found.passages else nothing,
    }
    golds = [_gold(one, share) for one, share in zip(found.gold, found.covered, strict=True)]
    gold = {"title": "Gold evidence", "cards": golds, "empty": "" if golds else "This item has no gold evidence."}
    return _BOTH(data={"columns": [retrieved, gold]}, key=key, on_open_change=lambda: None).open


def _card(one: Passage, what: str) -> dict[str, Any]:
    covers = ", ".join(f"{_percent(share)} of {what} {number}" for number, share in one.shares)
    return _drawn(one, f"covers {covers}" if covers else "no gold in it")


def _gold(one: Passage, covered: float) -> dict[str, Any]:
    ranks = ", ".join(str(rank) for rank, _ in one.shares)
    return _drawn(one, f"{_percent(covered)} found, at rank {ranks}" if ranks else "not retrieved")


def _drawn(one: Passage, cover: str) -> dict[str, Any]:
    known = bool(one.title or one.pieces)
    where = {"document": one.span.document, "start": one.span.start, "end": one.span.end}
    return {
        "number": str(one.number),
        "title": one.title if known else "not in this workspace",
        "place": f"{one.span.start:,} to {one.span.end:,}",
        "document": where if known else None,
        "href": f"/corpus?document={one.span.document}",
        "hit": bool(one.shares),
        "cover": cover,
        "pieces": _shown(one.pieces) if known else [["Its text is not stored here.", False]],
        "hidden": f"{one.hidden:,} more characters: open the document." if one.hidden > 0 else "",
    }


def _shown(pieces: Sequence[tuple[str, bool]]) -> list[list[Any]]:
    return [[text, is_both] for text, is_both in pieces]


def _percent(share: float) -> str:
    """Whole percent; never 100 or 0 where it is not quite so."""
    return f"{min(max(round(share * 100), 1), 99) if 0 < share < 1 else round(share * 100)} %"
