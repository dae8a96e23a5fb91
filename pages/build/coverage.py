"""Coverage: a map of the number of items per document, section, task and level, with a form that drafts items where there are
few. The page also compares the measured level of items with their declared level, and shows how hard the items are."""

from pages.parts.build.coverage import difficulty, levels, map_view
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import switch_view

VIEWS = {"map": map_view.show, "levels": levels.show, "difficulty": difficulty.show}

show_heading(
    "Coverage",
    "The number of items per document, the text that no item uses, and the measured level and difficulty of items.",
)
VIEWS[switch_view({name: name.capitalize() for name in VIEWS}, "coverage_view")]()
