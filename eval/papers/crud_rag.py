"""What CRUD-RAG's tables share: its six tasks, its columns, its six factors, and which of the runs given are the base and which
differ from it in one factor. Runs that repeat one setting are taken together, by the mean of each answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Item, Run, Score
from eval.page import Cell, Page, Table, count, figure, words
from eval.reports.layout import list_notes
from eval.reports.metric_names import split_name
from eval.reports.report import Report
from eval.reports.results import ResultRow
from eval.retriever import retrievers
from eval.running.retrieval import CHUNK_TOKENS
from eval.system import systems

TASKS = {
    "summary": "summary",
    "continuation": "continuation",
    "hallucination_repair": "hallucination modification",
    "qa_one_document": "question answering, 1 document",
    "qa_two_documents": "question answering, 2 documents",
    "qa_three_documents": "question answering, 3 documents",
}
"""In the paper's order, with its names."""
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
"""Head -> (metric, part)."""
NOT_RUN = "not run"
NOTES = (
    "Hundredths. bleu is the paper's, without brevity penalty: an echo of the question can win it, so BLEU with the penalty "
    "and the length stand beside it. rouge-L is over jieba's words, punctuation too. bertScore is the paper's name for a "
    "cosine of sentence embeddings. Characters and words: an answer's mean length, the paper's in characters.",
)


class FactorSetting(NamedTuple):
    """One value of each of the six factors."""

    chunk: int
    overlap: int
    """Percent of a chunk."""
    retriever: str | None
    model: str | None
    """None where nothing is embedded."""
    top_k: int | None
    agent: str | None


class FactorTable(NamedTuple):
    """One factor's table."""

    name: str
    """Field of Setting."""
    label: str
    values: Sequence[Any]
    """The paper's; () where they are its own models, which nobody else has."""


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
    """Runs, laid out around their base."""

    base: FactorSetting
    rows: Mapping[FactorSetting, Sequence[ResultRow]]
    first: Mapping[FactorSetting, int]
    """Number of the first run of each setting."""
    left_out: int
    """Runs that differ from the base in something else."""

    def vary_factor(self, factor: str) -> dict[Any, FactorSetting]:
        """Value -> setting: the base, and what differs from it in that factor alone."""
        return {getattr(s, factor): s for s in self.rows if s == self.base or find_varied_factor(self.base, s) == factor}


def lay_out_settings(report: Report) -> SweepLayout:
    """The base is the setting that most others differ from in one factor alone; of several the one nearest to the paper's."""
    groups: dict[str, dict[FactorSetting, list[int]]] = {}
    for number, result in enumerate(report.results):
        groups.setdefault(_rest(result.run), {}).setdefault(read_factors(result.run), []).append(number)
    members = max(groups.values(), key=len)

    def fit(setting: FactorSetting) -> tuple[int, int]:
        near = sum(getattr(setting, name) == value for name, value in PAPERS_BASE.items())
        return sum(find_varied_factor(setting, other) is not None for other in members), near

    base = max(members, key=fit)
    used = sum(len(numbers) for setting, numbers in members.items() if setting == base or find_varied_factor(base, setting))
    return SweepLayout(
        base,
        {setting: pool_repeats([report.rows[n] for n in numbers]) for setting, numbers in members.items()},
        {setting: numbers[0] for setting, numbers in members.items()},
        len(report.results) - used,
    )


def read_factors(run: Run) -> FactorSetting:
    """What a run has of the six factors, defaults filled in."""
    adapter, retriever = systems().get(run.system.name), run.config.get("retriever")
    defaults = dict(retrievers()[retriever].settings) if retriever and retriever in retrievers() else {}
    found = {**defaults, **(adapter.settings if adapter else {}), **run.config.get("settings", run.system.settings)}
    chunk = int(found.get("chunk_tokens", CHUNK_TOKENS))
    overlap = round(100 * int(found.get("chunk_overlap", 0)) / chunk)
    model = found.get("embedding_model") if "embedding_model" in defaults else None
    top_k = found.get("top_k")
    return FactorSetting(chunk, overlap, retriever, model, None if top_k is None else int(top_k), run.agent)


def find_varied_factor(base: FactorSetting, other: FactorSetting) -> str | None:
    """The one factor in which they differ; None when it is none or several. Chunk size goes with top-k, and a retriever that
    embeds nothing has no embedding model."""
    found = {name for name in FactorSetting._fields if getattr(base, name) != getattr(other, name)}
    if "retriever" in found and None in (base.model, other.model):
        found.discard("model")
    if found == {"chunk", "top_k"}:
        found = {"chunk"}
    return found.pop() if len(found) == 1 else None


def pool_repeats(repeats: Sequence[Sequence[ResultRow]]) -> list[ResultRow]:
    """The rows of one run, or of its repetitions with each answer's mean."""
    by_key: dict[tuple[str, str | None], list[ResultRow]] = {}
    for row in (row for rows in repeats for row in rows):
        by_key.setdefault(row.key, []).append(row)
    return [
        rows[0] if len(rows) == 1 else replace(rows[0], failed=all(r.failed for r in rows), points=_means(rows))
        for rows in by_key.values()
    ]


def list_tasks(rows: Iterable[ResultRow | Item]) -> list[str]:
    """The paper's tasks that there are, then others."""
    found = {row.task for row in rows}
    return [task for task in TASKS if task in found] + sorted(found - set(TASKS))


def name_task(task: str) -> str:
    return TASKS.get(task, task.replace("_", " "))


def find_metric_name(rows: Sequence[ResultRow], metric: str, part: str) -> str | None:
    """The full name under which that figure was scored, an offline judge's too; None when it was not."""
    for name in sorted({name for row in rows for name in row.points}):
        found = split_name(name)
        if (found.metric, found.part) == (metric, part) and ".judge" not in found.base:
            return name
    return None


def build_factor_page(report: Report, factor: str) -> Page:
    """Task by setting, as the paper's tables 3 to 8. Raises BenchError when the runs do not vary that factor."""
    table = next(one for one in FACTORS if one.name == factor)
    found = lay_out_settings(report)
    settings = found.vary_factor(factor)
    if len(settings) < 2:
        raise BenchError(
            f"These runs do not vary the {table.label.partition(',')[0]} alone, so there is nothing to compare: "
            "choose the runs of a sweep."
        )
    values: list[Any] = list(dict.fromkeys([*table.values, *settings]))
    if all(value is None or isinstance(value, int) for value in values):
        values.sort(key=lambda value: (value is None, value))
    lines: list[list[Cell]] = []
    for task in list_tasks([row for setting in settings.values() for row in found.rows[setting]]):
        lines += [_line(report, task, value, settings.get(value), found) for value in values]
    title = f"CRUD-RAG: {table.label.partition(',')[0]}"
    heads = ["task", table.label, *(["top-k"] if factor == "chunk" else []), "n", "failed", *COLUMNS]
    if factor == "chunk":
        for line in lines:
            setting = settings.get(line[1].value)
            line.insert(2, words(NOT_RUN) if setting is None or setting.top_k is None else count(setting.top_k))
    return Page(title, [Table(title, heads, lines, [*NOTES, *describe_base(found)])], notes=list_notes(report))


def describe_base(found: SweepLayout) -> list[str]:
    """What the base is, and what is not in the table."""
    base = found.base
    said = [
        f"{base.retriever or 'no retriever'}",
        f"chunks of {base.chunk} tokens",
        f"overlap {base.overlap} %",
        *([f"top-k {base.top_k}"] if base.top_k is not None else []),
        *([base.model] if base.model else []),
        *([base.agent] if base.agent else []),
    ]
    notes = [f"Base: {', '.join(said)}."]
    if found.left_out:
        are = "run differs" if found.left_out == 1 else "runs differ"
        notes.append(
            f"{found.left_out} {are} from the base in more than one factor, or in something else, and stand in no table."
        )
    return notes


def _line(report: Report, task: str, value: Any, setting: FactorSetting | None, found: SweepLayout) -> list[Cell]:
    head = [words(name_task(task)), count(value) if isinstance(value, int) else words("none" if value is None else value)]
    rows = [row for row in found.rows[setting] if row.task == task] if setting else []
    if not rows:
        return [*head, *(words(NOT_RUN) for _ in range(2 + len(COLUMNS)))]
    summaries = report.summaries(rows)
    cells = []
    for metric, part in COLUMNS.values():
        name = find_metric_name(rows, metric, part)
        mean = summaries[name].mean if name in summaries else None
        scale, digits = (1.0, 1) if metric == "length" else (100.0, 2)
        cells.append(words(NOT_RUN) if name is None else figure(mean, digits, scale))
    return [*head, count(len(rows)), count(sum(row.failed for row in rows)), *cells]


def _means(rows: Sequence[ResultRow]) -> dict[str, Score]:
    """Per metric: one score with the mean of those that have a value."""
    found: dict[str, list[Score]] = {}
    for row in rows:
        for name, score in row.points.items():
            found.setdefault(name, []).append(score)
    valued = {name: [s.value for s in scores if s.value is not None] for name, scores in found.items()}
    return {
        name: replace(scores[0], value=fmean(valued[name]), why="") if valued[name] else scores[0]
        for name, scores in found.items()
    }


def _rest(run: Run) -> str:
    """What sets runs apart besides the six factors."""
    own = {"chunk_tokens", "chunk_overlap", "top_k", *(name for r in retrievers().values() for name in r.settings)}
    settings = run.config.get("settings", run.system.settings)
    return canonical_json(
        [
            run.release_hash,
            run.system.name,
            {key: value for key, value in settings.items() if key not in own},
            run.config.get("variants"),
            run.config.get("sample"),
        ]
    )
