"""The line above the review desk that shows the person's progress. The desk itself updates the line when the desk opens the
next item without the page."""

from core.as_json import as_json
from pages.components.bundles import register
from workbench.annotate.desk.desk_data import DeskBar, DeskVisit


def show(bar: DeskBar, visit: DeskVisit | None) -> bool:
    """Show the line above the review desk; return True if the person clicked the link to the page Adjudicate."""
    data = {"bar": as_json(bar), "visit": as_json(visit)}
    result = _BAR(data=data, key="desk_bar", width="content", on_opinions_change=lambda: None)
    return bool(result.opinions)


_BAR = register("desk_bar", "desk_bar")
