"""Every judge against people: agreement, rates and confusion by judge, prompt and metric, and what each graded run's mean is
when it is corrected by people's marks."""

from typing import Any

import streamlit as st

from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui.heading import empty
from pages.parts.ui.say import plain
from pages.parts.ui.until_ready import until_ready
from workbench import opened


def show() -> None:
    """Draw it."""
    found = until_ready(opened().calibrations.table, "Holding judges against people")
    if found is None:
        return
    if not found.judges:
        empty(
            "No judge was held against people yet",
            "Grade answers, or single verdicts, of runs that a judge scored, and "
            "close the batch: what the judge said of them is then compared with what people said.",
        )
        return
    st.table(_columns([_judge(one) for one in found.judges]))
    st.caption(
        plain(
            f"Rates with n and 95 % interval (Wilson); kappa by bootstrap. A judge is calibrated from {found.least} "
            "human marks on, for one prompt and metric. True positive: of what people call right (accurate), the "
            "share that the judge does."
        )
    )
    for one in found.judges:
        prompt = one["prompt"].partition("@")[0]
        with st.expander(plain(f"Confusion: {one['metric']} by {one['judge']}, {prompt}, by {one['per']}")):
            st.table(_confusion(one))
    st.markdown("**Means of graded runs**")
    st.table(_columns([_run(one) for one in found.runs]))
    st.caption(
        plain(
            "Corrected: the mean that people would have given, estimated from their marks on this run and all of the "
            "judge's (prediction-powered, PPI++). Heeds: how far the judge is heeded, from 0 to 1. Rogan-Gladen: the "
            "same from the two rates, for comparison."
        )
    )


def _judge(one: dict[str, Any]) -> dict[str, str]:
    return {
        "Metric": plain(one["metric"]),
        "Judge": plain(one["judge"]),
        "Prompt": plain(_short(one["prompt"])),
        "People marked": plain(f"{one['n']:,} {one['per']}s, {one['scheme'].replace('_', ' ')}"),
        "Kappa": _value(one["kappa"]),
        "True positive": _value(one["tpr"], True),
        "True negative": _value(one["tnr"], True),
        "": "" if one["calibrated"] else "judge not calibrated",
    }


def _run(one: dict[str, Any]) -> dict[str, str]:
    tuning = one["corrected"]["tuning"]
    return {
        "Run": plain(one["name"]),
        "Metric": plain(f"{one['metric']}, by {one['per']}"),
        "Judge": plain(one["judge"]),
        "The judge's mean": _value(one["raw"], True),
        "Corrected": _value(one["corrected"], True),
        "Heeds": mean(tuning, 2),
        "Rogan-Gladen": DASH if one["rogan_gladen"] is None else _value(one["rogan_gladen"]),
        "": "" if one["calibrated"] else "judge not calibrated",
    }


def _confusion(one: dict[str, Any]) -> dict[str, list[str]]:
    names = list(one["confusion"])
    rows = []
    for name in names:
        of = one["classes"][name]
        rows.append(
            {
                "People": name,
                **{f"judge: {said}": f"{one['confusion'][name][said]:,}" for said in names},
                "Precision": _value(of["precision"]),
                "Recall": _value(of["recall"]),
                "F1": mean(of["f1"]),
            }
        )
    return _columns(rows)


def _value(one: dict[str, Any], with_n: bool = False) -> str:
    if one["value"] is None:
        return f"{DASH} ({plain(one['why'])})" if one.get("why") else DASH
    return f"{mean(one['value'])} {interval(one['low'], one['high'])}" + (f" n={one['n']:,}" if with_n else "")


def _short(prompt: str) -> str:
    """The prompt's name and the first digits of its version."""
    name, _, hash_ = prompt.partition("@")
    return f"{name} {hash_.removeprefix('b2:')[:8]}"


def _columns(rows: list[dict[str, str]]) -> dict[str, list[str]]:
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
