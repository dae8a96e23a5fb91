"""What became of each agent's drafts, by the version of its prompt: how often one was taken as it was, how much was edited, and
what a saved item cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.quality.construction import ConstructionRow, Drafts, fold_cells, select_drafted, sum_cells
from eval.page import Cell, Page, Table, count, figure, words
from store.reviews.progress import LostReplies


@dataclass(frozen=True, slots=True)
class DraftingAgent:
    """One agent with one version of a prompt."""

    agent: str | None
    prompt: str | None
    """name@hash."""
    line: ConstructionRow
    characters: int
    """Insertions, deletions and changes of a character between the drafts' questions and answers and those saved."""
    lost: int = 0
    """Answers of which no draft came."""
    lost_cost: float | None = 0.0
    """US dollars of those; None when a price is unknown."""

    @property
    def cost(self) -> float | None:
        """US dollars of the drafts, and of the answers of which none came."""
        drafts = self.line.cost if self.line.drafted else 0.0
        return None if drafts is None or self.lost_cost is None else drafts + self.lost_cost

    @property
    def cost_each(self) -> float | None:
        """US dollars for one saved item, what came to nothing included."""
        return None if self.cost is None or not self.line.saved else self.cost / self.line.saved


def makers(cells: Iterable[Drafts], characters: Mapping[object, int], lost: Iterable[LostReplies] = ()) -> list[DraftingAgent]:
    """Whoever was asked to draft, the most drafts first. `characters` is by (agent, prompt)."""
    by_maker: dict[Any, ConstructionRow] = {
        one.name: one for one in fold_cells(select_drafted(cells), lambda cell: (cell.agent, cell.prompt))
    }
    nothing: dict[Any, LostReplies] = {one.by: one for one in lost}
    found = []
    for name in [*by_maker, *(name for name in nothing if name not in by_maker)]:
        agent, prompt = name
        gone = nothing.get(name, LostReplies(name, 0, 0.0))
        found.append(
            DraftingAgent(
                agent, prompt, by_maker.get(name) or sum_cells(name, ()), characters.get(name, 0), gone.calls, gone.cost
            )
        )
    return sorted(found, key=lambda maker: (-maker.line.drafted, str(maker.line.name)))


def page_of(found: Sequence[DraftingAgent]) -> Page:
    """All of them, with what each figure rests on."""
    heads = [
        "agent",
        "prompt",
        "drafts",
        "refused",
        "waiting",
        "saved",
        "saved unchanged",
        "saved unchanged (share of decided)",
        "edited",
        "characters edited",
        "discarded",
        "discarded (share of decided)",
        "decisions timed",
        "minutes a decision",
        "drafts with calls",
        "answers without a draft",
        "generation (s)",
        "USD",
        "USD a saved item",
    ]
    return Page("Agents and prompts", [Table("Agents and prompts", heads, [_row(one, one.line) for one in found])])


def _row(one: DraftingAgent, line: ConstructionRow) -> list[Cell]:
    return [
        words(one.agent or ""),
        words(one.prompt or ""),
        *map(count, (line.drafted, line.refused, line.waiting, line.saved, line.saved - line.edited)),
        figure(line.unchanged_share),
        count(line.edited),
        count(one.characters),
        count(line.discarded),
        figure(line.discard_share),
        count(line.measured),
        figure(line.active_mean, 2, 1 / 60),
        count(line.timed),
        count(one.lost),
        figure(line.generation, 1),
        figure(one.cost, 4),
        figure(one.cost_each, 4),
    ]
