"""Define metrics, and the ScoringCase (one answer with its question) that they score. A value stays in the metric's own scale
and is never multiplied by 100; a missing value is never 0."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from core.catalog import catalog
from core.nouns import Span
from core.text.language import rows
from core.text.numbered import Sentence
from eval.retriever import Embedders
from eval.settings import Settings

_NAME = re.compile(r"(?P<base>(?P<metric>[a-z0-9_]+)(?:\.offline)?(?:\.judge\d+)?)(?P<part>[.@].*)?")


class QuestionPage(NamedTuple):
    """One web page that a search found for a question."""

    rank: int
    """Rank of the web page in the search results, from 1; pages with the same text count once, at their best rank."""
    url: str
    snippet: str
    text: Callable[[], str]
    """Returns the whole text of the page."""


@dataclass(frozen=True, slots=True)
class ScoringCase:
    """One answer to score, with its question and gold answers: from a trace, or from a line of a predictions file."""

    id: str
    prediction: str
    answers: tuple[str, ...]
    language: str = "en"
    question: str = ""
    evidence: tuple[Span, ...] = ()
    retrieved: tuple[Span, ...] | None = None
    contexts: tuple[str, ...] = ()
    """Texts of the passages that the system retrieved, best first."""
    observed: tuple[str, ...] = ()
    """Texts that the system observed: the results of functions, and every passage that a search found."""
    scratchpad: tuple[str, ...] = ()
    """Texts that the system wrote and observed while it worked, in order."""
    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further facts that some metrics need. For a line of a predictions file, these are the line's other fields. From a run:
    `top_k` if it is set, the label `answer_url`, `stop` if a refused call is scored, and the `question_set` and `nuggets` that
    replace the gold answer, with `question_set_version` and `nuggets_version` if a person wrote them."""
    pages: Callable[[], Sequence[QuestionPage]] = tuple
    """Returns the pages that belong to the question, by rank."""
    gold_sentences: Callable[[], Sequence[Sentence]] = tuple
    """Returns the sentences of the gold evidence, in order; none for a predictions file."""
    is_left_out: bool = False
    """Whether a document with gold evidence was excluded from retrieval, so that no retriever can find it."""


@dataclass(frozen=True, slots=True)
class Unscored:
    """A missing value of a metric, with the reason in a few words."""

    why: str


Values = Mapping[str, float | Unscored | None]
"""A dict from the name of a metric's part to the value of this part. The part "" is the metric's main value; the part
"precision" is stored as NAME.precision, "@5" as NAME@5."""
NO_GOLD = Unscored("no gold answer")


def drop_blank_golds(answers: Sequence[str]) -> tuple[str, ...]:
    """Return the gold answers, or () if all are blank, because a blank gold answer would score 0 against any answer."""
    return tuple(answers) if any(answer.strip() for answer in answers) else ()


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """The values of a judged metric for one answer, with the judge's verdicts from which they are computed."""

    values: Values
    details: Mapping[str, Any] = field(default_factory=dict)
    """The judge's individual verdicts and replies as JSON values, which are stored beside the scores."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One metric, named after its file. Exactly one of the functions `score`, `batch` and `judge` is set."""

    version: str = "1"
    """Version of the formula, tokenizer, stemmer and smoothing; it is part of a score's identity."""
    low: float | None = 0.0
    high: float | None = 1.0
    """Upper bound of the metric's scale, as `low` is the lower bound; None = unbounded."""
    higher_is_better: bool | None = True
    """Whether higher values are better; None = neither is better, so no value in a column is marked as best."""
    counts: tuple[str, ...] = ()
    """Names of the metric's parts that are counts, to which the metric's scale does not apply."""
    explain_language: Callable[[str], str] = lambda language: ""
    """Returns why the metric cannot score a language, as the end of a sentence; "" if the metric can score the language.
    Answers in such a language are unscored."""
    headline: str = ""
    """Part of the metric that a table shows if the table has only one column for the metric."""
    reference: str = ""
    """Reference implementation that gives the same values as the metric, and how closely the values agree; "" = there is no
    other implementation."""
    settings: Settings = field(default_factory=dict)
    """A dict from the metric's settings to their defaults: `--set bertscore.layer=9` sets `layer`."""
    score: Callable[[ScoringCase], Values] | None = None
    batch: Callable[[Sequence[ScoringCase], Settings, Embedders], Sequence[Values]] | None = None
    """Scores many answers at once with a model: returns the values of each from (cases, settings, embedding models). Raises
    BenchError if the model is missing."""
    judge: Callable[..., Awaitable[JudgedScore]] | None = None
    """Scores one answer with a judge. The function is called with (case, judge, votes), and with the keyword `settings` if the
    metric has settings. Raises AgentError if a call fails; returns Unscored, with the text of the reply, if a reply cannot be
    read."""
    describe_settings: Callable[[Settings, Embedders], str] = lambda settings, embedders: ""
    """Returns a short text on the settings and the model that change the values; it is part of a score's version."""
    describe_case: Callable[[ScoringCase, Settings], str] = lambda case, settings: ""
    """Returns a short text on what changes the judge's prompt besides answer and gold answers, from the case and the metric's
    settings; it is part of the version of the case's scores. A newer text sorts after an older one."""
    scores_refusals: bool = False
    """Whether a call that the endpoint refused is scored like an answer, with `stop` in the case's `extra`; for other metrics
    it is a failed trace."""
    derived: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Computes data-set values that are not a mean of the items' values, such as s_f1: returns {part: value} from {part: mean
    of its items' values}. Also works on arrays of means, for intervals."""

    def describe_languages(self) -> str:
        """Return the languages that the metric can score, in a few words: "all", "all but ja", "en, zh"."""
        refused = [language for language in rows() if self.explain_language(language)]
        if not refused:
            return "all"
        scored = [language for language in rows() if language not in refused]
        return ", ".join(scored) if len(scored) < len(refused) else f"all but {', '.join(refused)}"


def score_only(*languages: str, why: str) -> Callable[[str], str]:
    """Return a function for `explain_language` that gives the reason `why` for every language that is not in `languages`."""
    return lambda language: "" if language in languages else why


class MetricName(NamedTuple):
    """The parts of a metric's full name: s_f1.offline.recall has the metric s_f1, the base s_f1.offline and the part recall;
    evidence_recall@5 has the part @5."""

    metric: str
    """Name of the metric, which is its file's name."""
    base: str
    """Name of the metric with .offline and .judge1, if the full name has these."""
    part: str
    """Part of the metric that the full name names; "" = the metric's own value."""


def join_name(metric: str, part: str) -> str:
    """Return the full name of a metric's part: the metric s_f1 and the part precision give s_f1.precision; evidence_recall and
    @5 give evidence_recall@5."""
    return metric + part if not part or part.startswith("@") else f"{metric}.{part}"


@lru_cache(maxsize=1000)
def split_name(name: str) -> MetricName:
    """Return the parts of a metric's full name. A name that does not have the form of MetricName is returned as both metric and
    base."""
    match = _NAME.fullmatch(name)
    if match is None:
        return MetricName(name, name, "")
    return MetricName(match["metric"], match["base"], (match["part"] or "").removeprefix("."))


def metrics() -> Mapping[str, Metric]:
    """Return a dict from metric name to Metric, of all metrics."""
    return catalog("eval.metrics", "METRIC", Metric)
