"""Lay out the comparison of answers in two languages as a page of tables and as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.text.language import language_name
from eval.absence.layout import INTERVAL_NOTE
from eval.crosslingual.outcomes import FOUND, OUTCOMES, RIGHT, CrossLingualResult, LanguageOutcome, PairedMeans
from eval.metric import split_name
from eval.page import Page, Record, interval_cell, tabulate
from eval.running.retrieval import SEARCH_LANGUAGE

WORDS: Mapping[LanguageOutcome, str] = {
    "gold": "Gold answer",
    "wrong language": "Wrong language",
    "refused": "Refused",
    "other": "Other answer",
    "failed": "Failed",
}
BY_WORDS = frozenset(
    (
        *("token_f1", "rouge_l", "rouge_l_crud", "rouge_l_hawkbench", "bleu", "bleu_crud", "r_eval_f1", "r_eval_f1_cjk"),
        *("rag_quest_eval", "length", "bertscore", "embed_cosine", "query_loss"),
    )
)
"""Metrics whose values depend on how a language is cut into words, or on a model that knows languages unequally well."""
SEARCHED: Mapping[str, str] = {
    "own": "own language",
    "other": "other languages",
    "all": "all languages",
}
"""Dict from the setting search_language to the languages of the documents that a question searches."""
NOTES = (
    "Each pair is an item and its twin, which asks the same in another language. Both means are over the same pairs, and the "
    "difference is the mean of the differences of the pairs: above 0, answers are better in the first language named.",
    "A pair with a failed answer counts in neither mean. An answer counts as wrong language if, apart from the gold answer, it "
    "is written in another language than its question, or if it is the gold answer of the twin. The metrics score such an "
    "answer like any other.",
    "Rules determine the outcomes: an answer with a phrase of refusal is a refusal, and an answer that equals or contains the "
    "gold answer is the gold answer. A right answer that is long or reworded counts as another answer.",
    f"“{FOUND}” is the share of the gold evidence that the passages hit: of the twin's evidence if the run searches only other "
    "languages, and of the side of which more was found if it searches all.",
    INTERVAL_NOTE,
)


def build_page(results: Mapping[str, Sequence[CrossLingualResult]]) -> Page:
    """Return the page of tables about runs on a release with language pairs; `results` is a dict from the name of each run to
    its comparisons."""
    named = [(name, result) for name, own in results.items() for result in own]
    languages = {result.languages for _, result in named}
    sides = _name_sides(next(iter(languages))) if len(languages) == 1 else ("First", "Second")
    notes = [*NOTES, *_list_open(named)]
    marked = sorted({one.metric for _, result in named for one in result.means if is_by_words(one.metric)})
    tables = [
        tabulate("Loss by language", [row for one in named for row in _list_means(*one, sides)], _mark(marked)),
        tabulate("Right in which language", [_count_right(*one, sides) for one in named]),
        tabulate("Outcomes", [_count_outcomes(*one, side) for one in named for side in (0, 1)]),
        *(
            tabulate(f"Loss by {kind}", rows, _mark(marked))
            for kind in ("level", "domain")
            if (rows := [row for one in named for row in _list_slices(*one, sides, kind)])
        ),
    ]
    return Page("Languages", tables, notes=notes, data={"comparisons": [encode_result(result) for _, result in named]})


def is_by_words(metric: str) -> bool:
    """Return whether a metric's values in two languages differ for other reasons than the answers: it cuts texts into words, or
    it asks a model."""
    return split_name(metric).metric in BY_WORDS


def _mark(metrics: Sequence[str]) -> list[str]:
    if not metrics:
        return []
    return [
        f"{', '.join(metrics)}: each language is cut into words by its own rules, or a model reads it, so a difference between "
        f"languages is not only a loss of the system. Read the row “{RIGHT}”, or compare the differences of several systems."
    ]


def _list_open(named: Iterable[tuple[str, CrossLingualResult]]) -> list[str]:
    return [
        f"{name}: of {len(result.pairs)} pairs, {n} are not asked yet on both sides."
        for name, result in named
        if (n := sum(None in pair.outcomes for pair in result.pairs))
    ]


def _name_sides(languages: tuple[str, str]) -> tuple[str, str]:
    return language_name(languages[0]), language_name(languages[1])


def _start_row(name: str, result: CrossLingualResult, sides: tuple[str, str]) -> Record:
    """Return the first cells of a row. The languages are a column if the heads of the columns do not name them."""
    own = _name_sides(result.languages)
    return {"Run": name, "Searches": describe_search(result), **({} if own == sides else {"Languages": " – ".join(own)})}


def describe_search(result: CrossLingualResult) -> str:
    """Return in which languages the documents are that the run's questions search; "no documents" without a retriever."""
    if result.run.config.get("retriever") is None:
        return "no documents"
    return SEARCHED[result.run.system.settings.get(SEARCH_LANGUAGE, "own")]


def _list_means(name: str, result: CrossLingualResult, sides: tuple[str, str]) -> list[Record]:
    return [_start_row(name, result, sides) | _build_means(one, sides) for one in result.means]


def _list_slices(name: str, result: CrossLingualResult, sides: tuple[str, str], kind: str) -> list[Record]:
    return [
        _start_row(name, result, sides) | {kind.title(): value} | _build_means(one, sides)
        for (of, value), means in result.slices.items()
        if of == kind
        for one in means
    ]


def _build_means(one: PairedMeans, sides: tuple[str, str]) -> Record:
    return {
        "Metric": one.metric,
        "Pairs": one.loss.n,
        sides[0]: interval_cell(one.first),
        sides[1]: interval_cell(one.second),
        f"{sides[0]} – {sides[1]} [95 % interval]": interval_cell(one.loss),
    }


def _count_right(name: str, result: CrossLingualResult, sides: tuple[str, str]) -> Record:
    right = result.right
    return _start_row(name, result, sides) | {
        "Pairs": sum(right.values()),
        "Both": right["both"],
        f"Only {sides[0]}": right["first"],
        f"Only {sides[1]}": right["second"],
        "Neither": right["neither"],
    }


def _count_outcomes(name: str, result: CrossLingualResult, side: int) -> Record:
    counts = result.count(side)
    return {
        "Run": name,
        "Searches": describe_search(result),
        "Language": language_name(result.languages[side]),
        "n": counts.total(),
        **{WORDS[one]: counts[one] for one in OUTCOMES},
    }


def encode_result(result: CrossLingualResult) -> dict[str, Any]:
    """Return the comparison as JSON values."""
    return {
        "run": result.run.id,
        "system": result.run.system.name,
        "release": result.run.release,
        "languages": list(result.languages),
        "search_language": result.run.system.settings.get(SEARCH_LANGUAGE, "own"),
        "outcomes": {
            language: {outcome: result.count(side)[outcome] for outcome in OUTCOMES}
            for side, language in enumerate(result.languages)
        },
        "right": result.right,
        "means": [_encode_means(one) for one in result.means],
        "slices": [
            {kind: value, "means": [_encode_means(one) for one in means]} for (kind, value), means in result.slices.items()
        ],
        "pairs": [
            {
                "items": list(pair.items),
                "outcomes": list(pair.outcomes),
                "values": {name: list(own) for name, own in pair.values.items()},
            }
            for pair in result.pairs
        ],
    }


def _encode_means(one: PairedMeans) -> dict[str, Any]:
    return {
        "metric": one.metric,
        "first": one.first.record(),
        "second": one.second.record(),
        "loss": one.loss.record(),
        "by_words": is_by_words(one.metric),
    }
