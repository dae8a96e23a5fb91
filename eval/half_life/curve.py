"""Compute from half-life checks how the answers of a release age: the share that is still right at each check, and how long
answers stay right."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from core.quality.half_life import DECIDED, OUTCOMES, CheckedAnswer, DecayOutcome, QuestionSource
from core.statistics.statistics import Interval, wilson
from core.statistics.survival import ChangeInterval, SurvivalFit, TimeEstimate, fit_survival

GROUPS = ("dynamism", "domain", "kind")
"""Properties by which questions are grouped: how fast the answer changes, the domain, and whether the question is from a
template or about web pages."""
SAME_DAY = 0.5
"""Days after which an answer is taken to be checked if the check is of its own day; dates have no hours."""
MAX_DAYS = 36_500
"""Number of days after which no date is given any more."""


class AgingQuestion(NamedTuple):
    """A question of a release, as half-life checks see it."""

    dynamism: str
    """How fast the answer changes in CRAG's terms; "" = not labelled."""
    domain: str
    kind: QuestionSource
    cluster: Hashable
    """Questions of one cluster, such as those on one row of a table, may change together."""
    answered_on: datetime.date
    """Date of the released answer."""


class DatedAnswers(NamedTuple):
    """The outcomes of one check."""

    check: str
    on: datetime.date
    answers: Sequence[CheckedAnswer]


class CurvePoint(NamedTuple):
    """What the checks of one day found about a group of questions."""

    on: datetime.date
    days: float
    """Median of the days since the date of the released answers."""
    counts: Mapping[DecayOutcome, int]
    unchanged: Interval
    """Share of the decided answers that are unchanged, with Wilson's interval."""


class Aging(NamedTuple):
    """How the answers to a group of questions age."""

    by: str
    """Property that the questions of the group share; "" = the group has all questions."""
    value: str
    points: Sequence[CurvePoint]
    fit: SurvivalFit
    returned: int
    """Number of answers that had changed at one check and were right again at a later one."""
    since: datetime.date
    """Median date of the released answers."""
    counts_not_found: bool = False
    """Whether answers that a page no longer states count as changed; otherwise they are left out."""

    def find_date(self, days: float | None) -> datetime.date | None:
        """Return the date so many days after `since`; None = not known, or more than MAX_DAYS away."""
        return None if days is None or days > MAX_DAYS else self.since + datetime.timedelta(days=int(days + 1e-6))

    def find_refresh(self, tolerance: float) -> TimeEstimate:
        """Return the days until the expected share of changed answers exceeds the tolerance (0..1, both excluded)."""
        return self.fit.estimate(tolerance)


def measure_aging(checks: Sequence[DatedAnswers], questions: Mapping[str, AgingQuestion]) -> list[Aging]:
    """Return how all questions age, then those of each group. If rules did not find some answers, all questions come a second
    time, with these answers counted as changed. `checks` are in the order of their days; if several checks of one day looked at
    a question, the last one that decided counts."""
    seen: dict[datetime.date, dict[str, CheckedAnswer]] = defaultdict(dict)
    for check in checks:
        for one in check.answers:
            earlier = seen[check.on].get(one.item)
            if earlier is None or one.outcome in DECIDED or earlier.outcome not in DECIDED:
                seen[check.on][one.item] = one
    found = [_measure_group("", "", seen, questions, questions.keys())]
    if any(one.outcome == "not_found" for day in seen.values() for one in day.values()):
        found.append(_measure_group("", "", seen, questions, questions.keys(), counts_not_found=True))
    for by in GROUPS:
        groups: dict[str, list[str]] = defaultdict(list)
        for item, question in questions.items():
            groups[str(getattr(question, by))].append(item)
        if len(groups) > 1:
            found += [_measure_group(by, value, seen, questions, own) for value, own in sorted(groups.items())]
    return [one for one in found if one.points]


def _measure_group(
    by: str,
    value: str,
    seen: Mapping[datetime.date, Mapping[str, CheckedAnswer]],
    questions: Mapping[str, AgingQuestion],
    members: Iterable[str],
    counts_not_found: bool = False,
) -> Aging:
    own = set(members)
    points, states = [], defaultdict[str, dict[float, bool]](dict)
    wrong = ("changed", "gone", "not_found") if counts_not_found else ("changed", "gone")
    for on, day in sorted(seen.items()):
        answers = [one for item, one in day.items() if item in own]
        counted = [one for one in answers if one.outcome in ("unchanged", *wrong)]
        for one in counted:
            states[one.item][one.days or SAME_DAY] = one.outcome in wrong
        if not answers:
            continue
        counts = Counter(one.outcome for one in answers)
        right = wilson(counts["unchanged"], len(counted))
        days = median(one.days for one in counted or answers)
        points.append(CurvePoint(on, days, {outcome: counts[outcome] for outcome in OUTCOMES}, right))
    intervals = [_find_change(state, questions[item].cluster) for item, state in states.items()]
    returned = sum(_returns(state) for state in states.values())
    dates = sorted(questions[item].answered_on for item in states or own) or list(seen)
    return Aging(by, value, points, fit_survival(intervals), returned, dates[len(dates) // 2], counts_not_found)


def _find_change(state: Mapping[float, bool], cluster: Hashable) -> ChangeInterval:
    """Return between which checks the answer was first seen to be wrong. `state` is a dict from day to whether it was wrong."""
    last_right = 0.0
    for days, is_wrong in sorted(state.items()):
        if is_wrong:
            return ChangeInterval(last_right, days, cluster)
        last_right = days
    return ChangeInterval(last_right, None, cluster)


def _returns(state: Mapping[float, bool]) -> bool:
    was_wrong = False
    for _, is_wrong in sorted(state.items()):
        if was_wrong and not is_wrong:
            return True
        was_wrong = was_wrong or is_wrong
    return False
