"""A table of the outcomes of drafts (saved, edited or discarded) by agent and prompt version, with the cost per saved item."""

from typing import Any

from agents.kind import needs_no_model
from pages.parts.annotate.progress import sortable
from pages.parts.annotate.progress.figures import show_downloads
from pages.parts.annotate.progress.sortable import SortableColumn, count_column, share_column, time_column
from pages.parts.evaluate.results.figures import money
from pages.parts.ui.heading import show_empty
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.makers import DraftingAgent

NOTES = (
    "Cost counts the calls that made drafts, and the calls whose reply gave no draft: the reply was unreadable, found "
    "nothing worth asking or, in a trial, repeated another item. The page Jobs has the cost of checks and of LLM gates.",
)
HASH_DIGITS = 6
"""Number of digits of a prompt's hash that the table shows."""


def show() -> None:
    """Show the table with one row per agent and version of the drafting prompt."""
    stage = open_workbench().progress
    agents = until_ready(stage.count_by_agent, "Counting drafts by agent and prompt")
    if agents is None:
        return
    if not agents:
        show_no_drafts("This table compares agents and their prompts.")
        return
    sortable.show(COLUMNS, agents, "progress_makers", NOTES)
    show_downloads("agents-and-prompts", stage.render_agents)


def show_no_drafts(about: str) -> None:
    """Show a note in place of a table without drafts, with a link to the page that drafts items; `about` says what the table
    shows."""
    show_empty("No drafts yet", about, "pages/build/draft.py", "Draft items", "draft items")


def _agent_cell(row: DraftingAgent) -> dict[str, Any]:
    return {"text": row.agent or "unknown", "sub": "no LLM" if needs_no_model(row.agent) else "", "whole": True}


def _prompt_cell(row: DraftingAgent) -> dict[str, Any]:
    name, _, digest = (row.prompt or "").partition("@")
    return {"text": name or "unknown", "sub": digest.removeprefix("b2:")[:HASH_DIGITS], "help": row.prompt or ""}


def _cost_cell(row: DraftingAgent) -> dict[str, Any]:
    return {"text": money(row.cost_each), "sub": "" if row.cost is None else f"{money(row.cost)} in all"}


def _count_decided(row: DraftingAgent) -> int:
    return row.line.saved + row.line.discarded


COLUMNS: tuple[SortableColumn[DraftingAgent], ...] = (
    SortableColumn("Agent", _agent_cell, lambda row: row.agent, align="left"),
    SortableColumn("Prompt", _prompt_cell, lambda row: row.prompt, "The drafting prompt, and the hash of its version.", "left"),
    count_column("Drafts", lambda row: row.line.drafted),
    count_column("Refused", lambda row: row.line.refused, "Drafts refused by a gate."),
    count_column(
        "No draft", lambda row: row.lost, "Replies without a draft: unreadable, or the agent found nothing to ask about."
    ),
    count_column("To review", lambda row: row.line.waiting),
    share_column(
        "As drafted",
        lambda row: row.line.unchanged_share,
        _count_decided,
        "Share of the saved and discarded drafts that were saved with question and answer unchanged.",
    ),
    count_column("Edited", lambda row: row.line.edited, "Drafts that were saved with a changed question or answer."),
    count_column(
        "Characters edited",
        lambda row: row.characters,
        "Characters inserted, deleted or replaced between the drafts and the saved items.",
    ),
    share_column(
        "Discarded",
        lambda row: row.line.discard_share,
        _count_decided,
        "Share of the saved and discarded drafts that were discarded.",
    ),
    time_column(
        "Time",
        lambda row: row.line.active_mean,
        lambda row: row.line.measured,
        "Mean active time of a decision on the agent's drafts; n = timed decisions.",
    ),
    time_column(
        "Generation",
        lambda row: row.line.generation,
        lambda row: row.line.timed,
        "Service time of the calls that made the drafts; n = drafts whose calls are known.",
    ),
    SortableColumn(
        "USD per saved item",
        _cost_cell,
        lambda row: row.cost_each,
        "Cost of all drafts, and of replies without a draft, per saved item; a dash if a price or the calls of a draft "
        "are unknown.",
    ),
)
