"""Lay out how often decisions on a tiny release are wrong, as a page of tables and as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.statistics.statistics import Interval
from eval.page import Page, Record, figure, interval_cell, tabulate
from eval.tiny.agreement import MEASURES, OUTCOMES, Outcome, RandomResult, TinyAgreement, TinyReport

WORDS: Mapping[Outcome, str] = {
    "same": "Same decision",
    "opposite": "Opposite decision",
    "missed": "Only the whole decides",
    "added": "Only the tiny one decides",
    "neither": "Neither decides",
}
LABELS = {
    "differs": "Pairs whose decision differs from that on the whole",
    "wrong": "Decisions on the tiny release that the whole does not confirm",
    "missed": "Decisions on the whole that the tiny release misses",
    "order": "Pairs decided on the whole whose better system has the higher estimate",
    "error": "Mean absolute error of the estimated score",
}
NOTES = (
    "A tiny release is experimental. Each system was held out in turn: the items were chosen anew by the scores of the other "
    "systems, and every pair with a held-out system was decided on these items and on all items of the whole release.",
    "A decision is the paired test of the leaderboard, p < .05 before its correction for many comparisons. A pair of systems "
    "counts once for each of the two that was held out. Intervals resample the held-out systems; "
    "the interval of a share of 0 or 1 is Wilson's, with the number of these systems.",
    "Random samples have as many items as the tiny release; in brackets: the lowest and the highest of the samples.",
)


def build_page(
    record: Mapping[str, Any], report: TinyReport, names: Mapping[str, str], fresh: TinyAgreement | None = None
) -> Page:
    """Return the page about a tiny release. `record`: its record in the manifest. `names`: dict from run to the name of the
    system. `fresh`: how decisions on its items differ for runs that finished after the items were chosen; None = there are no
    such runs."""
    notes = [*NOTES, *describe_choice(record)]
    tables = [tabulate("Strata", [_build_stratum(record["by"], one) for one in record["strata"]])]
    notes.append(judge_choice(report))
    if report.chosen:
        rows = [_count_outcomes("Held-out systems", report.chosen)]
        rows += [_count_outcomes("Systems that ran later, on the items of this release", fresh)] if fresh else []
        tables = [
            tabulate("Pairs of systems", rows),
            tabulate("How often the tiny release is wrong", [_build_measure(name, report, fresh) for name in MEASURES]),
            tabulate("Scores of held-out systems", _list_errors(report.chosen, names)),
            *tables,
        ]
    data = {"tiny": dict(record), **encode_report(report), "fresh": encode_agreement(fresh) if fresh else None}
    return Page(f"Tiny release of {record['of']['name']}, experimental", tables, notes=notes, data=data)


def describe_choice(record: Mapping[str, Any]) -> list[str]:
    """Return sentences on how the items of a tiny release were chosen, made from its record in the manifest."""
    size, of, systems = len(record["weights"]), record["of"], len(record["systems"])
    strata = " and ".join(record["by"]) if len(record["strata"]) > 1 else ""
    within = f"within strata by {strata}" if strata else "without strata"
    seen = f"the scores ({record['metric']}) of {systems} systems" if record["metric"] else "no scores"
    how = (
        "items of similar difficulty and discrimination stand for each other"
        if record["method"] == "irt"
        else f"items of similar length and overlap stand for each other, because {record['why'].rstrip('.')}"
    )
    sentences = [f"{size} of {of['items']:,} items of {of['name']} were chosen by {seen}, {within}: {how}."]
    if record["unscored"]:
        sentences.append(f"{record['unscored']:,} items without a score by {record['metric']} could not be chosen.")
    return sentences


def judge_choice(report: TinyReport) -> str:
    """Return sentences on whether the chosen items are better than random samples of the same size, or why that is unknown."""
    if not report.random:
        return f"How often decisions are wrong is unknown: {report.why}."
    decisions, scores = report.random["differs"], report.random["error"]
    return (
        f"Decisions: {_judge_measure(decisions)} ({decisions.as_good} of {decisions.n} random samples of the same size differ "
        f"from the whole no more often). Estimated scores: {_judge_measure(scores)} ({scores.as_good} of {scores.n} are at "
        "least as close)."
    )


def _judge_measure(random: RandomResult) -> str:
    if random.as_good <= random.n / 20:
        return "the chosen items are better than random ones"
    return "a random sample is as good" if random.as_good >= random.n / 2 else "no clear gain over random samples"


def encode_report(report: TinyReport) -> dict[str, Any]:
    """Return the agreement as JSON values."""
    return {
        "why": report.why,
        "held_out": encode_agreement(report.chosen) if report.chosen else None,
        "random": {name: one._asdict() for name, one in report.random.items()},
    }


def encode_agreement(agreement: TinyAgreement) -> dict[str, Any]:
    """Return the counts and measures of an agreement as JSON values."""
    return {
        "pairs": len(agreement.pairs),
        "outcomes": {name: agreement.counts[name] for name in OUTCOMES},
        **{name: getattr(agreement, name).record() for name in MEASURES},
        "scores": [one._asdict() for one in agreement.errors],
    }


def _count_outcomes(title: str, agreement: TinyAgreement) -> Record:
    counts = agreement.counts
    return {"Systems": title, "Pairs": len(agreement.pairs), **{WORDS[name]: counts[name] for name in OUTCOMES}}


def _build_measure(name: str, report: TinyReport, fresh: TinyAgreement | None) -> Record:
    own: Interval = getattr(report.chosen, name)
    random = report.random[name]
    record: Record = {"Measure": LABELS[name], "n": own.n, "Tiny release [95 % interval]": interval_cell(own)}
    if fresh:
        record["Systems that ran later"] = interval_cell(getattr(fresh, name))
    return record | {f"Mean of {random.n} random samples": interval_cell(random), "Samples as good": random.as_good}


def _list_errors(agreement: TinyAgreement, names: Mapping[str, str]) -> list[Record]:
    return [
        {
            "System": names.get(one.system, one.system),
            "n on the whole": one.n_whole,
            "Whole": figure(one.whole),
            "n on the tiny release": one.n,
            "Estimate": figure(one.estimate),
            "Error": figure(one.estimate - one.whole),
        }
        for one in sorted(agreement.errors, key=lambda one: -one.whole)
    ]


def _build_stratum(by: Sequence[str], one: Mapping[str, Any]) -> Record:
    named = dict(zip(by, one["values"], strict=True)) or {"items": "all"}
    return {**named, "Items of the whole": one["items"], "Items chosen": one["chosen"]}
