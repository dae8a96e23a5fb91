"""Vary: choose questions and kinds of variants, try them on three items, make the variants as a job, and read the variants
below their original questions."""

from pages.parts.build.vary import made_table, make_box
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.say import show_note
from workbench import open_workbench

VIEWS = {"make": make_box.show, "made": made_table.show}

show_heading(
    "Vary",
    "Variants ask a question in other words, and each is made from the original; people review them on the page Variants.",
)
if why := explain_refusal("make variants"):
    show_note(why)
elif not open_workbench().find.choices()["task"]:
    about = "Variants are made from items: draft items, or import a benchmark."
    show_empty("No items yet", about, "pages/build/draft.py", "Draft items")
else:
    VIEWS[switch_view({name: name.capitalize() for name in VIEWS}, "vary_view", "page")]()
