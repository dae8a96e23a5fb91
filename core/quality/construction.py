"""HawkBench's Table 1: what became of the drafts, and what they took people and agents. An item counts once, by what it is now,
however many people gave an opinion on it. Figures that nobody measured are None."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Level

GROUPINGS = ("level", "domain", "task")
"""What drafts are told apart by; also several of them together."""
NOTES = (
    "Discard: of the drafts discarded or saved. Edit: of the saved ones, those whose question or answer is not the draft's.",
    "Avg. time: active seconds of a decision, over the timed ones that stand. Total: active time and generation together.",
    "Generation: service seconds of the calls that drafts name; calls whose reply became no draft are not in it.",
    "Mean F1: token F1 of the RAG check's answers, over the saved ones that were not changed since it answered.",
)


class Drafts(NamedTuple):
    """What became of the items of one kind and one maker."""

    level: Level
    domain: str
    task: str
    origin: str
    """drafted, imported or written."""
    agent: str | None
    prompt: str | None
    """name@hash."""
    items: int
    refused: int
    """By a gate, and nobody accepted them since."""
    waiting: int
    saved: int
    discarded: int
    edited: int
    """Saved ones whose question or answer is not that of revision 1."""
    reviews: int
    """Decisions that stand."""
    measured: int
    """Those whose active time was measured."""
    active: float | None
    """Active seconds of these together; None when none was measured."""
    timed: int
    """Items that name a call of the ledger."""
    generation: float | None
    """Service seconds of these calls together, without waiting for a free place; a call that several items name counts for the
    first of them. None when there is none."""
    cost: float | None
    """US dollars of these calls whose price is known; None when none is."""
    unpriced: int
    """Calls whose price is unknown."""
    checked: int = 0
    """Saved ones whose question and answer are those that the RAG check answered."""
    f1: float | None = None
    """Token F1 of these answers together, 0..1 each; None when there is none."""
    is_offline: bool = False
    """Whether the agent works by rules alone."""


@dataclass(frozen=True, slots=True)
class ConstructionRow:
    """What became of some drafts."""

    name: tuple[Any, ...]
    """What they share: level, domain or task, or agent and prompt; empty = all of them."""
    drafted: int
    """All of them."""
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
    """US dollars; None when the price of any call is unknown, or a draft names no call of the ledger."""
    checked: int
    f1: float | None

    @property
    def mean_f1(self) -> float | None:
        """Of the RAG check's answers, 0..1."""
        return None if self.f1 is None or not self.checked else self.f1 / self.checked

    @property
    def discard_share(self) -> float | None:
        return share(self.discarded, self.discarded + self.saved)

    @property
    def edit_share(self) -> float | None:
        return share(self.edited, self.saved)

    @property
    def unchanged_share(self) -> float | None:
        """Saved without a change of question or answer, of those discarded or saved."""
        return share(self.saved - self.edited, self.discarded + self.saved)

    @property
    def active_mean(self) -> float | None:
        """Seconds of one decision."""
        return None if self.active is None or not self.measured else self.active / self.measured

    @property
    def total(self) -> float | None:
        """Seconds of people and agents; None unless both are known."""
        return None if self.active is None or self.generation is None else self.active + self.generation

    @property
    def cost_each(self) -> float | None:
        """US dollars for one saved item, what was thrown away included."""
        return None if self.cost is None or not self.saved else self.cost / self.saved


@dataclass(frozen=True, slots=True)
class Construction:
    """Table 1, its rows and their sum."""

    by: Sequence[str]
    lines: Sequence[ConstructionRow]
    whole: ConstructionRow
    offline: int
    """Drafts by the offline agent."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Items that are no drafts, by origin; they are in no line."""


def build_construction(cells: Iterable[Drafts], by: Sequence[str] = ("level",)) -> Construction:
    """The table by level, domain or task, or several of them. Raises BenchError on another name."""
    for name in by:
        if name not in GROUPINGS:
            raise BenchError(f"Drafts are not told apart by {name!r}: give {', '.join(GROUPINGS)}, or several of them.")
    every = list(cells)
    drafts = select_drafted(every)
    others: dict[str, int] = {}
    for cell in every:
        if cell.origin != "drafted":
            others[cell.origin] = others.get(cell.origin, 0) + cell.items
    offline = sum(cell.items for cell in drafts if cell.is_offline)
    lines = fold_cells(drafts, lambda cell: tuple(getattr(cell, name) for name in by))
    return Construction(tuple(by), sorted(lines, key=_place), sum_cells((), drafts), offline, others)


def remarks(table: Construction) -> list[str]:
    """What must be known beside the figures."""
    said = []
    if table.offline:
        said.append(f"{table.offline:,} of {table.whole.drafted:,} drafts are by the offline agent (no LLM).")
    if table.others:
        found = ", ".join(f"{n:,} {origin}" for origin, n in sorted(table.others.items()))
        said.append(f"Not drafts, and not in the table: {found}.")
    return said


def select_drafted(cells: Iterable[Drafts]) -> list[Drafts]:
    """Those that an agent drafted."""
    return [cell for cell in cells if cell.origin == "drafted"]


def fold_cells(cells: Iterable[Drafts], name: Callable[[Drafts], tuple[Any, ...]]) -> list[ConstructionRow]:
    """A line for each name."""
    groups: dict[tuple[Any, ...], list[Drafts]] = {}
    for cell in cells:
        groups.setdefault(name(cell), []).append(cell)
    return [sum_cells(key, group) for key, group in groups.items()]


def sum_cells(name: tuple[Any, ...], cells: Sequence[Drafts]) -> ConstructionRow:
    """Those cells together."""

    def total(field: str) -> int:
        return sum(getattr(cell, field) for cell in cells)

    return ConstructionRow(
        name,
        total("items"),
        total("refused"),
        total("waiting"),
        total("saved"),
        total("discarded"),
        total("edited"),
        total("reviews"),
        total("measured"),
        sum_known(cell.active for cell in cells),
        total("timed"),
        sum_known(cell.generation for cell in cells),
        None if total("unpriced") or total("timed") < total("items") else sum_known(cell.cost for cell in cells),
        total("checked"),
        sum_known(cell.f1 for cell in cells),
    )


def sum_known(values: Iterable[float | None]) -> float | None:
    """The sum of those that are there; None when none is."""
    there = [value for value in values if value is not None]
    return sum(there) if there else None


def share(part: int, whole: int) -> float | None:
    """0..1; None of nothing."""
    return part / whole if whole else None


def _place(line: ConstructionRow) -> list[tuple[bool, str]]:
    return [(part is None, str(part)) for part in line.name]
