"""The filters of the list of items with their nuggets, which the page's URL contains."""

from pages.parts.ui.in_url import read_word
from workbench.evaluate.scoring.nuggets import LONG_ANSWER_TASKS, NuggetFilter, NuggetState

STATES: dict[NuggetState, str] = {"all": "All", "none": "No nuggets", "drafted": "Drafted", "written": "Saved by a person"}
LONG, EVERY = "long", "all"
"""Values of the URL parameter `task` instead of a task's name: the tasks with long answers; all tasks."""


def read_filter() -> NuggetFilter:
    """Return the filter of the list that the page's URL contains."""
    task = read_word("task", LONG)
    chosen = LONG_ANSWER_TASKS if task == LONG else () if task == EVERY else (task,)
    state: NuggetState = next((name for name in STATES if name == read_word("state")), "all")
    return NuggetFilter(read_word("text"), chosen, read_word("level") or None, None, state)
