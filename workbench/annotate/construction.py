"""HawkBench's Table 1 of this workspace: what became of the drafts, and what they took people and agents. Figures that nobody
measured are None."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eval.page import Cell, Page, Table, count, figure, words
from store.progress import Drafts

BY = ("level", "domain", "task")
OFFLINE = "offline"
NOTES = (
    "Discard: of the drafts discarded or saved. Edit: of the saved ones, those whose question or answer is not the draft's.",
    "Avg. time: active seconds of a decision, over the timed ones that stand. Total: active time and generation together.",
    "Generation: service seconds of the calls that drafts name; calls whose reply became no draft are not in it.",
)


@dataclass(frozen=True, slots=True)
class Line:
    """What became of some drafts."""

    name: Any
    """The level, domain, task, or (agent, prompt) that they share; None = that of no level, or of all."""
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

    @property
    def discard_share(self) -> float | None:
        return share(self.discarded, self.discarded + self.saved)

    @property
    def edit_share(self) -> float | None:
        return share(self.edited, self.saved)

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

    by: str
    lines: Sequence[Line]
    whole: Line
    offline: int
    """Drafts by the offline agent."""
    others: Mapping[str, int] = field(default_factory=dict)
    """Items that are no drafts, by origin; they are in no line."""


def construction(cells: Iterable[Drafts], by: str) -> Construction:
    """The table by level, domain or task."""
    every = list(cells)
    drafts = drafted(every)
    others: dict[str, int] = {}
    for cell in every:
        if cell.origin != "drafted":
            others[cell.origin] = others.get(cell.origin, 0) + cell.items
    offline = sum(cell.items for cell in drafts if cell.agent == OFFLINE)
    lines = folded(drafts, lambda cell: getattr(cell, by))
    return Construction(by, sorted(lines, key=_place), line(None, drafts), offline, others)


def makers(cells: Iterable[Drafts]) -> list[Line]:
    """A line for each (agent, prompt) that drafted, the most drafts first."""
    lines = folded(drafted(cells), lambda cell: (cell.agent, cell.prompt))
    return sorted(lines, key=lambda line: (-line.drafted, str(line.name)))


def drafted(cells: Iterable[Drafts]) -> list[Drafts]:
    """Those that an agent drafted."""
    return [cell for cell in cells if cell.origin == "drafted"]


def folded(cells: Iterable[Drafts], name: Callable[[Drafts], Any]) -> list[Line]:
    """A line for each name."""
    groups: dict[Any, list[Drafts]] = {}
    for cell in cells:
        groups.setdefault(name(cell), []).append(cell)
    return [line(key, group) for key, group in groups.items()]


def line(name: Any, cells: Sequence[Drafts]) -> Line:
    """Those cells together."""

    def total(field: str) -> int:
        return sum(getattr(cell, field) for cell in cells)

    return Line(
        name, total("items"), total("refused"), total("waiting"), total("saved"), total("discarded"), total("edited"),
        total("reviews"), total("measured"), known(cell.active for cell in cells), total("timed"),
        known(cell.generation for cell in cells),
        None if total("unpriced") or total("timed") < total("items") else known(cell.cost for cell in cells),
    )  # fmt: skip


def known(values: Iterable[float | None]) -> float | None:
    """The sum of those that are there; None when none is."""
    there = [value for value in values if value is not None]
    return sum(there) if there else None


def share(part: int, whole: int) -> float | None:
    """0..1; None of nothing."""
    return part / whole if whole else None


def page_of(table: Construction) -> Page:
    """The paper's columns first, then what they were made from."""
    heads = [table.by, "discard %", "edit %", "avg. time (s)", "total (h)", "drafts", "refused", "saved", "discarded", "edited",
             "decisions timed", "active (h)", "generation (h)"]  # fmt: skip
    rows = [_row(words(label(line.name, table.by)), line) for line in table.lines]
    title = f"Construction by {table.by}"
    made = Table(title, heads, [*rows, _row(words("all"), table.whole)], NOTES)
    return Page(title, [made], notes=remarks(table))


def remarks(table: Construction) -> list[str]:
    """What must be known beside the figures."""
    said = []
    if table.offline:
        said.append(f"{table.offline:,} of {table.whole.drafted:,} drafts are by the offline agent (no LLM).")
    if table.others:
        found = ", ".join(f"{n:,} {origin}" for origin, n in sorted(table.others.items()))
        said.append(f"Not drafts, and not in the table: {found}.")
    return said


def label(name: Any, by: str) -> str:
    """What a row is called."""
    return f"no {by}" if name is None else str(name).replace("_", " ") if by == "task" else str(name)


def _row(name: Cell, line: Line) -> list[Cell]:
    hours = [None if value is None else value / 3600 for value in (line.total, line.active, line.generation)]
    counts = [line.drafted, line.refused, line.saved, line.discarded, line.edited, line.measured]
    return [name, figure(line.discard_share, 1, 100), figure(line.edit_share, 1, 100), figure(line.active_mean, 1),
            figure(hours[0], 2), *map(count, counts), figure(hours[1], 2), figure(hours[2], 2)]  # fmt: skip


def _place(line: Line) -> tuple[bool, str]:
    return line.name is None, str(line.name)
