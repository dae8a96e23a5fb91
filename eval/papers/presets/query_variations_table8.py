"""query_variations_table8: in_accuracy (times 100) and mean number of retriever calls, side by side in each cell, for systems
that search by embeddings."""

from core.errors import BenchError
from eval.page import Page, Table, words
from eval.preset import Preset
from eval.robustness.layout import NOT_AVAILABLE, FigureRow, collect_figures, list_columns, list_notes, tabulate_all
from eval.robustness.study import Study


def build(study: Study) -> Page:
    """Return the page on systems with dense retrieval. Raises BenchError if no run uses the retriever dense."""
    arms = [number for number, arm in enumerate(study.arms) if arm.facts.get("retriever") == "dense"]
    if not arms:
        raise BenchError("None of these runs searches with the dense retriever: choose one that does.")
    rows = [FigureRow("in_accuracy", 100.0, 1), FigureRow("searches", 1.0, 2)]
    figures = collect_figures(study, rows, arms)
    title, heads = "Query variations: dense retrieval", list_columns(study, rows)
    tables = []
    for which, by_arm in figures.items():
        lines = []
        for arm, own in by_arm.items():
            line = [words(study.arms[arm].name)]
            for kind in heads:
                means = [(own[row.name, kind].mean, row) for row in rows]
                texts = [NOT_AVAILABLE if mean is None else f"{mean * r.scale:.{r.digits}f}" for mean, r in means]
                line.append(words(" / ".join(texts)))
            lines.append(line)
        tables.append(Table(f"{title}, {which}", ["system", *heads], lines, ["in_accuracy, hundredths / retriever calls."]))
    return Page(title, [*tables, tabulate_all(study, rows, figures)], notes=list_notes(study))


PRESET = Preset(label="Query variations table 8: accuracy and calls with dense retrieval", build=build, of="wordings")
