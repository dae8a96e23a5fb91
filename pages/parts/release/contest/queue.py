"""The list of contests, the upload of files with contests, and the erratum of a release."""

from typing import Any

import streamlit as st

from core.errors import BenchError
from core.quality.contests import KINDS
from pages.parts.annotate.gold_set.list import build_link, show_table
from pages.parts.release.contest import erratum_box
from pages.parts.release.contest.address import STATES, read_filter
from pages.parts.ui.allowed import guard
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.in_url import choose, read_number
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.release.contests import PAGE_SIZE, ContestLine

COLUMNS = [
    {"label": "Question", "align": "left", "width": "16rem"},
    {"label": "What is wrong", "align": "left", "width": "18rem"},
    {"label": "Proposed answer", "align": "left", "width": "11rem"},
    {"label": "Release", "align": "left", "width": "7rem"},
    {"label": "State", "align": "left", "width": "8rem"},
]


def show(key: str) -> None:
    """Show the filters, the upload of files, the list of contests and, if a release is chosen, its erratum."""
    bench, only = open_workbench(), read_filter()
    show_feedback(key)
    releases = {"": "All releases", **{header.name: header.name for header in bench.release_browser.list_releases()}}
    left, middle, right = st.columns([1.4, 1.4, 2.4], vertical_alignment="bottom")
    choose(left, "Release", "release", releases, f"{key}_release", forgets=("page",))
    choose(middle, "State", "state", STATES, f"{key}_state", default="open", forgets=("page",))
    with right.popover("Take files", icon=":material/upload_file:"):
        files = st.file_uploader("Files saved on a release's page index.html", "json", True, key=f"{key}_files")
        st.button("Take", key=f"{key}_take", on_click=_take, args=(key, files), **guard("contest items", not files))
    page = bench.contests.page(only.release, only.state, read_number("page"))
    st.caption(", ".join(f"{page.counts.get(state, 0):,} {state}" for state in ("open", "accepted", "dismissed")))
    show_table(COLUMNS, [_build_cells(line) for line in page.lines], page.total, PAGE_SIZE, "contest", key)
    if only.release:
        erratum_box.show(only.release, f"{key}_erratum")
    elif page.counts.get("accepted"):
        st.caption("Choose a release to freeze the erratum that corrects it.")


def _take(key: str, files: Any) -> None:
    new, already, refused = 0, 0, list[str]()
    for file in files:
        try:
            taken = open_workbench().contests.take(file.getvalue(), file.name)
        except BenchError as error:
            refused.append(str(error))
            continue
        new, already = new + len(taken.new), already + taken.already
        refused += taken.refused
    if new or already:
        keep_success(key, f"{count_things(new, 'contest')} new, {already} already there.")
    with keep_errors(key):
        if refused:
            raise BenchError(" ".join(refused))


def _build_cells(line: ContestLine) -> list[dict[str, Any]]:
    one = line.contest
    said = {"text": one.reason[:400] or KINDS[one.kind], "clamp": True, "sub": KINDS[one.kind] if one.reason else ""}
    last = one.decisions[-1] if one.decisions else None
    return [
        build_link(line.question or one.item, "contests", "contest", contest=one.id),
        said,
        {"text": one.answer[:400] or "–", "clamp": True, "muted": not one.answer},
        {"text": one.release},
        {"text": one.state, "sub": f"by {last.person}" if last else f"from {one.person or 'somebody'}"},
    ]
