"""The variants there are, under their originals, by kind and by what stands out."""

from collections.abc import Mapping

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.build.vary import one
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import held, number, put, word
from workbench import opened
from workbench.build.varying.varying import FLAGS, PAGE, VariantFilter

STATUSES = ("drafted", "accepted", "discarded")
ANY, NONE = "any", "none"


def show() -> None:
    """Draw them."""
    page = number("page")
    wanted = VariantFilter(kind=word("kind") or None, flag=word("flag") or None, status=word("status") or None)
    found = opened().vary.shown(wanted, page)
    if not found["total"] and wanted == VariantFilter():
        empty("No variants yet", "Make some: choose items and kinds.", "pages/build/vary.py", "Make variants")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _choice("kind", "Kind", found["kinds"], 210)
        _choice("flag", "Stands out", found["flags"], 260, {ANY: "anything", NONE: "nothing"})
        _choice("status", "Status", dict.fromkeys(STATUSES), 140)
        st.markdown(f"**{found['total']:,} {'variant' if found['total'] == 1 else 'variants'}**", width="content")
        st.page_link("pages/annotate/variants.py", label="Review them", icon=":material/rate_review:")
    if flag := FLAGS.get(wanted.flag or ""):
        st.caption(f"{wanted.flag}: {flag}.")
    for key in dict.fromkeys((row["item"], row["variant"]["revision"]) for row in found["rows"]):
        own = [row for row in found["rows"] if (row["item"], row["variant"]["revision"]) == key]
        with st.container(border=True, gap="small"):
            word_diff.show(own[0]["question"][: one.LONGEST], own[0]["question"][: one.LONGEST])
            for row in own:
                variant = row["variant"]
                writer = variant["generator"] if variant["kind"] == "human" else ""
                one.show(row["question"], variant["kind"], variant["text"], variant["checks"], variant["status"], writer)
    pages = -(-found["total"] // PAGE)
    if pages > 1:
        st.session_state["vary_page"] = min(page, pages)
        st.pagination(pages, key="vary_page", on_change=lambda: put(page=st.session_state["vary_page"]))


def _choice(name: str, label: str, counts: Mapping[str, int | None], width: int, more: Mapping[str, str] | None = None) -> None:
    value = word(name)
    options = ["", *(more or {}), *counts]
    options += [value] if value not in options else []

    def said(option: str) -> str:
        n = counts.get(option)
        return (more or {}).get(option) or (option.replace("_", " ") or "any") + (f" ({n:,})" if n is not None else "")

    st.selectbox(
        label, options, key=f"made_{name}", format_func=said, width=width, on_change=held(f"made_{name}", name, value, "page")
    )
