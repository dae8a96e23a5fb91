"""A quick check at work and after: one panel with every system's progress, then the table of what they came to."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.job_card import WORDS, duration, look, money
from pages.parts.ui.say import caution, plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.upkeep.upkeep import JobView

TROUBLE = "check_trouble"
OVER = ("done", "failed", "cancelled", "budget", "endpoint", "paused")


def show(ids: Sequence[str]) -> None:
    """Draw the check of those jobs."""
    rows = [look(job) for job in ids]
    is_over = all(row.state in OVER for row in rows)
    draw_in_place(_panel, every=None if is_over else 1)(tuple(ids), is_over)
    if is_over:
        _outcome(ids)


def _panel(ids: Sequence[str], was_over: bool) -> None:
    rows = [look(job) for job in ids]
    if all(row.state in OVER for row in rows) != was_over:
        st.rerun()
    calls, cost = opened().quick_check.cost(ids)
    took = max((row.seconds or 0.0 for row in rows), default=0.0)
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**Quick check on {plain(str(rows[0].params['release']))}**")
            st.caption(f"{calls:,} calls · {money(cost)} · {duration(took)}")
            st.space("stretch")
            if not was_over:
                st.button(
                    "Cancel all",
                    key="check_cancel",
                    icon=":material/close:",
                    on_click=_cancel,
                    args=(ids,),
                    help="Calls in flight are finished and stored.",
                )
        ended = opened().quick_check.ended(ids)
        for row in rows:
            _system(row, *ended.get(row.id, (0, 0)))
        _stopped(rows)


def _system(row: JobView, answered: int, failed: int) -> None:
    name, bar, state, resume = st.columns([1.4, 5, 1.2, 1.1], vertical_alignment="center")
    name.text(label_of(row))
    total = row.total or 0
    said = f"{answered:,} of {total:,} answered" + (f", {failed:,} failed" if failed else "")
    bar.progress(min((answered + failed) / total, 1.0) if total else 0.0, text=said)
    state.text(WORDS[row.state])
    if row.state in ("failed", "endpoint", "paused", "budget"):
        resume.button("Resume", key=f"check_resume_{row.id}", icon=":material/play_arrow:", on_click=_resume, args=(row.id,))


def _stopped(rows: Sequence[JobView]) -> None:
    """Why systems stopped, each reason once."""
    reasons: dict[tuple[bool, str], list[str]] = {}
    for row in rows:
        if row.end and row.state not in ("done", "running"):
            reasons.setdefault((row.state in ("failed", "endpoint"), row.end), []).append(label_of(row))
    for (is_failure, sentence), labels in reasons.items():
        (trouble if is_failure else caution)(f"{', '.join(labels)}: {sentence}")
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)


def label_of(row: JobView) -> str:
    """The system's name on the screen."""
    name = str(row.params["system"])
    found = opened().runs.choices().systems.get(name)
    return found.label if found else name


def _outcome(ids: Sequence[str]) -> None:
    """System by metric, once all is over."""
    found = opened().quick_check.outcome(ids)
    if found is None:
        waiting(lambda: opened().quick_check.outcome(ids, wait=0.0) is not None, "Reckoning the intervals.")
        return
    if not found["rows"]:
        return
    st.subheader("What they came to", anchor=False)
    st.dataframe(_table(found), hide_index=True, placeholder="–", height="content", alt="Metrics by system")
    st.caption("Mean, 95 % interval, and n, the answers it is over. A handful of questions shows large differences only.")
    if any(row["answered"] and not row["cells"] for row in found["rows"]):
        st.caption("A system that stopped midway is scored once it has been resumed.")
    marks = [row for row in found["rows"] if row["offline"]]
    if marks:
        st.caption(f":material/cloud_off: Offline, no LLM: {plain(', '.join(row['system'] for row in marks))}.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/evaluate/results.py",
            label="Open in Results",
            icon=":material/leaderboard:",
            query_params={"run": [row["run"] for row in found["rows"]]},
        )
        st.button("Another quick check", key="check_again", icon=":material/replay:", type="tertiary", on_click=_again)


def _table(found: Mapping[str, Any]) -> list[dict[str, str | None]]:
    """A row a metric, a column a system: it fits the narrowest screen."""
    heads = {id(row): f"{row['system']}{' (offline)' if row['offline'] else ''}" for row in found["rows"]}
    lines: list[dict[str, str | None]] = [
        {"": "answered", **{heads[id(row)]: f"{row['answered']:,}" for row in found["rows"]}},
        {"": "failed", **{heads[id(row)]: f"{row['failed']:,}" for row in found["rows"]}},
    ]
    return lines + [
        {"": name, **{heads[id(row)]: cell(row["cells"].get(name)) for row in found["rows"]}} for name in found["metrics"]
    ]


def cell(figure: Mapping[str, Any] | None) -> str | None:
    """Mean, interval and n; why there is none; None where the system has no such metric."""
    if figure is None:
        return None
    if figure["mean"] is None:
        return f"– {figure['why']}"
    ends = "" if figure["low"] is None else f"  {figure['low']:.2f} to {figure['high']:.2f}"
    return f"{figure['mean']:.2f}{ends}  n {figure['n']}"


def _again() -> None:
    st.query_params.clear()


def _cancel(ids: Sequence[str]) -> None:
    for job in ids:
        if look(job).state not in OVER:
            jobs.start(opened()).cancel(job)


def _resume(job: str) -> None:
    try:
        jobs.start(opened()).resume(job)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
