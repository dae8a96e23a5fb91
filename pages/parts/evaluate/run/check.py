"""A quick check while it runs and afterwards: a panel with every system's progress, and afterwards the table of the systems'
scores."""

from collections.abc import Sequence

import streamlit as st

import jobs
from pages.parts.evaluate.links import link_results
from pages.parts.evaluate.run.boxes import say_offline
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.in_url import replace_address
from pages.parts.ui.job_card import WORDS, format_duration, format_money, load_job
from pages.parts.ui.say import escape, show_error, show_warning
from pages.parts.ui.waiting import when_ready
from workbench import open_workbench
from workbench.evaluate.running.quick_check import QuickCheckTable
from workbench.evaluate.scoring.run_figures import FigureSummary
from workbench.upkeep.upkeep import JobView

OVER = ("done", "failed", "cancelled", "budget", "endpoint", "paused", "batch")


def show(ids: Sequence[str]) -> None:
    """Show the progress and results of a quick check, which runs as the jobs with these ids."""
    is_over = all(load_job(job).state in OVER for job in ids)
    draw_in_place(_draw_panel, every=None if is_over else 1)(tuple(ids), is_over)
    if is_over:
        _draw_outcome(ids)


def _draw_panel(ids: Sequence[str], was_over: bool) -> None:
    rows = [load_job(job) for job in ids]
    if all(row.state in OVER for row in rows) != was_over:
        redraw_page()
    calls, cost = open_workbench().quick_check.cost(ids)
    seconds = max((row.seconds or 0.0 for row in rows), default=0.0)
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**Quick check on {escape(str(rows[0].params['release']))}**")
            st.caption(f"{calls:,} calls · {format_money(cost)} · {format_duration(seconds)}")
            st.space("stretch")
            if not was_over:
                st.button(
                    "Cancel all",
                    key="check_cancel",
                    icon=":material/close:",
                    on_click=_cancel,
                    args=(ids,),
                    help="Finishes the running calls and stores their replies.",
                )
        counts = open_workbench().quick_check.count_answers(ids)
        for row in rows:
            _draw_system(row, *counts.get(row.id, (0, 0)))
        _list_reasons(rows)


def _draw_system(row: JobView, answered: int, failed: int) -> None:
    name, bar, state, resume = st.columns([1.4, 5, 1.2, 1.1], vertical_alignment="center")
    name.text(_name_system(row))
    total = row.total or 0
    text = f"{answered:,} of {total:,} answered" + (f", {failed:,} failed" if failed else "")
    bar.progress(min((answered + failed) / total, 1.0) if total else 0.0, text=text)
    state.text(WORDS[row.state])
    if row.state in ("failed", "endpoint", "paused", "budget"):
        resume.button("Resume", key=f"check_resume_{row.id}", icon=":material/play_arrow:", on_click=_resume, args=(row.id,))


def _list_reasons(rows: Sequence[JobView]) -> None:
    """Show the reasons why systems stopped, each reason once."""
    reasons: dict[tuple[bool, str], list[str]] = {}
    for row in rows:
        if row.end and row.state not in ("done", "running"):
            reasons.setdefault((row.state in ("failed", "endpoint"), row.end), []).append(_name_system(row))
    for (is_failure, sentence), labels in reasons.items():
        (show_error if is_failure else show_warning)(f"{', '.join(labels)}: {sentence}")
    show_feedback("check")


def _name_system(row: JobView) -> str:
    """Return the display name of the system that a job runs."""
    name = str(row.params["system"])
    system = open_workbench().runs.choices().systems.get(name)
    return system.label if system else name


def _draw_outcome(ids: Sequence[str]) -> None:
    """Show the table of scores by metric and system, once all jobs are finished."""
    table = when_ready(lambda: open_workbench().quick_check.compare_in_background(ids), "Computing the intervals.")
    if table is None or not table.rows:
        return
    st.subheader("Figures by system", anchor=False)
    show_rows(_list_lines(table), alt="Metrics by system")
    st.caption("Mean, 95 % interval, and n, the number of answers. So few questions show only large differences.")
    if any(row.figures.answered and not row.figures.by_metric for row in table.rows):
        st.caption("A system that stopped midway is scored after you resume it.")
    say_offline([row.label for row in table.rows if row.figures.offline])
    with st.container(horizontal=True, vertical_alignment="center"):
        link_results([row.run for row in table.rows])
        st.button("New quick check", key="check_again", icon=":material/replay:", type="tertiary", on_click=replace_address)


def _list_lines(table: QuickCheckTable) -> list[dict[str, str | None]]:
    """Return the rows of the table of scores, one per metric, with the systems as columns, so that the table fits a narrow
    screen."""
    columns = {f"{row.label}{' (offline)' if row.figures.offline else ''}": row.figures for row in table.rows}
    return [
        {"": "answered", **{head: f"{figures.answered:,}" for head, figures in columns.items()}},
        {"": "failed", **{head: f"{figures.failed:,}" for head, figures in columns.items()}},
        *(
            {"": name, **{head: format_figure(figures.by_metric.get(name)) for head, figures in columns.items()}}
            for name in table.metrics
        ),
    ]


def format_figure(figure: FigureSummary | None) -> str | None:
    """Format a mean with its interval and n, or the reason why there is no mean; return None if the system does not have the
    metric."""
    if figure is None:
        return None
    if figure.mean is None:
        return f"– {figure.why}"
    ends = "" if figure.low is None else f"  {figure.low:.2f} to {figure.high:.2f}"
    return f"{figure.mean:.2f}{ends}  n {figure.n}"


def _cancel(ids: Sequence[str]) -> None:
    for job in ids:
        if load_job(job).state not in OVER:
            jobs.start(open_workbench()).cancel(job)


def _resume(job: str) -> None:
    with keep_errors("check"):
        jobs.start(open_workbench()).resume(job)
