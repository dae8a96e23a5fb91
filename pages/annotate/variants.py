"""Variants: one after another beside the question that each was made of, by keyboard alone; or those of a sample, which two
people judge blind to each other. Address: variant=ID, the filters, and sample=ID."""

import streamlit as st

from core.errors import BenchError
from pages.components.variant import variant
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.annotate.variant import filters
from pages.parts.setup.guideline import beside
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.presses import PageRequest
from pages.parts.ui.say import show_error
from workbench import open_workbench
from workbench.annotate.wordings.variants import VariantKind

bench = open_workbench()
stage, quality = bench.variants, bench.variant_quality
who = get_person()
sample = read_word("sample")
WAY = f"variant_way_{sample}"


def main() -> None:
    """The thin bar, and the sheet or what stands in its place."""
    choices = stage.choices()
    kind = filters.chosen(choices)
    try:
        here = read_word("variant") or following(kind)
    except BenchError as error:
        show_error(str(error))
        return
    if here and not sample:
        stage.hold(here, who)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Variants", anchor=False, width="content")
        if not sample:
            filters.show(choices, kind)
        st.space("stretch")
        samples(kind)
    if not who:
        ask_here("Give your name: decisions are stored under it, and none can be made without.")
    if here is None:
        nothing_left(kind)
    else:
        on_the_sheet(here, kind)
    keys_help(variant.KEYS)


def following(kind: VariantKind, after: str | None = None) -> str | None:
    """The variant that comes next here."""
    return quality.find_next(sample, who, after) if sample else stage.find_next(kind, who, after)


def before(at: str | None) -> str | None:
    """The variant that this person decided on or judged before that one."""
    return quality.find_previous(sample, who, at) if sample else stage.find_previous(who, at)


def samples(kind: VariantKind) -> None:
    """How far this person is, and the samples that wait for them."""
    waiting = quality.waiting(who)
    if sample:
        left = next((one for one in waiting if one["id"] == sample), {"left": 0})["left"]
        st.caption(f"Blind sample, {left:,} left for you. Your answers decide nothing about the variants.", width="content")
        st.button("Back to the queue", type="tertiary", icon=":material/arrow_back:", on_click=lead, args=(None,))
        return
    done = stage.progress(kind, who)
    held = f", {done.held:,} more held by others" if done.held else ""
    st.caption(f"{done.today:,} decided today, {done.left:,} left{held}", width="content")
    for one in waiting:
        st.button(
            f"Blind sample: {one['left']:,} left",
            key=f"sample_{one['id']}",
            type="tertiary",
            icon=":material/visibility_off:",
            on_click=lead,
            args=(one["id"],),
        )


def on_the_sheet(here: str, kind: VariantKind) -> None:
    """The variant, and where its reader goes from it."""
    try:
        data = quality.sheet(sample, here, who) if sample else stage.sheet(here, who)
    except BenchError as error:
        show_error(str(error))
        st.button("To the next variant", icon=":material/arrow_forward:", on_click=write_address, kwargs={"variant": None})
        return
    write_address(variant=here)
    beside.show(data["original"]["task"], who)
    way: list[str] = st.session_state.setdefault(WAY, [])
    pressed = variant.show(data | {"has_back": bool(way or before(here))})
    if pressed:
        step(pressed, kind)
        variant.answered(pressed, read_word("variant") or None)
        st.rerun()


def step(pressed: PageRequest, kind: VariantKind) -> None:
    """Go where a press leads; when nothing else waits, `next` stays and `saved` ends."""
    at = read_word("variant", pressed.item)
    way: list[str] = st.session_state.setdefault(WAY, [])
    if pressed.to == "changed":
        return
    if pressed.to in ("open", "undone"):
        write_address(variant=pressed.item)
        return
    if pressed.to == "back":
        write_address(variant=way.pop() if way else before(at))
        return
    target = following(kind, at)
    if pressed.to == "next" and target is None:
        return
    way.append(at)
    del way[:-200]
    write_address(variant=target)


def lead(to: str | None) -> None:
    """To a sample; None = to the queue."""
    write_address(sample=to, variant=None)


def nothing_left(kind: VariantKind) -> None:
    """What comes next."""
    if sample:
        with st.container(border=True, horizontal_alignment="center", gap="small"):
            st.markdown("**You have judged the whole sample**", width="content")
            if last := before(None):
                st.button(
                    "Back to the last one", icon=":material/arrow_back:", on_click=write_address, kwargs={"variant": last}
                )
            st.button("To the queue", key="variant_queue", on_click=lead, args=(None,))
    elif any(kind):
        with st.container(border=True, horizontal_alignment="center", gap="small"):
            st.markdown("**No variant of this kind waits**", width="content")
            st.button("Show all variants", key="variant_every", icon=":material/filter_list_off:", on_click=filters.clear)
    else:
        held = stage.progress(kind, who).held
        do = f"Others hold {held:,} more." if held else "Variants come here as they are made; accepted ones go into releases."
        show_empty("No variant waits for you", do, "pages/release/freeze.py", "Freeze a release", "freeze releases")
        if last := before(None):
            st.button("Back to the last one", icon=":material/arrow_back:", on_click=write_address, kwargs={"variant": last})


main()
