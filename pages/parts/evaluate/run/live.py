"""One run at work, or after: its job, what came so far by kind of failure, how fast, what it cost, the last answers as they
appear. All of it is in the store: a reload shows the same."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.ui import job_card
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.job_card import duration, money
from pages.parts.ui.say import caution, plain
from workbench import opened


def show(job: str) -> None:
    """Draw the run of that job."""
    st.button("All runs", key="live_back", icon=":material/arrow_back:", type="tertiary", on_click=_back)
    state = job_card.show(job)
    draw_in_place(_figures, every=1 if state == "running" else None)(job)
    _after(job, state)


def _figures(job: str) -> None:
    found = opened().runs.progress(job)
    with st.container(horizontal=True, gap="large"):
        for label, value in _cells(found):
            st.metric(label, value, width="content")
    if found["offline"]:
        st.caption(f":material/cloud_off: Offline, no LLM: {', '.join(found['offline'])}.")
    if found["failures"]:
        st.dataframe(
            [{"Failed": f["n"], "Kind": f["kind"], "For example": f["example"]} for f in found["failures"]],
            hide_index=True,
            height="content",
            width="content",
            column_config={
                "Failed": st.column_config.NumberColumn(width="small"),
                "Kind": st.column_config.TextColumn(width="small"),
                "For example": st.column_config.TextColumn(width="large"),
            },
        )
    _left_out(found)
    _last(found)


def _cells(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    asked = "–" if found["total"] is None else f"{found['total']:,}"
    cells = [
        ("Answered", f"{found['answered']:,} of {asked}"),
        ("Failed", f"{found['failed']:,}"),
        ("Scored", f"{found['scored']:,}"),
        ("Median", seconds(found["p50"])),
        ("90th percentile", seconds(found["p90"])),
        ("Calls", f"{found['calls']:,}"),
        ("Cost", money(found["cost_usd"])),
    ]
    if found["state"] == "running":
        left = found["eta_seconds"]
        cells.append(("Left", "–" if left is None else duration(left)))
    return cells


def seconds(value: float | None) -> str:
    """Service seconds; a dash for none."""
    if value is None:
        return "–"
    if value < 0.001:
        return "under 1 ms"
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def _left_out(found: Mapping[str, Any]) -> None:
    """What was not asked or not scored, and why."""
    for row in found["not_run"]:
        caution(f"{row['n']} questions in {row['language']} were left out: {row['why']}")
    reasons = [row for row in found["unscored"] if row["why"] != "no value"]
    if reasons:
        with st.expander(f"Not scored: {', '.join(dict.fromkeys(row['metric'] for row in reasons))}"):
            st.dataframe(
                [{"Metric": row["metric"], "Answers": row["n"], "Why": row["why"]} for row in reasons],
                hide_index=True,
                height="content",
                column_config={"Why": st.column_config.TextColumn(width="large")},
            )


def _last(found: Mapping[str, Any]) -> None:
    if not found["last"]:
        return
    st.subheader("Last answers", anchor=False)
    with st.container(border=True, gap="small"):
        for row in found["last"]:
            question, answer, took = st.columns([5, 6, 0.9])
            question.text(row["question"])
            if row["answer"] is None:
                answer.caption(f":material/error: {plain(row['stop'])}: {plain(row['error'] or '')}")
            else:
                answer.text(row["answer"] or "(an empty answer)")
            took.caption(seconds(row["seconds"]))


def _back() -> None:
    st.query_params.clear()
    st.session_state["run_view"] = "Runs"


def _after(job: str, state: str) -> None:
    found = opened().runs.progress(job, last=0)
    if state == "running" or not found["runs"]:
        return
    with st.container(horizontal=True):
        st.page_link(
            "pages/evaluate/results.py",
            label="Open in Results",
            icon=":material/leaderboard:",
            query_params={"run": found["runs"]},
        )
        st.page_link(
            "pages/evaluate/traces.py",
            label="Look at its traces",
            icon=":material/account_tree:",
            query_params={"run": found["runs"]},
        )
