"""The list of stored variants, each below its original question, filtered by kind, by status, and by the flags that automatic
checks set."""

from collections.abc import Mapping

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.build.vary import variant_view
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import keep_in_address, read_number, read_word, write_address
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.build.varying.varying import FLAGS, PAGE_SIZE, VariantFilter

STATUSES = ("drafted", "accepted", "discarded")
ANY, NONE = "any", "none"


def show() -> None:
    """Show the filters, and a page of the stored variants."""
    at = read_number("page")
    only = VariantFilter(kind=read_word("kind") or None, flag=read_word("flag") or None, status=read_word("status") or None)
    page = open_workbench().vary.page(only, at)
    if not page.total and only == VariantFilter():
        show_empty("No variants yet", "Make variants: choose items and kinds.", "pages/build/vary.py", "Make variants")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _draw_filter("kind", "Kind", page.kinds, 210)
        _draw_filter("flag", "Stands out", page.flags, 260, {ANY: "anything", NONE: "nothing"})
        _draw_filter("status", "Status", dict.fromkeys(STATUSES), 140)
        st.markdown(f"**{count_things(page.total, 'variant')}**", width="content")
        draw_link("annotate/variants", "Review them", "rate_review")
    if flag := FLAGS.get(only.flag or ""):
        st.caption(f"{only.flag}: {flag}.")
    for key in dict.fromkeys((row.variant.item, row.variant.revision) for row in page.rows):
        own = [row for row in page.rows if (row.variant.item, row.variant.revision) == key]
        original = own[0].question[: variant_view.MAX_CHARACTERS]
        with st.container(border=True, gap="small"):
            word_diff.show(original, original)
            for row in own:
                variant = row.variant
                writer = variant.generator if variant.kind == "human" else ""
                variant_view.show(row.question, variant.kind, variant.text, variant.checks, variant.status, writer)
    pages = -(-page.total // PAGE_SIZE)
    if pages > 1:
        st.session_state["vary_page"] = min(at, pages)
        st.pagination(pages, key="vary_page", on_change=lambda: write_address(page=st.session_state["vary_page"]))


def _draw_filter(
    name: str, label: str, counts: Mapping[str, int | None], width: int, more: Mapping[str, str] | None = None
) -> None:
    """Show a filter that lists each value with its count; `more` is a dict of further options with their labels."""
    value, extra = read_word(name), more or {}
    options = list(dict.fromkeys(("", *extra, *counts, value)))

    def label_option(option: str) -> str:
        n = counts.get(option)
        return extra.get(option) or (option.replace("_", " ") or "any") + (f" ({n:,})" if n is not None else "")

    change = keep_in_address(f"made_{name}", name, value, "page")
    st.selectbox(label, options, key=f"made_{name}", format_func=label_option, width=width, on_change=change)
