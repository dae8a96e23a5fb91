"""The outcomes of the drafts of each version of a drafting prompt, by agent: the rows about this prompt in the table of agents
and prompts on the page Progress."""

from typing import Any, NamedTuple

import streamlit as st

from pages.parts.annotate.progress import sortable
from pages.parts.annotate.progress.makers_table import COLUMNS, NOTES
from pages.parts.annotate.progress.sortable import SortableColumn
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.makers import DraftingAgent
from workbench.setup.prompts import PromptCard

SHOWN_COLUMNS = (
    "Agent",
    "USD per saved item",
    "Drafts",
    "Refused",
    "No draft",
    "To review",
    "As drafted",
    "Edited",
    "Characters edited",
    "Discarded",
)
"""Labels of the columns of the table of agents and prompts that this page shows."""


class PromptRow(NamedTuple):
    """A row of the table: one agent with one version of the prompt, in one language."""

    words: str
    language: str
    maker: DraftingAgent


def show(card: PromptCard) -> None:
    """Show a table of how many drafts made with this prompt were saved, edited or discarded."""
    found = until_ready(open_workbench().progress.count_by_agent, "Counting drafts by version")
    if found is None:
        return
    known = open_workbench().prompts.versions(card)
    rows = [
        PromptRow(_words(known.get(maker.prompt or "", 0)), _language(maker.prompt or ""), maker)
        for maker in found
        if (maker.prompt or "").startswith(f"{card.file.name}.")
    ]
    st.markdown("**Outcomes of this prompt's drafts**")
    if not rows:
        st.caption("Nothing was drafted with this prompt yet.")
    else:
        sortable.show(_columns(), rows, f"prompt_drafts_{card.file.name}", NOTES)
    words = "Compare two versions of the prompt on the same document excerpts"
    draw_link("build/trials", words, "compare", task=card.file.name.partition("/")[2])


def _words(version: int | None) -> str:
    return "Delivered words" if version is None else f"Version {version}" if version else "Earlier words"


def _language(identity: str) -> str:
    return identity.partition("@")[0].rpartition(".")[2]


def _columns() -> list[SortableColumn[PromptRow]]:
    """Return the columns of the table: the version of the prompt, then the columns that SHOWN_COLUMNS names."""

    def convert(column: SortableColumn[DraftingAgent]) -> SortableColumn[PromptRow]:
        return SortableColumn(
            column.label, lambda row: column.cell(row.maker), lambda row: column.value(row.maker), column.about, column.align
        )

    def words(row: PromptRow) -> dict[str, Any]:
        return {"text": row.words, "sub": row.language, "whole": True}

    by_label = {column.label: column for column in COLUMNS}
    return [
        SortableColumn[PromptRow]("Words", words, lambda row: row.words, align="left"),
        *(convert(by_label[label]) for label in SHOWN_COLUMNS),
    ]
