"""Share code between CRUD-RAG's tables: its six tasks, its columns and its six factors, and the choice of a base setting and of
the runs that differ from it in one factor. Repeated runs of one setting are pooled: each answer's scores are averaged over the
repetitions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Item, Run, Score
from eval.page import Cell, Page, Table, count, figure, words
from eval.preset import Preset
from eval.reports.report import Report
from eval.reports.results import ResultRow, RowKey, Rows, find_part
from eval.retriever import retrievers
from eval.running.retrieval import CHUNK_TOKENS
from eval.settings import list_defaults
from eval.system import systems

TASKS = {
    "summary": "summary",
    "continuation": "continuation",
    "hallucination_repair": "hallucination modification",
    "qa_one_document": "question answering, 1 document",
    "qa_two_documents": "question answering, 2 documents",
    "qa_three_documents": "question answering, 3 documents",
}
"""A dict from each of CRUD-RAG's tasks to its name in the paper, in the paper's order."""
COLUMNS = {
    "bleu": ("bleu_crud", ""),
    "bleu with penalty": ("bleu", ""),
    "rouge-L": ("rouge_l_crud", ""),
    "bertScore": ("embed_cosine", ""),
    "RAGQuestEval precision": ("rag_quest_eval", "precision"),
    "RAGQuestEval recall": ("rag_quest_eval", "recall"),
    "characters": ("length", "characters"),
    "words": ("length", ""),
}
"""A dict from the head of a column to the (metric, part) that it shows."""
NOT_RUN = "not run"
NOTES = (
    "Values in hundredths. bleu is the paper's BLEU, without brevity penalty: an answer that repeats the question "
    "can get the highest value, so the table also shows BLEU with the penalty and the length. rouge-L is "
    "computed over jieba's words, including punctuation. bertScore is the paper's name for a cosine of sentence "
    "embeddings. Characters and words: mean length of an answer; the paper gives it in characters.",
)


class FactorSetting(NamedTuple):
    """A run's setting: one value for each of CRUD-RAG's six factors (chunk size, overlap, retriever, ...)."""

    chunk: int
    overlap: int
    """Overlap of neighbouring chunks, as a percentage of a chunk."""
    retriever: str | None
    model: str | None
    """Name of the embedding model, or None if the retriever uses none."""
    top_k: int | None
    agent: str | None


class FactorTable(NamedTuple):
    """One of CRUD-RAG's factors, with the paper's table that varies it."""

    name: str
    """Name of the field of FactorSetting that the table varies."""
    label: str
    values: Sequence[Any]
    """Values of the factor in the paper; () for agents and embedding models, because each user has other agents and models than
    the paper."""


FACTORS = (
    FactorTable("chunk", "chunk size", (64, 128, 256, 512)),
    FactorTable("overlap", "overlap, %", (0, 10, 30, 50, 70)),
    FactorTable("retriever", "retriever", ("dense", "bm25", "hybrid", "rerank")),
    FactorTable("model", "embedding model", ()),
    FactorTable("top_k", "top-k", (2, 4, 6, 8, 10)),
    FactorTable("agent", "agent", ()),
)
PAPERS_BASE = {"chunk": 128, "overlap": 0, "retriever": "dense", "top_k": 8}


class SweepLayout(NamedTuple):
    """Runs arranged around their base setting, which is the setting from which most other settings differ in only one
    factor."""

    base: FactorSetting
    rows: Mapping[FactorSetting, Rows]
    first: Mapping[FactorSetting, int]
    """A dict from each setting to the index of its first run."""
    left_out: int
    """Number of runs that are in no table, because they differ from the base setting in several factors or in something
    else."""

    def vary_factor(self, factor: str) -> dict[Any, FactorSetting]:
        """Return a dict from each value of the factor to the setting with that value: the base setting, and the settings that
        differ from it only in this factor. For a chunk size, a run with another top-k than the base setting's is used only if
        no run has the base setting's top-k."""
        varied = [s for s in self.rows if s == self.base or find_varied_factor(self.base, s) == factor]
        exact_last = sorted(varied, key=lambda setting: not is_coupled(self.base, setting))
        found = {getattr(setting, factor): setting for setting in exact_last}
        return {getattr(setting, factor): found[getattr(setting, factor)] for setting in varied}


def lay_out_settings(report: Report) -> SweepLayout:
    """Arrange the runs around a base setting, which is the setting from which most other settings differ in only one factor.
    Settings that differ in both chunk size and top-k only count if several settings tie; if settings still tie, the setting
    closest to the paper's is chosen."""
    groups: dict[str, dict[FactorSetting, list[int]]] = {}
    for number, result in enumerate(report.results):
        groups.setdefault(_key_rest(result.run), {}).setdefault(read_factors(result.run), []).append(number)
    members = max(groups.values(), key=len)

    def rate(setting: FactorSetting) -> tuple[int, int, int]:
        near = sum(getattr(setting, name) == value for name, value in PAPERS_BASE.items())
        neighbours = [other for other in members if find_varied_factor(setting, other)]
        return sum(not is_coupled(setting, other) for other in neighbours), len(neighbours), near

    base = max(members, key=rate)
    used = sum(len(numbers) for setting, numbers in members.items() if setting == base or find_varied_factor(base, setting))
    return SweepLayout(
        base,
        {setting: pool_repeats([report.rows[n] for n in numbers]) for setting, numbers in members.items()},
        {setting: numbers[0] for setting, numbers in members.items()},
        len(report.results) - used,
    )


def read_factors(run: Run) -> FactorSetting:
    """Return the run's values of CRUD-RAG's six factors, including defaults."""
    adapter, retriever = systems().get(run.system.name), run.config.get("retriever")
    defaults = list_defaults(retrievers()[retriever].settings) if retriever and retriever in retrievers() else {}
    own = list_defaults(adapter.settings) if adapter else {}
    settings = {**defaults, **own, **run.config.get("settings", run.system.settings)}
    chunk = int(settings.get("chunk_tokens", CHUNK_TOKENS))
    overlap = round(100 * int(settings.get("chunk_overlap", 0)) / chunk)
    model = settings.get("embedding_model") if "embedding_model" in defaults else None
    top_k = settings.get("top_k")
    return FactorSetting(chunk, overlap, retriever, model, None if top_k is None else int(top_k), run.agent)


def find_varied_factor(base: FactorSetting, other: FactorSetting) -> str | None:
    """Return the factor in which two settings differ, or None if they differ in no factor or in several factors. A chunk size
    that varies together with top-k counts as one factor, and so does a retriever without embeddings, which has no embedding
    model."""
    varied = {name for name in FactorSetting._fields if getattr(base, name) != getattr(other, name)}
    if "retriever" in varied and None in (base.model, other.model):
        varied.discard("model")
    if varied == {"chunk", "top_k"}:
        return "chunk"
    return varied.pop() if len(varied) == 1 else None


def is_coupled(base: FactorSetting, other: FactorSetting) -> bool:
    """Return whether both the chunk size and top-k of two settings differ."""
    return base.chunk != other.chunk and base.top_k != other.top_k


def pool_repeats(repeats: Sequence[Rows]) -> list[ResultRow]:
    """Return the rows of a run; if the run was repeated, each answer's scores are the means over the repetitions."""
    by_key: dict[RowKey, list[ResultRow]] = defaultdict(list)
    for rows in repeats:
        for row in rows:
            by_key[row.key].append(row)
    return [
        rows[0] if len(rows) == 1 else replace(rows[0], failed=all(r.failed for r in rows), points=_average_scores(rows))
        for rows in by_key.values()
    ]


def list_tasks(rows: Iterable[ResultRow | Item]) -> list[str]:
    """Return the tasks of the rows: first the paper's tasks in the paper's order, then other tasks."""
    tasks = {row.task for row in rows}
    return [task for task in TASKS if task in tasks] + sorted(tasks - set(TASKS))


def name_task(task: str) -> str:
    return TASKS.get(task, task.replace("_", " "))


def make_factor_preset(label: str, factor: str) -> Preset:
    """Return the preset of one of CRUD-RAG's tables 3 to 8, in which only `factor` varies."""
    return Preset(label=label, build=partial(build_factor_page, factor=factor))


def build_factor_page(report: Report, factor: str) -> Page:
    """Return the page that compares tasks over the values of one factor. Raises BenchError if the runs do not vary this
    factor."""
    table = next(table for table in FACTORS if table.name == factor)
    subject = table.label.partition(",")[0]
    layout = lay_out_settings(report)
    settings = layout.vary_factor(factor)
    if len(settings) < 2:
        raise BenchError(
            f"No two of these runs differ only in the {subject}, so there is nothing to compare: choose the runs of a "
            "parameter sweep."
        )
    values: list[Any] = list(dict.fromkeys([*table.values, *settings]))
    if all(value is None or isinstance(value, int) for value in values):
        values.sort(key=lambda value: (value is None, value))
    lines: list[list[Cell]] = []
    for task in list_tasks([row for setting in settings.values() for row in layout.rows[setting]]):
        for value in values:
            setting = settings.get(value)
            top_k = setting.top_k if setting else None
            coupled = [words(NOT_RUN) if top_k is None else count(top_k)] if factor == "chunk" else []
            head = count(value) if isinstance(value, int) else words("none" if value is None else value)
            rows = [row for row in layout.rows[setting] if row.task == task] if setting else []
            lines.append([words(name_task(task)), head, *coupled, *_list_figures(report, rows)])
    heads = ["task", table.label, *(["top-k"] if factor == "chunk" else []), "n", "failed", *COLUMNS]
    title = f"CRUD-RAG: {subject}"
    return Page(title, [Table(title, heads, lines, [*NOTES, *describe_base(layout)])], notes=report.notes)


def describe_base(layout: SweepLayout) -> list[str]:
    """Return notes on the base setting, and on runs that are not in the table."""
    base = layout.base
    parts = [base.retriever or "no retriever", f"chunks of {base.chunk} tokens", f"overlap {base.overlap} %"]
    parts += [f"top-k {base.top_k}"] if base.top_k is not None else []
    notes = [f"Base: {', '.join([*parts, *filter(None, (base.model, base.agent))])}."]
    if layout.left_out:
        are = "run differs" if layout.left_out == 1 else "runs differ"
        notes.append(f"{layout.left_out} {are} from the base in more than one factor, or otherwise, and are in no table.")
    return notes


def _list_figures(report: Report, rows: Rows) -> list[Cell]:
    if not rows:
        return [words(NOT_RUN) for _ in range(2 + len(COLUMNS))]
    summaries = report.summaries(rows)
    cells = [count(len(rows)), count(sum(row.failed for row in rows))]
    for metric, part in COLUMNS.values():
        name = find_part(rows, metric, part)
        mean = summaries[name].mean if name in summaries else None
        scale, digits = (1.0, 1) if metric == "length" else (100.0, 2)
        cells.append(words(NOT_RUN) if name is None else figure(mean, digits, scale))
    return cells


def _average_scores(rows: Rows) -> dict[str, Score]:
    """Return a dict from metric to a Score with the mean over the rows that have a value."""
    scores: dict[str, list[Score]] = defaultdict(list)
    for row in rows:
        for name, score in row.points.items():
            scores[name].append(score)
    valued = {name: [score.value for score in own if score.value is not None] for name, own in scores.items()}
    return {
        name: replace(own[0], value=fmean(valued[name]), why="") if valued[name] else own[0] for name, own in scores.items()
    }


def _key_rest(run: Run) -> str:
    """Return a key made of all properties in which runs can differ, except CRUD-RAG's six factors."""
    own = {"chunk_tokens", "chunk_overlap", "top_k", *(name for r in retrievers().values() for name in r.settings)}
    settings = run.config.get("settings", run.system.settings)
    others = {key: value for key, value in settings.items() if key not in own}
    return canonical_json([run.release_hash, run.system.name, others, run.config.get("variants"), run.config.get("sample")])
