"""The view "Next answers to mark": the score of a run, or the difference of two runs, estimated from people's marks so far; the
answers to mark next; how much more marks would narrow the interval; and whether to stop."""

from collections.abc import Mapping

import streamlit as st

from core.errors import BenchError
from core.quality.grading import FOUR_GRADES, RIGHT_WRONG, SCHEMES
from pages.parts.evaluate.results.figures import DASH, format_difference, interval, mean
from pages.parts.ui import in_url
from pages.parts.ui.allowed import guard
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_error, show_note, show_success
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.grading.next_marks import MarkingPlan, MarkingRequest
from workbench.evaluate.results.run_board import RunLine


def show(lines: Mapping[str, RunLine]) -> None:
    """Show the form, the plan, and the button that starts the next batch; `lines` is a dict from run id to the run's data."""
    try:
        request = _draw_form(lines)
        plan = until_ready(lambda: open_workbench().next_marks.plan(request), "Choosing answers", height=160)
    except BenchError as error:
        show_error(str(error))
        return
    if plan is None:
        return
    _show_verdict(plan)
    _show_start(plan, request)
    _show_forecast(plan)
    _show_strata(plan, request)


def _draw_form(lines: Mapping[str, RunLine]) -> MarkingRequest:
    def name(run: str) -> str:
        return f"{lines[run].name} · {lines[run].run.release}" if run else "None: only the mean of the run"

    with st.container(border=True, gap="small"):
        first, second = st.columns(2)
        run = first.selectbox("Run", list(lines), key="next_run", format_func=name)
        others = ["", *(other for other in lines if other != run)]
        against = second.selectbox("Compared with", others, index=min(1, len(others) - 1), key="next_against", format_func=name)
        metrics = open_workbench().next_marks.list_metrics(MarkingRequest(run, against))
        columns = st.columns([2.4, 1.8, 1.2, 1.2, 1.2])
        metric = columns[0].selectbox(
            "Scores by",
            ["", *metrics],
            index=_find_judge(metrics),
            key="next_metric",
            format_func=lambda metric: metric or "None: strata by level",
            help="The scores of this metric make the strata, and people's marks correct them. A judge of whole answers helps "
            "most.",
        )
        scheme = columns[1].selectbox(
            "Marks", (RIGHT_WRONG, FOUR_GRADES), key="next_scheme", format_func=lambda scheme: SCHEMES[scheme].label
        )
        size = columns[2].number_input("Questions", 1, 2500, 20, key="next_size", help="Number of questions in the next batch.")
        graders = columns[3].number_input("Blind graders", 1, 5, 1, key="next_graders")
        width = columns[4].number_input(
            "Stop at ±",
            0.005,
            1.0,
            0.05,
            0.005,
            format="%.3f",
            key="next_width",
            help="Half the width of the interval at which you want to stop.",
        )
    return MarkingRequest(run, against, metric, scheme, int(size), int(graders), float(width))


def _find_judge(metrics: list[str]) -> int:
    """Return the index of the metric that the form selects at first: a judge of whole answers if there is one."""
    judges = [n for n, metric in enumerate(metrics, 1) if metric.startswith(("crag_truthfulness", "s_f1"))]
    return judges[0] if judges else 0


def _show_verdict(plan: MarkingPlan) -> None:
    say = show_success if plan.verdict in ("above", "below", "narrow") else show_note
    say(plan.says)
    one, is_pair = plan.interval, len(plan.names) == 2
    print_value = format_difference if is_pair else mean
    cells = {
        f"{plan.names[0]} minus {plan.names[1]}" if is_pair else "Mean mark": print_value(one.mean),
        "Interval at every look": interval(one.always_low, one.always_high, print_value) or DASH,
        "For a fixed number": interval(one.low, one.high, print_value) or DASH,
        "Questions marked": f"{plan.marked:,} of {plan.questions:,}",
        "Marks": f"{plan.marks:,}",
        "Minutes": DASH if plan.seconds is None else f"{plan.seconds / 60:.1f}",
    }
    st.table({escape(name): [escape(value)] for name, value in cells.items()})
    notes = [
        "Both are 95 % intervals of the mean that people would give to all these questions. Stop only because of the first."
    ]
    if plan.known:
        notes.append(f"{plan.known:,} questions need no mark: the answers are equal, or a rule marks them.")
    if plan.failed:
        notes.append(f"{plan.failed:,} questions are left out: a system failed or was not asked.")
    if plan.unresolved:
        notes.append(f"{plan.unresolved:,} questions of closed batches have no final mark and do not count.")
    if plan.untimed:
        notes.append(f"{plan.untimed:,} marked questions have no recorded time.")
    if plan.other_batches:
        notes.append(
            f"{plan.other_batches:,} closed batches of these runs do not count, because their answers were drawn in "
            "another way."
        )
    st.caption(escape(" ".join(notes)))


def _show_start(plan: MarkingPlan, request: MarkingRequest) -> None:
    who, questions = get_person(), sum(stratum.next for stratum in plan.strata)
    show_feedback("next_start")
    st.button(
        f"Start a batch of {questions:,} questions",
        key="next_start",
        type="secondary" if plan.verdict in ("above", "below", "narrow") else "primary",
        icon=":material/play_arrow:",
        on_click=_start,
        args=(request,),
        **guard("begin gradings", not who or plan.is_open or not questions),
    )
    if plan.is_open:
        show_note("A batch of this plan is open. Once it is closed, its marks count and the next batch can start.")
    if not who:
        ask_here("Give your name: it is stored with the batch.", "next batch")


def _show_forecast(plan: MarkingPlan) -> None:
    if not plan.forecast:
        return
    st.markdown("**What more marks would show**")
    rows = [
        {
            "More questions": f"{step.units:,}",
            "Minutes": DASH if step.seconds is None else f"{step.seconds / 60:.0f}",
            "Interval at every look": f"± {step.always:.3f}",
            "For a fixed number": f"± {step.half:.3f}",
        }
        for step in plan.forecast
    ]
    st.table({name: [row[name] for row in rows] for name in rows[0]})
    st.caption("Expected, if further marks vary as much and take as long as the marks so far.")


def _show_strata(plan: MarkingPlan, request: MarkingRequest) -> None:
    st.markdown("**Where the next marks go**")
    st.table(
        {
            "Stratum": [escape(stratum.name) for stratum in plan.strata],
            "Questions": [f"{stratum.size:,}" for stratum in plan.strata],
            "Marked": [f"{stratum.marked:,}" for stratum in plan.strata],
            "Spread": [mean(stratum.spread, 2) for stratum in plan.strata],
            "Next": [f"{stratum.next:,}" for stratum in plan.strata],
        }
    )
    letters = f"A is {plan.sides[0]}, B is {plan.sides[1]}. " if len(plan.names) == 2 and plan.metric else ""
    scores = (
        f"Strata by the scores of {plan.metric}; weight of the scores in the estimate: {plan.tuning:.2f}. "
        if plan.metric
        else "No scores are used: the strata are the levels, and strata whose marks vary more get more marks. "
    )
    st.caption(escape(f"{letters}{scores}Questions are drawn at random within a stratum, with seed {request.seed}."))


def _start(request: MarkingRequest) -> None:
    with keep_errors("next_start"):
        in_url.write_address(batch=open_workbench().next_marks.start(request, get_person()), place=None)
