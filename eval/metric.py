"""Metrics, and the ScoringCase that they score. A value is in the metric's own scale, never times 100; None is never 0."""

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
    """One page that belongs to a question, as a search found it."""

    rank: int
    """From 1; pages with the same text count once, at their best rank."""
    url: str
    snippet: str
    text: Callable[[], str]
    """Returns the whole page."""


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
    """All that the system saw on its way: what its functions answered, and every passage that a search found."""
    scratchpad: tuple[str, ...] = ()
    """All that the system wrote and saw, in order."""
    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """The other fields of a predictions file's line; for a run: `top_k`, when its settings name it, the label `answer_url`,
    `stop`, where a refused call is scored, and the `question_set` that stands for its gold answer, with
    `question_set_version` where a person wrote it."""
    pages: Callable[[], Sequence[QuestionPage]] = tuple
    """Returns the pages that belong to the question, by rank."""
    is_left_out: bool = False
    """Whether gold evidence stands in a document that retrieval did not see, so that no retriever can find it."""


@dataclass(frozen=True, slots=True)
class Unscored:
    """No value, and why, in a few words."""

    why: str


Values = Mapping[str, float | Unscored | None]
"""Parts by key: "" is the metric's own name, "precision" becomes NAME.precision, "@5" becomes NAME@5."""
NO_GOLD = Unscored("no gold answer")


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """The result of a judged metric for one case."""

    values: Values
    details: Mapping[str, Any] = field(default_factory=dict)
    """Every single verdict with the judge's words; JSON values, stored beside the scores."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One metric. Its name is its file's name. Exactly one of `score`, `batch` and `judge` is given."""

    version: str = "1"
    """Changes with formula, tokenizer, stemmer or smoothing; part of a score's identity."""
    low: float | None = 0.0
    high: float | None = 1.0
    """Ends of its scale; None = open."""
    higher_is_better: bool | None = True
    """None = no order: nothing in its column is best."""
    counts: tuple[str, ...] = ()
    """Parts that are counts and lie outside the scale."""
    explain_language: Callable[[str], str] = lambda language: ""
    """Language -> why it scores no answers in it, as the end of a sentence; "" where it does. Such answers are unscored."""
    headline: str = ""
    """The part shown where one number is wanted."""
    reference: str = ""
    """What its values are held equal to, and how nearly, for readers who check it; "" = its formula stands nowhere else."""
    settings: Settings = field(default_factory=dict)
    """Its settings with their defaults: `--set bertscore.layer=9` sets layer."""
    score: Callable[[ScoringCase], Values] | None = None
    batch: Callable[[Sequence[ScoringCase], Settings, Embedders], Sequence[Values]] | None = None
    """Scores many cases at once, where a model reads the texts: (cases, settings, embedding models) -> the values of each.
    Raises BenchError when there is no such model."""
    judge: Callable[..., Awaitable[JudgedScore]] | None = None
    """(case, judge, votes), with `settings` as a keyword where the metric has settings. Raises AgentError; an unreadable
    reply is Unscored, its text kept."""
    describe_settings: Callable[[Settings, Embedders], str] = lambda settings, embedders: ""
    """What of the settings and the model changes its values, in a few words: part of a score's version."""
    describe_case: Callable[[ScoringCase], str] = lambda case: ""
    """What of a case, besides answer and gold answers, changes what a judge is asked, in a word or two: part of the version
    of that case's scores. Of two that replace one another the newer is the greater as a text."""
    scores_refusals: bool = False
    """A call that the endpoint refused is an answer to it, with `stop` in the case's extra; to others it is a failed trace."""
    derived: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Data-set values that are not a mean of item values: from {part: mean of its item values} to {part: value}; on arrays of
    means element by element, so that intervals can be drawn (s_f1)."""

    def describe_languages(self) -> str:
        """Returns the languages that it scores, in a few words: "all", "all but ja", "en, zh"."""
        refused = [language for language in rows() if self.explain_language(language)]
        if not refused:
            return "all"
        scored = [language for language in rows() if language not in refused]
        return ", ".join(scored) if len(scored) < len(refused) else f"all but {', '.join(refused)}"


def score_only(*languages: str, why: str) -> Callable[[str], str]:
    """Returns an explain_language that refuses every other language for that reason."""
    return lambda language: "" if language in languages else why


class MetricName(NamedTuple):
    """Parts of a full name: s_f1.offline.recall is metric s_f1, base s_f1.offline, part recall; evidence_recall@5 has @5."""

    metric: str
    """The metric's file name."""
    base: str
    """With .offline and .judge1, where they stand in it."""
    part: str
    """Empty = the metric's own value."""


def join_name(metric: str, part: str) -> str:
    """Returns a part's stable name: s_f1 and precision make s_f1.precision, evidence_recall and @5 no dot."""
    return metric + part if not part or part.startswith("@") else f"{metric}.{part}"


@lru_cache(maxsize=1000)
def split_name(name: str) -> MetricName:
    """Returns the parts; a name that no metric of ours would have is its own base."""
    match = _NAME.fullmatch(name)
    if match is None:
        return MetricName(name, name, "")
    return MetricName(match["metric"], match["base"], (match["part"] or "").removeprefix("."))


def metrics() -> Mapping[str, Metric]:
    """Returns every metric by its stable name."""
    return catalog("eval.metrics", "METRIC", Metric)
