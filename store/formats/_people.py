"""Render the dataset card's tables on people's decisions about drafts, and on how far the flags of gates (automatic checks)
agree with these decisions."""

from collections.abc import Mapping
from typing import Any

from core.quality.people_report import MIN_ACCEPTED_SHARE, MIN_DECISIONS, MIN_DOUBLE_SHARE, MIN_KAPPA, list_shortfalls
from store.formats._markdown import render_table

_COUNTS = ("task", "domain", "language", "drafts", "decided", "accepted")
HEAD = [*(name.capitalize() for name in _COUNTS), "Accept rate (95 %)", "By two raters", "Agreement", "Falls short of"]


def render_people(report: Mapping[str, Any]) -> str:
    """Return tables of acceptance rates and inter-annotator agreement by task, domain and language, or "" for an empty
    report."""
    if not report:
        return ""
    share = f"{report['reviewed'] / report['items']:.0%}" if report["items"] else "none"
    lines = [*report["strata"], report["whole"] | {"task": "all"}]
    return (
        f"## People\n\nReviewed: {report['reviewed']} of {report['items']} items of this release ({share}); a test release "
        f"needs 100 %. Each row should have {MIN_DECISIONS} decisions, {MIN_ACCEPTED_SHARE:.0%} of them accepted, "
        f"{MIN_DOUBLE_SHARE:.0%} seen by two raters, and an agreement of {MIN_KAPPA}; the last column lists what it lacks. "
        "The counts are of all drafts of these kinds when the release was frozen.\n\n"
        + render_table(HEAD, map(_build_row, lines))
    )


def render_calibration(report: Mapping[str, Any]) -> str:
    """Return a table that compares each gate's flags with people's decisions by precision, recall and kappa, or "" if there are
    no gates."""
    rows = [
        (
            *(
                gate["gate"].replace("_", " "),
                _format_version(gate),
                sum(gate["flagged"].values()),
                sum(gate["passed"].values()),
            ),
            *(_format_figure(gate[name]) for name in ("precision", "recall", "kappa")),
            f"{gate['flagged']['edited']} flagged, {gate['passed']['edited']} passed",
        )
        for gate in report.get("gates", ())
    ]
    if not rows:
        return ""
    return (
        "## Gates against people\n\nOf the drafts that people decided on: precision = discarded of those flagged, recall = "
        "flagged of those discarded, kappa of flagged against discarded. Drafts that were edited and kept are counted apart. "
        "The people saw the flags.\n\n"
        + render_table(["Gate", "Version", "Flagged", "Passed", "Precision", "Recall", "Kappa", "Edited and kept"], rows)
    )


def _build_row(line: Mapping[str, Any]) -> list[object]:
    rate = "undefined, because nobody decided on one"
    if line["rate"] is not None:
        rate = f"{line['rate']:.0%} ({line['low']:.0%} to {line['high']:.0%})"
    agreed = line["why"] or f"{line['kappa']:.2f}{_format_range(line['kappa_low'], line['kappa_high'])}, {line['measure']}"
    return [*(line[name] for name in _COUNTS), rate, line["twice"], agreed, "; ".join(list_shortfalls(line)) or "nothing"]


def _format_figure(figure: Mapping[str, Any]) -> str:
    if figure["value"] is None:
        return str(figure["why"])
    return f"{figure['value']:.2f}{_format_range(figure['low'], figure['high'])}, n = {figure['n']}"


def _format_range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"


def _format_version(gate: Mapping[str, Any]) -> str:
    judges = ", ".join([*gate["prompts"], *(f"by {agent}" for agent in gate["agents"])])
    return f"{gate['rules']}{f': {judges}' if judges else ''}"
