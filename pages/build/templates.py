"""Templates: questions with placeholders, written once and filled from many rows of a table. A person writes and tries
templates, or an agent proposes templates and a person approves them. Templates have versions; a season is a fixed set of items
made from templates, whose answers can be computed again from new rows. URL parameters: view, template, draft, season, job."""

from pages.parts.build.templates import listing, make_box, proposals, season_list, writing
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.feedback import show_feedback
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.say import show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench

VIEWS = {
    "list": ("Templates", listing.show),
    "write": ("Write", writing.show),
    "make": ("Make", make_box.show),
    "seasons": ("Seasons", season_list.show),
    "proposed": ("Proposed", proposals.show),
}


def main() -> None:
    """Show the page's heading and the view that a person chose."""
    show_heading(
        "Templates", "A question with placeholders, filled from the rows of a table; each answer is computed from the rows."
    )
    if why := explain_refusal("draft items"):
        show_note(why)
        return
    show_feedback("templates")
    if open_workbench().tables.is_empty():
        about = "Templates need tables: add yours on the page Tables, or load the samples."
        show_empty("No tables yet", about, "pages/build/tables.py", "Add tables")
        listing.draw_samples_button()
        return
    labels = {name: label for name, (label, _) in VIEWS.items()}
    view = switch_view(labels, "templates_view", "template", "season", "job")
    world = until_ready(open_workbench().tables.world, "Reading the tables")
    if world is not None:
        VIEWS[view][1](world)


main()
