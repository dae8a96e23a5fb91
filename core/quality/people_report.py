"""What people made of the drafts of a release's kinds (construction.md, G10): accept rates, how many two raters saw and how far
these agreed, by task, domain and language. A report, never a bar: what is undefined says why."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.statistics.agreement import Agreement, Ratings, alpha, cohen
from core.statistics.statistics import wilson

SAMPLE, ACCEPTED, TWICE, AGREED = 50, 0.9, 0.2, 0.6
"""What construction.md asks of a release that was not reviewed whole: decisions in each stratum, share of them accepted, share
seen by two raters, kappa."""


class DecidedDrafts(NamedTuple):
    """Drafts of one task, domain and language."""

    kind: tuple[str, str, str]
    drafts: int
    decided: int
    accepted: int
    ratings: Ratings
    """Item -> person -> decision, of those that two people at least decided on by themselves."""


def people_report(found: Sequence[DecidedDrafts], items: int, reviewed: int) -> dict[str, Any]:
    """As JSON values: {"items", "reviewed", "strata": one a kind, "whole": all together}."""
    every = DecidedDrafts(
        ("", "", ""),
        sum(one.drafts for one in found),
        sum(one.decided for one in found),
        sum(one.accepted for one in found),
        {item: row for one in found for item, row in one.ratings.items()},
    )
    return {"items": items, "reviewed": reviewed, "strata": [_line(one) for one in found], "whole": _line(every)}


def _line(one: DecidedDrafts) -> dict[str, Any]:
    rate = wilson(one.accepted, one.decided)
    several = sum(len(row) > 1 for row in one.ratings.values())
    measure, agreed = _agreement(one.ratings)
    task, domain, language = one.kind
    return {
        "task": task,
        "domain": domain,
        "language": language,
        "drafts": one.drafts,
        "decided": one.decided,
        "accepted": one.accepted,
        "rate": rate.mean,
        "low": rate.low,
        "high": rate.high,
        "twice": several,
        "measure": measure,
        "kappa": agreed.value,
        "kappa_low": agreed.low,
        "kappa_high": agreed.high,
        "why": agreed.why,
    }


def _agreement(ratings: Ratings) -> tuple[str, Agreement]:
    """Cohen's kappa of the one pair of people there is; alpha, which takes any number, where there are more."""
    people = sorted({person for row in ratings.values() if len(row) > 1 for person in row})
    if len(people) == 2:
        return "Cohen's kappa", cohen(ratings, people[0], people[1])
    return "Krippendorff's alpha", alpha(ratings)


def list_shortfalls(line: Mapping[str, Any]) -> list[str]:
    """What the line falls short of, in words; empty when it meets all that construction.md asks of a sample."""
    said = []
    wanted = min(SAMPLE, line["drafts"])
    if line["decided"] < wanted:
        said.append(f"fewer than {wanted} decided")
    if line["rate"] is not None and line["rate"] < ACCEPTED:
        said.append(f"accepted below {ACCEPTED:.0%}")
    if line["twice"] < TWICE * line["decided"]:
        said.append(f"fewer than {TWICE:.0%} by two raters")
    if line["kappa"] is not None and line["kappa"] < AGREED:
        said.append(f"agreement below {AGREED}")
    return said
