"""Runs of one set of questions in several wordings, laid side by side: every figure by system and kind of wording, over all
items and over those that have all kinds. Repeated runs of one configuration are one arm."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from core.errors import BenchError
from core.statistics.resampling import RESAMPLES
from eval.robustness.estimate import Estimate, FigureColumn, estimate_figures
from eval.robustness.meanings import Embed
from eval.robustness.measures import MEASURES, Measure
from eval.robustness.records import ORIGINAL, WordingRecord
from eval.robustness.run_layout import RunLayout

ORDER = ("formality", "readability", "declarative", "imperative", "spelling", "grammar", "keyboard", "ocr", "human")
"""The paper's order of kinds; others follow by name."""
REWRITES = "all rewrites"
"""All kinds but the original taken together, each wording counting the same."""
ITEMS = "items"
"""The one column of what is counted over whole items."""


class Arm(NamedTuple):
    """One configuration with its repeats."""

    name: str
    runs: Sequence[Sequence[WordingRecord]]
    """Records of each repeat."""
    without: Sequence[Sequence[WordingRecord]] | None = None
    """The same agent's answers without retrieval, repeat by repeat; None where there is no such run."""
    facts: Mapping[str, Any] = MappingProxyType({})
    """What tables tell of it: system, agent, retriever, temperature, release, family."""


@dataclass(frozen=True)
class Study:
    """Some arms and how they are counted. Everything it gives depends on the records, the vectors and the seed alone."""

    arms: Sequence[Arm]
    embed: Embed
    model: str = ""
    """What the vectors are of, for the notes."""
    seed: int = 0
    resamples: int = RESAMPLES
    titles: Mapping[str, str] = field(default_factory=dict)
    """Titles of documents by id, for what people read."""
    notes: Sequence[str] = ()
    """What a reader must know before the figures."""

    @cached_property
    def items(self) -> Mapping[str, int]:
        """Every item of any run, numbered in order."""
        found = {record.item for arm in self.arms for run in arm.runs for record in run}
        return {item: number for number, item in enumerate(sorted(found))}

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """Every kind of wording of any run, the original first."""
        found = {record.kind for arm in self.arms for run in arm.runs for record in run} - {ORIGINAL}
        order = [*(kind for kind in ORDER if kind in found), *sorted(found - set(ORDER))]
        return {kind: number for number, kind in enumerate([ORIGINAL, *order])}

    @property
    def rewrites(self) -> list[str]:
        """The kinds but the original."""
        return list(self.kinds)[1:]

    @cached_property
    def asked(self) -> Sequence[Sequence[RunLayout]]:
        """By arm, its runs laid out."""
        if not self.rewrites:
            raise BenchError(
                "These runs asked no rewrite of any question: run them with --variants on a release that has variants."
            )
        return [
            [
                RunLayout(run, self.items, self.kinds, _repeat(arm.without, number), self.embed)
                for number, run in enumerate(arm.runs)
            ]
            for arm in self.arms
        ]

    @cached_property
    def complete(self) -> Any:
        """1 for each item that every run with rewrites asked in every kind, else 0."""
        import numpy as np

        found = np.ones(len(self.items))
        wanted = set(self.kinds)
        for runs in self.asked:
            for run in runs:
                if len({record.kind for record in run.asked}) > 1:
                    found *= np.array([wanted <= kinds for kinds in run.kinds_of_item], np.float64)
        return found

    @property
    def n_complete(self) -> int:
        return int(self.complete.sum())

    def count_failures(self, arm: int) -> Counter[str]:
        """Failed answers of all runs of an arm, by kind."""
        return sum((run.failed for run in self.asked[arm]), Counter())

    def figures(
        self, arm: int, names: Sequence[str | Measure], *, only_complete: bool = False
    ) -> dict[tuple[str, str], Estimate]:
        """{(measure, kind): estimate} of one arm, all drawn together: of each wording's measure the original, every kind and
        all rewrites; of a rewrite's the kinds and all rewrites; of an item's one, under "items". A Measure that is not in the
        list goes by its label."""
        measures = {m if isinstance(m, str) else m.label: MEASURES[m] if isinstance(m, str) else m for m in names}
        keys: list[tuple[str, str]] = []
        by_run: list[list[FigureColumn]] = []
        for run in self.asked[arm]:
            made = [(name, kind, column) for name, one in measures.items() for kind, column in self._columns(run, one)]
            keys = [(name, kind) for name, kind, _ in made]
            by_run.append([column.select_items(self.complete) if only_complete else column for _, _, column in made])
        return dict(zip(keys, estimate_figures(by_run, self.seed, self.resamples), strict=True))

    def _columns(self, run: RunLayout, one: Measure) -> list[tuple[str, FigureColumn]]:
        import numpy as np

        values = one.values(run)
        if not one.is_whole(run):
            values = np.full(len(values), np.nan)
        why = one.why(run)
        if one.at == "item":
            there = ~np.isnan(values)
            seen = np.bincount(run.item, minlength=run.size) > 0
            return [
                (ITEMS, FigureColumn(np.where(there, values, 0.0), there.astype(float), (seen & ~there).astype(float), why))
            ]
        kinds = list(self.kinds) if one.at == "wording" else self.rewrites
        found = [(kind, _of_rows(run, values, run.kind == self.kinds[kind], True, why)) for kind in kinds]
        return [*found, (REWRITES, _of_rows(run, values, run.is_rewrite, False, why))]


def _repeat(runs: Sequence[Sequence[WordingRecord]] | None, number: int) -> Sequence[WordingRecord] | None:
    """The run of the same repeat, else the first."""
    return None if not runs else runs[number] if number < len(runs) else runs[0]


def _of_rows(run: RunLayout, values: Any, chosen: Any, is_by_item: bool, why: str) -> FigureColumn:
    """Some rows as sums by item; by item, several wordings of one kind (two people's rewrites) are averaged first."""
    import numpy as np

    there = chosen & ~np.isnan(values)
    sums = np.bincount(run.item[there], values[there], minlength=run.size).astype(float)
    counts = np.bincount(run.item[there], minlength=run.size).astype(float)
    lacking = np.bincount(run.item[chosen & ~there], minlength=run.size).astype(float)
    if is_by_item:
        sums = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
        counts = (counts > 0).astype(float)
    return FigureColumn(sums, counts, lacking, why)
