"""Each system's answers by response type, as one bar a system: a part is as wide as its share, bears it in words, and leads to
its answers. The key says what each type is. Every text is set as text."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.ui.nodes import MAKE
from workbench.evaluate.results.analyses import TYPES, TypeLine

COLOURS = {"EM": "#0072b2", "AM": "#56b4e9", "GE": "#e69f00", "TE": "#d55e00", "ME": "#999999", "RE": "#cc79a7"}
"""Okabe and Ito's; the letters on the parts tell them apart too."""
DARK = ("EM", "TE")
"""Those that bear white letters."""

_CSS = """
.bars { font-family: var(--st-font); color: var(--st-text-color); font-size: .875rem; }
.row { display: grid; grid-template-columns: minmax(8rem, 17rem) minmax(0, 1fr) 8.5rem; gap: .7rem; align-items: center;
       margin-bottom: .45rem; }
.name { text-align: right; overflow-wrap: anywhere; line-height: 1.25; }
.bar { display: flex; height: 1.9rem; border-radius: 3px; overflow: hidden; }
.bar button { border: 0; border-right: 1px solid var(--st-background-color); padding: 0; min-width: 3px; cursor: pointer;
              font: inherit; font-size: .78rem; overflow: hidden; white-space: nowrap; }
.bar button.chosen { box-shadow: inset 0 -4px 0 var(--st-text-color); }
.bar button:focus-visible { outline: 3px solid var(--st-text-color); outline-offset: -3px; }
.bar button:hover { filter: brightness(1.1); }
.side { font-size: .78rem; opacity: .75; font-variant-numeric: tabular-nums; }
.none { opacity: .65; align-self: center; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: .3rem 0 .2rem; font-size: .8rem; }
.key span.square { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin-right: .4rem;
                   vertical-align: -1px; }
"""
_JS = (
    MAKE
    + """
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".bars"), key = make("div", "key")
  for (const one of data.key) {
    const entry = make("span", ""), square = make("span", "square")
    square.style.background = one.colour
    entry.append(square, make("span", "", one.text))
    key.append(entry)
  }
  const rows = data.rows.map(row => {
    const line = make("div", "row"), bar = make("div", "bar")
    for (const part of row.parts) {
      const button = make("button", part.chosen ? "chosen" : "", part.label)
      button.style.cssText = `flex: ${part.n} 1 0; background: ${part.colour}; color: ${part.ink}`
      button.title = button.ariaLabel = part.title
      button.onclick = () => setTriggerValue("go", part.go)
      bar.append(button)
    }
    line.append(make("div", "name", row.name), row.parts.length ? bar : make("div", "none", "\u2013"),
      make("div", "side", row.side))
    return line
  })
  root.replaceChildren(...rows, key)
}
"""
)
_BARS = st.components.v2.component("benchwright_type_bars", html="<div class='bars'></div>", css=_CSS, js=_JS)


def show(lines: Sequence[TypeLine], chosen: tuple[str, str], key: str) -> Any:
    """Draw it, `chosen` = the part that is open. Gives {"of", "type"} of the part that was pressed, or None."""
    key_lines = [{"colour": COLOURS[kind], "text": f"{kind}: {about.lower()}"} for kind, about in TYPES.items()]
    return _BARS(data={"rows": [_row(line, chosen) for line in lines], "key": key_lines}, key=key, on_go_change=lambda: None).go


def _row(line: TypeLine, chosen: tuple[str, str]) -> dict[str, Any]:
    found, parts = line.found, []
    for kind, about in TYPES.items():
        if n := found.of[kind]:
            share = n / found.n
            parts.append(
                {
                    "n": n,
                    "colour": COLOURS[kind],
                    "ink": "#fff" if kind in DARK else "#111",
                    "label": f"{kind} {share * 100:.0f} %" if share >= 0.09 else kind if share >= 0.045 else "",
                    "title": (
                        f"{line.name}, {kind}: {n:,} of {found.n:,} ({share * 100:.1f} %). {about}. Press for the answers."
                    ),
                    "go": {"of": line.run, "type": kind},
                    "chosen": (line.run, kind) == chosen,
                }
            )
    right = "" if not found.n else f" · {(found.of['EM'] + found.of['AM']) / found.n * 100:.0f} % match"
    unscored = f", {found.unscored:,} unscored" if found.unscored else ""
    return {"name": line.name, "parts": parts, "side": f"n={found.n:,}{unscored}{right}"}
