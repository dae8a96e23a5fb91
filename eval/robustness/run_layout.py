"""One run's records as columns, a row an answered question, with what the same agent answered without retrieval beside it. What
takes long (vectors, overlaps of searches) is made at the first look and kept. NaN = not known."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from core.text.words import words
from eval.robustness import answers, decisions, effort, trajectories
from eval.robustness.meanings import Embed, Meanings
from eval.robustness.records import ORIGINAL, WordingRecord


class RunLayout:
    """One run, laid out."""

    def __init__(
        self,
        records: Sequence[WordingRecord],
        items: Mapping[str, int],
        kinds: Mapping[str, int],
        without: Sequence[WordingRecord] | None,
        embed: Embed,
    ) -> None:
        """`items` and `kinds` number what all runs together hold, the original wording 0; `without` = the same agent's answers
        without retrieval."""
        import numpy as np

        ordered = sorted((r for r in records if r.item in items), key=lambda r: (items[r.item], kinds[r.kind], r.variant or ""))
        self.items, self.kinds = items, kinds
        self.asked = ordered
        self.failed = Counter(record.kind for record in ordered if record.answer is None)
        self.records = [record for record in ordered if record.answer is not None]
        self.item = np.array([items[record.item] for record in self.records], np.int64)
        self.kind = np.array([kinds[record.kind] for record in self.records], np.int64)
        at = {record.item: row for row, record in enumerate(self.records) if record.kind == ORIGINAL}
        self.base = np.array([at.get(record.item, -1) for record in self.records], np.int64)
        """Row of the item's original wording; -1 where that has no answer."""
        self._without = without
        self._embed = embed

    @property
    def size(self) -> int:
        return len(self.items)

    @property
    def is_rewrite(self) -> Any:
        return self.kind != 0

    def column(self, value: Callable[[WordingRecord], float | None]) -> Any:
        """That field of each row."""
        import numpy as np

        found = (value(record) for record in self.records)
        return np.array([np.nan if one is None else one for one in found], np.float64)

    def of_original(self, values: Any) -> Any:
        """For each row the value that its item's original wording has."""
        import numpy as np

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
        """Length of the question in words."""
        return self.column(lambda record: len(words(record.query, record.language)))

    @cached_property
    def act(self) -> Any:
        return decisions.has_searched(self.searches)

    @cached_property
    def without_retrieval(self) -> Any:
        """Correctness without retrieval of the same words."""
        return self._of_without(lambda record: record.variant)

    @cached_property
    def without_on_original(self) -> Any:
        """Correctness without retrieval of the original wording."""
        return self._of_without(lambda record: None)

    def _of_without(self, variant: Callable[[WordingRecord], str | None]) -> Any:
        known = {(r.item, r.variant): r.correct for r in self._without or () if r.answer is not None}
        return self.column(lambda record: known.get((record.item, variant(record))))

    @property
    def has_without(self) -> bool:
        return self._without is not None

    @cached_property
    def answers(self) -> Meanings:
        """Vectors of the answers."""
        return self._embed([r.answer or "" for r in self.records], [r.language for r in self.records])

    @cached_property
    def queries(self) -> Meanings:
        """Vectors of the questions."""
        return self._embed([r.query for r in self.records], [r.language for r in self.records])

    @cached_property
    def spread(self) -> Any:
        """Diversity by item, the original among its answers."""
        return answers.measure_diversity(self.answers.vectors, self.answers.rows, self.item, self.size)

    @cached_property
    def spread_of_rewrites(self) -> Any:
        """Diversity by item, of the rewrites alone."""
        import numpy as np

        rows = np.where(self.is_rewrite, self.answers.rows, -1)
        return answers.measure_diversity(self.answers.vectors, rows, self.item, self.size)

    @cached_property
    def flips(self) -> Any:
        import numpy as np

        return np.where(self.is_rewrite, decisions.mark_flips(self.act, self.of_original(self.act)), np.nan)

    @cached_property
    def variation_of_searches(self) -> effort.Variation:
        return effort.measure_variation(self.searches, self.item, self.size)

    @cached_property
    def variation_of_calls(self) -> effort.Variation:
        return effort.measure_variation(self.calls, self.item, self.size)

    @cached_property
    def hits(self) -> list[tuple[bool, ...] | None]:
        """Of each row, which hops brought a gold document; None where hops or gold documents are not known."""
        return [
            trajectories.find_gold_hops([hop.documents for hop in record.hops], record.gold)
            if record.hops is not None and record.gold
            else None
            for record in self.records
        ]

    @cached_property
    def failure(self) -> Any:
        """RFR of each row."""
        import numpy as np

        found = [None if hit is None else trajectories.measure_retrieval_failure(hit) for hit in self.hits]
        return np.array([np.nan if one is None else one for one in found], np.float64)

    @cached_property
    def collapse(self) -> Any:
        return self._compare_hops(trajectories.measure_collapse)

    @cached_property
    def collapse_in_any_order(self) -> Any:
        return self._compare_hops(trajectories.measure_unordered_collapse)

    def _compare_hops(self, rule: Callable[[Any, Any], float | None]) -> Any:
        """A rule over the documents of the original's hops and of the rewrite's; NaN for the original itself."""
        import numpy as np

        found = np.full(len(self.records), np.nan)
        for row in np.flatnonzero(self.is_rewrite & (self.base >= 0)).tolist():
            own, other = self.records[row].hops, self.records[self.base[row]].hops
            if own is not None and other is not None:
                value = rule([hop.documents for hop in other], [hop.documents for hop in own])
                found[row] = np.nan if value is None else value
        return found

    @cached_property
    def step_cosines(self) -> tuple[Any, Any, Any, str]:
        """(rows, hops from 0, cosines, why some are lacking): the original's and the rewrite's queries at every hop that both
        have; NaN where one has no vector."""
        import numpy as np

        rows, hops, left, right, spoken = [], [], [], [], []
        for row in np.flatnonzero(self.is_rewrite & (self.base >= 0)).tolist():
            own, other = self.records[row], self.records[self.base[row]]
            for hop, (mine, theirs) in enumerate(zip(own.hops or (), other.hops or (), strict=False)):
                rows.append(row)
                hops.append(hop)
                left.append(theirs.query)
                right.append(mine.query)
                spoken.append(own.language)
        made = self._embed([*left, *right], [*spoken, *spoken])
        cosines = answers.measure_similarity(made.vectors, made.rows[: len(left)], made.rows[len(left) :])
        return np.array(rows, np.int64), np.array(hops, np.int64), cosines, made.why

    @cached_property
    def search_similarity(self) -> Any:
        """MSS of each row; NaN where no hop is shared, or a query has no vector."""
        import numpy as np

        rows, _, cosines, _ = self.step_cosines
        shared = np.bincount(rows, minlength=len(self.records))
        with np.errstate(invalid="ignore"):
            return np.bincount(rows, cosines, minlength=len(self.records)) / np.where(shared > 0, shared, np.nan)

    @cached_property
    def most_hops(self) -> int:
        """Most hops of any answer."""
        return max((len(record.hops or ()) for record in self.records), default=0)

    @cached_property
    def kinds_of_item(self) -> list[set[str]]:
        """Per item the kinds in which it was asked, failed answers among them."""
        found: list[set[str]] = [set() for _ in self.items]
        for record in self.asked:
            found[self.items[record.item]].add(record.kind)
        return found
