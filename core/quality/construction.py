"""HawkBench's Table 1: what became of the drafts, and their cost in people's time and agents' calls. An item counts once, by
its current state, however many people gave an opinion on it. Values that were not measured are None."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Level

GROUPINGS = ("level", "domain", "task")
"""What drafts are grouped by, one or several at once."""
NOTES = (
    "Discard: of the drafts discarded or saved. Edit: of the saved ones, those whose question or answer is not the draft's.",
    "Avg. time: active seconds of a decision, over the timed ones that stand. Total: active time and generation together.",
    "Generation: service seconds of the calls that drafts name; calls whose reply became no draft are not in it.",
    "Mean F1: token F1 of the RAG check's answers, over the saved ones that were not changed since it answered.",
)


class Drafts(NamedTuple):
    """Items of one level, domain, task, agent and prompt."""

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
    """Refused by a gate and not accepted since."""
    waiting: int
    saved: int
    discarded: int
    edited: int
    """Saved items whose question or answer differs from revision 1."""
    reviews: int
    """Decisions in effect."""
    measured: int
    """Decisions in effect whose active time was measured."""
    active: float | None
    """Sum of their active seconds; None when none was measured."""
    timed: int
    """Items that name a call of the ledger."""
    generation: float | None
    """Service seconds of these calls, without the wait for a free place; a call of several items counts for the first. None
    when there is none."""
    cost: float | None
    """US dollars of these calls with a known price; None when there is none."""
    unpriced: int
    """Calls with an unknown price."""
    checked: int = 0
    """Saved items whose question and answer are those that the RAG check answered."""
    f1: float | None = None
    """Sum of the token F1 of these answers, 0..1 each; None when there is none."""
    is_offline: bool = False
    """Whether the agent works by rules alone."""


@dataclass(frozen=True, slots=True)
class ConstructionRow:
    """Sums over a group of drafts; see Drafts for the fields."""

    name: tuple[Any, ...]
    """What the drafts share: level, domain or task, or agent and prompt; empty = all drafts."""
    drafted: int
    """All drafts."""
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
    """US dollars; None when a call has an unknown price or a draft names no call of the ledger."""
    checked: int
    f1: float | None

    @property
    def mean_f1(self) -> float | None:
        """Of the RAG check's answers, 0..1."""
        return divide(self.f1, self.checked)

    @property
    def discard_share(self) -> float | None:
        return divide(self.discarded, self.discarded + self.saved)

    @property
    def edit_share(self) -> float | None:
        return divide(self.edited, self.saved)

    @property
    def unchanged_share(self) -> float | None:
        """Saved with the question and answer of the draft, of those discarded or saved."""
        return divide(self.saved - self.edited, self.discarded + self.saved)

    @property
    def active_mean(self) -> float | None:
        """Seconds per decision."""
        return divide(self.active, self.measured)

    @property
    def total(self) -> float | None:
        """Seconds of people and agents; None unless both are known."""
        return None if self.active is None or self.generation is None else self.active + self.generation

    @property
    def cost_each(self) -> float | None:
        """US dollars per saved item, including the cost of the other drafts."""
        return divide(self.cost, self.saved)


@dataclass(frozen=True, slots=True)
class Construction:
    """Table 1: its rows and their total."""

    by: Sequence[str]
    lines: Sequence[ConstructionRow]
    whole: ConstructionRow
    offline: int
    """Drafts of the offline agent."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Items that are not drafts, by origin; no line counts them."""


def build_construction(cells: Iterable[Drafts], by: Sequence[str] = ("level",)) -> Construction:
    """The table by level, domain or task, or several of them. Raises BenchError on another name."""
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
    """Sentences that a reader of the table needs."""
    sentences = []
    if table.offline:
        sentences.append(f"{table.offline:,} of {table.whole.drafted:,} drafts are by the offline agent (no LLM).")
    if table.others:
        counts = ", ".join(f"{n:,} {origin}" for origin, n in sorted(table.others.items()))
        sentences.append(f"Not drafts, and not in the table: {counts}.")
    return sentences


def select_drafted(cells: Iterable[Drafts]) -> list[Drafts]:
    """The cells of items that an agent drafted."""
    return [cell for cell in cells if cell.origin == "drafted"]


def fold_cells(cells: Iterable[Drafts], name: Callable[[Drafts], tuple[Any, ...]]) -> list[ConstructionRow]:
    """A row for each name."""
    groups: dict[tuple[Any, ...], list[Drafts]] = {}
    for cell in cells:
        groups.setdefault(name(cell), []).append(cell)
    return [sum_cells(key, group) for key, group in groups.items()]


def sum_cells(name: tuple[Any, ...], cells: Sequence[Drafts]) -> ConstructionRow:
    """The sums of the cells as one row."""
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
    """part / whole; None when the part is unknown or the whole is 0."""
    return None if part is None or not whole else part / whole
