"""Metrics, and the ScoringCase that they score. A value is in the metric's own scale, never multiplied by 100; None is never
0."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from core.catalog import catalog
from core.nouns import Span
from core.text.language import rows
from eval.retriever import Embedders
from eval.settings import Settings

_NAME = re.compile(r"(?P<base>(?P<metric>[a-z0-9_]+)(?:\.offline)?(?:\.judge\d+)?)(?P<part>[.@].*)?")


class QuestionPage(NamedTuple):
    """One search result page that belongs to a question."""

    rank: int
    """Rank from 1; pages with the same text count once, at their best rank."""
    url: str
    snippet: str
    text: Callable[[], str]
    """Returns the whole text of the page."""


@dataclass(frozen=True, slots=True)
class ScoringCase:
    """One answer to score: from a trace, or from a line of a predictions file."""

    id: str
    prediction: str
    answers: tuple[str, ...]
    language: str = "en"
    question: str = ""
    evidence: tuple[Span, ...] = ()
    retrieved: tuple[Span, ...] | None = None
    contexts: tuple[str, ...] = ()
    """Texts of the retrieved passages."""
    observed: tuple[str, ...] = ()
    """Texts that the system observed: function results, and every passage that a search found."""
    scratchpad: tuple[str, ...] = ()
    """Texts that the system wrote and observed, in order."""
    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other fields of the predictions line. For a run: `top_k` if it is set, the label `answer_url`, `stop` if a refused call
    is scored, and the `question_set` that replaces the gold answer, with `question_set_version` if a person wrote the set."""
    pages: Callable[[], Sequence[QuestionPage]] = tuple
    """Returns the pages that belong to the question, by rank."""
    is_left_out: bool = False
    """Whether a document with gold evidence was excluded from retrieval, so that no retriever can find it."""


@dataclass(frozen=True, slots=True)
class Unscored:
    """A missing value with its reason, in a few words."""

    why: str


Values = Mapping[str, float | Unscored | None]
"""Values by part: "" is the metric's own name, "precision" becomes NAME.precision, "@5" becomes NAME@5."""
NO_GOLD = Unscored("no gold answer")


def drop_blank_golds(answers: Sequence[str]) -> tuple[str, ...]:
    """Return the gold answers; none if all are blank, because a blank one would score 0 against any answer."""
    return tuple(answers) if any(answer.strip() for answer in answers) else ()


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """The result of a judged metric for one case."""

    values: Values
    details: Mapping[str, Any] = field(default_factory=dict)
    """Individual verdicts with the judge's replies, as JSON values; stored beside the scores."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One metric, named after its file. Exactly one of `score`, `batch` and `judge` is set."""

    version: str = "1"
    """Version of formula, tokenizer, stemmer and smoothing; part of a score's identity."""
    low: float | None = 0.0
    high: float | None = 1.0
    """Upper bound of the scale, as `low` is the lower bound; None = unbounded."""
    higher_is_better: bool | None = True
    """Whether higher values are better; None = no order, so no value in the column is marked as best."""
    counts: tuple[str, ...] = ()
    """Parts that are counts and lie outside the scale."""
    explain_language: Callable[[str], str] = lambda language: ""
    """Language -> why the metric cannot score it, as the end of a sentence; "" if it can. Answers in other languages are
    unscored."""
    headline: str = ""
    """Part shown when a table has one column for the metric."""
    reference: str = ""
    """Reference implementation that the values match, and with which tolerance; "" = there is no other implementation."""
    settings: Settings = field(default_factory=dict)
    """Settings with their defaults: `--set bertscore.layer=9` sets layer."""
    score: Callable[[ScoringCase], Values] | None = None
    batch: Callable[[Sequence[ScoringCase], Settings, Embedders], Sequence[Values]] | None = None
    """Scores many cases at once with a model: (cases, settings, embedding models) -> the values of each. Raises BenchError if
    the model is missing."""
    judge: Callable[..., Awaitable[JudgedScore]] | None = None
    """(case, judge, votes), with `settings` as a keyword if the metric has settings. Raises AgentError. An unreadable reply
    gives Unscored and keeps its text."""
    describe_settings: Callable[[Settings, Embedders], str] = lambda settings, embedders: ""
    """Short text on the settings and the model as far as they change the values; part of a score's version."""
    describe_case: Callable[[ScoringCase], str] = lambda case: ""
    """Short text on the case data, besides answer and gold answers, that changes the judge's prompt; part of the version of the
    case's scores. Of two successive versions, the newer one sorts later as text."""
    scores_refusals: bool = False
    """Whether a call that the endpoint refused is scored as an answer, with `stop` in the case's extra; for other metrics it is
    a failed trace."""
    derived: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Data-set values that are not a mean of item values: {part: mean of its item values} -> {part: value}. Works element-wise
    on arrays of means, so that intervals can be computed (s_f1)."""

    def describe_languages(self) -> str:
        """Return the languages that the metric can score, in a few words: "all", "all but ja", "en, zh"."""
        refused = [language for language in rows() if self.explain_language(language)]
        if not refused:
            return "all"
        scored = [language for language in rows() if language not in refused]
        return ", ".join(scored) if len(scored) < len(refused) else f"all but {', '.join(refused)}"


def score_only(*languages: str, why: str) -> Callable[[str], str]:
    """Return an `explain_language` that gives that reason for every other language."""
    return lambda language: "" if language in languages else why


class MetricName(NamedTuple):
    """Parts of a full name: s_f1.offline.recall is metric s_f1, base s_f1.offline, part recall; evidence_recall@5 has part
    @5."""

    metric: str
    """File name of the metric."""
    base: str
    """Name with .offline and .judge1, if present."""
    part: str
    """Part of the metric; empty = the metric's own value."""


def join_name(metric: str, part: str) -> str:
    """Return the full name of a part: s_f1 and precision give s_f1.precision; evidence_recall and @5 are joined without a
    dot."""
    return metric + part if not part or part.startswith("@") else f"{metric}.{part}"


@lru_cache(maxsize=1000)
def split_name(name: str) -> MetricName:
    """Return the parts of a full name. A name in another format is its own metric and base."""
    match = _NAME.fullmatch(name)
    if match is None:
        return MetricName(name, name, "")
    return MetricName(match["metric"], match["base"], (match["part"] or "").removeprefix("."))


def metrics() -> Mapping[str, Metric]:
    """Return all metrics by name."""
    return catalog("eval.metrics", "METRIC", Metric)
