"""hawkbench_table1: construction: what became of the drafts, by level as in the paper, and what they took. It is of a
workspace, not of runs. Discard % = discarded / (discarded + saved); edit % = saved with another question or answer / saved;
time = active seconds; total = generation and active time; mean F1 as HawkBench's own page of statistics has it."""

from core.quality.construction import NOTES, Construction, ConstructionRow, remarks
from eval.page import DASH, Cell, Page, Table, count, figure, words
from eval.preset import Preset

HEADS = (
    "discard %",
    "edit %",
    "avg. time (s)",
    "total (h)",
    "drafts",
    "refused",
    "waiting",
    "saved",
    "discarded",
    "edited",
    "decisions timed",
    "active (h)",
    "drafts with calls",
    "generation (h)",
    "mean F1",
    "answers of the RAG check",
)
"""The paper's columns first, then what they were made from."""


def build(table: Construction) -> Page:
    rows = [[*map(_name, line.name), *_figures(line)] for line in table.lines]
    rows.append([*(words("all" if not n else "") for n in range(len(table.by))), *_figures(table.whole)])
    title = f"HawkBench: construction by {' and '.join(table.by)}"
    return Page(title, [Table(title, [*table.by, *HEADS], rows, NOTES)], notes=remarks(table))


def _name(part: object) -> Cell:
    return Cell(DASH) if part is None else words(part)


def _figures(line: ConstructionRow) -> list[Cell]:
    hours = (None if value is None else value / 3600 for value in (line.total, line.active, line.generation))
    total, active, generation = hours
    counts = (line.drafted, line.refused, line.waiting, line.saved, line.discarded, line.edited, line.measured)
    return [
        figure(line.discard_share, 1, 100),
        figure(line.edit_share, 1, 100),
        figure(line.active_mean, 1),
        figure(total, 2),
        *map(count, counts),
        figure(active, 2),
        count(line.timed),
        figure(generation, 2),
        figure(line.mean_f1, 3),
        count(line.checked),
    ]


PRESET = Preset(label="HawkBench table 1: construction", build=build, of="drafts")
