"""The items of a release: a list with filters and search, and the view of one item."""

from typing import Any

import streamlit as st

from core.as_json import as_json
from core.nouns import Variant
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.release import contest_form
from pages.parts.ui import listing
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.grid import level_name
from pages.parts.ui.heading import show_empty
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.release.release_browser import ReleasedItem

COLUMNS = {
    "level": st.column_config.TextColumn("Level", width=75),
    "domain": st.column_config.TextColumn("Domain", width=100),
    "question": st.column_config.TextColumn("Question", width=430),
    "answer": st.column_config.TextColumn("Answer", width=190),
    "split": st.column_config.TextColumn("Split", width=60),
}


def show(name: str) -> None:
    """Show the list of the release's items and, below it, the item that is chosen in the list."""
    domains, levels = open_workbench().release_browser.kinds(name)
    with st.container(horizontal=True):
        text = st.text_input("Search", key="release_text", placeholder="in questions and answers", type="search", width=320)
        domain = st.selectbox("Domain", domains, index=None, placeholder="all", key="release_domain", width=180)
        level = st.selectbox(
            "Level", levels, index=None, placeholder="all", format_func=level_name, key="release_level", width=150
        )
    chosen: dict[str, Any] = {"text": text, "domain": domain, "level": level}
    start = (st.session_state.get("release_page", 1) - 1) * listing.PAGE_ROWS
    page = open_workbench().release_browser.items(name, **chosen, limit=listing.PAGE_ROWS, offset=start)
    if not page.total and start:
        st.session_state["release_page"] = 1
        st.rerun()
    if not page.total:
        show_empty("No item matches", "Remove a filter, or search for another word.")
        return
    st.caption(count_things(page.total, "item"))
    lines = [as_json(item) | {"level": level_name(item.level)} for item in page.items]
    place = listing.show(lines, f"release_list_{name}_{start}", COLUMNS)
    listing.find_page_start(page.total, "release_page")
    if place is not None:
        show_item(open_workbench().release_browser.item(name, lines[place]["id"]))
        contest_form.show(name, lines[place]["id"])


def show_item(released: ReleasedItem) -> None:
    """Show one item of the release with its evidence, its history and the people who decided on it."""
    item = released.item
    with st.container(border=True):
        about = (item.id, f"revision {item.revision}", level_name(item.level), name_task(item.task), f"split {released.split}")
        st.caption(escape(" · ".join(about)))
        left, right = st.columns(2, gap="medium")
        with left:
            st.caption("Question")
            st.text(item.question)
            st.caption("Answers" if len(item.answers) > 1 else "Answer")
            for answer in item.answers:
                st.text(answer)
            if nuggets := released.nuggets:
                st.caption(escape(f"Nuggets ({len(nuggets.nuggets)}, by {nuggets.by})"))
                for nugget in nuggets.nuggets:
                    st.text(f"{nugget.text} ({nugget.importance})")
        with right:
            st.caption(f"Evidence ({len(item.evidence)})")
            for span, text in zip(item.evidence, released.evidence, strict=True):
                st.text(f"{released.titles.get(span.document, span.document)}, {span.start} to {span.end}")
                st.code(text, language=None, wrap_lines=True)
        steps = [(r.at, r.by, f"revision {r.revision}") for r in released.history]
        steps += [(r.at, r.person, ": ".join(part for part in (r.decision, r.reason) if part)) for r in released.reviews]
        st.caption("History")
        for at, by, event in sorted(steps):
            st.text(f"{at[:16].replace('T', ' ')}  {by}  {event}")
        _show_variants(released)
        _difficulty(item.id)
        for verdict in released.verdicts:
            if verdict.outcome != "pass":
                st.text(f"{verdict.gate}: {verdict.outcome}. {verdict.why}")


def _show_variants(released: ReleasedItem) -> None:
    """Show the variants of the item's question, each with its changes and its origin; show nothing if there are none."""
    if not released.variants:
        return
    st.caption(f"Variants ({len(released.variants)})")
    for variant in released.variants:
        word_diff.show(released.item.question, variant.text)
        st.caption(escape(describe_origin(variant)))


def describe_origin(variant: Variant) -> str:
    """Describe in a line how a variant was made: by which agent, rule or person."""
    edited = variant.checks.get("edited") or {}
    parts = [
        variant.kind.replace("_", " "),
        f"by {variant.generator}" if variant.generator else "",
        f"edited by {edited['by']}" if edited.get("by") else "",
        "" if variant.seed is None else f"seed {variant.seed}",
        "not reviewed" if variant.status == "drafted" else "",
    ]
    return ", ".join(part for part in parts if part)


def _difficulty(item: str) -> None:
    """Show how many systems solved the item in its current revision, and which; show nothing if no system answered it."""
    if explain_refusal("see runs"):
        return
    difficulty = open_workbench().difficulty.load_item(item)
    if difficulty.systems:
        answered = ", ".join(
            f"{system}{f' with {agent}' if agent else ''} {'yes' if is_solved else 'no'}"
            for system, agent, is_solved in difficulty.answered
        )
        band = difficulty.band or "undefined, because too few systems answered it"
        st.caption("Difficulty")
        st.text(f"{band}: solved by {difficulty.solved} of {difficulty.systems} systems ({answered})")
