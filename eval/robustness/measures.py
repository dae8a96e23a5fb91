"""Define all robustness measures, by name: each with its label, its unit (wording, rewrite or item), and its values on one
run."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from eval.robustness import formulas
from eval.robustness.formulas import DECISIONS, FLIPS, OUTCOMES, Rule, measure_similarity
from eval.robustness.meanings import Meanings
from eval.robustness.run_layout import RunLayout

At = Literal["wording", "rewrite", "item"]
NO_GOLD = "no gold answer with a token"
NO_CALLS = "no calls are reported"
NO_LOSS = "query_loss was not scored"
NO_ORIGINAL_CALLS = "every original has 0 calls"
NOT_TOLD = "this system does not report its searches"
NO_HOPS = "the two wordings have no common hop, or no searches are reported"
Column = Callable[[RunLayout], Any]
SEARCHES, CALLS, CORRECT, ACT = (attrgetter(name) for name in ("searches", "calls", "correct", "act"))


class Measure(NamedTuple):
    """One measure of robustness to wording."""

    label: str
    at: At
    """Unit to which one value of the measure belongs. wording: one question as asked, including the original; rewrite: a
    rewrite compared with the original; item: all wordings of an item together."""
    values: Column
    """Returns the measure's values on a run, one per row or one per item; NaN = undefined."""
    reason: str | Callable[[RunLayout], str] = ""
    """Reason that is shown if a value of the measure is missing."""
    is_whole: Callable[[RunLayout], bool] = lambda run: True
    """Checks whether the measure makes sense on the run; False = tables show n/a."""

    def explain(self, run: RunLayout) -> str:
        return self.reason if isinstance(self.reason, str) else self.reason(run)


def _needs_closed_book(run: RunLayout) -> str:
    return "" if run.has_without else "no closed_book run of this agent on the same questions"


def _explain_flips(run: RunLayout) -> str:
    return NOT_TOLD if np.isnan(run.act).all() else "this system searches always or never"


def _explain_similarity(run: RunLayout) -> str:
    return run.step_cosines[3] or NO_HOPS


def _explain_hops(run: RunLayout) -> str:
    return NO_HOPS if any(record.gold for record in run.records) else "no gold documents are known"


def _compare_with_original(rule: Rule, column: Column) -> Column:
    """Return a column with the result of calling `rule` with the value of each rewrite and the value of its original."""

    def values(run: RunLayout) -> Any:
        own = column(run)
        return rule(own, run.of_original(own))

    return values


def _measure_flips(label: str, at: At, values: Column) -> Measure:
    return Measure(label, at, values, _explain_flips, lambda run: not formulas.is_constant(run.act))


def _measure_decision(rule: Rule, on_original: bool = False) -> Column:
    def values(run: RunLayout) -> Any:
        without = run.without_on_original if on_original else run.without_retrieval
        return rule(formulas.needs_search(without), run.act)

    return values


def _measure_outcome(rule: Rule) -> Column:
    return lambda run: rule(run.correct, run.without_retrieval)


def _compare_meanings(run: RunLayout, texts: Meanings) -> Any:
    """Return the cosine similarity between each row's text and its original's."""
    rows = texts.rows
    originals = np.where(run.base >= 0, rows[run.base], -1) if len(rows) else rows
    return measure_similarity(texts.vectors, rows, originals)


def _compare(label: str, rule: Rule, column: Column, reason: str) -> Measure:
    return Measure(label, "rewrite", _compare_with_original(rule, column), reason)


def _mark_unextracted(run: RunLayout) -> Any:
    return run.column(lambda r: None if r.is_extracted is None else float(not r.is_extracted))


_SKIP = "originals without a call left out"
MEASURES: Mapping[str, Measure] = {
    "in_accuracy": Measure("in_accuracy", "wording", CORRECT, NO_GOLD),
    "not_extracted": Measure("replies without an answer", "wording", _mark_unextracted),
    "search_rate": Measure("questions with a search", "wording", ACT, NOT_TOLD),
    "searches": Measure("retriever calls", "wording", SEARCHES, NOT_TOLD),
    "calls": Measure("LLM calls", "wording", CALLS, NO_CALLS),
    "tokens_out": Measure("tokens out", "wording", lambda run: run.column(lambda r: r.tokens_out), "not told"),
    "tokens_in": Measure("tokens in", "wording", lambda run: run.column(lambda r: r.tokens_in), "not told"),
    "query_loss": Measure("query loss", "wording", lambda run: run.column(lambda r: r.loss), NO_LOSS),
    "query_tokens": Measure("query length, tokens", "wording", lambda run: run.column(lambda r: r.length), NO_LOSS),
    "query_words": Measure("query length, words", "wording", attrgetter("words")),
    "query_similarity": Measure(
        "similarity to the original question",
        "rewrite",
        lambda run: _compare_meanings(run, run.queries),
        attrgetter("queries.why"),
    ),
    "similarity": Measure("similarity", "rewrite", lambda run: _compare_meanings(run, run.answers), attrgetter("answers.why")),
    "diversity": Measure("diversity", "item", attrgetter("spread"), attrgetter("answers.why")),
    "diversity_of_rewrites": Measure(
        "diversity without the original", "item", attrgetter("spread_of_rewrites"), attrgetter("answers.why")
    ),
    "re_searches": _compare("RE, retriever", formulas.measure_error, SEARCHES, NOT_TOLD),
    "re_calls": _compare("RE, LLM", formulas.measure_error, CALLS, NO_CALLS),
    "re_searches_skip_zero": _compare(
        f"RE, retriever, {_SKIP}", formulas.measure_error_skipping_zero, SEARCHES, NO_ORIGINAL_CALLS
    ),
    "re_calls_skip_zero": _compare(f"RE, LLM, {_SKIP}", formulas.measure_error_skipping_zero, CALLS, NO_ORIGINAL_CALLS),
    "zero_searches": _compare(
        "originals without a retriever call", lambda own, other: own * 0 + (other == 0), SEARCHES, NOT_TOLD
    ),
    "cvr_searches": Measure("CVR, retriever", "item", attrgetter("variation_of_searches.cvr"), NOT_TOLD),
    "cv_searches": Measure("CV, retriever", "item", attrgetter("variation_of_searches.cv"), NOT_TOLD),
    "cvr_calls": Measure("CVR, LLM", "item", attrgetter("variation_of_calls.cvr"), NO_CALLS),
    "cv_calls": Measure("CV, LLM", "item", attrgetter("variation_of_calls.cv"), NO_CALLS),
    **{
        name: Measure(label, "wording", _measure_decision(rule), _needs_closed_book)
        for name, (label, rule) in DECISIONS.items()
    },
    **{
        f"{name}_on_original": Measure(
            f"{label}, need from the original", "wording", _measure_decision(rule, True), _needs_closed_book
        )
        for name, (label, rule) in DECISIONS.items()
    },
    "needed": Measure(
        "questions that need a search", "wording", lambda run: formulas.needs_search(run.without_retrieval), _needs_closed_book
    ),
    "flip": _measure_flips("flips", "rewrite", attrgetter("flips")),
    **{name: _measure_flips(label, "rewrite", _compare_with_original(rule, ACT)) for name, (label, rule) in FLIPS.items()},
    "any_flip": _measure_flips(
        "items with a flip", "item", lambda run: formulas.mark_flipped_families(run.flips, run.item, run.size)
    ),
    "search_similarity": Measure("MSS", "rewrite", attrgetter("search_similarity"), _explain_similarity),
    "retrieval_failure": Measure("RFR", "wording", attrgetter("failure"), _explain_hops),
    "collapse": Measure("trajectory collapse", "rewrite", attrgetter("collapse"), NO_HOPS),
    "collapse_in_any_order": Measure("the same in any order", "rewrite", attrgetter("collapse_in_any_order"), NO_HOPS),
    "gap": _compare("in_accuracy minus the original's", lambda own, other: own - other, CORRECT, NO_GOLD),
    "change": _compare("right or wrong changes", lambda own, other: abs(own - other), CORRECT, NO_GOLD),
    "answer_breaks": _compare("right becomes wrong", lambda own, other: other * (1.0 - own), CORRECT, NO_GOLD),
    **{name: Measure(name, "wording", _measure_outcome(rule), _needs_closed_book) for name, rule in OUTCOMES.items()},
}


def make_hop_measure(name: str, hop: int) -> Measure:
    """Return the measure search_similarity or retrieval_failure at one hop (from 1), over the answers that have this hop, as in
    the study's figures 6 and 8."""

    def measure_similarity_at_hop(run: RunLayout) -> Any:
        rows, hops, cosines, _ = run.step_cosines
        values = np.full(len(run.records), np.nan)
        here = hops == hop - 1
        values[rows[here]] = cosines[here]
        return values

    def measure_failure_at_hop(run: RunLayout) -> Any:
        failures = (np.nan if hits is None or len(hits) < hop else float(not hits[hop - 1]) for hits in run.hits)
        return np.array(list(failures), np.float64)

    if name == "search_similarity":
        return Measure(f"MSS@{hop}", "rewrite", measure_similarity_at_hop, _explain_similarity)
    return Measure(f"RFR@{hop}", "wording", measure_failure_at_hop, _explain_hops)
