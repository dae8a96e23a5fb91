"""Compare runs on one set of questions in several wordings: every measure by system and kind of wording, over all items and
over the items asked in all kinds. Repeated runs of one configuration form one arm."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from core.errors import BenchError
from core.statistics.resampling import RESAMPLES
from eval.robustness.estimate import Estimate, FigureColumn, estimate_figures
from eval.robustness.meanings import Embed
from eval.robustness.measures import MEASURES, Measure
from eval.robustness.records import ORIGINAL, WordingRecord
from eval.robustness.run_layout import RunLayout

ORDER = ("formality", "readability", "declarative", "imperative", "spelling", "grammar", "keyboard", "ocr", "human")
"""Kinds of wording in the paper's order; other kinds follow by name."""
REWRITES = "all rewrites"
"""Name of the column for all rewrites together, in which each wording has equal weight."""
ITEMS = "items"
"""Name of the column of measures that are computed per item."""


class Arm(NamedTuple):
    """One configuration of a system, with its repeated runs."""

    name: str
    runs: Sequence[Sequence[WordingRecord]]
    """The records of each repeated run."""
    without: Sequence[Sequence[WordingRecord]] | None = None
    """For each repeated run, the same agent's answers without retrieval; None if there is no such run."""
    facts: Mapping[str, Any] = MappingProxyType({})
    """Facts about the configuration for tables: system, agent, retriever, temperature, release, family."""


@dataclass(frozen=True)
class Study:
    """Several system configurations (arms) on the same questions, and their measures. All values depend only on records,
    vectors and seed."""

    arms: Sequence[Arm]
    embed: Embed
    model: str = ""
    """Name of the embedding model, which the notes mention."""
    seed: int = 0
    resamples: int = RESAMPLES
    titles: Mapping[str, str] = field(default_factory=dict)
    """A dict from document id to its title, for display."""
    notes: Sequence[str] = ()
    """Notes that are shown before the study's tables."""

    @cached_property
    def items(self) -> Mapping[str, int]:
        """Return a dict from the items of all runs to their index."""
        items = {record.item for arm in self.arms for run in arm.runs for record in run}
        return {item: number for number, item in enumerate(sorted(items))}

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """Return a dict from the kinds of wording of all runs to their index, the original first."""
        kinds = {record.kind for arm in self.arms for run in arm.runs for record in run} - {ORIGINAL}
        order = [ORIGINAL, *(kind for kind in ORDER if kind in kinds), *sorted(kinds - set(ORDER))]
        return {kind: number for number, kind in enumerate(order)}

    @property
    def rewrites(self) -> list[str]:
        """Return all kinds of wording except the original."""
        return list(self.kinds)[1:]

    @cached_property
    def layouts(self) -> Sequence[Sequence[RunLayout]]:
        """Return, for each arm (a system's configuration), the column layouts of its repeated runs."""
        if not self.rewrites:
            raise BenchError("These runs have no rewritten questions: run with --variants on a release that has variants.")

        def lay_out(arm: Arm, number: int) -> RunLayout:
            # without retrieval: the run of the same repeat, else the first
            without = arm.without[number if number < len(arm.without) else 0] if arm.without else None
            return RunLayout(arm.runs[number], self.items, self.kinds, without, self.embed)

        return [[lay_out(arm, number) for number in range(len(arm.runs))] for arm in self.arms]

    @cached_property
    def complete(self) -> Any:
        """Return an array with 1 for each item that was asked in every kind of wording by every run with rewrites, else 0."""
        complete = np.ones(len(self.items))
        required = set(self.kinds)
        for runs in self.layouts:
            for run in runs:
                if len({record.kind for record in run.asked}) > 1:
                    complete *= np.array([required <= kinds for kinds in run.kinds_of_item], np.float64)
        return complete

    @property
    def n_complete(self) -> int:
        return int(self.complete.sum())

    def count_failures(self, arm: int) -> Counter[str]:
        """Return the number of failed answers over all repeated runs of an arm (a system's configuration), by kind of
        wording."""
        return sum((run.failed for run in self.layouts[arm]), Counter())

    def figures(self, arm: int, names: Sequence[str | Measure], only_complete: bool = False) -> dict[tuple[str, str], Estimate]:
        """Return {(measure, kind): Estimate} of one arm (a system's configuration); all estimates share their resamples. The
        kinds of a measure per wording are the original, each kind of rewrite, and all rewrites together; a measure per rewrite
        has these without the original; a measure per item has only the kind "items". A Measure that is not in MEASURES is keyed
        by its label."""
        measures = {m if isinstance(m, str) else m.label: MEASURES[m] if isinstance(m, str) else m for m in names}
        keys: list[tuple[str, str]] = []
        by_run: list[list[FigureColumn]] = []
        for run in self.layouts[arm]:
            lists = {name: self._list_columns(run, measure) for name, measure in measures.items()}
            columns = {(name, kind): column for name, own in lists.items() for kind, column in own.items()}
            keys = list(columns)
            by_run.append([own.select_items(self.complete) if only_complete else own for own in columns.values()])
        return dict(zip(keys, estimate_figures(by_run, self.seed, self.resamples), strict=True))

    def _list_columns(self, run: RunLayout, measure: Measure) -> dict[str, FigureColumn]:
        values, why = measure.values(run), measure.explain(run)
        if not measure.is_whole(run):
            values = np.full(len(values), np.nan)
        if measure.at == "item":
            valued = ~np.isnan(values)
            seen = np.bincount(run.item, minlength=run.size) > 0
            column = FigureColumn(np.where(valued, values, 0.0), valued.astype(float), (seen & ~valued).astype(float), why)
            return {ITEMS: column}
        kinds = list(self.kinds) if measure.at == "wording" else self.rewrites
        columns = {kind: _sum_rows(run, values, run.kind == self.kinds[kind], True, why) for kind in kinds}
        return {**columns, REWRITES: _sum_rows(run, values, run.is_rewrite, False, why)}


def _sum_rows(run: RunLayout, values: Any, selected: Any, is_by_item: bool, why: str) -> FigureColumn:
    """Return, for each item, the sum of the values of its selected rows or, with `is_by_item`, their mean, because an item may
    have two rewrites of one kind, written by different people."""
    valued = selected & ~np.isnan(values)
    sums = np.bincount(run.item[valued], values[valued], minlength=run.size).astype(float)
    counts = np.bincount(run.item[valued], minlength=run.size).astype(float)
    lacking = np.bincount(run.item[selected & ~valued], minlength=run.size).astype(float)
    if is_by_item:
        sums = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
        counts = (counts > 0).astype(float)
    return FigureColumn(sums, counts, lacking, why)


def compare_repeats(runs: Sequence[RunLayout], values: Sequence[Any], why: str = "") -> FigureColumn:
    """Return the noise floor for each item: the share of pairs of runs whose `values` differ although both runs answered the
    same wording. Pairs are formed from all runs of one configuration. If an answer changes between wordings no more often than
    the noise floor, the change means little. NaN = not known."""
    sums, counts, undefined = np.zeros((3, runs[0].size))
    if len(runs) < 2:
        return FigureColumn(sums, counts, undefined, "only one run, so the same wording was not asked twice")
    by_run = [
        {(r.item, r.variant): value for r, value in zip(run.records, own.tolist(), strict=True) if value == value}
        for run, own in zip(runs, values, strict=True)
    ]
    for first, second in combinations(by_run, 2):
        for key in first.keys() & second.keys():
            place = runs[0].items[key[0]]
            sums[place] += first[key] != second[key]
            counts[place] += 1
    return FigureColumn(sums, counts, undefined, why)
