"""What became of each agent's drafts, by the version of its prompt, and what a saved item cost."""

from pages.parts import paper_table
from pages.parts.heading import empty
from pages.parts.progress.figures import number, percent, timed
from pages.parts.results.figures import money
from pages.parts.until_ready import until_ready
from workbench import opened

COLUMNS = (
    ("Agent", "left", ""), ("Prompt", "left", "The words that gave the question, with the hash of their version."),
    ("Drafts", "", ""), ("Refused", "", "By a gate."), ("To review", "", ""),
    ("As drafted", "", "Saved without a change of question or answer."), ("Edited", "", "Saved with a change of either."),
    ("Discarded", "", ""), ("Discard", "", "Of those discarded or saved."),
    ("Generation", "", "Service time of the calls that the drafts name; n = drafts with such calls."),
    ("USD", "", "Price of these calls; a dash where a price is not known, or the calls of a draft."),
    ("USD a saved item", "", "The price of all drafts, for one that was saved."),
)  # fmt: skip
DIGITS = 6
"""Of a prompt's hash."""


def show() -> None:
    """Draw it."""
    found = until_ready(opened().progress.makers, "Counting drafts by agent and prompt")
    if found is None:
        return
    if not found:
        empty("Nothing was drafted yet", "Agents and their prompts are compared here.", "pages/build/draft.py", "Draft items")
        return
    rows = []
    for line in found:
        agent, prompt = line.name
        name, _, hash_ = (prompt or "").partition("@")
        rows.append({"cells": [
            {"text": agent or "not told", "sub": "no LLM" if agent == "offline" else ""},
            {"text": name or "not told", "sub": hash_.removeprefix("b2:")[:DIGITS], "help": prompt or ""},
            *map(number, (line.drafted, line.refused, line.waiting, line.saved - line.edited, line.edited, line.discarded)),
            percent(line.discard_share, line.discarded + line.saved), timed(line.generation, line.timed),
            {"text": money(line.cost)}, {"text": money(line.cost_each)},
        ]})  # fmt: skip
    columns = [{"label": label, "align": align, "help": about} for label, align, about in COLUMNS]
    paper_table.show(columns, rows, "progress_makers", notes=[
        "Cost and generation count the calls that drafts name; calls whose reply became no draft, and those of checks, are on "
        "the jobs page.",
    ])  # fmt: skip
