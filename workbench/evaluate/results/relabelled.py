"""What moved between two releases because of their labels, and what because of the systems: the stored answers of a run scored
against its own release's gold answers and against the other's, on the questions that both have. No system and no judge is
asked."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run, Span, Trace
from core.statistics.clusters import clusters
from core.statistics.statistics import Interval, bootstrap_many
from eval.metric import metrics
from eval.reports.metric_names import split_name
from eval.scoring.scoring import make_case, score_cases
from store.engine.database import Database
from store.releases.releases import ReleaseMembers
from store.runs import runs
from workbench.evaluate.running.questions import questions


@dataclass(frozen=True, slots=True)
class Moved:
    """One question that stands in both releases."""

    item: str
    question: str
    answer: str | None
    """The first run's; None = it failed."""
    golds: tuple[tuple[str, ...], tuple[str, ...]]
    """Gold answers in the first and in the second release."""
    before: float | None
    """The first run's answer by the first release."""
    relabelled: float | None
    """The same answer by the second release."""
    after: float | None
    """The second run's answer by the second release."""

    @property
    def is_relabelled(self) -> bool:
        return self.before != self.relabelled


@dataclass(frozen=True, slots=True)
class Relabelled:
    """Two runs on two releases."""

    metric: str
    all: Interval
    """The second run's mean less the first's, on the questions that all three have a value of."""
    labels: Interval
    """Of it, because the gold changed under the same answers."""
    systems: Interval
    """Of it, because the answers changed under the same gold."""
    questions: Sequence[Moved]
    only: tuple[int, int]
    """Questions of the first and of the second release alone."""


def relabelled(
    database: Database, first: Run, second: Run, contents: tuple[ReleaseMembers, ReleaseMembers], metric: str
) -> Relabelled:
    """Raises BenchError for a metric that needs a judge or a model, and where the releases share no question."""
    name = split_name(metric).metric
    if pick(metrics(), name, "metric").score is None:
        able = ", ".join(sorted(known for known, one in metrics().items() if one.score and one.higher_is_better))
        raise BenchError(f"{metric} cannot be scored again without asking a judge or a model: choose one of {able}.")
    old, new = ({item.id: item for item in content.items} for content in contents)
    shared = [id_ for id_ in old if id_ in new]
    if not shared:
        raise BenchError(f"{first.release} and {second.release} share no question: there is nothing to score again.")
    answers, others = (_originals(runs.load_traces(database, run.id)) for run in (first, second))
    before = _scored(answers, shared, contents[0], metric)
    again = _scored(answers, shared, contents[1], metric)
    after = _scored(others, shared, contents[1], metric)
    found = [
        Moved(
            id_,
            new[id_].question,
            answers[id_].answer if id_ in answers else None,
            (old[id_].answers, new[id_].answers),
            before.get(id_),
            again.get(id_),
            after.get(id_),
        )
        for id_ in shared
    ]
    rows = [(m.item, m.before, m.relabelled, m.after) for m in found]
    known = [(id_, a, b, c) for id_, a, b, c in rows if a is not None and b is not None and c is not None]
    together = clusters({id_: [span.document for span in new[id_].evidence] for id_, *_ in known}).of
    table = [[c - a, b - a, c - b] for _, a, b, c in known] or [[float("nan")] * 3]
    whole, labels, systems = bootstrap_many(table, [together[id_] for id_, *_ in known] or None)
    return Relabelled(metric, whole, labels, systems, found, (len(old) - len(shared), len(new) - len(shared)))


def _originals(traces: Iterable[Trace]) -> dict[str, Trace]:
    """By item, variants left out."""
    return {trace.item: trace for trace in traces if trace.variant is None}


def _scored(traces: Mapping[str, Trace], items: Sequence[str], content: ReleaseMembers, metric: str) -> dict[str, float | None]:
    """Values by item, of the answers that did not fail."""
    texts = {document.id: document.text for document in content.documents}
    wanted = set(items) & traces.keys()
    asked = {one.item: one for one in questions(content, False, None, 0) if one.item in wanted}

    def text(span: Span) -> str:
        return texts.get(span.document, "")[span.start : span.end]

    cases = [
        case for id_, one in asked.items() if traces[id_].answer is not None and (case := make_case(traces[id_], one, text))
    ]

    async def scored() -> dict[str, float | None]:
        found = {}
        async for one in score_cases(cases, [split_name(metric).metric]):
            found[one.case.id] = one.values[metric].value if metric in one.values else None
        return found

    return asyncio.run(scored())
