"""Seasons: frozen samples of questions. Systems are compared only within one; what a release froze is one, together with the
tables that its questions were made from."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.nouns import Run
from core.tables.nouns import named_tables
from eval.reports.layout import name_results
from eval.reports.report import Report


def check_season(runs: Sequence[Run]) -> None:
    """Raises BenchError on runs of several."""
    names = list({run.release_hash: run.release for run in runs}.values())
    if len(names) > 1:
        raise BenchError(
            f"These runs are of {len(names)} seasons (releases {', '.join(names)}), and systems are compared only "
            "within one: choose runs of one release."
        )


def describe_other_rows(report: Report) -> list[str]:
    """Runs whose functions read other rows than those that the questions were made from, as where a release froze none."""
    found = []
    for name, result in zip(name_results(report.results), report.results, strict=True):
        read: Mapping[str, Any] = result.run.config.get("tables") or {}
        asked = [named_tables(result.items[trace.item].steps) for trace in result.traces if trace.item in result.items]
        others = [[table for table, hash_ in one.items() if hash_ not in _hashes(read.get(table, hash_))] for one in asked]
        if any(others):
            n, tables = sum(map(bool, others)), sorted({table for one in others for table in one})
            found.append(
                f"{name}: {n} of {len(asked)} questions were made from other rows of {', '.join(tables)} than its "
                "functions read."
            )
    return found


def _hashes(of: Any) -> Sequence[str]:
    """Of a table as a run's configuration holds it: one, or several where questions differ."""
    return [of] if isinstance(of, str) else list(of)
