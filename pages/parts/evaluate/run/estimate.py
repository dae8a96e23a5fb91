"""What a run will come to, in a row of figures, and under it what each rests on."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.statistics.effects import questions_for
from pages.parts.ui.job_card import duration, money
from pages.parts.ui.say import caution, note, plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.evaluate.running.run_request import RunRequest

WISHED = 0.05
"""The difference that the planner begins with."""


def show(asked: RunRequest) -> None:
    """The estimate of one run; a line while it is being reckoned, a sentence when it cannot begin."""
    try:
        found = opened().runs.estimate(asked)
    except BenchError as error:
        trouble(str(error))
        return
    if found is None:
        waiting(lambda: opened().runs.estimate(asked, wait=0.0) is not None, "Reckoning what it will come to.")
        return
    figures(found)
    st.caption(plain(" ".join(bases([found]))))
    if found["reuse"]:
        stored = found["reuse"]
        note(f"Run {stored['run']} is this very run: {stored['traces']:,} answers are stored and are not asked again.")
    for sentence in found["notes"]:
        caution(sentence)
    _detectable(found["detectable"])


def figures(sums: Mapping[str, Any]) -> None:
    """Questions, calls, tokens, price and time. A dash is not known before."""
    calls = None if sums["calls"] is None else sums["calls"] + sums["judge_calls"]
    cells = [
        ("Questions", counted(sums["questions"])),
        ("Calls", counted(calls)),
        ("Tokens in", counted(sums["tokens_in"])),
        ("Tokens out", counted(sums["tokens_out"])),
        ("Price", price(sums)),
        ("Time", "–" if sums["seconds"] is None else f"about {duration(max(sums['seconds'], 1))}"),
    ]
    with st.container(horizontal=True, gap="large"):
        for label, value in cells:
            st.metric(label, value, width="content")


def price(sums: Mapping[str, Any]) -> str:
    """Dollars, or that nobody knows."""
    return "–" if sums["calls"] is None else money(sums["price_usd"]) if sums["calls"] + sums["judge_calls"] else "free"


def counted(value: float | None) -> str:
    """A count as people read it; thousands short."""
    if value is None:
        return "–"
    return f"{value / 1e6:,.1f} M" if value >= 1e6 else f"{value / 1e3:,.1f} k" if value >= 10_000 else f"{value:,.0f}"


def bases(estimates: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the figures rest on, in sentences."""
    asking = [e for e in estimates if e["calls"]]
    if not asking:
        return ["No call is made: nothing is sent and nothing paid."] if all(e["calls"] == 0 for e in estimates) else []
    pace = asking[-1]["pace"]
    basis = f"measured on its last {pace['measured']} calls" if pace["measured"] else "assumed, it has not answered yet"
    said = [
        f"Tokens are counted in the real prompts of {asking[-1]['sampled']} questions with real passages; replies by "
        f"{asking[-1]['replies']}.",
        f"Time: {max(pace['seconds'], 0.01):.2g} s per call ({basis}), {pace['width']} at once.",
    ]
    most = [e["most_usd"] for e in asking]
    if None not in most and sum(most) > 0:
        said.append(f"At most {money(sum(most))} if every reply is as long as it may be.")
    return said


def _detectable(rows: Sequence[Mapping[str, Any]]) -> None:
    """The least difference that would show, by metric."""
    if not rows:
        return
    with st.expander("Which differences can show here"):
        st.caption("The least difference between two systems on these questions that shows in 80 of 100 tries, at 5 % error.")
        wished = st.number_input(
            "Difference that should show",
            0.001,
            1.0,
            WISHED,
            0.01,
            format="%.3f",
            key="run_wished",
            persist_state="session",
            width=240,
        )
        wanted = f"Questions for {wished:g}"
        st.dataframe(
            [
                {
                    "Metric": r["metric"],
                    "Difference": r["difference"],
                    "Questions": r["n"],
                    wanted: questions_for(r["spread"], wished),
                    "Rests on": r["rests_on"],
                }
                for r in rows
            ],
            hide_index=True,
            placeholder="–",
            height="content",
            column_config={
                "Difference": st.column_config.NumberColumn(format="%.2f", width="small"),
                "Questions": st.column_config.NumberColumn(width="small"),
                wanted: st.column_config.NumberColumn(width="small", format="localized"),
                "Rests on": st.column_config.TextColumn(width="large"),
            },
        )
