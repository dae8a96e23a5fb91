"""Progress: statistics on drafts (HawkBench's Table 1), people, agents, prompts, pace and targets; the person's own last seven
days; agreement between people; and results on control items. All statistics are computed in the background and cached until the
data changes."""

from pages.parts.annotate.progress import (
    agreement_view,
    construction_table,
    makers_table,
    my_week,
    pace_view,
    people_table,
    trust_view,
)
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import read_word, switch_view

VIEWS = {
    "drafts": ("Drafts", construction_table.show),
    "people": ("People", people_table.show),
    "agents": ("Agents and prompts", makers_table.show),
    "pace": ("Pace and targets", pace_view.show),
    "week": ("My week", my_week.show),
    "agreement": ("Agreement", agreement_view.show),
    "trust": ("Qualification and checks", trust_view.show),
}
PERSONAL = ("people", "trust")
"""Views about individual people. The page hides these views from a person without the permission; a person who opens one by its
URL sees why it is hidden."""

show_heading("Progress", "The outcomes of the drafts, the effort of reviewers, and the remaining work.")
hidden = [name for name in PERSONAL if name != read_word("view")] if explain_refusal("see who did what") else []
view = switch_view({name: label for name, (label, _) in VIEWS.items() if name not in hidden}, "progress_view")
VIEWS[view][1]()
