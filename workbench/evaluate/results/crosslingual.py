"""Show how runs answer the language pairs of their release: items and their twins in another language. The package
eval/crosslingual computes the results, only from stored answers and scores."""

from collections.abc import Mapping, Sequence

from core.errors import BenchError
from core.nouns import Item, Run, Span
from core.quality.language_pairs import LanguagePair
from eval.crosslingual.layout import NOTES, build_page
from eval.crosslingual.outcomes import CrossLingualResult, PairSide, compare_languages
from eval.metric import split_name
from eval.page import Page
from eval.reports.comparing import is_quality
from eval.reports.layout import select_headlines
from eval.reports.run_names import name_runs
from eval.running.retrieval import SEARCH_LANGUAGE
from store.items import language_pairs
from store.runs import runs
from workbench.evaluate.results.tables_of_runs import RunTableStage

__all__ = ["NOTES", "CrossLingualStage"]

OWN_EVIDENCE = ("evidence_recall", "retrieval_precision", "mrr", "ndcg")
"""Metrics that compare passages with the evidence in the question's own language only."""


class CrossLingualStage(RunTableStage[tuple[Run, Sequence[LanguagePair]]]):
    """Methods with which the app and the command line compare answers in two languages."""

    NAME, SUBJECT = "crosslingual", "The comparison of languages"

    def _choose(self, every: Sequence[Run]) -> Sequence[tuple[Run, Sequence[LanguagePair]]]:
        """Return the runs whose release has language pairs, with these."""
        pairs = {run.release_hash: language_pairs.load_frozen(self._db, run.release, run.release_hash) for run in every}
        chosen = [(run, pairs[run.release_hash]) for run in every if pairs[run.release_hash]]
        if not chosen:
            named = ", ".join(dict.fromkeys(run.release for run in every))
            raise BenchError(
                f"The release {named} has no language pairs: pair items with pairs add or pairs import, freeze a release, and "
                "run systems on it."
            )
        return chosen

    def _list_traced(self, chosen: Sequence[tuple[Run, Sequence[LanguagePair]]]) -> list[str]:
        return [run.id for run, _ in chosen]

    def _build(self, chosen: Sequence[tuple[Run, Sequence[LanguagePair]]]) -> Page:
        names = name_runs([run for run, _ in chosen])
        return build_page({name: self._compare(run, pairs) for name, (run, pairs) in zip(names, chosen, strict=True)})

    def _compare(self, run: Run, pairs: Sequence[LanguagePair]) -> list[CrossLingualResult]:
        asked = self._load_asked(run)
        items = {item.id: item for item in self._releases.members(run.release, run.release_hash).items if item.id in asked}
        answers = self._load_answers(run)
        scores = self._load_scores(run)

        def side(own: Item, twin: Item) -> PairSide:
            return PairSide(own, answers.get(own.id), scores.get(own.id, {}), _select_evidence(run, own, twin))

        here = [(items[pair.item], items[pair.twin]) for pair in pairs if pair.item in items and pair.twin in items]
        return compare_languages(run, [(side(item, twin), side(twin, item)) for item, twin in here])

    def _load_scores(self, run: Run) -> Mapping[str, Mapping[str, float]]:
        """Return a dict from item to the values of its metrics that measure quality and have a column in reports."""
        searches_own = run.system.settings.get(SEARCH_LANGUAGE, "own") == "own"
        stored = [score for score in runs.load_newest_scores(self._db, run.id) if score.variant is None]
        names = [name for name in select_headlines(sorted({score.metric for score in stored})) if is_quality(name)]
        shown = {name for name in names if searches_own or split_name(name).metric not in OWN_EVIDENCE}
        found: dict[str, dict[str, float]] = {}
        for score in stored:
            if score.metric in shown and score.value is not None:
                found.setdefault(score.item, {})[score.metric] = score.value
        return found


def _select_evidence(run: Run, own: Item, twin: Item) -> list[tuple[Span, ...]]:
    """Return the evidence of the item or its twin in each language that the item's question searches."""
    searched = str(run.system.settings.get(SEARCH_LANGUAGE, "own"))
    return {"own": [own.evidence], "other": [twin.evidence]}.get(searched, [own.evidence, twin.evidence])
