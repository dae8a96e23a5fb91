"""What became of each agent's drafts, by the version of its prompt, and what a saved item cost."""

from typing import Any

from agents.kind import needs_no_model
from pages.parts.annotate.progress import sortable
from pages.parts.annotate.progress.figures import number, percent, timed
from pages.parts.annotate.progress.sortable import SortableColumn
from pages.parts.evaluate.results.figures import money
from pages.parts.ui.heading import show_empty
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.progress import DraftingAgent

NOTES = (
    "Cost counts the calls that drafts name, and answers to the drafting prompt of which no draft came: unreadable ones, "
    "those that found nothing worth asking, and of a trial those that said what another item says. "
    "What checks and LLM gates cost is on the jobs page.",
)
DIGITS = 6
"""Of a prompt's hash."""


def show() -> None:
    """Draw it."""
    stage = open_workbench().progress
    found = until_ready(stage.makers, "Counting drafts by agent and prompt")
    if found is None:
        return
    if not found:
        show_empty(
            "Nothing was drafted yet",
            "Agents and their prompts are compared here.",
            "pages/build/draft.py",
            "Draft items",
            "draft items",
        )
        return
    sortable.show(COLUMNS, found, "progress_makers", NOTES)
    sortable.downloads("agents-and-prompts", stage.makers_table)


def _agent(one: DraftingAgent) -> dict[str, Any]:
    return {"text": one.agent or "not told", "sub": "no LLM" if needs_no_model(one.agent) else "", "whole": True}


def _prompt(one: DraftingAgent) -> dict[str, Any]:
    name, _, hash_ = (one.prompt or "").partition("@")
    return {"text": name or "not told", "sub": hash_.removeprefix("b2:")[:DIGITS], "help": one.prompt or ""}


def _cost(one: DraftingAgent) -> dict[str, Any]:
    return {"text": money(one.cost_each), "sub": "" if one.cost is None else f"{money(one.cost)} in all"}


COLUMNS: tuple[SortableColumn[DraftingAgent], ...] = (
    SortableColumn("Agent", _agent, lambda one: one.agent, align="left"),
    SortableColumn(
        "Prompt", _prompt, lambda one: one.prompt, "Whose words gave the question, and the hash of their version.", "left"
    ),
    SortableColumn("Drafts", lambda one: number(one.line.drafted), lambda one: one.line.drafted),
    SortableColumn("Refused", lambda one: number(one.line.refused), lambda one: one.line.refused, "By a gate."),
    SortableColumn(
        "No draft",
        lambda one: number(one.lost),
        lambda one: one.lost,
        "Answers of which no draft came: unreadable, or nothing worth asking.",
    ),
    SortableColumn("To review", lambda one: number(one.line.waiting), lambda one: one.line.waiting),
    SortableColumn(
        "As drafted",
        lambda one: percent(one.line.unchanged_share, one.line.saved + one.line.discarded),
        lambda one: one.line.unchanged_share,
        "Saved without a change of question or answer, of those saved or discarded.",
    ),
    SortableColumn(
        "Edited", lambda one: number(one.line.edited), lambda one: one.line.edited, "Saved with a change of either."
    ),
    SortableColumn(
        "Characters edited",
        lambda one: number(one.characters),
        lambda one: one.characters,
        "Put in, taken out or changed between the drafts and what was saved.",
    ),
    SortableColumn(
        "Discarded",
        lambda one: percent(one.line.discard_share, one.line.saved + one.line.discarded),
        lambda one: one.line.discard_share,
        "Of those saved or discarded.",
    ),
    SortableColumn(
        "Time",
        lambda one: timed(one.line.active_mean, one.line.measured),
        lambda one: one.line.active_mean,
        "Mean active time of a decision on its drafts; n = timed decisions.",
    ),
    SortableColumn(
        "Generation",
        lambda one: timed(one.line.generation, one.line.timed),
        lambda one: one.line.generation,
        "Service time of the calls that the drafts name; n = drafts with such calls.",
    ),
    SortableColumn(
        "USD a saved item",
        _cost,
        lambda one: one.cost_each,
        "The price of all drafts and of answers without one, for one that was saved; a dash where a price, or the calls of "
        "a draft, are not known.",
    ),
)
