"""If two runs are on different releases, separate the effect of changed gold answers from the effect of the systems. Each run's
stored answers are compared with the gold answers of both releases, on the questions that both releases contain. No system and
no judge is asked."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run, Span, Trace
from core.statistics.clusters import clusters
from core.statistics.statistics import Interval, bootstrap_many
from eval.metric import metrics, split_name
from eval.scoring.scoring import make_case, score_cases
from store.engine.database import Database
from store.releases.releases import ReleaseMembers
from store.runs import runs
from workbench.evaluate.running.questions import list_questions


@dataclass(frozen=True, slots=True)
class RelabelledQuestion:
    """A question that both releases contain, with the scores of both runs' answers."""

    item: str
    question: str
    answer: str | None
    """Answer of the first run, or None if the system failed."""
    golds: tuple[tuple[str, ...], tuple[str, ...]]
    """Gold answers of the question: (in the first release, in the second release)."""
    before: float | None
    """Score of the first run's answer against the first release's gold answers."""
    relabelled: float | None
    """Score of the first run's answer against the second release's gold answers."""
    after: float | None
    """Score of the second run's answer against the second release's gold answers."""

    @property
    def is_relabelled(self) -> bool:
        return self.before != self.relabelled


@dataclass(frozen=True, slots=True)
class LabelComparison:
    """The score difference between two runs on two releases, divided into the effect of changed gold answers and the effect of
    the systems."""

    metric: str
    all: Interval
    """Mean score of the second run minus mean score of the first run, over the questions with all three scores."""
    labels: Interval
    """Part of the difference that changed gold answers cause: the same answers with different gold answers."""
    systems: Interval
    """Part of the difference that the systems cause: different answers with the same gold answers."""
    questions: Sequence[RelabelledQuestion]
    only: tuple[int, int]
    """(Number of questions that only the first release contains, number that only the second contains)."""


def compare_labels(
    database: Database, first: Run, second: Run, contents: tuple[ReleaseMembers, ReleaseMembers], metric: str
) -> LabelComparison:
    """Return the score difference between two runs on two releases, divided into its causes. Raises BenchError if the metric
    needs a judge or a model, or if the releases share no question."""
    if pick(metrics(), split_name(metric).metric, "metric").score is None:
        able = ", ".join(
            sorted(name for name, candidate in metrics().items() if candidate.score and candidate.higher_is_better)
        )
        raise BenchError(f"{metric} cannot be scored again without asking a judge or a model: choose one of {able}.")
    old, new = ({item.id: item for item in content.items} for content in contents)
    shared = [id_ for id_ in old if id_ in new]
    if not shared:
        raise BenchError(f"{first.release} and {second.release} have no question in common, so no answer can be scored again.")
    answers, others = (
        {trace.item: trace for trace in runs.load_traces(database, run.id) if trace.variant is None} for run in (first, second)
    )
    before = _score(answers, shared, contents[0], metric)
    relabelled = _score(answers, shared, contents[1], metric)
    after = _score(others, shared, contents[1], metric)
    questions = [
        RelabelledQuestion(
            id_,
            new[id_].question,
            answers[id_].answer if id_ in answers else None,
            (old[id_].answers, new[id_].answers),
            before.get(id_),
            relabelled.get(id_),
            after.get(id_),
        )
        for id_ in shared
    ]
    rows = [(question.item, question.before, question.relabelled, question.after) for question in questions]
    complete = [(id_, a, b, c) for id_, a, b, c in rows if a is not None and b is not None and c is not None]
    clusters_of = clusters({id_: [span.document for span in new[id_].evidence] for id_, *_ in complete}).of
    table = [[c - a, b - a, c - b] for _, a, b, c in complete] or [[float("nan")] * 3]
    whole, labels, systems = bootstrap_many(table, [clusters_of[id_] for id_, *_ in complete] or None)
    return LabelComparison(metric, whole, labels, systems, questions, (len(old) - len(shared), len(new) - len(shared)))


def _score(traces: Mapping[str, Trace], items: Sequence[str], content: ReleaseMembers, metric: str) -> dict[str, float | None]:
    """Return a dict from item to score; the score is None if the answer failed or could not be scored."""
    texts = {document.id: document.text for document in content.documents}
    wanted = set(items) & traces.keys()
    questions = {question.item: question for question in list_questions(content, False, None, 0) if question.item in wanted}

    def text(span: Span) -> str:
        return texts.get(span.document, "")[span.start : span.end]

    cases = [
        case
        for id_, question in questions.items()
        if traces[id_].answer is not None and (case := make_case(traces[id_], question, text))
    ]

    async def score_all() -> dict[str, float | None]:
        return {
            scored.case.id: scored.values[metric].value if metric in scored.values else None
            async for scored in score_cases(cases, [split_name(metric).metric])
        }

    return asyncio.run(score_all())
