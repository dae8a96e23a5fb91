"""The form for a new batch of answers to grade: which answers, how many answers, and how many people grade each answer."""

from collections.abc import Mapping

import streamlit as st

from core.errors import BenchError
from core.quality.grading import SCHEMES
from pages.parts.ui import in_url
from pages.parts.ui.allowed import guard
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_error
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.grading.grading_draw import STRATA, GradingPlan, list_schemes
from workbench.evaluate.results.run_board import RunLine


def show(lines: Mapping[str, RunLine]) -> None:
    """Show the form for a new batch; `lines` is a dict from run id to the run's data."""
    plan = _draw_form(lines)
    show_feedback("grade_start")
    if plan is None:
        return
    try:
        sizes = until_ready(lambda: open_workbench().grading.sizes(plan), "Counting answers", height=80)
    except BenchError as error:
        show_error(str(error))
        return
    if sizes is None:
        return
    drawn = sum(n for strata in sizes.values() for _, n in strata.values())
    st.markdown(f"**{drawn:,} {'verdicts' if plan.of else 'answers'}** to grade, {drawn * plan.graders:,} marks")
    names = dict.fromkeys(name for strata in sizes.values() for name in strata)
    with st.expander("How answers are chosen"):
        columns = {"": [escape(lines[run].name) for run in sizes]}
        for name in names:
            counts = [strata.get(name, (0, 0)) for strata in sizes.values()]
            columns[escape(name)] = [f"{taken} of {total}" for total, taken in counts]
        st.table(columns)
    who = get_person()
    st.button(
        "Start the batch",
        key="grade_start",
        type="primary",
        icon=":material/play_arrow:",
        on_click=_start,
        args=(plan,),
        **guard("begin gradings", not who),
    )
    if not who:
        ask_here("Give your name: it is stored with the batch.", "batch")


def _draw_form(lines: Mapping[str, RunLine]) -> GradingPlan | None:
    with st.container(border=True, gap="small"):
        chosen = st.multiselect(
            "Runs",
            list(lines),
            key="grade_runs",
            placeholder="Systems whose answers are graded",
            format_func=lambda run: f"{lines[run].name} · {lines[run].run.release}",
        )
        columns = st.columns([2.2, 1.6, 1.6, 1.3, 1.3, 1.2])
        verdicts = open_workbench().grading.verdicts(chosen)
        of = columns[0].selectbox(
            "What is graded",
            ["", *verdicts],
            key="grade_of",
            format_func=lambda name: f"Verdicts of {verdicts[name]} at {name}" if name else "Whole answers",
            help="People grade whole answers, or single verdicts of a judge, each with the two texts that the judge compared.",
        )
        schemes = list_schemes(of)
        scheme = columns[1].selectbox(
            "Marks", schemes, key=f"grade_scheme_{'_'.join(schemes)}", format_func=lambda name: SCHEMES[name].label
        )
        by = columns[2].selectbox(
            "Strata",
            list(STRATA),
            key="grade_by",
            format_func=STRATA.__getitem__,
            help="Answers are drawn separately from each of these groups, for each system.",
        )
        each = columns[3].number_input("Of each", 1, 500, 10, key="grade_each")
        graders = columns[4].number_input(
            "Blind graders",
            1,
            5,
            2,
            key="grade_graders",
            help="Number of people who grade each answer; where their marks differ, one more person decides.",
        )
        seed = columns[5].number_input(
            "Seed", 0, 2**31 - 1, 7, key="grade_seed", help="Seed for the choice and the order of the answers."
        )
        with st.expander("The marks"):
            for mark in SCHEMES[scheme].marks:
                st.markdown(f"**{mark.name}** {escape(mark.about)}")
    return GradingPlan(chosen, scheme, of, by, int(each), int(graders), int(seed)) if chosen else None


def _start(plan: GradingPlan) -> None:
    with keep_errors("grade_start"):
        in_url.write_address(batch=open_workbench().grading.start(plan, get_person()), place=None)
