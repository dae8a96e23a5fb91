"""HawkBench's Table 1: outcomes of the drafts, and their cost in people's time and agents' calls. Each item counts once, by its
current state, even if several people gave an opinion. Values that were not measured are None."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Level

GROUPINGS = ("level", "domain", "task")
"""Properties that group drafts, alone or combined."""
NOTES = (
    "Discard: share of the drafts discarded or saved. Edit: share of the saved drafts whose question or answer was changed.",
    "Avg. time: mean active seconds per decision, over the timed decisions in force. Total: active time plus generation.",
    "Generation: service seconds of the calls that drafts name; calls whose reply became no draft are not counted.",
    "Mean F1: token F1 of the RAG check's answers, over the saved drafts that were not changed since that check.",
)


class Drafts(NamedTuple):
    """The number of items with the same level, domain, task, agent and prompt, by outcome."""

    level: Level
    domain: str
    task: str
    origin: str
    """Origin of the items: drafted, imported or written."""
    agent: str | None
    prompt: str | None
    """Identity (name@hash) of the prompt."""
    items: int
    refused: int
    """Items that a gate refused and no person accepted later."""
    waiting: int
    saved: int
    discarded: int
    edited: int
    """Saved items whose question or answer differs from revision 1."""
    reviews: int
    """Number of effective decisions."""
    measured: int
    """Number of effective decisions with a measured active time."""
    active: float | None
    """Sum of the measured active times in seconds, or None when no time was measured."""
    timed: int
    """Number of items that name a call of the ledger."""
    generation: float | None
    """Seconds of the items' calls without the wait for a free place; a call for several items counts for the first item. None
    without calls."""
    cost: float | None
    """Cost in US dollars of the items' calls with a known price, or None when no price is known."""
    unpriced: int
    """Number of calls with an unknown price."""
    checked: int = 0
    """Saved items whose question and answer are the same as in the RAG check."""
    f1: float | None = None
    """Sum of the token F1 of the RAG check's answers, 0..1 each, or None without answers."""
    is_offline: bool = False
    """Whether the agent uses rules and no LLM."""


@dataclass(frozen=True, slots=True)
class ConstructionRow:
    """The sums over a group of drafts; the class Drafts describes the fields."""

    name: tuple[Any, ...]
    """Shared properties of the drafts: level, domain, task, or agent and prompt; empty = all drafts."""
    drafted: int
    """Number of all drafts."""
    refused: int
    waiting: int
    saved: int
    discarded: int
    edited: int
    reviews: int
    measured: int
    active: float | None
    timed: int
    generation: float | None
    cost: float | None
    """Cost in US dollars, or None when the price of a call is unknown or a draft names no call of the ledger."""
    checked: int
    f1: float | None

    @property
    def mean_f1(self) -> float | None:
        """Return the mean token F1 of the answers in the RAG check, 0..1, or None without answers."""
        return divide(self.f1, self.checked)

    @property
    def discard_share(self) -> float | None:
        return divide(self.discarded, self.discarded + self.saved)

    @property
    def edit_share(self) -> float | None:
        return divide(self.edited, self.saved)

    @property
    def unchanged_share(self) -> float | None:
        """Return the share of drafts saved unchanged among all saved or discarded drafts, 0..1."""
        return divide(self.saved - self.edited, self.discarded + self.saved)

    @property
    def active_mean(self) -> float | None:
        """Return the mean active time per measured decision, in seconds."""
        return divide(self.active, self.measured)

    @property
    def total(self) -> float | None:
        """Return the total time of people and agents in seconds, or None unless both times are known."""
        return None if self.active is None or self.generation is None else self.active + self.generation

    @property
    def cost_each(self) -> float | None:
        """Return the cost in US dollars per saved item, including the cost of drafts that were not saved."""
        return divide(self.cost, self.saved)


@dataclass(frozen=True, slots=True)
class Construction:
    """The construction table (Table 1) with its rows and totals."""

    by: Sequence[str]
    lines: Sequence[ConstructionRow]
    whole: ConstructionRow
    offline: int
    """Number of drafts by the offline agent."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Number of items that are not drafts, by origin; excluded from all rows."""


def build_construction(cells: Iterable[Drafts], by: Sequence[str] = ("level",)) -> Construction:
    """Return the construction table grouped by level, domain or task, or by several of them. Raises BenchError for any other
    grouping."""
    for name in by:
        if name not in GROUPINGS:
            raise BenchError(f"Drafts cannot be grouped by {name!r}: give {', '.join(GROUPINGS)}, or several of them.")
    every = list(cells)
    drafts = select_drafted(every)
    others: dict[str, int] = {}
    for cell in every:
        if cell.origin != "drafted":
            others[cell.origin] = others.get(cell.origin, 0) + cell.items
    rows = fold_cells(drafts, lambda cell: tuple(getattr(cell, name) for name in by))
    rows.sort(key=lambda row: [(part is None, str(part)) for part in row.name])
    offline = sum(cell.items for cell in drafts if cell.is_offline)
    return Construction(tuple(by), rows, sum_cells((), drafts), offline, others)


def remarks(table: Construction) -> list[str]:
    """Return the remarks below the table: the share of the offline agent, and the number of excluded items."""
    sentences = []
    if table.offline:
        sentences.append(f"{table.offline:,} of {table.whole.drafted:,} drafts are by the offline agent (no LLM).")
    if table.others:
        counts = ", ".join(f"{n:,} {origin}" for origin, n in sorted(table.others.items()))
        sentences.append(f"Not counted in the table, because they are not drafts: {counts}.")
    return sentences


def select_drafted(cells: Iterable[Drafts]) -> list[Drafts]:
    """Return the groups of items that an agent drafted."""
    return [cell for cell in cells if cell.origin == "drafted"]


def fold_cells(cells: Iterable[Drafts], name: Callable[[Drafts], tuple[Any, ...]]) -> list[ConstructionRow]:
    """Return one row with the sums of each group; `name` returns the group of a cell."""
    groups: dict[tuple[Any, ...], list[Drafts]] = {}
    for cell in cells:
        groups.setdefault(name(cell), []).append(cell)
    return [sum_cells(key, group) for key, group in groups.items()]


def sum_cells(name: tuple[Any, ...], cells: Sequence[Drafts]) -> ConstructionRow:
    """Return one row with the sums of the cells."""
    counted = ("refused", "waiting", "saved", "discarded", "edited", "reviews", "measured", "timed", "checked")
    counts: dict[str, Any] = {field: sum(getattr(cell, field) for cell in cells) for field in ("items", "unpriced", *counted)}
    sums: dict[str, Any] = {
        field: _sum_known(getattr(cell, field) for cell in cells) for field in ("active", "generation", "cost", "f1")
    }
    drafted, unpriced = counts.pop("items"), counts.pop("unpriced")
    if unpriced or counts["timed"] < drafted:
        sums["cost"] = None
    return ConstructionRow(name, drafted, **counts, **sums)


def _sum_known(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def divide(part: float | None, whole: int) -> float | None:
    """Return part / whole, or None if the part is unknown or the whole is 0."""
    return None if part is None or not whole else part / whole
