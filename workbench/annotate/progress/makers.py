"""Compare drafting agents and versions of prompts by what became of their drafts: how many were accepted unchanged, how much
was edited, and what an accepted item costs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.quality.construction import ConstructionRow, Drafts, fold_cells, select_drafted, sum_cells
from eval.page import Cell, Page, Table, count, figure, words
from store.items.draft_costs import LostReplies


@dataclass(frozen=True, slots=True)
class DraftingAgent:
    """What became of the drafts that one agent made with one version of a prompt, as numbers."""

    agent: str | None
    prompt: str | None
    """Name and hash of the prompt with which the agent drafted, as name@hash."""
    line: ConstructionRow
    characters: int
    """Number of characters in questions and answers that people inserted, deleted or replaced before they accepted the
    drafts."""
    lost: int = 0
    """Number of the agent's replies that contained no draft."""
    lost_cost: float | None = 0.0
    """Cost in US dollars of the replies that contained no draft, or None if a price is unknown."""

    @property
    def cost(self) -> float | None:
        """Return the cost in US dollars of all drafts and of the replies that contained no draft."""
        drafts = self.line.cost if self.line.drafted else 0.0
        return None if drafts is None or self.lost_cost is None else drafts + self.lost_cost

    @property
    def cost_each(self) -> float | None:
        """Return the cost in US dollars per accepted item; the cost of all drafts and of all replies without a draft is
        included."""
        return None if self.cost is None or not self.line.saved else self.cost / self.line.saved


def count_by_agent(
    cells: Iterable[Drafts], characters: Mapping[object, int], lost: Iterable[LostReplies] = ()
) -> list[DraftingAgent]:
    """Count what became of the drafts of each agent and prompt, beginning with the most drafts. `characters` is a dict from
    (agent, prompt) to the number of edited characters."""
    rows: dict[Any, ConstructionRow] = {
        row.name: row for row in fold_cells(select_drafted(cells), lambda cell: (cell.agent, cell.prompt))
    }
    replies: dict[Any, LostReplies] = {one.by: one for one in lost}
    agents = []
    for name in dict.fromkeys([*rows, *replies]):
        agent, prompt = name
        reply = replies.get(name, LostReplies(name, 0, 0.0))
        row = rows.get(name) or sum_cells(name, ())
        agents.append(DraftingAgent(agent, prompt, row, characters.get(name, 0), reply.calls, reply.cost))
    return sorted(agents, key=lambda agent: (-agent.line.drafted, str(agent.line.name)))


COLUMNS: Mapping[str, Callable[[DraftingAgent], Cell]] = {
    "agent": lambda one: words(one.agent or ""),
    "prompt": lambda one: words(one.prompt or ""),
    "drafts": lambda one: count(one.line.drafted),
    "refused": lambda one: count(one.line.refused),
    "waiting": lambda one: count(one.line.waiting),
    "saved": lambda one: count(one.line.saved),
    "saved unchanged": lambda one: count(one.line.saved - one.line.edited),
    "saved unchanged (share of decided)": lambda one: figure(one.line.unchanged_share),
    "edited": lambda one: count(one.line.edited),
    "characters edited": lambda one: count(one.characters),
    "discarded": lambda one: count(one.line.discarded),
    "discarded (share of decided)": lambda one: figure(one.line.discard_share),
    "decisions timed": lambda one: count(one.line.measured),
    "minutes a decision": lambda one: figure(one.line.active_mean, 2, 1 / 60),
    "drafts with calls": lambda one: count(one.line.timed),
    "answers without a draft": lambda one: count(one.lost),
    "generation (s)": lambda one: figure(one.line.generation, 1),
    "USD": lambda one: figure(one.cost, 4),
    "USD a saved item": lambda one: figure(one.cost_each, 4),
}


def build_page(agents: Sequence[DraftingAgent]) -> Page:
    """Return the page of the report with a row for each agent and version of a prompt."""
    rows = [[cell(agent) for cell in COLUMNS.values()] for agent in agents]
    return Page("Agents and prompts", [Table("Agents and prompts", list(COLUMNS), rows)])
