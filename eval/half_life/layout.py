"""Lay out how the answers of a release age, as tables, a chart and JSON values."""

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.as_json import as_json
from core.quality.half_life import OUTCOMES, CheckedAnswer
from core.statistics.survival import TimeEstimate
from eval.figures.decay import draw_decay
from eval.half_life.curve import Aging, DatedAnswers
from eval.page import DASH, Cell, Figure, Page, Record, figure, interval_cell, tabulate, words

CURVE_NOTES = (
    "unchanged: share of the n decided questions (unchanged, changed or gone) whose released answer is still right "
    "[Wilson's 95 % interval, as if questions were independent]. days: median since the date of the released answers.",
    "not found: a newer page does not state the released answer in its words, and rules cannot know whether it states "
    "another one. Neither these nor questions that were not asked are in n.",
)
ESTIMATE_NOTES = (
    "half-life: days until half of the answers have changed, by maximum likelihood [95 % profile likelihood interval, wider "
    "where answers share a row or page]. An answer that was right again later counts by its first change; one that changed "
    "and changed back between two checks is not seen.",
    "refresh by: date on which the expected share of changed answers reaches the tolerance. at the earliest: the same by the "
    "lower end of the interval, or by a 95 % bound if no answer changed.",
)
MODELS = {"exponential": "exponential", "weibull": "Weibull", None: DASH}
MAX_SHOWN_CHARACTERS = 100
"""Maximum number of characters of a question or answer that a table displays."""
ANSWER_COLUMNS = ("item", "outcome", "why", "question", "released answer", "newer answer", "days")


def name_group(aging: Aging) -> str:
    """Return the name of a group of questions."""
    if aging.counts_not_found:
        return "all, not found counted as changed"
    return f"{aging.by}: {aging.value or DASH}" if aging.by else "all"


def build_page(
    release: str,
    checks: Sequence[DatedAnswers],
    agings: Sequence[Aging],
    tolerance: float,
    records: Sequence[Mapping[str, Any]],
) -> Page:
    """Return the curve, the estimates and the reasons as a page. `records` describe the checks as JSON values."""
    curve: list[Record] = [
        {
            "date": str(point.on),
            "questions": name_group(aging),
            "days": figure(point.days, 0),
            "n": point.unchanged.n,
            "unchanged": interval_cell(point.unchanged),
            **{OUTCOMES[outcome]: n for outcome, n in point.counts.items() if outcome != "unchanged"},
        }
        for aging in agings
        for point in aging.points
    ]
    estimates = [_build_estimate(aging, tolerance) for aging in agings]
    counted = Counter((check.on, one.outcome, one.why) for check in checks for one in check.answers if one.why)
    reasons: list[Record] = [
        {"date": str(on), "outcome": OUTCOMES[outcome], "reason": why, "questions": n}
        for (on, outcome, why), n in sorted(counted.items(), key=lambda pair: (pair[0][0], -pair[1]))
    ]
    tables = [
        tabulate(f"Half-life, and when to refresh at a tolerance of {tolerance:g}", estimates, ESTIMATE_NOTES),
        tabulate("Answers that are still right", curve, CURVE_NOTES),
        tabulate("Reasons", reasons, columns=["date", "outcome", "reason", "questions"]),
    ]
    data = {
        "release": release,
        "tolerance": tolerance,
        "checks": list(records),
        "groups": [encode_aging(aging, tolerance) for aging in agings],
    }
    drawn = [one for one in agings if not one.counts_not_found and one.by in ("", "dynamism")]
    chart = Figure("Share of answers that are still right", draw_decay(drawn, [name_group(one) for one in drawn], tolerance))
    notes = [describe_refresh(agings[0], tolerance)] if agings else []
    notes += [f"The agent {one['agent']} of the check on {one['on']} is no LLM." for one in records if one.get("offline")]
    return Page(f"Half-life of release {release}", tables, [chart] if agings else [], notes, data)


def describe_refresh(aging: Aging, tolerance: float) -> str:
    """Return a sentence with the half-life and the date by which to refresh, or with the reason why there is none."""
    fit, half, refresh = aging.fit, aging.fit.estimate(0.5), aging.find_refresh(tolerance)
    on, earliest = (_show_date(aging, days).text for days in (refresh.days, refresh.low))
    seen = f"{fit.changed:,} of {fit.n:,} answers changed."
    if half.days is not None:
        dates = f"refresh by {on}, at the earliest by {earliest}" if refresh.low is not None else f"refresh by {on}"
        return f"{seen} Half-life {_show_days(half).text} days; at a tolerance of {tolerance:g}, {dates}."
    if half.low is not None:
        known = f"The half-life is more than {half.low:,.0f} days with 95 % confidence"
        return f"{seen} {known}, so that no refresh is needed before {earliest} at a tolerance of {tolerance:g}."
    if half.high is not None:
        return f"{seen} The half-life is less than {half.high:,.0f} days with 95 % confidence: refresh now."
    return f"{seen} There is no half-life: {fit.why}"


def _build_estimate(aging: Aging, tolerance: float) -> Record:
    fit, half, refresh = aging.fit, aging.fit.estimate(0.5), aging.find_refresh(tolerance)
    limit = " or more" if fit.shape > 4.99 else " or less" if fit.shape < 0.201 else ""
    model = MODELS[fit.model] + (f" (shape {fit.shape:.2g}{limit})" if fit.model == "weibull" else "")
    return {
        "questions": name_group(aging),
        "n": fit.n,
        "changed": fit.changed,
        "right again": aging.returned,
        "model": model,
        "half-life": _show_days(half),
        "refresh by": _show_date(aging, refresh.days),
        "at the earliest": _show_date(aging, refresh.low),
        "note": fit.why or DASH,
    }


def _show_days(one: TimeEstimate) -> Cell:
    """Return days with their interval; a bound is shown as > or <, and an open end as ∞."""
    if one.days is None:
        text = f"> {one.low:,.0f}" if one.low is not None else f"< {one.high:,.0f}" if one.high is not None else DASH
        return Cell(text, text if text != DASH else None)
    if one.low is None and one.high is None:
        return figure(one.days, 0)
    ends = [f"{end:,.0f}" if end is not None else "∞" for end in (one.low or 0.0, one.high)]
    return Cell(f"{one.days:,.0f} [{', '.join(ends)}]", one.days)


def _show_date(aging: Aging, days: float | None) -> Cell:
    on = aging.find_date(days)
    if on is not None:
        return words(on)
    return Cell(DASH) if days is None else words("after 100 years")


def encode_aging(aging: Aging, tolerance: float) -> dict[str, Any]:
    """Return how a group of questions ages as JSON values; times are days since `since`."""
    fit, refresh = aging.fit, aging.find_refresh(tolerance)
    return {
        "by": aging.by or None,
        "value": aging.value or None,
        "not_found_as_changed": aging.counts_not_found,
        "since": str(aging.since),
        "points": [
            {"date": str(one.on), "days": one.days, "counts": dict(one.counts), "unchanged": one.unchanged.record()}
            for one in aging.points
        ],
        "n": fit.n,
        "changed": fit.changed,
        "right_again": aging.returned,
        "clusters": fit.clusters,
        "design_effect": fit.design,
        "model": fit.model,
        "shape": fit.shape if fit.model else None,
        "half_life": fit.estimate(0.5)._asdict(),
        "refresh": {
            **refresh._asdict(),
            "date": _encode_date(aging, refresh.days),
            "earliest": _encode_date(aging, refresh.low),
        },
        "why": fit.why,
    }


def _encode_date(aging: Aging, days: float | None) -> str | None:
    on: datetime.date | None = aging.find_date(days)
    return None if on is None else str(on)


def build_answer_page(
    release: str, check: str, on: str, answers: Sequence[CheckedAnswer], questions: Mapping[str, str]
) -> Page:
    """Return the outcome of a check for each question as a page. `questions` is a dict from item to question."""
    rows: list[Record] = [
        {
            "item": one.item,
            "outcome": OUTCOMES[one.outcome],
            "why": one.why or None,
            "question": _cut(questions.get(one.item, "")),
            "released answer": _cut(one.before),
            "newer answer": _cut(one.after),
            "days": one.days,
        }
        for one in answers
    ]
    table = tabulate("Each answer", rows, columns=ANSWER_COLUMNS)
    data = {"release": release, "check": check, "on": on, "answers": [as_json(one) for one in answers]}
    return Page(f"Answers of release {release} on {on}", [table], data=data)


def _cut(text: str) -> Cell:
    """Return a cell with the whole text as its value, of which it displays the beginning."""
    line = " ".join(text.split())
    shown = line if len(line) <= MAX_SHOWN_CHARACTERS else f"{line[:MAX_SHOWN_CHARACTERS].rstrip()} …"
    return Cell(shown or DASH, text or None)
