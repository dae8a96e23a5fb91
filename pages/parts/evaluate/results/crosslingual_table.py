"""Tables on language pairs: the runs' answers in two languages, over the same pairs."""

from collections.abc import Sequence

from pages.parts.evaluate.results.absence_table import show_tables
from workbench import open_workbench
from workbench.evaluate.results.crosslingual import NOTES


def show(ids: Sequence[str], key: str) -> None:
    """Show the tables, and buttons that download them; runs on a release without language pairs get a note."""
    show_tables(open_workbench().crosslingual, NOTES, "Comparing answers in two languages", ids, key)
