"""Coverage: a map of the items per document, section, task and level, with drafting where items are few. The page also shows
whether items have the level that they declare, and how hard they are."""

from pages.parts.build.coverage import difficulty, levels, map_view
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import switch_view

VIEWS = {"map": map_view.show, "levels": levels.show, "difficulty": difficulty.show}

show_heading(
    "Coverage",
    "The number of items per document, the text that no item uses, and the measured level and difficulty of items.",
)
VIEWS[switch_view({name: name.capitalize() for name in VIEWS}, "coverage_view")]()
