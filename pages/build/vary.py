"""Vary: create variants of questions by kind, try this on three items, run it as a job, and show variants beside the
originals."""

from pages.parts.build.vary import made_table, make_box
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import switch_view
from pages.parts.ui.say import show_note
from workbench import open_workbench

VIEWS = {"make": make_box.show, "made": made_table.show}

show_heading(
    "Vary", "The same question in other words, each made from the original; people review the variants on the page Variants."
)
if why := explain_refusal("make variants"):
    show_note(why)
elif not open_workbench().find.choices()["task"]:
    about = "Variants are made of items: draft some, or import a benchmark."
    show_empty("No items yet", about, "pages/build/draft.py", "Draft items")
else:
    VIEWS[switch_view({name: name.capitalize() for name in VIEWS}, "vary_view", "page")]()
