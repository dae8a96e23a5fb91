"""How a system worked on a question: how the work ended, the response type, and the system's thoughts, calls and observations
turn by turn, with gold answers marked in the text that the system read."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components.bundles import register
from pages.parts.evaluate.results.figures import DASH, mean
from pages.parts.ui.say import shorten
from workbench.evaluate.results.analyses import MIN_MATCHING_REWARD, TYPES
from workbench.evaluate.traces.marked_text import TextPiece
from workbench.evaluate.traces.work_records import ToolObservation, Turn, WorkRecord

ENDS = {
    "finished": "it finished",
    "answered": "it answered",
    "max_steps": "the system used up its steps",
    "context": "the next request did not fit the model's window",
    "tool_error": "the system's tool calls went wrong",
    "parse_error": "the agent's replies could not be read",
    "model_error": "the model failed",
    "engine": "the search engine failed",
}
TROUBLES = {
    "unknown_function": "no such function",
    "bad_arguments": "wrong arguments",
    "failed": "the call failed",
    "unreadable": "could not be read",
    "program": "the program failed",
}
ACTIONS = {"call": "Calls", "program": "Runs a program", "search": "Searches", "ends": "Ends", "gives up": "Gives up"}
MAX_PIECE_CHARACTERS = 4_000
"""Maximum length in characters of a piece of text without a gold answer; the middle of a longer piece is left out."""
_TURNS = register("turns", "turns")


def show(record: WorkRecord, key: str) -> None:
    """Show the turns of a system's work on a question, and how the work ended."""
    st.text(describe_end(record))
    times = {0: "nowhere", 1: "once"}.get(record.times, f"{record.times} times")
    where = "what the system saw or wrote" if record.is_whole else "what the system saw"
    st.text(f"The gold answer ({shorten('; '.join(record.golds[:3]) or DASH, 200)}) occurs {times} in {where}.")
    if record.turns:
        _TURNS(data={"turns": [_build_turn(number, turn) for number, turn in enumerate(record.turns, 1)]}, key=key)
    else:
        st.caption("The steps of this answer are not stored.")


def describe_end(record: WorkRecord) -> str:
    """Describe in sentences how the work ended, and the response type of the answer."""
    gave_up = ", giving up" if record.turns and record.turns[-1].kind == "gives up" else ""
    end = f"Ends with {record.stop}: {ENDS.get(record.stop, record.stop.replace('_', ' '))}{gave_up}."
    if record.kind is None:
        return f"{end} The answer has no response type, because the metric r_eval_f1 has not scored it."
    usual = "" if record.threshold == MIN_MATCHING_REWARD else f", the published code: {MIN_MATCHING_REWARD:g}"
    reward = "no reward" if record.reward is None else f"reward {mean(record.reward)}"
    about = f"{TYPES[record.kind].lower()} ({reward}, matches from {record.threshold:g}{usual})"
    return f"{end} Response type {record.kind}: {about}."


def _build_turn(number: int, turn: Turn) -> dict[str, Any]:
    places = "; ".join(f"{title or 'not in this workspace'}, {span.start:,} to {span.end:,}" for title, span in turn.passages)
    return {
        "number": str(number),
        "thought": _cut_pieces(turn.thought),
        "did": _cut_pieces(turn.did),
        "label": ACTIONS.get(turn.kind, "Does"),
        "seen": [_build_observation(observation) for observation in turn.seen],
        "places": places,
    }


def _build_observation(observation: ToolObservation) -> dict[str, Any]:
    return {
        "pieces": _cut_pieces(observation.pieces) or [["(nothing)", "cut"]],
        "title": observation.title,
        "trouble": TROUBLES.get(observation.trouble, observation.trouble.replace("_", " ")),
        "gold": any(is_gold for _, is_gold in observation.pieces),
    }


def _cut_pieces(pieces: Sequence[TextPiece]) -> list[list[str]]:
    """Return a list of [text, kind], where the kind is "gold", "cut" or "", for the given pieces of text; the middle of a long
    piece that contains no gold answer is left out."""
    kinds: list[list[str]] = []
    half = MAX_PIECE_CHARACTERS // 2
    for text, is_gold in pieces:
        if is_gold or len(text) <= MAX_PIECE_CHARACTERS:
            kinds.append([text, "gold" if is_gold else ""])
        else:
            middle = f" … {len(text) - MAX_PIECE_CHARACTERS:,} characters … "
            kinds += [[text[:half], ""], [middle, "cut"], [text[-half:], ""]]
    return kinds
