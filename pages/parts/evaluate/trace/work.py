"""A trace as a person follows it: turn by turn what the system thought, called and saw, where the gold answer stands in what it
saw marked, how it ended, and its response type. Every text is set as text."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results.figures import DASH, mean
from pages.parts.ui.nodes import MAKE
from workbench.evaluate.results.analyses import THRESHOLD, TYPES
from workbench.evaluate.traces.work_records import Piece, ToolObservation, Turn, WorkRecord

ENDS = {
    "finished": "it finished",
    "answered": "it answered",
    "max_steps": "its steps were used up",
    "context": "what was to be sent no longer fitted the model's window",
    "tool_error": "its calls went wrong",
    "parse_error": "its replies could not be read",
    "model_error": "the model failed",
}
TROUBLES = {
    "unknown_function": "no such function",
    "bad_arguments": "wrong arguments",
    "failed": "the call failed",
    "unreadable": "could not be read",
    "program": "the program failed",
}
DID = {"call": "Calls", "program": "Runs a program", "search": "Searches", "ends": "Ends", "gives up": "Gives up"}
SHOWN = 4_000
"""Characters of one text that are shown before a mark, or of one without any."""

_CSS = """
.work { font-family: var(--st-font); color: var(--st-text-color); font-size: .875rem; line-height: 1.45; }
.turn { display: grid; grid-template-columns: 2rem minmax(0, 1fr); gap: 0 .6rem; padding: .55rem 0;
        border-top: 1px solid var(--st-border-color); }
.turn:first-child { border-top: 0; }
.number { font-variant-numeric: tabular-nums; opacity: .6; text-align: right; }
.line { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .5rem; margin-bottom: .25rem; }
.label { opacity: .65; font-size: .8rem; padding-top: .1rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.code { font-family: var(--st-code-font); font-size: .8rem; background: var(--st-secondary-background-color);
        border-radius: var(--st-base-radius); padding: .25rem .5rem; max-height: 18rem; overflow-y: auto; }
.seen { border-left: 3px solid var(--st-border-color); padding: .1rem 0 .1rem .65rem; max-height: 16rem; overflow-y: auto; }
.seen.gold { border-left-color: var(--st-primary-color); }
.seen.bad { border-left-color: var(--st-red-color, #c4422d); }
.title { font-weight: 600; font-size: .8rem; }
.trouble { color: var(--st-red-text-color, #c4422d); font-weight: 600; font-size: .8rem; }
.found { color: var(--st-primary-color); font-weight: 600; font-size: .8rem; }
mark { background: color-mix(in oklab, var(--st-primary-color) 28%, transparent); color: inherit; border-radius: 2px;
       font-weight: 600; }
.places { font-size: .78rem; opacity: .7; }
.cut { opacity: .6; }
"""
_JS = (
    MAKE
    + """
const filled = (node, pieces) => {
  node.dir = "auto"
  node.append(...pieces.map(([part, kind]) => make(kind === "gold" ? "mark" : "span", kind === "cut" ? "cut" : "", part)))
  return node
}
const line = (label, node) => {
  const row = make("div", "line"), side = make("div", "")
  side.append(node)
  row.append(make("div", "label", label), side)
  return row
}
export default function ({ data, parentElement }) {
  parentElement.querySelector(".work").replaceChildren(...data.turns.map(turn => {
    const box = make("div", "turn"), side = make("div", "")
    if (turn.thought.length) side.append(line("Thinks", filled(make("div", "text"), turn.thought)))
    if (turn.did.length) side.append(line(turn.label, filled(make("div", "text code"), turn.did)))
    turn.seen.forEach((seen, place) => {
      const what = make("div", ["seen", seen.gold ? "gold" : "", seen.trouble ? "bad" : ""].filter(Boolean).join(" "))
      if (seen.trouble) what.append(make("div", "trouble", seen.trouble))
      if (seen.title) what.append(make("div", "title", seen.title))
      const text = filled(make("div", "text"), seen.pieces)
      what.append(text)
      side.append(line(place ? "" : "Sees", what))
      const first = text.querySelector("mark")
      if (first) requestAnimationFrame(() => { what.scrollTop = Math.max(0, first.offsetTop - what.offsetTop - 40) })
    })
    if (turn.places) side.append(line("From", make("div", "places", turn.places)))
    box.append(make("div", "number", turn.number), side)
    return box
  }))
}
"""
)
_WORK = st.components.v2.component("benchwright_work", html="<div class='work'></div>", css=_CSS, js=_JS)


def show(found: WorkRecord, key: str) -> None:
    """Draw it."""
    st.text(typed(found))
    st.text(_where(found))
    if found.turns:
        _WORK(data={"turns": [_turn(number, turn) for number, turn in enumerate(found.turns, 1)]}, key=key)
    else:
        st.caption("Nothing was kept of what it did.")


def typed(found: WorkRecord) -> str:
    """How it ended, and its response type."""
    ended = ENDS.get(found.stop, found.stop.replace("_", " "))
    gave_up = found.turns and found.turns[-1].kind == "gives up"
    end = f"Ends with {found.stop}: {ended}{', giving up' if gave_up else ''}."
    if found.kind is None:
        return f"{end} No response type: not scored by r_eval_f1."
    usual = "" if found.threshold == THRESHOLD else f", the published code: {THRESHOLD:g}"
    reward = "no reward" if found.reward is None else f"reward {mean(found.reward)}"
    return f"{end} Response type {found.kind}: {TYPES[found.kind].lower()} ({reward}, matches from {found.threshold:g}{usual})."


def _where(found: WorkRecord) -> str:
    golds = "; ".join(found.golds[:3]) or DASH
    times = "nowhere" if not found.times else "once" if found.times == 1 else f"{found.times} times"
    looked = "what it saw (looked for in all that it wrote, too)" if found.is_whole else "what it saw"
    return f"The gold answer ({_cut(golds, 200)}) stands {times} in {looked}."


def _turn(number: int, turn: Turn) -> dict[str, Any]:
    places = "; ".join(f"{title or 'not in this workspace'}, {span.start:,} to {span.end:,}" for title, span in turn.passages)
    return {
        "number": str(number),
        "thought": _pieces(turn.thought),
        "did": _pieces(turn.did),
        "label": DID.get(turn.kind, "Does"),
        "seen": [_seen(one) for one in turn.seen],
        "places": places,
    }


def _seen(one: ToolObservation) -> dict[str, Any]:
    pieces = _pieces(one.pieces) or [["(nothing)", "cut"]]
    return {
        "pieces": pieces,
        "title": one.title,
        "trouble": TROUBLES.get(one.trouble, one.trouble.replace("_", " ")),
        "gold": any(is_gold for _, is_gold in one.pieces),
    }


def _pieces(pieces: Sequence[Piece]) -> list[list[str]]:
    """Long stretches without a gold answer are cut, a gold answer never is."""
    found: list[list[str]] = []
    for text, is_gold in pieces:
        if is_gold or len(text) <= SHOWN:
            found.append([text, "gold" if is_gold else ""])
            continue
        half = SHOWN // 2
        found += [[text[:half], ""], [f" … {len(text) - SHOWN:,} characters … ", "cut"], [text[-half:], ""]]
    return found


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
