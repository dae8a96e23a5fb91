"""Tables on conversations: the scores by turn, and the outcomes of whole conversations."""

from collections.abc import Sequence

from pages.parts.evaluate.results.absence_table import show_tables
from workbench import open_workbench
from workbench.evaluate.results.conversations import NOTES


def show(ids: Sequence[str], key: str) -> None:
    """Show the tables, and buttons that download them; runs on a release without conversations get a note."""
    show_tables(open_workbench().conversations, NOTES, "Measuring the turns and goals of conversations", ids, key)
