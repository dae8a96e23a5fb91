"""Robustness: how another wording of a question changes answers, cost and the decision to search. URL parameters: run=ID
(several), view, and in some views arm, repeat, item, variant."""

import streamlit as st

from pages.parts.evaluate.links import TRACES
from pages.parts.evaluate.results import paper_page, run_picker
from pages.parts.evaluate.robustness import family_tables, summary_table, trajectory_view
from pages.parts.ui.allowed import guard
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import choose, read_word, switch_view, write_address
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.results.robustness import RobustnessSummary, WordingFamily

VIEWS = {"summary": "Summary", "families": "Worst families", "audit": "When it searches", "paper": "Paper tables"}
AUDIT_PRESET = "query_variations_audit"


def show_summary(summary: RobustnessSummary) -> None:
    """Show an overview of the systems; values that compare the meaning of answers appear once they are computed."""
    st.caption(f"{summary.items:,} items; {summary.complete:,} of them were asked with every kind of question variant.")
    if summary.notes:
        paper_page.list_notes(summary.notes, max_open=3, is_folded=True)
    place = st.container()
    whole = until_ready(lambda: open_workbench().robustness.summary(ids), "Comparing the meaning of answers", height=40)
    with place:
        pressed = summary_table.show(whole or summary, "summary")
    if pressed:
        write_address(view="families", **pressed)
        st.rerun()
    with st.expander("Embedding model"):
        permission = guard("set the rules of the work")
        label = "minilm, or a folder with a sentence-transformers model"
        model = st.text_input(label, open_workbench().robustness.model(), key="robust_model", **permission)
        if st.button("Use it", key="robust_model_use", **permission):
            open_workbench().robustness.set_model(model)
            st.rerun()


def show_families(summary: RobustnessSummary) -> None:
    """Show the list of items whose questions one system answered in several wordings, or all wordings of one item."""
    arm, repeat = choose_repeat(summary)
    if item := read_word("item"):
        show_family(arm, repeat, item, next(line for line in summary.arms if line.name == arm).runs[repeat])
        return
    families = until_ready(
        lambda: open_workbench().robustness.families(ids, arm, repeat), "Looking for items whose answers depend on the wording"
    )
    if families is not None and (pressed := family_tables.show_families(families, "families")):
        write_address(**pressed)
        st.rerun()


def choose_repeat(summary: RobustnessSummary) -> tuple[str, int]:
    """Show select boxes for a system and for one of its repeated runs, and return (the system's name, the index of the run from
    0)."""
    runs = {arm.name: len(arm.runs) for arm in summary.arms}
    left, right, _ = st.columns([3, 1.2, 3])
    name = choose(left, "System", "arm", list(runs), "families_arm", forgets=("repeat", "page", "item"))
    if runs[name] == 1:
        return name, 0
    repeats = [str(number) for number in range(1, runs[name] + 1)]
    return name, int(choose(right, "Run", "repeat", repeats, "families_repeat", forgets=("page",))) - 1


def show_family(arm: str, repeat: int, item: str, run: str) -> None:
    """Show the answers of one system to all wordings of one item's question."""
    st.button(
        "All families",
        icon=":material/arrow_back:",
        key="families_back",
        on_click=lambda: write_address(item=None, variant=None),
    )
    family = until_ready(lambda: open_workbench().robustness.load_family(ids, arm, item, repeat), "Opening")
    if family is None:
        return
    if not family.wordings:
        st.text("This system was not asked the question of this item.")
        return
    if pressed := family_tables.show_wordings(family.wordings, "family"):
        st.switch_page(TRACES, query_params={"run": [run], **pressed})
    compare_searches(arm, repeat, item, family)


def compare_searches(arm: str, repeat: int, item: str, family: WordingFamily) -> None:
    """Show the searches for the original question beside the searches for a rewrite, if the system answered both questions and
    searched for at least one of them."""
    answered = [wording.record for wording in family.wordings if wording.record.answer is not None]
    rewrites = {record.variant: record for record in answered if record.variant}
    if not rewrites or not any(record.hops for record in answered):
        return
    st.subheader("Searches side by side", anchor=False)
    names = {variant: f"{record.kind}: {record.query}" for variant, record in rewrites.items()}
    chosen = choose(st, "Show the original beside", "variant", names, "family_variant")
    pair = until_ready(lambda: open_workbench().robustness.trajectories(ids, arm, item, chosen, repeat), "Comparing searches")
    if pair is not None:
        trajectory_view.show(pair, family.titles, ("original", rewrites[chosen].kind), "family_searches")


show_heading("Robustness", "How another wording of the same question changes answers, cost and the decision to search.")
ids = run_picker.show("robust")
if ids:
    view = switch_view(VIEWS, "robust_view", "item")
    if view == "paper":
        paper_page.show(ids, (), "robust_paper", of="wordings")
    elif view == "audit":
        paper_page.show_one(ids, (), "robust_audit", AUDIT_PRESET, with_tables=True)
    else:
        first = until_ready(lambda: open_workbench().robustness.summary(ids, with_vectors=False), "Reading every answer")
        if first is not None:
            {"summary": show_summary, "families": show_families}[view](first)
