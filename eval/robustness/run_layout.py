"""Arrange the records of one run as columns, with a row per answered question, next to the same agent's answers without
retrieval. Expensive columns (vectors, overlaps of searches) are computed when first used, then cached. NaN = not known."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from core.text.words import words
from eval.robustness import formulas
from eval.robustness.meanings import Embed, Meanings
from eval.robustness.records import ORIGINAL, WordingRecord


class RunLayout:
    """The records of one run as columns, with a row per answered question."""

    def __init__(
        self,
        records: Sequence[WordingRecord],
        items: Mapping[str, int],
        kinds: Mapping[str, int],
        without: Sequence[WordingRecord] | None,
        embed: Embed,
    ) -> None:
        """`items` and `kinds` map the items and kinds of wording of all runs to their indexes; the original wording has index
        0. `without` = the same agent's answers without retrieval."""
        ordered = sorted((r for r in records if r.item in items), key=lambda r: (items[r.item], kinds[r.kind], r.variant or ""))
        self.items, self.kinds, self.size = items, kinds, len(items)
        self.asked = ordered
        self.failed = Counter(record.kind for record in ordered if record.answer is None)
        self.records = [record for record in ordered if record.answer is not None]
        self.item = np.array([items[record.item] for record in self.records], np.int64)
        self.kind = np.array([kinds[record.kind] for record in self.records], np.int64)
        originals = {record.item: row for row, record in enumerate(self.records) if record.kind == ORIGINAL}
        self.base = np.array([originals.get(record.item, -1) for record in self.records], np.int64)
        """For each row, the index of the row with its item's original wording; -1 if the original has no answer."""
        self.is_rewrite: Any = self.kind != 0
        self.has_without = without is not None
        self._without = {(r.item, r.variant): r.correct for r in without or () if r.answer is not None}
        self._embed = embed

    def column(self, value: Callable[[WordingRecord], float | None]) -> Any:
        """Call the function `value` with each row's record, and return the results as an array."""
        return _make_array(value(record) for record in self.records)

    def of_original(self, values: Any) -> Any:
        """Return, for each row, an entry of `values`: the entry for the original wording of the row's item."""
        return np.where(self.base >= 0, values[self.base], np.nan) if len(values) else values

    @cached_property
    def correct(self) -> Any:
        return self.column(lambda record: record.correct)

    @cached_property
    def searches(self) -> Any:
        return self.column(lambda record: record.searches)

    @cached_property
    def calls(self) -> Any:
        return self.column(lambda record: record.calls)

    @cached_property
    def words(self) -> Any:
        """Return the length of each row's question in words."""
        return self.column(lambda record: len(words(record.query, record.language)))

    @cached_property
    def act(self) -> Any:
        return formulas.has_searched(self.searches)

    @cached_property
    def without_retrieval(self) -> Any:
        """Return, for each row, whether the same agent's answer to the same wording without retrieval is correct."""
        return self.column(lambda record: self._without.get((record.item, record.variant)))

    @cached_property
    def without_on_original(self) -> Any:
        """Return, for each row, whether the same agent's answer to the original wording without retrieval is correct."""
        return self.column(lambda record: self._without.get((record.item, None)))

    @cached_property
    def answers(self) -> Meanings:
        """Return the embedding vectors of the answers."""
        return self._embed([r.answer or "" for r in self.records], [r.language for r in self.records])

    @cached_property
    def queries(self) -> Meanings:
        """Return the embedding vectors of the questions."""
        return self._embed([r.query for r in self.records], [r.language for r in self.records], "query")

    @cached_property
    def spread(self) -> Any:
        """Return the diversity of each item's answers, including the answer to the original wording."""
        return formulas.measure_diversity(self.answers.vectors, self.answers.rows, self.item, self.size)

    @cached_property
    def spread_of_rewrites(self) -> Any:
        """Return the diversity of each item's answers to its rewrites, without the answer to the original wording."""
        rows = np.where(self.is_rewrite, self.answers.rows, -1)
        return formulas.measure_diversity(self.answers.vectors, rows, self.item, self.size)

    @cached_property
    def flips(self) -> Any:
        return np.where(self.is_rewrite, formulas.mark_flips(self.act, self.of_original(self.act)), np.nan)

    @cached_property
    def variation_of_searches(self) -> formulas.Variation:
        return formulas.measure_variation(self.searches, self.item, self.size)

    @cached_property
    def variation_of_calls(self) -> formulas.Variation:
        return formulas.measure_variation(self.calls, self.item, self.size)

    @cached_property
    def hits(self) -> list[tuple[bool, ...] | None]:
        """Return for each row which hops found a gold document, or None if its hops or gold documents are unknown."""
        return [
            formulas.find_gold_hops([hop.documents for hop in record.hops], record.gold)
            if record.hops is not None and record.gold
            else None
            for record in self.records
        ]

    @cached_property
    def failure(self) -> Any:
        """Return RFR of each row: the share of its hops that found no gold document."""
        return _make_array(None if hits is None else formulas.measure_retrieval_failure(hits) for hits in self.hits)

    @cached_property
    def collapse(self) -> Any:
        return self._compare_hops(formulas.measure_collapse)

    @cached_property
    def collapse_in_any_order(self) -> Any:
        return self._compare_hops(formulas.measure_unordered_collapse)

    def _compare_hops(self, rule: Callable[[Any, Any], float | None]) -> Any:
        """Return, for each row, the result of calling `rule` with the documents found by the original's hops and by the
        rewrite's; NaN for originals."""
        values = np.full(len(self.records), np.nan)
        for row, own, original in self._pair_with_originals():
            if own.hops is not None and original.hops is not None:
                value = rule([hop.documents for hop in original.hops], [hop.documents for hop in own.hops])
                values[row] = np.nan if value is None else value
        return values

    def _pair_with_originals(self) -> Iterable[tuple[int, WordingRecord, WordingRecord]]:
        """Yield (row, record of the rewrite, record of the original) for each rewrite whose original question was answered."""
        for row in np.flatnonzero(self.is_rewrite & (self.base >= 0)).tolist():
            yield row, self.records[row], self.records[self.base[row]]

    @cached_property
    def step_cosines(self) -> tuple[Any, Any, Any, str]:
        """Compute the cosine between the original's and the rewrite's query at every hop that both have. Returns (rows, hop
        numbers from 0, cosines, reason for missing cosines). A cosine is NaN if a query has no vector."""
        steps = [
            (row, hop, theirs.query, mine.query, own.language)
            for row, own, original in self._pair_with_originals()
            for hop, (mine, theirs) in enumerate(zip(own.hops or (), original.hops or (), strict=False))
        ]
        rows, hops, left, right, languages = zip(*steps, strict=True) if steps else [()] * 5
        meanings = self._embed([*left, *right], [*languages, *languages], "query")
        n = len(steps)
        cosines = formulas.measure_similarity(meanings.vectors, meanings.rows[:n], meanings.rows[n:])
        return np.array(rows, np.int64), np.array(hops, np.int64), cosines, meanings.why

    @cached_property
    def search_similarity(self) -> Any:
        """Return MSS of each row, the mean similarity of its queries to the original's; NaN if they have no common hop, or a
        query has no vector."""
        rows, _, cosines, _ = self.step_cosines
        shared = np.bincount(rows, minlength=len(self.records))
        with np.errstate(invalid="ignore"):
            return np.bincount(rows, cosines, minlength=len(self.records)) / np.where(shared > 0, shared, np.nan)

    @cached_property
    def most_hops(self) -> int:
        """Return the largest number of hops of any answer."""
        return max((len(record.hops or ()) for record in self.records), default=0)

    @cached_property
    def kinds_of_item(self) -> list[set[str]]:
        """Return for each item the kinds of wording in which it was asked, even if the answer failed."""
        kinds: list[set[str]] = [set() for _ in self.items]
        for record in self.asked:
            kinds[self.items[record.item]].add(record.kind)
        return kinds


def _make_array(values: Iterable[float | None]) -> Any:
    return np.array([np.nan if value is None else value for value in values], np.float64)
