"""One run while it works and afterwards: its job, counts, failures by kind, speed, cost, and the last answers. All data is read
from the workspace, so the page shows the same data after a reload."""

import streamlit as st

from pages.parts.evaluate.links import link_results, link_traces
from pages.parts.evaluate.run import launch
from pages.parts.evaluate.run.boxes import back_button, say_offline
from pages.parts.ui import job_card
from pages.parts.ui.allowed import guard
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.job_card import format_duration, format_money
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench
from workbench.evaluate.running.run_progress import RunProgress

RETRY_HELP = "Resuming or repeating the run leaves its failed questions failed. Stored replies cost nothing."


def show(job: str) -> None:
    """Show the progress and results of the run that the job with this id carries out."""
    back_button("All runs", "live_back", "run_view", "Runs")
    state = job_card.show(job)
    draw_in_place(_draw_figures, every=1 if state == "running" else None)(job)
    progress = open_workbench().runs.progress(job, last=0)
    if state != "running" and progress.runs:
        with st.container(horizontal=True):
            link_results(progress.runs)
            link_traces(progress.runs, "Open in Traces")
            if progress.failed:
                st.button(
                    "Ask failed questions again",
                    "live_retry",
                    icon=":material/replay:",
                    on_click=launch.begin_retry,
                    args=(progress.runs[0], job),
                    **guard("run systems", help=RETRY_HELP),
                )
        launch.show()


def _draw_figures(job: str) -> None:
    progress = open_workbench().runs.progress(job)
    total = "–" if progress.total is None else f"{progress.total:,}"
    cells = {
        "Answered": f"{progress.answered:,} of {total}",
        "Failed": f"{progress.failed:,}",
        "Scored": f"{progress.scored:,}",
        "Median": format_seconds(progress.p50),
        "90th percentile": format_seconds(progress.p90),
        "Calls": f"{progress.calls:,}",
        "Cost": format_money(progress.cost_usd),
    }
    if twins := progress.twins.asked:
        cells["Absence twins"] = f"{progress.twins.answered + progress.twins.failed:,} of {twins:,}"
    if progress.state == "running":
        cells["Left"] = "–" if progress.eta_seconds is None else format_duration(progress.eta_seconds)
    with st.container(horizontal=True, gap="large"):
        for label, value in cells.items():
            st.metric(label, value, width="content")
    say_offline(progress.offline)
    for sentence in progress.not_taken:
        st.caption(f":material/info: {escape(sentence)}")
    if progress.failures:
        show_rows(
            [{"Failed": stop.n, "Kind": stop.kind, "For example": stop.example} for stop in progress.failures],
            {
                "Failed": st.column_config.NumberColumn(width="small"),
                "Kind": st.column_config.TextColumn(width="small"),
                "For example": st.column_config.TextColumn(width="large"),
            },
            width="content",
        )
    _list_left_out(progress)
    if progress.last:
        _draw_last_answers(progress)


def format_seconds(value: float | None) -> str:
    """Format service time in seconds or milliseconds, or a dash for None."""
    if value is None:
        return "–"
    if value < 0.001:
        return "under 1 ms"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def _list_left_out(progress: RunProgress) -> None:
    """Show the reasons why the run left questions out or did not score answers, with the number of questions or answers for
    each reason."""
    for row in progress.not_run:
        show_warning(f"{row['n']} questions in {row['language']} were left out: {row['why']}")
    unscored = [(metric, why, n) for metric, why, n in progress.unscored if why != "no value"]
    if unscored:
        with st.expander(f"Not scored: {', '.join(dict.fromkeys(metric for metric, _, _ in unscored))}"):
            show_rows(
                [{"Metric": metric, "Answers": n, "Why": why} for metric, why, n in unscored],
                {"Why": st.column_config.TextColumn(width="large")},
            )


def _draw_last_answers(progress: RunProgress) -> None:
    st.subheader("Last answers", anchor=False)
    with st.container(border=True, gap="small"):
        for row in progress.last:
            question, answer, seconds = st.columns([5, 6, 0.9])
            question.text(row.question)
            if row.answer is None:
                answer.caption(f":material/error: {escape(row.stop)}: {escape(row.error or '')}")
            else:
                answer.text(row.answer or "(an empty answer)")
            seconds.caption(format_seconds(row.seconds))
