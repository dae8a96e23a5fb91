"""Reports people's decisions on a release's drafts by task, domain and language: the share of accepted drafts, the share of
drafts that two people judged, and people's agreement on these drafts. The report never blocks a release; every undefined value
has a reason."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.statistics.agreement import alpha, cohen
from core.statistics.ratings import Ratings, join_ratings, tabulate_ratings
from core.statistics.statistics import wilson

MIN_DECISIONS, MIN_ACCEPTED_SHARE, MIN_DOUBLE_SHARE, MIN_KAPPA = 50, 0.9, 0.2, 0.6
"""Targets for a release in which only some drafts were reviewed. They apply to each stratum (task, domain and language): number
of decisions, accepted share, share judged by two people, and kappa."""


class DecidedDrafts(NamedTuple):
    """People's decisions on the drafts of one task, domain and language (a stratum)."""

    kind: tuple[str, str, str]
    drafts: int
    decided: int
    accepted: int
    ratings: Ratings
    """Dict from item to a dict from person to decision, for items that two or more people judged independently."""


def people_report(strata: Sequence[DecidedDrafts], items: int, reviewed: int) -> dict[str, Any]:
    """Return the report on people's decisions as JSON values: {"items", "reviewed", "strata": one entry per stratum, "whole":
    all strata together}."""
    drafts, decided, accepted = (sum(getattr(s, name) for s in strata) for name in ("drafts", "decided", "accepted"))
    ratings = join_ratings([stratum.ratings for stratum in strata])
    whole = DecidedDrafts(("", "", ""), drafts, decided, accepted, ratings)
    return {"items": items, "reviewed": reviewed, "strata": list(map(_report_stratum, strata)), "whole": _report_stratum(whole)}


def _report_stratum(stratum: DecidedDrafts) -> dict[str, Any]:
    """Return the report on one stratum as JSON values. Agreement is Cohen's kappa if only two people judged, else
    Krippendorff's alpha."""
    rate = wilson(stratum.accepted, stratum.decided)
    doubled = tabulate_ratings(stratum.ratings).select_paired()
    people = sorted(doubled.names[place] for place in set(doubled.people.tolist()))
    is_pair = len(people) == 2
    agreement = cohen(stratum.ratings, people[0], people[1]) if is_pair else alpha(stratum.ratings)
    task, domain, language = stratum.kind
    return {
        "task": task,
        "domain": domain,
        "language": language,
        "drafts": stratum.drafts,
        "decided": stratum.decided,
        "accepted": stratum.accepted,
        "rate": rate.mean,
        "low": rate.low,
        "high": rate.high,
        "twice": doubled.count_units(),
        "measure": "Cohen's kappa" if is_pair else "Krippendorff's alpha",
        "kappa": agreement.value,
        "kappa_low": agreement.low,
        "kappa_high": agreement.high,
        "why": agreement.why,
    }


def list_shortfalls(line: Mapping[str, Any]) -> list[str]:
    """Return one phrase for each target that a stratum of the report misses."""
    decisions = min(MIN_DECISIONS, line["drafts"])
    shortfalls = {
        f"fewer than {decisions} decided": line["decided"] < decisions,
        f"accepted below {MIN_ACCEPTED_SHARE:.0%}": line["rate"] is not None and line["rate"] < MIN_ACCEPTED_SHARE,
        f"fewer than {MIN_DOUBLE_SHARE:.0%} by two raters": line["twice"] < MIN_DOUBLE_SHARE * line["decided"],
        f"agreement below {MIN_KAPPA}": line["kappa"] is not None and line["kappa"] < MIN_KAPPA,
    }
    return [sentence for sentence, is_missed in shortfalls.items() if is_missed]
