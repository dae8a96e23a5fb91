"""What became of each agent's drafts, by the version of its prompt: how often one was taken as it was, how much was edited, and
what a saved item cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.construction import Drafts, Line, drafted, folded
from eval.page import Cell, Page, Table, count, figure, words


@dataclass(frozen=True, slots=True)
class Maker:
    """One agent with one version of a prompt."""

    agent: str | None
    prompt: str | None
    """name@hash."""
    line: Line
    characters: int
    """Insertions, deletions and changes of a character between the drafts' questions and answers and those saved."""


def makers(cells: Iterable[Drafts], characters: Mapping[object, int]) -> list[Maker]:
    """Whoever drafted, the most drafts first. `characters` is by (agent, prompt)."""
    lines = folded(drafted(cells), lambda cell: (cell.agent, cell.prompt))
    ordered = sorted(lines, key=lambda line: (-line.drafted, str(line.name)))
    return [Maker(line.name[0], line.name[1], line, characters.get(line.name, 0)) for line in ordered]


def page_of(found: Sequence[Maker]) -> Page:
    """All of them, with what each figure rests on."""
    heads = ["agent", "prompt", "drafts", "refused", "waiting", "saved", "saved unchanged",
             "saved unchanged (share of decided)", "edited", "characters edited", "discarded", "discarded (share of decided)",
             "decisions timed", "minutes a decision", "drafts with calls", "generation (s)", "USD",
             "USD a saved item"]  # fmt: skip
    return Page("Agents and prompts", [Table("Agents and prompts", heads, [_row(one, one.line) for one in found])])


def _row(one: Maker, line: Line) -> list[Cell]:
    return [
        words(one.agent or ""), words(one.prompt or ""),
        *map(count, (line.drafted, line.refused, line.waiting, line.saved, line.saved - line.edited)),
        figure(line.unchanged_share), count(line.edited), count(one.characters), count(line.discarded),
        figure(line.discard_share), count(line.measured), figure(line.active_mean, 2, 1 / 60), count(line.timed),
        figure(line.generation, 1), figure(line.cost, 4), figure(line.cost_each, 4),
    ]  # fmt: skip
