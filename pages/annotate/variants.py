"""Variants: a person judges one question variant after another, each beside its original question, by keyboard. The variants
come from the queue, or from a sample that two people judge without seeing each other's answers. URL parameters: variant=ID, the
filters, and sample=ID. The script runs when the page opens, when the widgets around the sheet change, and when no further
variant waits."""

from functools import partial

import streamlit as st

from core.errors import BenchError, NotAllowed
from pages.components.review import desk_bar
from pages.components.variant import variant
from pages.parts.annotate.kind_filter import KindFilter
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.annotate.tab_path import TabPath
from pages.parts.setup.guideline import beside
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.presses import mark_answered
from pages.parts.ui.say import count_things, escape, show_error
from workbench import open_workbench
from workbench.annotate.desk.desk_data import DeskVisit
from workbench.annotate.wordings.variant_visits import VariantQueue
from workbench.annotate.wordings.variants import CLEAN, FLAGGED, VariantKind

bench = open_workbench()
stage, quality, visits = bench.variants, bench.variant_quality, bench.variant_visits
who = get_person()
sample = read_word("sample")
PATH = TabPath("variant", "variant")
TAKEN = "variant_taken"
"""Session key of the name of the person who took over the variant in the page's URL; the next run reports the name."""
FLAG_WORDS = {FLAGGED: "flagged by a guard", CLEAN: "flagged by no guard"}
VARIANT_FILTER = KindFilter(
    VariantKind,
    "variant",
    "variants",
    {"kind": "Kind", "task": "Task", "domain": "Domain", "flag": "Guards"},
    lambda name, value: FLAG_WORDS.get(value, value.replace("_", " ")),
    lambda: PATH.go_to(None),
)


def main() -> None:
    """Show a header line with the filter and progress, and below it the sheet of a variant or, if no variant is left, a
    message."""
    choices = stage.choices()
    queue = VariantQueue(VARIANT_FILTER.read_address(choices), sample)
    given = PATH.find_visit(visits)
    try:
        here = given.item if given else read_word("variant") or visits.find_next(queue, who)
    except BenchError as error:
        show_error(str(error))
        return
    if here and not sample:
        stage.hold(here, who)
    visit = None
    if here is not None:
        number = (given or visits.put(who, PATH.get_tab(), here)).number
        visit = visits.describe_visit(PATH.get_tab(), number, queue)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Variants", anchor=False, width="content")
        if not sample:
            VARIANT_FILTER.show(choices, queue.kind)
        st.space("stretch")
        desk_bar.show(visits.load_bar(queue, who), visit)
        show_samples()
    if not who:
        ask_here("Give your name: decisions are stored under it, and you cannot decide without a name.")
    if taker := st.session_state.pop(TAKEN, ""):
        st.toast(f"{escape(taker)} took over the variant that you had open.", icon=":material/swap_horiz:", duration="long")
    if here is None:
        show_end(queue)
    else:
        show_sheet(here, queue, visit)
    keys_help(variant.KEYS)


def show_samples() -> None:
    """Show a button for each sample that this person still has to judge; while a sample is open, show only a button back to the
    queue."""
    if sample:
        st.button("Back to the queue", type="tertiary", icon=":material/arrow_back:", on_click=go_to_sample, args=(None,))
        return
    for one in quality.list_waiting(who):
        label, icon = f"Blind sample: {one.left:,} left", ":material/visibility_off:"
        st.button(label, key=f"sample_{one.id}", type="tertiary", icon=icon, on_click=go_to_sample, args=(one.id,))


def show_sheet(here: str, queue: VariantQueue, visit: DeskVisit | None) -> None:
    """Show the sheet of the variant `here`, and handle the button presses that the sheet passes to the page."""
    try:
        sheet = visits.load(here, who, queue, visit)
    except BenchError as error:
        if isinstance(error, NotAllowed) and not sample and read_word("variant"):
            st.session_state[TAKEN] = "Somebody else"
            PATH.go_to(None)
            st.rerun()
        show_error(str(error))
        st.button("Go to the next variant", icon=":material/arrow_forward:", on_click=PATH.go_to, args=(None,))
        return
    PATH.write(here)
    beside.show(sheet.original.task, who)
    pressed = variant.show(sheet)
    if pressed:
        if pressed.to == "taken":
            taker = sheet.held or sheet.decided
            st.session_state[TAKEN] = taker.by if taker else ""
        target = PATH.step(pressed, partial(visits.find_next, queue, who), partial(visits.find_previous, queue, who))
        mark_answered(pressed, target)
        st.rerun()


def go_to_sample(to: str | None) -> None:
    """Open the sample with the id `to`, or the queue if `to` is None."""
    write_address(sample=to, variant=None)


def show_end(queue: VariantQueue) -> None:
    """Tell the person that no variant is left in the queue or sample, and link to the work that comes next."""
    last = visits.find_previous(queue, who, None)
    if sample:
        with st.container(border=True, horizontal_alignment="center", gap="small"):
            st.markdown("**You have judged the whole sample**", width="content")
            show_way_back(last)
            st.button("To the queue", key="variant_queue", on_click=go_to_sample, args=(None,))
    elif any(queue.kind):
        VARIANT_FILTER.show_empty("No variant of this kind waits for a decision", "variant_every")
    else:
        held = stage.progress(queue.kind, who).held
        do = (
            f"Others hold {count_things(held, 'more variant')}."
            if held
            else "New variants appear here; accepted ones go into releases."
        )
        show_empty("No variant waits for you", do, "pages/release/freeze.py", "Freeze a release", "freeze releases")
        show_way_back(last)


def show_way_back(last: str | None) -> None:
    if last:
        st.button("Back to the last variant", icon=":material/arrow_back:", on_click=PATH.go_to, args=(last,))


main()
