"""Computes the table of how a benchmark was built (HawkBench's Table 1): how many drafts were saved, edited or discarded, and
what they cost in people's time and agents' calls. Each item counts once, by its current state, even if several people reviewed
it. Values that were not measured are None."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Level

GROUPINGS = ("level", "domain", "task")
"""Properties by which the table can group drafts, alone or combined."""
NOTES = (
    "Discard: share of the drafts that were discarded, of those discarded or saved. Edit: share of the saved drafts whose "
    "question or answer was changed.",
    "Avg. time: mean active seconds per decision, over the decisions that count now and were timed. Total: active time plus "
    "generation.",
    "Generation: seconds of the calls that made the drafts; calls whose reply became no draft are not counted.",
    "Mean F1: token F1 of the RAG check's answers, over the saved drafts that were not changed since that check.",
)


class Drafts(NamedTuple):
    """Numbers of saved, edited and discarded items, for all items with the same level, domain, task, agent and prompt."""

    level: Level
    domain: str
    task: str
    origin: str
    """Origin of the items: drafted, imported or written."""
    agent: str | None
    prompt: str | None
    """Identity (name@hash) of the prompt that drafted the items."""
    items: int
    refused: int
    """Number of items that a gate refused and that no person accepted later."""
    waiting: int
    saved: int
    discarded: int
    edited: int
    """Number of saved items whose question or answer differs from revision 1."""
    reviews: int
    """Number of decisions on the items that count now, after undo and adjudication."""
    measured: int
    """Number of decisions whose active time was measured, among the decisions that count now."""
    active: float | None
    """Sum of people's measured active times in seconds, or None if no time was measured."""
    timed: int
    """Number of items that name the call in the ledger by which they were drafted."""
    generation: float | None
    """Seconds of the calls that drafted the items, without waiting for permission to call; a call for several items counts for
    the first of them. None without calls."""
    cost: float | None
    """Cost in US dollars of the calls that drafted the items and whose price is known, or None if no price is known."""
    unpriced: int
    """Number of calls for the items whose price is unknown."""
    checked: int = 0
    """Number of saved items whose question and answer have not changed since the RAG check answered them."""
    f1: float | None = None
    """Sum of the token F1 (0 to 1 each) of the RAG check's answers to the items, or None without answers."""
    is_offline: bool = False
    """Whether the agent that drafted the items works by rules and without a language model."""


@dataclass(frozen=True, slots=True)
class ConstructionRow:
    """One row of the table, with the sums over a group of drafts; the docstrings of the class Drafts describe the fields."""

    name: tuple[Any, ...]
    """Properties that the drafts of the row share: level, domain, task, or agent and prompt; empty = all drafts."""
    drafted: int
    """Number of all drafts in the row's group."""
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
    """Cost of the drafts in US dollars, or None if the price of a call is unknown or a draft names no call in the ledger."""
    checked: int
    f1: float | None

    @property
    def mean_f1(self) -> float | None:
        """Mean token F1 (0 to 1) of the RAG check's answers to the drafts, or None without answers."""
        return divide(self.f1, self.checked)

    @property
    def discard_share(self) -> float | None:
        return divide(self.discarded, self.discarded + self.saved)

    @property
    def edit_share(self) -> float | None:
        return divide(self.edited, self.saved)

    @property
    def unchanged_share(self) -> float | None:
        """Share (0 to 1) of the saved or discarded drafts that were saved unchanged."""
        return divide(self.saved - self.edited, self.discarded + self.saved)

    @property
    def active_mean(self) -> float | None:
        """Mean active time in seconds per decision whose time was measured."""
        return divide(self.active, self.measured)

    @property
    def total(self) -> float | None:
        """Total time that people and agents spent, in seconds; None unless both times are known."""
        return None if self.active is None or self.generation is None else self.active + self.generation

    @property
    def cost_each(self) -> float | None:
        """Cost in US dollars per saved item, including the cost of drafts that were not saved."""
        return divide(self.cost, self.saved)


@dataclass(frozen=True, slots=True)
class Construction:
    """The table of how a benchmark was built (HawkBench's Table 1), with its rows and totals."""

    by: Sequence[str]
    lines: Sequence[ConstructionRow]
    whole: ConstructionRow
    offline: int
    """Number of drafts by the offline agent, which uses no language model."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Dict from origin to the number of items that are not drafts and that no row counts."""


def build_construction(cells: Iterable[Drafts], by: Sequence[str] = ("level",)) -> Construction:
    """Return the table of how a benchmark was built, grouped by level, domain or task, or by several of them. Raises BenchError
    if `by` names another property."""
    for name in by:
        if name not in GROUPINGS:
            raise BenchError(f"Drafts cannot be grouped by {name!r}: choose {', '.join(GROUPINGS)}, or several of them.")
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
    """Return the sentences below the table: how many drafts are by the offline agent, and how many items are not counted."""
    sentences = []
    if table.offline:
        sentences.append(f"{table.offline:,} of {table.whole.drafted:,} drafts are by the offline agent (no LLM).")
    if table.others:
        counts = ", ".join(f"{n:,} {origin}" for origin, n in sorted(table.others.items()))
        sentences.append(f"Not counted in the table, because they are not drafts: {counts}.")
    return sentences


def select_drafted(cells: Iterable[Drafts]) -> list[Drafts]:
    """Return only the counts of items that an agent drafted, without imported items and items that people wrote."""
    return [cell for cell in cells if cell.origin == "drafted"]


def fold_cells(cells: Iterable[Drafts], name: Callable[[Drafts], tuple[Any, ...]]) -> list[ConstructionRow]:
    """Return one row of sums for each group of item counts; the function `name` returns the group that an item count belongs
    to."""
    groups: dict[tuple[Any, ...], list[Drafts]] = {}
    for cell in cells:
        groups.setdefault(name(cell), []).append(cell)
    return [sum_cells(key, group) for key, group in groups.items()]


def sum_cells(name: tuple[Any, ...], cells: Sequence[Drafts]) -> ConstructionRow:
    """Return one row of the table, with the sums of the item counts."""
    counted = ("refused", "waiting", "saved", "discarded", "edited", "reviews", "measured", "timed", "checked")
    counts: dict[str, Any] = {field: sum(getattr(cell, field) for cell in cells) for field in ("items", "unpriced", *counted)}
    sums: dict[str, Any] = {
        field: sum_known(getattr(cell, field) for cell in cells) for field in ("active", "generation", "cost", "f1")
    }
    drafted, unpriced = counts.pop("items"), counts.pop("unpriced")
    if unpriced or counts["timed"] < drafted:
        sums["cost"] = None
    return ConstructionRow(name, drafted, **counts, **sums)


def sum_known(values: Iterable[float | None]) -> float | None:
    """Return the sum of the values that are known, or None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def divide(part: float | None, whole: int) -> float | None:
    """Return part / whole, or None if the part is unknown or the whole is 0."""
    return None if part is None or not whole else part / whole
