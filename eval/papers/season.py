"""Check seasons, which are frozen samples of template questions: only systems that answered the same season are comparable. A
release freezes one season, together with the tables from which its questions were made."""

from collections.abc import Sequence

from core.errors import BenchError
from core.nouns import Run
from core.tables.nouns import named_tables
from eval.reports.report import Report


def check_season(runs: Sequence[Run]) -> None:
    """Raise BenchError if the runs are of several seasons (releases), because their results are not comparable."""
    names = list({run.release_hash: run.release for run in runs}.values())
    if len(names) > 1:
        raise BenchError(
            f"These runs use the questions of {len(names)} seasons (releases {', '.join(names)}), but systems can be compared "
            "only on the same questions: choose runs of one release."
        )


def list_season_notes(report: Report) -> list[str]:
    """Return the report's notes, and a note on each run whose functions read other table rows than the rows from which its
    questions were made. Such runs exist if the release froze no tables."""
    notes = report.notes
    for name, result in zip(report.names, report.results, strict=True):
        hashes = {  # one hash, or several if questions differ
            table: {of} if isinstance(of, str) else set(of) for table, of in (result.run.config.get("tables") or {}).items()
        }
        origins = [named_tables(result.items[trace.item].steps) for trace in result.traces if trace.item in result.items]
        others = [[table for table, hash_ in own.items() if hash_ not in hashes.get(table, {hash_})] for own in origins]
        if any(others):
            n, tables = sum(map(bool, others)), sorted({table for own in others for table in own})
            rows = f"other rows of {', '.join(tables)} than its functions read"
            notes.append(f"{name}: {n} of {len(origins)} questions were made from {rows}.")
    return notes
