"""What a metric is, and the Case it scores. A value is in the metric's own scale, never times 100; None is never 0."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.catalog import catalog
from core.nouns import Span
from eval.retriever import Embedders
from eval.system import AskInRun


class QuestionPage(NamedTuple):
    """One page that belongs to a question, as a search found it."""

    rank: int
    """From 1; pages that say the same stand once, at their best rank."""
    url: str
    snippet: str
    text: Callable[[], str]
    """All of it."""


def no_pages() -> Sequence[QuestionPage]:
    """What most cases have."""
    return ()


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
    """All that the system saw on its way: what its functions answered, and every passage that a search brought."""
    scratchpad: tuple[str, ...] = ()
    """All that the system wrote and saw, in order."""
    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else a predictions file's line holds; for a run: top_k, when its settings name it, the label answer_url, `stop`,
    where a refused call is scored, and the `question_set` that stands for its gold answer, with `question_set_version` where a
    person wrote it."""
    pages: Callable[[], Sequence[QuestionPage]] = no_pages
    """The pages that belong to the question, by rank."""
    is_left_out: bool = False
    """Whether gold evidence stands in a document that retrieval did not see, so that no retriever can find it."""


@dataclass(frozen=True, slots=True)
class Unscored:
    """No value, and why, in a few words."""

    why: str


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """What a judged metric gives back for one case."""

    values: "Values"
    details: Mapping[str, Any] = field(default_factory=dict)
    """Every single verdict with the judge's words; JSON values, stored beside the scores."""


Values = Mapping[str, float | Unscored | None]
"""Parts by key: "" is the metric's own name, "precision" becomes NAME.precision, "@5" becomes NAME@5."""

Means = Any
"""A float, or an array of floats, one per resample."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One metric. Its name is its file's name. Exactly one of `score`, `batch` and `judge` is given."""

    version: str
    """Changes with formula, tokenizer, stemmer or smoothing; part of a score's identity."""
    low: float | None
    high: float | None
    """Ends of its scale; None = open."""
    higher_is_better: bool | None = True
    """None = no order: nothing in its column is best."""
    counts: tuple[str, ...] = ()
    """Parts that are counts and lie outside the scale."""
    languages: tuple[str, ...] = ("en", "zh")
    """A language outside gives an unscored value that says so."""
    headline: str = ""
    """The part shown where one number is wanted."""
    reference: str = ""
    """What it is held equal to, and how nearly, for whoever wants to check it; "" = its formula stands nowhere else."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What can be set of it, with the defaults: `--set bertscore.layer=9` sets layer."""
    score: Callable[[ScoringCase], Values] | None = None
    batch: Callable[[Sequence[ScoringCase], Mapping[str, Any], Embedders], Sequence[Values]] | None = None
    """The form for many at once, where a model reads the texts: (cases, settings, embedding models) -> the values of each.
    Raises BenchError when there is no such model."""
    made_with: Callable[[Mapping[str, Any], Embedders], str] = lambda settings, embedders: ""
    """What of the settings and the model changes its values, in one word or two: a part of a score's version."""
    judge: Callable[[ScoringCase, AskInRun, int], Awaitable[JudgedScore]] | None = None
    """The judged form: (case, judge, votes). Raises AgentError; an unreadable reply is Unscored, its text kept."""
    judge_as: Callable[[Mapping[str, Any]], Callable[[ScoringCase, AskInRun, int], Awaitable[JudgedScore]]] | None = None
    """settings -> the judged form under them, where settings change what it does."""
    asked_by: Callable[[ScoringCase], str] = lambda case: ""
    """What of a case, beside answer and gold answers, changes what a judge is asked, in a word or two: a part of the version of
    that case's scores. Of two that replace one another the newer is the greater as a text."""
    refused_counts: bool = False
    """A call that the endpoint refused is an answer to it, with `stop` in the case's extra; to others it is a failed trace."""
    derived: Callable[[Mapping[str, Means]], Mapping[str, Means]] | None = None
    """Data-set values that are no mean of item values: from {part: mean of its item values} to {part: value}; on arrays of
    means element by element, so that intervals can be drawn (s_f1)."""


def join_name(metric: str, part: str) -> str:
    """The stable name of a part: full_name("s_f1", "precision") is s_f1.precision, ("evidence_recall", "@5") needs no dot."""
    return metric + part if not part or part.startswith("@") else f"{metric}.{part}"


def metrics() -> Mapping[str, Metric]:
    """Every metric by its stable name."""
    return catalog("eval.metrics", "METRIC", Metric)
