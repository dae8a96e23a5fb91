"""Show the log of the workspace: who did what, and what was refused. The log leaves out decisions, rewrites and typed text,
which are stored elsewhere with name and time."""

from collections.abc import Iterator

from eval.page import Page, Table, words
from eval.reports.renderer import renderers
from store.engine.database import Database
from store.people import log
from store.people.log import LogFilter, LogLine
from workbench.roles import requires

__all__ = ["LogFilter", "LogLine", "LogStage", "describe_details"]

HEADS = ("number", "at (UTC)", "person", "terminal", "act", "what", "details", "refused")


class LogStage:
    """Methods that read the log of the workspace."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @requires("read the log")
    def page(self, wanted: LogFilter, limit: int = 50, offset: int = 0) -> tuple[list[LogLine], int]:
        """Return (one page of the log lines that match the filter, newest first, number of all these lines)."""
        return log.load_page(self._db, wanted, limit, offset), log.count(self._db, wanted)

    @requires("read the log")
    def choices(self) -> tuple[list[str | None], list[str]]:
        """Return the people and the actions in the log, from which a person can choose; None among the people stands for the
        terminal."""
        return log.list_choices(self._db)

    @requires("read the log")
    def file(self, wanted: LogFilter) -> str:
        """Return the log lines that match the filter as CSV, in which a spreadsheet cannot run any text as a formula."""
        rows = [[words(cell) for cell in row] for row in self._rows(wanted)]
        return renderers()["csv"].render(Page("Log", [Table("Log", HEADS, rows)]))

    def _rows(self, wanted: LogFilter) -> Iterator[list[str]]:
        for line in log.stream_lines(self._db, wanted):
            by_terminal, is_refused = ("yes" if claim else "" for claim in (line.person is None, line.is_refused))
            yield [
                str(line.number),
                line.at,
                line.person or "",
                by_terminal,
                line.act,
                line.what,
                describe_details(line),
                is_refused,
            ]


def describe_details(line: LogLine) -> str:
    """Return the details of a log line as text; "" if there are none."""
    return ", ".join(f"{name} {value}" for name, value in line.details.items() if value not in (None, ""))
