"""The card's tables of what people made of the drafts (G10), and of how the gates' flags did against that."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.quality.people_report import MIN_ACCEPTED_SHARE, MIN_DECISIONS, MIN_DOUBLE_SHARE, MIN_KAPPA, list_shortfalls

Table = Callable[[Sequence[str], Iterable[Sequence[object]]], str]
HEAD = [
    "Task",
    "Domain",
    "Language",
    "Drafts",
    "Decided",
    "Accepted",
    "Accept rate (95 %)",
    "By two raters",
    "Agreement",
    "Falls short of",
]


def render_people(found: Mapping[str, Any], table: Table) -> str:
    """Accept rates and agreement by task, domain and language; "" where nothing is known."""
    if not found:
        return ""
    share = f"{found['reviewed'] / found['items']:.0%}" if found["items"] else "none"
    lines = [*found["strata"], found["whole"] | {"task": "all"}]
    return (
        f"## People\n\nReviewed: {found['reviewed']} of {found['items']} items of this release ({share}); a test release wants "
        f"100 %. Otherwise {MIN_DECISIONS} decisions a row, {MIN_ACCEPTED_SHARE:.0%} of them accepted, "
        f"{MIN_DOUBLE_SHARE:.0%} seen by two raters and an agreement of {MIN_KAPPA} are asked for; what falls short is told "
        "and holds nothing up. Counted are all drafts of these kinds, as they stood when the release was frozen.\n\n"
        + table(HEAD, map(_row, lines))
    )


def render_calibration(found: Mapping[str, Any], table: Table) -> str:
    """Precision, recall and kappa of each gate's flags; "" where nothing is known."""
    rows = [
        (
            one["gate"].replace("_", " "),
            _version(one),
            sum(one["flagged"].values()),
            sum(one["passed"].values()),
            _figure(one["precision"]),
            _figure(one["recall"]),
            _figure(one["kappa"]),
            f"{one['flagged']['edited']} flagged, {one['passed']['edited']} passed",
        )
        for one in found.get("gates", ())
    ]
    if not rows:
        return ""
    return (
        "## Gates against people\n\nOf the drafts that people decided on: precision = discarded of those flagged, recall = "
        "flagged of those discarded, kappa of flagged against discarded. Drafts that were edited and kept are counted apart. "
        "Who decided saw the flags.\n\n"
        + table(["Gate", "Version", "Flagged", "Passed", "Precision", "Recall", "Kappa", "Edited and kept"], rows)
    )


def _row(line: Mapping[str, Any]) -> list[object]:
    rate = "undefined, because nobody decided on one"
    if line["rate"] is not None:
        rate = f"{line['rate']:.0%} ({line['low']:.0%} to {line['high']:.0%})"
    agreed = line["why"] or f"{line['kappa']:.2f}{_range(line['kappa_low'], line['kappa_high'])}, {line['measure']}"
    return [
        line["task"],
        line["domain"],
        line["language"],
        line["drafts"],
        line["decided"],
        line["accepted"],
        rate,
        line["twice"],
        agreed,
        "; ".join(list_shortfalls(line)) or "nothing",
    ]


def _figure(one: Mapping[str, Any]) -> str:
    if one["value"] is None:
        return str(one["why"])
    return f"{one['value']:.2f}{_range(one['low'], one['high'])}, n = {one['n']}"


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"


def _version(one: Mapping[str, Any]) -> str:
    asked = ", ".join([*one["prompts"], *(f"by {agent}" for agent in one["agents"])])
    return f"{one['rules']}{f': {asked}' if asked else ''}"
