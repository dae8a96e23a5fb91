"""How well each LLM judge agrees with people: kappa, true positive and negative rates, and confusion matrix by judge, prompt
and metric; and the mean of each graded run, corrected with people's marks."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.evaluate.results.figures import DASH, interval, mean
from pages.parts.ui.heading import show_empty
from pages.parts.ui.say import escape
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench


def show() -> None:
    """Show the comparison of judges with people, and the corrected means of the graded runs."""
    calibrations = until_ready(open_workbench().calibrations.table, "Comparing judges with people")
    if calibrations is None:
        return
    if not calibrations.judges:
        show_empty(
            "No judge has been compared with people yet",
            "Grade a batch of answers that a judge scored, or say what you would decide in place of single verdicts of the "
            "judge. Then close the batch.",
        )
        return
    st.table(_list_columns([_build_judge_row(judge) for judge in calibrations.judges]))
    st.caption(
        escape(
            "Rates with n and 95 % interval (Wilson); kappa by bootstrap. A judge counts as calibrated when people have marked "
            f"at least {calibrations.least} of its verdicts for one prompt and metric. True positive: of the answers "
            "that people mark as right (accurate, support), the share that the judge also marks as right."
        )
    )
    for judge in calibrations.judges:
        prompt = judge["prompt"].partition("@")[0]
        with st.expander(escape(f"Confusion matrix: {judge['metric']} by {judge['judge']}, {prompt}, by {judge['per']}")):
            st.table(_build_confusion(judge))
    st.markdown("**Means of graded runs**")
    st.table(_list_columns([_build_run_row(run) for run in calibrations.runs]))
    st.caption(
        escape(
            "Corrected: the mean that people would give to the whole run, estimated from their marks on this run and all "
            "marks of the judge (prediction-powered inference, PPI++). Weight: how much the judge's marks count in the "
            "corrected mean, from 0 to 1. Rogan-Gladen: for comparison, the judge's mean corrected by its true positive and "
            "true negative rates."
        )
    )


def _build_judge_row(judge: Mapping[str, Any]) -> dict[str, str]:
    name, _, hash_ = judge["prompt"].partition("@")
    return {
        "Metric": escape(judge["metric"]),
        "Judge": escape(judge["judge"]),
        "Prompt": escape(f"{name} {hash_.removeprefix('b2:')[:8]}"),
        "People marked": escape(f"{judge['n']:,} {judge['per']}s by the scheme {judge['scheme'].replace('_', ' ')}"),
        "Kappa": _format_value(judge["kappa"]),
        "True positive": _format_value(judge["tpr"], with_n=True),
        "True negative": _format_value(judge["tnr"], with_n=True),
        "": "" if judge["calibrated"] else "judge not calibrated",
    }


def _build_run_row(run: Mapping[str, Any]) -> dict[str, str]:
    return {
        "Run": escape(run["name"]),
        "Metric": escape(f"{run['metric']}, by {run['per']}"),
        "Judge": escape(run["judge"]),
        "The judge's mean": _format_value(run["raw"], with_n=True),
        "Corrected": _format_value(run["corrected"], with_n=True),
        "Weight": mean(run["corrected"]["tuning"], 2),
        "Rogan-Gladen": DASH if run["rogan_gladen"] is None else _format_value(run["rogan_gladen"]),
        "": "" if run["calibrated"] else "judge not calibrated",
    }


def _build_confusion(judge: Mapping[str, Any]) -> dict[str, list[str]]:
    names = list(judge["confusion"])
    return _list_columns(
        [
            {
                "People": name,
                **{f"judge: {other}": f"{judge['confusion'][name][other]:,}" for other in names},
                "Precision": _format_value(judge["classes"][name]["precision"]),
                "Recall": _format_value(judge["classes"][name]["recall"]),
                "F1": mean(judge["classes"][name]["f1"]),
            }
            for name in names
        ]
    )


def _format_value(figure: Mapping[str, Any], with_n: bool = False) -> str:
    if figure["value"] is None:
        return f"{DASH} ({escape(figure['why'])})" if figure.get("why") else DASH
    return f"{mean(figure['value'])} {interval(figure['low'], figure['high'])}" + (f" n={figure['n']:,}" if with_n else "")


def _list_columns(rows: list[dict[str, str]]) -> dict[str, list[str]]:
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
