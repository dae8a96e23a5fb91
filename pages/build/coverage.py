"""The coverage map: items per document, section, task and level, and drafting where items are few. It also shows whether items
measure at their declared level, and how hard they are."""

from pages.parts.build.coverage import difficulty, levels, map_view
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import switch_view

VIEWS = {"map": map_view.show, "levels": levels.show, "difficulty": difficulty.show}

show_heading(
    "Coverage",
    "The number of items per document, the text that no item uses, and the measured level and difficulty of items.",
)
VIEWS[switch_view({name: name.capitalize() for name in VIEWS}, "coverage_view")]()
