"""The coverage map: items per document, section, task and level, and drafting where they are few; whether items measure as the
level that they declare, and how hard they are."""

from pages.parts.build.coverage import difficulty, levels, map_view
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import switch_view

VIEWS = {"map": map_view.show, "levels": levels.show, "difficulty": difficulty.show}

show_heading(
    "Coverage",
    "How many items lie on each document, how much of the text no item uses, and what level and difficulty items measure as.",
)
VIEWS[switch_view({name: name.capitalize() for name in VIEWS}, "coverage_view")]()
