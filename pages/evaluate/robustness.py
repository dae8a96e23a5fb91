"""Robustness: what another wording of a question does to answers, cost and the decision to search. Address: run=ID (several),
view, and in it arm, repeat, item, variant."""

import streamlit as st

from pages.parts.evaluate.results import paper_page, run_picker
from pages.parts.evaluate.robustness import family_list, family_view, summary_table, system_picker, trajectory_view
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import heading
from pages.parts.ui.in_url import held, put, word
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.evaluate.results.robustness import RobustnessSummary

VIEWS = {
    "summary": "RobustnessSummary",
    "families": "Worst families",
    "audit": "When it searches",
    "paper": "Tables for a paper",
}
AUDIT = "query_variations_audit"


def summary_of(found: RobustnessSummary) -> None:
    st.caption(f"{found.items:,} items, {found.complete:,} of them asked in every kind of wording.")
    if found.notes:
        with st.expander(f"Before you read the figures ({len(found.notes)})", expanded=len(found.notes) < 4):
            for sentence in found.notes:
                st.text(sentence)
    place = st.container()
    whole = until_ready(lambda: opened().robustness.summary(ids), "Comparing answers in meaning", height=40)
    with place:
        pressed = summary_table.show(whole or found, "summary")
    if pressed:
        put(view="families", **pressed)
        st.rerun()
    with st.expander("Embedding model"):
        model = st.text_input(
            "minilm, or a folder with a sentence-transformers model",
            opened().robustness.model(),
            key="robust_model",
            **kept("set the rules of the work"),
        )
        if st.button("Use it", key="robust_model_use", **kept("set the rules of the work")):
            opened().robustness.set_model(model)
            st.rerun()


def families(found: RobustnessSummary) -> None:
    arm, repeat = system_picker.show(found, "families")
    if item := word("item"):
        family(arm, repeat, item, next(line for line in found.arms if line.name == arm).facts["runs"][repeat])
        return
    rows = until_ready(lambda: opened().robustness.families(ids, arm, repeat), "Looking for items that break")
    if rows is not None and (pressed := family_list.show(rows, "families")):
        put(**pressed)
        st.rerun()


def family(arm: str, repeat: int, item: str, run: str) -> None:
    """One item opened."""
    st.button("All families", icon=":material/arrow_back:", key="families_back", on_click=lambda: put(item=None, variant=None))
    found = until_ready(lambda: opened().robustness.opened(ids, arm, item, repeat), "Opening")
    if found is None:
        return
    if not found.wordings:
        st.text("This system was not asked that item.")
        return
    if pressed := family_view.show(found.wordings, "family"):
        st.switch_page("pages/evaluate/traces.py", query_params={"run": [run], **pressed})
    answered = {one.record.variant: one.record for one in found.wordings if one.record.answer is not None and one.record.hops}
    rewrites = [one.record for one in found.wordings if one.record.variant and one.record.answer is not None]
    if not answered or not rewrites:
        return
    st.subheader("Searches side by side", anchor=False)
    names = {record.variant: f"{record.kind}: {record.query}" for record in rewrites if record.variant}
    chosen = word("variant", next(iter(names)), list(names))
    st.selectbox(
        "The original beside",
        list(names),
        key="family_variant",
        format_func=lambda one: names[one],
        on_change=held("family_variant", "variant", chosen),
    )
    pair = until_ready(lambda: opened().robustness.trajectories(ids, arm, item, chosen, repeat), "Laying side by side")
    if pair is not None:
        kind = next(record.kind for record in rewrites if record.variant == chosen)
        trajectory_view.show(pair, found.titles, ("original", kind), "family_searches")


heading("Robustness", "What another wording of the same question does to answers, cost and the decision to search.")
ids = run_picker.show("robust")
if ids:
    view = word("view", "summary", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="robust_view",
        format_func=lambda name: VIEWS[name],
        required=True,
        label_visibility="collapsed",
        on_change=held("robust_view", "view", view, "item"),
    )
    if view == "paper":
        paper_page.show(ids, (), "robust_paper", of="wordings")
    elif view == "audit":
        paper_page.show_one(ids, (), "robust_audit", AUDIT, with_tables=True)
    else:
        made = until_ready(lambda: opened().robustness.summary(ids, with_vectors=False), "Reading every answer")
        if made is not None:
            {"summary": summary_of, "families": families}[view](made)
