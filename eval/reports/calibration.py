"""Judges of a run against what people said of the same answers or claims: one record a judge, metric and kind of mark, with
agreement, rates, and the mean corrected by people's marks beside the raw one. A judge of which people saw too little is not
calibrated, and says so."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.quality.grading import FOUR_GRADES, RIGHT_WRONG, WEIGHTS
from core.quality.judge_check import CorrectedMean, JudgeCheck, JudgedPair, JudgeRow, check_judge, correct_mean, rogan_gladen
from core.statistics.statistics import Interval, bootstrap
from eval.metric import metrics
from eval.reports.metric_names import split_name

MIN_HUMAN_MARKS = 50
"""Human marks on a judge, with one prompt and metric, from which on it counts as calibrated."""
OF_ANSWERS = ("crag_truthfulness", "s_f1")
"""Metrics whose judge says how right an answer is: marks on whole answers are held against these. All others are held against
marks on their claims."""
THREE = ("accurate", "missing", "incorrect")
"""CRAG's classes: its judge tells no perfect answers from acceptable ones."""
TWO_CLASSES = ("right", "wrong")
_CRAG: Mapping[str, str] = {"perfect": "accurate", "acceptable": "accurate", "missing": "missing", "incorrect": "incorrect"}
_CRAG_WEIGHT: Mapping[str, float] = {"accurate": 1.0, "missing": 0.0, "incorrect": -1.0}
_JUDGE = re.compile(r"\.judge\d+$")
_LANGUAGE = re.compile(r"\.(\w+)@")


@dataclass(frozen=True, slots=True)
class HumanMark:
    """What people came to on one answer of a run, or on one verdict on it."""

    item: str
    variant: str | None
    scheme: str
    mark: str
    times: float
    """How many answers or verdicts of the run it stands for."""
    of: str = ""
    """"" = the whole answer; else the judged metric, by its full name, whose verdict it is."""
    n: int | None = None
    """Which of the answer's verdicts, from 0."""


class JudgedClaim(NamedTuple):
    """One verdict of a judge."""

    item: str
    variant: str | None
    n: int
    value: int
    language: str


@dataclass(frozen=True, slots=True)
class RunJudge:
    """One judge at one metric of a run."""

    base: str
    """Full name of the metric: s_f1, s_f1.offline, s_f1.judge1."""
    judge: str
    prompts: Mapping[str, str]
    """Language -> identity of the prompt that it was asked with; empty for one whose metric tells none."""
    people: Mapping[str, int]
    """Prompt -> human marks on what this judge said with it at this metric, in the whole workspace."""
    claims: Sequence[JudgedClaim] = ()
    """All its single verdicts, where people marked some of them."""

    @property
    def seen(self) -> int:
        """Human marks on it: of the prompt that has fewest."""
        return min((self.people.get(prompt, 0) for prompt in self.prompts.values()), default=0)

    @property
    def is_calibrated(self) -> bool:
        return self.seen >= MIN_HUMAN_MARKS


class ScoredAnswer(NamedTuple):
    """One answer of a run with a judge's value of it."""

    item: str
    variant: str | None
    language: str
    value: float


class JudgedValue(NamedTuple):
    """One answer or claim as the judge saw it, and as people did where they did."""

    cluster: Hashable
    language: str
    judge: str
    value: float
    people: str | None
    worth: float | None
    """What people's mark counts on the judge's scale."""
    times: float


class CalibrationKind(NamedTuple):
    """What is held against what."""

    per: str
    """answer or claim."""
    scheme: str
    classes: Sequence[str]
    low: float
    high: float


def strip_judge(base: str) -> str:
    """The metric's name without which of several judges it was."""
    return _JUDGE.sub("", base)


def index_by_language(prompts: Sequence[str]) -> dict[str, str]:
    """Language -> prompt identity, from identities like judge/correct.en@b2:..."""
    return {found[1]: prompt for prompt in prompts if (found := _LANGUAGE.search(prompt))}


def list_kinds(judging: RunJudge, marks: Sequence[HumanMark]) -> list[CalibrationKind]:
    """What of people's marks on a run bears on that judge."""
    metric = split_name(judging.base).metric
    found = []
    for scheme in (FOUR_GRADES, RIGHT_WRONG):
        if metric in OF_ANSWERS and any(one.of == "" and one.scheme == scheme for one in marks):
            is_crag = metric == "crag_truthfulness" and scheme == FOUR_GRADES
            found.append(CalibrationKind("answer", scheme, THREE if is_crag else TWO_CLASSES, -1.0 if is_crag else 0.0, 1.0))
    if any(one.of == judging.base for one in marks):
        found.append(CalibrationKind("claim", RIGHT_WRONG, TWO_CLASSES, 0.0, 1.0))
    return found


def pair_with_people(
    judging: RunJudge, kind: CalibrationKind, scores: Sequence[ScoredAnswer], marks: Sequence[HumanMark]
) -> list[JudgedValue]:
    """Everything that the judge gave a value of, with people's marks where there are any; several on one thing: the last."""
    own = [one for one in marks if one.scheme == kind.scheme and one.of == (judging.base if kind.per == "claim" else "")]
    by_place = {(one.item, one.variant, one.n): one for one in own}
    given = (
        [(one.item, one.variant, one.n, one.language, float(one.value)) for one in judging.claims]
        if (kind.per == "claim")
        else [(one.item, one.variant, None, one.language, one.value) for one in scores]
    )
    classed = _crag if kind.classes == THREE else _halves
    found = []
    for item, variant, n, language, value in given:
        mark = by_place.get((item, variant, n))
        people = None if mark is None else _CRAG[mark.mark] if kind.classes == THREE else _is_right_word(mark.mark)
        worth = None if people is None else _CRAG_WEIGHT[people] if kind.classes == THREE else float(people == "right")
        inside = value if kind.low <= value <= kind.high else float(value > 0)
        found.append(JudgedValue(item, language, classed(value), inside, people, worth, mark.times if mark else 1.0))
    return found


def measure_agreement(found: Sequence[JudgedValue], kind: CalibrationKind) -> JudgeCheck:
    """The judge against people, where people gave a mark."""
    pairs = [JudgedPair(one.cluster, one.judge, one.people) for one in found if one.people is not None]
    return check_judge(pairs, kind.classes, kind.classes[0])


def record_judge(
    judging: RunJudge,
    kind: CalibrationKind,
    found: Sequence[JudgedValue],
    cluster: Callable[[str], Hashable],
    seed: int,
    resamples: int,
) -> dict[str, Any]:
    """One judge, metric and kind of mark in a run, as JSON values."""
    said = measure_agreement(found, kind)
    clusters = [cluster(str(one.cluster)) for one in found]
    raw = bootstrap([one.value for one in found], clusters, resamples, seed)
    rows = [JudgeRow(place, one.value, one.worth, one.times) for place, one in zip(clusters, found, strict=True)]
    ours = correct_mean(rows, kind.low, kind.high)
    positive = sum(one.judge == kind.classes[0] for one in found)
    other = rogan_gladen(positive, len(found), said.tpr, said.tnr) if len(kind.classes) == 2 else None
    return {
        **record_status(judging),
        "per": kind.per,
        "scheme": kind.scheme,
        **record_check(said),
        "raw": _interval(raw),
        "corrected": _corrected_record(ours),
        "rogan_gladen": None if other is None else _corrected_record(other),
    }


def record_status(judging: RunJudge) -> dict[str, Any]:
    """Who judged what, and whether people have seen enough of it."""
    enough = judging.is_calibrated
    return {
        "metric": judging.base,
        "judge": judging.judge,
        "prompts": sorted(judging.prompts.values()),
        "calibrated": enough,
        "people": judging.seen,
        **({} if enough else {"why": explain_uncalibrated(judging)}),
    }


def explain_uncalibrated(judging: RunJudge) -> str:
    """In words, what its calibration lacks."""
    if not judging.seen:
        return "judge not calibrated: no person marked what it judged"
    return f"judge not calibrated: {judging.seen} of {MIN_HUMAN_MARKS} human marks"


def record_check(found: JudgeCheck) -> dict[str, Any]:
    """As JSON values."""
    kappa = found.kappa
    return {
        "n": found.n,
        "confusion": {of: dict(row) for of, row in found.confusion.items()},
        "kappa": {"value": kappa.value, "low": kappa.low, "high": kappa.high, "n": kappa.units, "why": kappa.why},
        "tpr": _interval(found.tpr),
        "tnr": _interval(found.tnr),
        "classes": {
            name: {"precision": _interval(one.precision), "recall": _interval(one.recall), "f1": one.f1}
            for name, one in found.classes.items()
        },
    }


def is_calibrated(metric: str, judgings: Sequence[RunJudge]) -> bool | None:
    """Whether every judge behind that figure is calibrated; None for a figure that no judge gave."""
    base = split_name(metric).base
    behind = [one for one in judgings if one.base == base or strip_judge(one.base) == base]
    return all(one.is_calibrated for one in behind) if behind else None


def is_of_answers(base: str) -> bool:
    """Whether marks on whole answers are held against that judged metric."""
    return split_name(base).metric in OF_ANSWERS


def has_claims(base: str) -> bool:
    """Whether its judge gives single verdicts that people can mark by themselves."""
    metric = split_name(base).metric
    known = metrics().get(metric)
    return known is not None and known.judge is not None and metric not in ("crag_truthfulness", "rag_quest_eval")


def _crag(value: float) -> str:
    return "accurate" if value > 0 else "incorrect" if value < 0 else "missing"


def _halves(value: float) -> str:
    return "right" if value >= 0.5 else "wrong"


def _is_right_word(mark: str) -> str:
    return "right" if WEIGHTS[mark] >= 0.5 else "wrong"


def _interval(found: Interval) -> dict[str, Any]:
    return {"value": found.mean, "low": found.low, "high": found.high, "n": found.n, "why": found.why}


def _corrected_record(found: CorrectedMean) -> dict[str, Any]:
    return {
        "value": found.mean,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "of": found.of,
        "tuning": found.tuning,
        "why": found.why,
    }
