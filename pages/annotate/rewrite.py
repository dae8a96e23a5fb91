"""Rewrite: a person writes one accepted question after another in their own words. The page's URL contains the filters and the
item on the screen. The script runs when the page opens, when the widgets around the sheet change, and when no further question
waits."""

from functools import partial

import streamlit as st

from core.errors import BenchError
from pages.components.review import desk_bar
from pages.components.rewrite import rewriting
from pages.parts.annotate.review.filters import ITEM_FILTER
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.annotate.rewrite import others, rules
from pages.parts.annotate.tab_path import TabPath
from pages.parts.setup.guideline import beside
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.presses import mark_answered
from pages.parts.ui.say import show_error
from workbench import open_workbench
from workbench.annotate.desk.desk_data import DeskVisit
from workbench.annotate.reviewing.reviews import ItemKind
from workbench.annotate.wordings.rewrites import OF_DRAFT

bench = open_workbench()
rewrites, visits = bench.rewrites, bench.rewrite_visits
who = get_person()
FEEDBACK = "rewrite"
PATH = TabPath("rewrite")


def main() -> None:
    """Show a header line with the filter and progress, and below it the rewrite sheet or, if no question is left, a message."""
    choices = bench.reviews.choices()
    kind = ITEM_FILTER.read_address(choices)
    consent = rewrites.consent.find_unagreed(who) if who else None
    given = None if consent else PATH.find_visit(visits)
    item = given.item if given else read_word("item") or rewrites.find_next(kind, who)
    visit = None
    if item is not None and not consent:
        number = (given or visits.put(who, PATH.get_tab(), item)).number
        visit = DeskVisit(PATH.get_tab(), number, kind._asdict())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Rewrite", anchor=False, width="content")
        ITEM_FILTER.show(choices, kind)
        st.space("stretch")
        desk_bar.show(visits.load_bar(kind, who), visit)
        rules.show(rewrites)
    if not who:
        ask_here("Give your name: rewrites are stored under it, and you cannot write a rewrite without a name.")
    if consent:
        rules.ask(rewrites, consent, who)
    elif item is None:
        show_end(kind)
    else:
        show_sheet(item, kind, visit)
    keys_help(rewriting.KEYS)


def show_sheet(item: str, kind: ItemKind, visit: DeskVisit | None) -> None:
    """Show the rewrite sheet of the item, and handle the button presses that the sheet passes to the page."""
    try:
        sheet = visits.load(item, who, visit)
    except BenchError as error:
        show_error(str(error))
        st.button("Go to the next question", icon=":material/arrow_forward:", on_click=PATH.go_to, args=(None,))
        return
    PATH.write(item)
    if sheet.item.status == "drafted":
        st.caption(OF_DRAFT)
    beside.show(sheet.item.task, who)
    pressed = rewriting.show(sheet)
    if pressed:
        target = PATH.step(pressed, partial(rewrites.find_next, kind, who), partial(rewrites.find_previous, who))
        mark_answered(pressed, target)
        st.rerun()
    show_feedback(FEEDBACK)
    if sheet.written:
        others.show(sheet.written, who, decide)


def decide(variant: str, decision: str) -> None:
    """Accept or discard an existing rewrite of a question."""
    with keep_errors(FEEDBACK):
        bench.reviews.decide(variant, "accept" if decision == "accept" else "discard", person=who)


def show_end(kind: ItemKind) -> None:
    """Tell the person that no question is left to rewrite, and link to the work that comes next."""
    if any(value is not None for value in kind):
        ITEM_FILTER.show_empty("No question of this kind needs your rewrite", "rewrite_all")
    else:
        do = f"Accepted questions appear here until {rewrites.wanted} people have rewritten each."
        show_empty("No question needs your rewrite", do, "pages/annotate/review.py", "Review drafts")


main()
