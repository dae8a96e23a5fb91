"""Every figure of robustness by its name: what it is called, what it is counted over, and its values on one run."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from eval.robustness import decisions, effort, gains
from eval.robustness.answers import measure_similarity
from eval.robustness.run_layout import RunLayout

At = Literal["wording", "rewrite", "item"]
NO_RUN = "no closed_book run of this agent on the same questions"
NO_GOLD = "no gold answer with a token"
NO_CALLS = "no calls are told"
NO_LOSS = "query_loss was not scored"
NOT_TOLD = "this system does not tell its searches"
NO_HOPS = "no searches are shared, or none are told"
CONSTANT = "this system searches always or never"


class Measure(NamedTuple):
    """One figure."""

    label: str
    at: At
    """wording: of every question asked, the original's too; rewrite: of a rewrite beside the original; item: of all its
    wordings together."""
    values: Callable[[RunLayout], Any]
    """One a row of the run, or one an item; NaN = undefined."""
    why: Callable[[RunLayout], str] = lambda asked: ""
    """Why it has no value where it has none."""
    is_whole: Callable[[RunLayout], bool] = lambda asked: True
    """False = the figure says nothing on this run at all, so that it is n/a."""


def _needs_run(asked: RunLayout) -> str:
    return "" if asked.has_without else NO_RUN


def _on_answers(asked: RunLayout) -> str:
    return asked.answers.why


def _against_original(rule: Callable[[Any, Any], Any], of: Callable[[RunLayout], Any]) -> Callable[[RunLayout], Any]:
    """A rule over a rewrite's value and its original's."""

    def values(asked: RunLayout) -> Any:
        own = of(asked)
        return rule(own, asked.of_original(own))

    return values


def _measure_decision(rule: Callable[[Any, Any], Any], on_original: bool = False) -> Callable[[RunLayout], Any]:
    """A rule over need and act."""

    def values(asked: RunLayout) -> Any:
        without = asked.without_on_original if on_original else asked.without_retrieval
        return rule(decisions.needs_search(without), asked.act)

    return values


def _measure_gain(rule: Callable[[Any, Any], Any]) -> Callable[[RunLayout], Any]:
    return lambda asked: rule(asked.correct, asked.without_retrieval)


def _has_decisions(asked: RunLayout) -> bool:
    return not decisions.is_constant(asked.act)


def _why_no_flip(asked: RunLayout) -> str:
    import numpy as np

    return NOT_TOLD if np.isnan(asked.act).all() else CONSTANT


def _of_originals(asked: RunLayout, rows: Any) -> Any:
    """The vector of each row's original; -1 for none."""
    import numpy as np

    return np.where(asked.base >= 0, rows[asked.base], -1) if len(rows) else rows


def _same_answer(asked: RunLayout) -> Any:
    return measure_similarity(asked.answers.vectors, asked.answers.rows, _of_originals(asked, asked.answers.rows))


def _same_question(asked: RunLayout) -> Any:
    return measure_similarity(asked.queries.vectors, asked.queries.rows, _of_originals(asked, asked.queries.rows))


def _search_why(asked: RunLayout) -> str:
    return asked.step_cosines[3] or NO_HOPS


def _hop_why(asked: RunLayout) -> str:
    return NO_HOPS if any(record.gold for record in asked.records) else "no gold documents are known"


_DECISIONS: Mapping[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "over": ("over (needs a search, has none)", decisions.rate_overconfident),
    "under": ("under (needs none, searches)", decisions.rate_underconfident),
    "over_where_needed": ("over, of those that need one", decisions.rate_over_where_needed),
    "under_where_not_needed": ("under, of those that need none", decisions.rate_under_where_not_needed),
    "trigger_precision": ("trigger precision", decisions.rate_precision),
    "trigger_recall": ("trigger recall", decisions.rate_recall),
}

MEASURES: Mapping[str, Measure] = {
    "in_accuracy": Measure("in_accuracy", "wording", lambda a: a.correct, lambda a: NO_GOLD),
    "not_extracted": Measure(
        "replies without an answer",
        "wording",
        lambda a: a.column(lambda r: None if r.is_extracted is None else float(not r.is_extracted)),
    ),
    "search_rate": Measure("questions with a search", "wording", lambda a: a.act, lambda a: NOT_TOLD),
    "searches": Measure("retriever calls", "wording", lambda a: a.searches, lambda a: NOT_TOLD),
    "calls": Measure("LLM calls", "wording", lambda a: a.calls, lambda a: NO_CALLS),
    "tokens_out": Measure("tokens out", "wording", lambda a: a.column(lambda r: r.tokens_out), lambda a: "not told"),
    "tokens_in": Measure("tokens in", "wording", lambda a: a.column(lambda r: r.tokens_in), lambda a: "not told"),
    "query_loss": Measure("query loss", "wording", lambda a: a.column(lambda r: r.loss), lambda a: NO_LOSS),
    "query_tokens": Measure("query length, tokens", "wording", lambda a: a.column(lambda r: r.length), lambda a: NO_LOSS),
    "query_words": Measure("query length, words", "wording", lambda a: a.words),
    "query_similarity": Measure("similarity to the original question", "rewrite", _same_question, lambda a: a.queries.why),
    "similarity": Measure("similarity", "rewrite", _same_answer, _on_answers),
    "diversity": Measure("diversity", "item", lambda a: a.spread, _on_answers),
    "diversity_of_rewrites": Measure("diversity without the original", "item", lambda a: a.spread_of_rewrites, _on_answers),
    "re_searches": Measure(
        "RE, retriever", "rewrite", _against_original(effort.measure_error, lambda a: a.searches), lambda a: NOT_TOLD
    ),
    "re_calls": Measure("RE, LLM", "rewrite", _against_original(effort.measure_error, lambda a: a.calls), lambda a: NO_CALLS),
    "re_searches_skip_zero": Measure(
        "RE, retriever, originals without a call left out",
        "rewrite",
        _against_original(effort.measure_error_skipping_zero, lambda a: a.searches),
        lambda a: "every original has 0 calls",
    ),
    "re_calls_skip_zero": Measure(
        "RE, LLM, originals without a call left out",
        "rewrite",
        _against_original(effort.measure_error_skipping_zero, lambda a: a.calls),
        lambda a: "every original has 0 calls",
    ),
    "zero_searches": Measure(
        "originals without a retriever call",
        "rewrite",
        _against_original(lambda own, other: own * 0 + (other == 0), lambda a: a.searches),
        lambda a: NOT_TOLD,
    ),
    "cvr_searches": Measure("CVR, retriever", "item", lambda a: a.variation_of_searches.cvr, lambda a: NOT_TOLD),
    "cv_searches": Measure("CV, retriever", "item", lambda a: a.variation_of_searches.cv, lambda a: NOT_TOLD),
    "cvr_calls": Measure("CVR, LLM", "item", lambda a: a.variation_of_calls.cvr, lambda a: NO_CALLS),
    "cv_calls": Measure("CV, LLM", "item", lambda a: a.variation_of_calls.cv, lambda a: NO_CALLS),
    **{name: Measure(label, "wording", _measure_decision(rule), _needs_run) for name, (label, rule) in _DECISIONS.items()},
    **{
        f"{name}_on_original": Measure(f"{label}, need from the original", "wording", _measure_decision(rule, True), _needs_run)
        for name, (label, rule) in _DECISIONS.items()
    },
    "needed": Measure(
        "questions that need a search", "wording", lambda a: decisions.needs_search(a.without_retrieval), _needs_run
    ),
    "flip": Measure("flips", "rewrite", lambda a: a.flips, _why_no_flip, _has_decisions),
    "flip_on": Measure(
        "none to some", "rewrite", _against_original(decisions.mark_flips_on, lambda a: a.act), _why_no_flip, _has_decisions
    ),
    "flip_off": Measure(
        "some to none", "rewrite", _against_original(decisions.mark_flips_off, lambda a: a.act), _why_no_flip, _has_decisions
    ),
    "any_flip": Measure(
        "items with a flip",
        "item",
        lambda a: decisions.mark_flipped_families(a.flips, a.item, a.size),
        _why_no_flip,
        _has_decisions,
    ),
    "search_similarity": Measure("MSS", "rewrite", lambda a: a.search_similarity, _search_why),
    "retrieval_failure": Measure("RFR", "wording", lambda a: a.failure, _hop_why),
    "collapse": Measure("trajectory collapse", "rewrite", lambda a: a.collapse, lambda a: NO_HOPS),
    "collapse_in_any_order": Measure("the same in any order", "rewrite", lambda a: a.collapse_in_any_order, lambda a: NO_HOPS),
    "gap": Measure(
        "in_accuracy less the original's",
        "rewrite",
        _against_original(lambda own, other: own - other, lambda a: a.correct),
        lambda a: NO_GOLD,
    ),
    "change": Measure(
        "right or wrong changes",
        "rewrite",
        _against_original(lambda own, other: abs(own - other), lambda a: a.correct),
        lambda a: NO_GOLD,
    ),
    "answer_breaks": Measure(
        "right becomes wrong",
        "rewrite",
        _against_original(lambda own, other: other * (1.0 - own), lambda a: a.correct),
        lambda a: NO_GOLD,
    ),
    "helpful": Measure("helpful", "wording", _measure_gain(gains.rate_helpful), _needs_run),
    "harmful": Measure("harmful", "wording", _measure_gain(gains.rate_harmful), _needs_run),
    "stable": Measure("stable", "wording", _measure_gain(gains.rate_stable), _needs_run),
    "unhelpful": Measure("unhelpful", "wording", _measure_gain(gains.rate_unhelpful), _needs_run),
}


def make_hop_measure(name: str, hop: int) -> Measure:
    """search_similarity or retrieval_failure at that hop (from 1) alone, over the answers that have as many: the per-hop
    curves (study, figures 6 and 8)."""

    def similarity_there(asked: RunLayout) -> Any:
        import numpy as np

        rows, hops, cosines, _ = asked.step_cosines
        found = np.full(len(asked.records), np.nan)
        here = hops == hop - 1
        found[rows[here]] = cosines[here]
        return found

    def failure_there(asked: RunLayout) -> Any:
        import numpy as np

        found = (np.nan if hit is None or len(hit) < hop else float(not hit[hop - 1]) for hit in asked.hits)
        return np.array(list(found), np.float64)

    if name == "search_similarity":
        return Measure(f"MSS@{hop}", "rewrite", similarity_there, _search_why)
    return Measure(f"RFR@{hop}", "wording", failure_there, _hop_why)
