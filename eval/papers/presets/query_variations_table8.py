"""query_variations_table8: in_accuracy in hundredths and mean retriever calls in one cell, of the systems that search by
embeddings."""

from core.errors import BenchError
from eval.page import Cell, Page, Table, words
from eval.preset import Preset
from eval.robustness.layout import NOT_AVAILABLE, FigureRow, build_full_table, collect_figures, list_columns, list_notes
from eval.robustness.study import Study


def build(study: Study) -> Page:
    """Raises BenchError without such a run."""
    arms = [number for number, arm in enumerate(study.arms) if arm.facts.get("retriever") == "dense"]
    if not arms:
        raise BenchError("None of these runs searches with the dense retriever: choose one that does.")
    rows = [FigureRow("in_accuracy", 100.0, 1), FigureRow("searches", 1.0, 2)]
    found = collect_figures(study, rows, arms)
    title = "Query variations: dense retrieval"
    heads = list_columns(study, rows)
    tables = []
    for which, by_arm in found.items():
        lines = []
        for arm, made in by_arm.items():
            cells = []
            for kind in heads:
                right, calls = made["in_accuracy", kind].mean, made["searches", kind].mean
                texts = [
                    NOT_AVAILABLE if right is None else f"{100 * right:.1f}",
                    NOT_AVAILABLE if calls is None else f"{calls:.2f}",
                ]
                cells.append(Cell(" / ".join(texts), " / ".join(texts)))
            lines.append([words(study.arms[arm].name), *cells])
        tables.append(Table(f"{title}, {which}", ["system", *heads], lines, ["in_accuracy, hundredths / retriever calls."]))
    return Page(title, [*tables, build_full_table(study, rows, found)], notes=list_notes(study))


PRESET = Preset(label="Query variations table 8: accuracy and calls with dense retrieval", build=build, of="wordings")
