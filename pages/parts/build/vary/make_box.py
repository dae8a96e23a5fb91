"""The form that makes variants: choose items, kinds and settings, try them on three items, then start the job."""

from typing import Any

import streamlit as st

from agents.kind import needs_no_model
from core.errors import BenchError
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.build.draft.estimate import show_figures, show_notes
from pages.parts.build.vary import variant_view
from pages.parts.build.vary.choice import Selection, choose_items, choose_kinds, show_checker
from pages.parts.setup.agent import agent_picker, batch_files
from pages.parts.ui import job_card
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_errors, show_feedback
from pages.parts.ui.fields import budget_field, seed_field
from pages.parts.ui.in_url import link
from pages.parts.ui.say import count_things, escape
from pages.parts.ui.until_ready import until_ready
from pages.parts.ui.waiting import ask_anew, find_turn, wait_until
from workbench import open_workbench
from workbench.build.varying.varying import VaryRequest

_TRIED = "vary_tried"
MODES = {"protected": "Protect names, figures, quotations and the answer's words", "paper": "nlpaug without changes"}


def show() -> None:
    """Show the choice of items and kinds, the settings, the estimate, and the jobs."""
    show_feedback("vary")
    request = _draw_settings(choose_items())
    if request is not None:
        _draw_estimate(request)
    for job, state in job_card.show_listed():
        if state == "done":
            link("Show the variants made", ":material/list:", f"vary_made_{job}", view="made")


def _draw_settings(chosen: Selection) -> VaryRequest | None:
    """Show the settings of the chosen kinds, and return the complete request, or None while a setting is missing."""
    cards = {card.name: card for card in open_workbench().vary.list_kinds()}
    kinds = choose_kinds(cards)
    if not kinds:
        st.caption("Choose a kind.")
        return None
    is_asking = any(cards[name].asks for name in kinds)
    settings: dict[str, Any] = {}
    agent, budget = None, None
    with st.container(border=True, gap="small"):
        columns = st.columns([4, 3, 1.2, 1.6], vertical_alignment="top")
        if noise := [name for name in kinds if "mode" in cards[name].settings]:
            mode = columns[0].radio(
                "Noise", list(MODES), key="vary_mode", format_func=MODES.__getitem__, persist_state="session"
            )
            settings = {f"{name}.mode": mode for name in noise if mode != "protected"}
        if is_asking:
            with columns[1]:
                agent = agent_picker.show("Agent", "vary_agent")
            budget = budget_field(columns[3], "vary_budget")
        seed = seed_field(columns[2], "vary_seed", 0, help="The same seed gives the same noise.")
        if "grammar" in kinds and (judge := show_checker()):
            settings["grammar.judge"] = judge
    if is_asking and agent is None:
        st.caption("Choose an agent: at least one of these kinds needs an agent.")
        return None
    if needs_no_model(agent):
        st.caption("The offline agent is not an LLM: it rewords by simple rules, and marks its variants as made by rules.")
    return VaryRequest(kinds=kinds, agent=agent, seed=seed, budget=budget, settings=settings, **chosen._asdict())


def _draw_estimate(request: VaryRequest) -> None:
    """Show the estimate of making the variants, the button that tries them on three items, and the button that starts the
    job."""
    stage = open_workbench().vary
    try:
        turn = f"{open_workbench().grammar_checker.find_server()} {sum(stage.count_languages(request).values())}"
        estimate = stage.estimate(request, turn).value
    except BenchError as error:
        st.caption(escape(str(error)))
        return
    if estimate is None:
        wait_until(lambda: stage.estimate(request, turn).is_ready, "Filling the prompts with some of the items")
        return
    with st.container(border=True, gap="small"):
        kinds = count_things(len(request.kinds), "kind")
        st.markdown(f"**{count_things(estimate.items, 'item')} in {kinds}: {estimate.variants:,} variants at most.**")
        if request.asking:
            show_figures(estimate)
        show_notes(estimate)
        with st.container(horizontal=True):
            help = (
                "Shows the variants of three items without storing them. An agent is asked now; the job does not repeat "
                "these calls."
            )
            draw_button("Try on 3 items", "vary_try", ask_anew, _TRIED, icon="visibility", help=help)
            label = f"Make {estimate.variants:,} variants"
            draw_button(label, "vary_start", _plan, request, icon="play_arrow", is_primary=True)
            if request.asking:
                draw_button("In a batch", "vary_batch", _plan, request, True, icon="upload_file", help=batch_files.HELP)
    if turn := find_turn(_TRIED, request):
        with show_errors():
            _draw_preview(request, turn)


def _draw_preview(request: VaryRequest, turn: str) -> None:
    """Show the variants of three items, which are not stored."""
    rows = until_ready(lambda: open_workbench().vary.preview(request, turn), "Trying each kind of variant on three items")
    if rows is None:
        return
    for item in dict.fromkeys(row.item for row in rows):
        own = [row for row in rows if row.item == item]
        original = own[0].question[: variant_view.MAX_CHARACTERS]
        with st.container(border=True, gap="small"):
            word_diff.show(original, original)
            for row in own:
                if row.text is None:
                    st.caption(escape(f"{row.kind}: {row.why}"))
                else:
                    variant_view.show(row.question, row.kind, row.text, row.checks)
    st.caption("This preview is not stored; the job measures the similarity of meaning.")


def _plan(request: VaryRequest, is_batched: bool = False) -> None:
    st.session_state.pop(_TRIED, None)
    with keep_errors("vary"):
        job = open_workbench().vary.plan(request)
        batch_files.assign(job, is_batched)
        job_card.start_and_list(job)
