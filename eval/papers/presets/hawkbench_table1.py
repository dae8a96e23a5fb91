"""hawkbench_table1: how the items of a workspace were made (independent of runs): how many drafts of each level were saved,
edited or discarded, and how long this took. Discard % = discarded / (discarded + saved); edit % = saved with another question
or answer / saved; time = active seconds; total = time for generation and active time; mean F1 as defined on HawkBench's own
statistics page. The paper's columns come first, then the counts from which they are computed."""

from core.quality.construction import NOTES, Construction, ConstructionRow, remarks
from eval.page import DASH, Cell, Page, Record, figure, tabulate
from eval.preset import Preset


def build(table: Construction) -> Page:
    records: list[Record] = []
    for line in table.lines:
        names = [Cell(DASH) if part is None else str(part) for part in line.name]
        records.append({**dict(zip(table.by, names, strict=True)), **_list_figures(line)})
    whole = {name: "" if n else "all" for n, name in enumerate(table.by)}
    records.append({**whole, **_list_figures(table.whole)})
    title = f"HawkBench: construction by {' and '.join(table.by)}"
    return Page(title, [tabulate(title, records, NOTES)], notes=remarks(table))


def _list_figures(line: ConstructionRow) -> Record:
    def hours(seconds: float | None) -> Cell:
        return figure(None if seconds is None else seconds / 3600, 2)

    return {
        "discard %": figure(line.discard_share, 1, 100),
        "edit %": figure(line.edit_share, 1, 100),
        "avg. time (s)": figure(line.active_mean, 1),
        "total (h)": hours(line.total),
        "drafts": line.drafted,
        "refused": line.refused,
        "waiting": line.waiting,
        "saved": line.saved,
        "discarded": line.discarded,
        "edited": line.edited,
        "decisions timed": line.measured,
        "active (h)": hours(line.active),
        "drafts with calls": line.timed,
        "generation (h)": hours(line.generation),
        "mean F1": figure(line.mean_f1, 3),
        "answers of the RAG check": line.checked,
    }


PRESET = Preset(label="HawkBench table 1: construction", build=build, of="drafts")
