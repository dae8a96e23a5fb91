"""Rewrite: a person puts accepted questions, one after another, in their own words. The address holds the filters and the item
on the screen."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.errors import BenchError
from pages.components.rewrite import rewriting
from pages.parts.annotate import way
from pages.parts.annotate.review.filters import ITEM_FILTER
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.annotate.rewrite import others, rules
from pages.parts.setup.guideline import beside
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_error
from workbench import open_workbench
from workbench.annotate.reviewing.reviews import ItemKind

bench = open_workbench()
rewrites = bench.rewrites
who = get_person()
WAY, FEEDBACK = "rewrite_way", "rewrite"


def main() -> None:
    """Draw the thin bar, and below it the sheet or a message in its place."""
    choices = bench.reviews.choices()
    kind = ITEM_FILTER.read_address(choices)
    done = rewrites.count(kind, who)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Rewrite", anchor=False, width="content")
        ITEM_FILTER.show(choices, kind)
        st.space("stretch")
        st.caption(f"{done.mine:,} by you, {done.left:,} left", width="content")
        rules.show(rewrites)
    if not who:
        ask_here("Give your name: rewrites are stored under it, and none can be written without.")
    consent = rewrites.consent.find_unagreed(who) if who else None
    item = read_word("item") or rewrites.find_next(kind, who)
    if consent:
        rules.ask(rewrites, consent, who)
    elif item is None:
        show_end(kind)
    else:
        show_sheet(item, kind)
    keys_help(rewriting.KEYS)


def show_sheet(item: str, kind: ItemKind) -> None:
    """Draw the item, and follow requests to other items."""
    try:
        sheet = rewrites.sheet(item, who)
    except BenchError as error:
        show_error(str(error))
        st.button("To the next question", icon=":material/arrow_forward:", on_click=write_address, kwargs={"item": None})
        return
    write_address(item=item)
    if sheet.item.status == "drafted":
        st.caption("This item is still a draft: its rewrites count after the item is accepted with these words.")
    beside.show(sheet.item.task, who)
    pressed = rewriting.show(replace(sheet, has_back=way.has_passed(WAY) or bool(rewrites.find_previous(who, item))))
    if pressed:
        find_next, find_previous = partial(rewrites.find_next, kind, who), partial(rewrites.find_previous, who)
        way.step(pressed, "item", WAY, find_next, find_previous)
        rewriting.mark_answered(pressed, read_word("item") or None)
        st.rerun()
    show_feedback(FEEDBACK)
    if sheet.written:
        others.show(sheet.written, who, decide)
    elif sheet.people:
        st.caption(f"Rewrites by others: {sheet.people} of {sheet.wanted}, shown once you have stored yours.")


def decide(variant: str, decision: str) -> None:
    """Accept or discard an existing rewrite."""
    with keep_errors(FEEDBACK):
        bench.reviews.decide(variant, "accept" if decision == "accept" else "discard", person=who)


def show_end(kind: ItemKind) -> None:
    """Draw the work that comes next."""
    if any(value is not None for value in kind):
        ITEM_FILTER.show_empty("No question of this kind needs your rewrite", "rewrite_all")
    else:
        do = f"Accepted questions come here until {rewrites.wanted} people have rewritten each."
        show_empty("No question needs your rewrite", do, "pages/annotate/review.py", "Review drafts")


main()
