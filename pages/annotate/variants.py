"""Variants: a person judges one variant after another beside its original question, by keyboard. They come from the queue, or
from a sample, which two people judge blind to each other. Address: variant=ID, the filters, and sample=ID."""

from dataclasses import replace

import streamlit as st

from core.errors import BenchError
from pages.components.variant import variant
from pages.parts.annotate import way
from pages.parts.annotate.kind_filter import KindFilter
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.setup.guideline import beside
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_error
from workbench import open_workbench
from workbench.annotate.wordings.variants import CLEAN, FLAGGED, VariantKind

bench = open_workbench()
stage, quality = bench.variants, bench.variant_quality
who = get_person()
sample = read_word("sample")
WAY = f"variant_way_{sample}"
FLAG_WORDS = {FLAGGED: "flagged by a guard", CLEAN: "flagged by none"}
VARIANT_FILTER = KindFilter(
    VariantKind,
    "variant",
    "variants",
    {"kind": "Kind", "task": "Task", "domain": "Domain", "flag": "Guards"},
    lambda name, value: FLAG_WORDS.get(value, value.replace("_", " ")),
    lambda: write_address(variant=None),
)


def main() -> None:
    """Draw the thin bar, and below it the sheet or a message in its place."""
    choices = stage.choices()
    kind = VARIANT_FILTER.read_address(choices)
    try:
        here = read_word("variant") or find_next(kind)
    except BenchError as error:
        show_error(str(error))
        return
    if here and not sample:
        stage.hold(here, who)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Variants", anchor=False, width="content")
        if not sample:
            VARIANT_FILTER.show(choices, kind)
        st.space("stretch")
        show_progress(kind)
    if not who:
        ask_here("Give your name: decisions are stored under it, and none can be made without.")
    if here is None:
        show_end(kind)
    else:
        show_sheet(here, kind)
    keys_help(variant.KEYS)


def find_next(kind: VariantKind, after: str | None = None) -> str | None:
    """Return the next variant for this person."""
    return quality.find_next(sample, who, after) if sample else stage.find_next(kind, who, after)


def find_previous(here: str | None) -> str | None:
    """Return the variant that this person decided on or judged before the given one."""
    return quality.find_previous(sample, who, here) if sample else stage.find_previous(who, here)


def show_progress(kind: VariantKind) -> None:
    """Draw this person's progress, and the samples that wait for this person."""
    waiting = quality.list_waiting(who)
    if sample:
        left = next((one.left for one in waiting if one.id == sample), 0)
        st.caption(f"Blind sample, {left:,} left for you. Your answers decide nothing about the variants.", width="content")
        st.button("Back to the queue", type="tertiary", icon=":material/arrow_back:", on_click=go_to_sample, args=(None,))
        return
    done = stage.progress(kind, who)
    held = f", {done.held:,} more held by others" if done.held else ""
    st.caption(f"{done.today:,} decided today, {done.left:,} left{held}", width="content")
    for one in waiting:
        label, icon = f"Blind sample: {one.left:,} left", ":material/visibility_off:"
        st.button(label, key=f"sample_{one.id}", type="tertiary", icon=icon, on_click=go_to_sample, args=(one.id,))


def show_sheet(here: str, kind: VariantKind) -> None:
    """Draw the variant, and follow requests to other items."""
    try:
        sheet = quality.sheet(sample, here, who) if sample else stage.sheet(here, who)
    except BenchError as error:
        show_error(str(error))
        st.button("To the next variant", icon=":material/arrow_forward:", on_click=write_address, kwargs={"variant": None})
        return
    write_address(variant=here)
    beside.show(sheet.original.task, who)
    pressed = variant.show(replace(sheet, has_back=way.has_passed(WAY) or bool(find_previous(here))))
    if pressed:
        way.step(pressed, "variant", WAY, lambda at: find_next(kind, at), find_previous)
        variant.mark_answered(pressed, read_word("variant") or None)
        st.rerun()


def go_to_sample(to: str | None) -> None:
    """Open a sample; None = the queue."""
    write_address(sample=to, variant=None)


def show_end(kind: VariantKind) -> None:
    """Draw the work that comes next."""
    last = find_previous(None)
    if sample:
        with st.container(border=True, horizontal_alignment="center", gap="small"):
            st.markdown("**You have judged the whole sample**", width="content")
            show_way_back(last)
            st.button("To the queue", key="variant_queue", on_click=go_to_sample, args=(None,))
    elif any(kind):
        VARIANT_FILTER.show_empty("No variant of this kind waits", "variant_every")
    else:
        held = stage.progress(kind, who).held
        do = f"Others hold {held:,} more." if held else "Variants come here as they are made; accepted ones go into releases."
        show_empty("No variant waits for you", do, "pages/release/freeze.py", "Freeze a release", "freeze releases")
        show_way_back(last)


def show_way_back(last: str | None) -> None:
    if last:
        st.button("Back to the last one", icon=":material/arrow_back:", on_click=write_address, kwargs={"variant": last})


main()
