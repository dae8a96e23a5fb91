"""Tables on counterfactual releases: what the runs read in the corpus, and what they remember from the real world."""

from collections.abc import Sequence

from pages.parts.evaluate.results.absence_table import show_tables
from workbench import open_workbench
from workbench.evaluate.results.counterfactual import NOTES


def show(ids: Sequence[str], key: str) -> None:
    """Show the tables, and buttons that download them; runs on other releases get a note."""
    show_tables(open_workbench().counterfactual, NOTES, "Comparing what was read with what was remembered", ids, key)
