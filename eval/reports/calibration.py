"""Compare a run's judges with human marks on the same answers or claims: one record per judge, metric and kind of mark, with
the agreement, the rates of errors, and the raw mean beside the mean corrected by the human marks. A judge with too few human
marks is reported as not calibrated."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.quality.grading import FOUR_GRADES, NUGGET_SUPPORT, RIGHT_WRONG, SCHEMES, WEIGHTS
from core.quality.judge_check import CorrectedMean, JudgeCheck, JudgedPair, JudgeRow, check_judge, correct_mean, rogan_gladen
from core.statistics.statistics import Interval, bootstrap
from eval.metric import metrics, split_name

MIN_HUMAN_MARKS = 50
"""Least number of human marks on a judge, with one prompt and metric, at which the judge counts as calibrated."""
OF_ANSWERS = ("crag_truthfulness", "s_f1")
"""Metrics whose judge grades whole answers. Human marks on whole answers are compared with these metrics, marks on claims and
nuggets with all other judged metrics."""
THREE = ("accurate", "missing", "incorrect")
"""The three classes of CRAG's judge, which does not distinguish perfect from acceptable answers."""
TWO_CLASSES = ("right", "wrong")
NUGGET_CLASSES = tuple(SCHEMES[NUGGET_SUPPORT].names)
"""The three classes of a judge of nuggets, which are the marks that people give."""
_CRAG: Mapping[str, str] = {"perfect": "accurate", "acceptable": "accurate", "missing": "missing", "incorrect": "incorrect"}
_CRAG_WEIGHT: Mapping[str, float] = {"accurate": 1.0, "missing": 0.0, "incorrect": -1.0}
_JUDGE = re.compile(r"\.judge\d+$")
_LANGUAGE = re.compile(r"\.(\w+)@")


@dataclass(frozen=True, slots=True)
class HumanMark:
    """The mark that people agreed on for one answer of a run, or for one of a judge's verdicts on an answer."""

    item: str
    variant: str | None
    scheme: str
    mark: str
    times: float
    """Number of the run's answers or verdicts that this mark represents, because only a sample was marked."""
    of: str = ""
    """Full name of the judged metric whose verdict is marked; "" = the whole answer is marked."""
    n: int | None = None
    """Position, from 0, of the marked verdict among the judge's verdicts on the answer; None = the whole answer is marked."""
    nugget: str = ""
    """The marked nugget, which identifies the verdict in place of `n`, because people may change the nuggets of an item after
    they marked one; "" = the mark is not on a nugget."""

    @property
    def place(self) -> tuple[str, str | None, str | int | None]:
        """Return (item, variant, verdict), which identifies the marked answer or verdict."""
        return self.item, self.variant, self.nugget or self.n


class JudgedAnswer(NamedTuple):
    """The value that a judge gave one answer, one claim in it, or one nugget."""

    item: str
    variant: str | None
    language: str
    value: float
    n: int | None = None
    """Index of the claim within the answer, from 0; None = the whole answer."""
    nugget: str = ""
    """The judged nugget; "" = the verdict is not on a nugget."""

    @property
    def place(self) -> tuple[str, str | None, str | int | None]:
        """Return (item, variant, verdict), which identifies the judged answer, claim or nugget."""
        return self.item, self.variant, self.nugget or self.n


@dataclass(frozen=True, slots=True)
class RunJudge:
    """One judge of one metric in a run, with the number of human marks on the judge's verdicts."""

    base: str
    """Full name of the judged metric, e.g. s_f1, s_f1.offline, s_f1.judge1."""
    judge: str
    prompts: Mapping[str, str]
    """A dict from language to the identity of the judge's prompt; empty for a metric that does not report its prompt."""
    people: Mapping[str, int]
    """A dict from each prompt of the judge to the number of human marks, in the whole workspace, on the judge's verdicts with
    this prompt and metric."""
    claims: Sequence[JudgedAnswer] = ()
    """The judge's verdicts on single claims, if people marked any of them."""

    @property
    def human_marks(self) -> int:
        """Return the number of human marks on the judge's verdicts; if the judge used several prompts, the number for the
        prompt with the fewest marks."""
        return min((self.people.get(prompt, 0) for prompt in self.prompts.values()), default=0)

    @property
    def is_calibrated(self) -> bool:
        return self.human_marks >= MIN_HUMAN_MARKS


class JudgedValue(NamedTuple):
    """One answer or claim with the judge's value, and with the human mark if a person marked the answer or claim."""

    cluster: Hashable
    language: str
    judge: str
    value: float
    people: str | None
    worth: float | None
    """Value of the human mark on the judge's scale; None = no mark."""
    times: float


class CalibrationKind(NamedTuple):
    """A kind of human marks that can be compared with a judge: their unit, scheme and classes."""

    per: str
    """Kind of object that people marked: "answer", "claim" or "nugget"."""
    scheme: str
    classes: Sequence[str]
    low: float
    high: float


def strip_judge(base: str) -> str:
    """Return the metric's name without the number of its judge: s_f1 for s_f1.judge1."""
    return _JUDGE.sub("", base)


def index_by_language(prompts: Sequence[str]) -> dict[str, str]:
    """Return a dict from language to prompt identity, made from identities like judge/correct.en@b2:..."""
    return {match[1]: prompt for prompt in prompts if (match := _LANGUAGE.search(prompt))}


def list_kinds(judge: RunJudge, marks: Sequence[HumanMark]) -> list[CalibrationKind]:
    """Return the kinds of human marks on a run's answers that can be compared with the verdicts of this judge."""
    metric = split_name(judge.base).metric
    kinds = []
    for scheme in (FOUR_GRADES, RIGHT_WRONG):
        if metric in OF_ANSWERS and any(mark.of == "" and mark.scheme == scheme for mark in marks):
            is_crag = metric == "crag_truthfulness" and scheme == FOUR_GRADES
            kinds.append(CalibrationKind("answer", scheme, THREE if is_crag else TWO_CLASSES, -1.0 if is_crag else 0.0, 1.0))
    scheme = choose_scheme(judge.base)
    if any(mark.of == judge.base and mark.scheme == scheme for mark in marks):
        is_nugget = scheme == NUGGET_SUPPORT
        classes = NUGGET_CLASSES if is_nugget else TWO_CLASSES
        kinds.append(CalibrationKind("nugget" if is_nugget else "claim", scheme, classes, 0.0, 1.0))
    return kinds


def pair_with_people(
    judge: RunJudge, kind: CalibrationKind, answers: Sequence[JudgedAnswer], marks: Sequence[HumanMark]
) -> list[JudgedValue]:
    """Return all values of the judge, each with the human mark on the same answer or claim, if a person marked it; of several
    marks, the last counts."""
    is_claim, is_crag = kind.per != "answer", kind.classes == THREE
    own = [mark for mark in marks if mark.scheme == kind.scheme and mark.of == (judge.base if is_claim else "")]
    by_place = {mark.place: mark for mark in own}
    values = []
    for judged in judge.claims if is_claim else answers:
        mark, value = by_place.get(judged.place), judged.value
        if is_crag:
            verdict = "accurate" if value > 0 else "incorrect" if value < 0 else "missing"
            people = _CRAG[mark.mark] if mark else None
            worth = _CRAG_WEIGHT[people] if people else None
        elif kind.scheme == NUGGET_SUPPORT:
            verdict = next(name for name in NUGGET_CLASSES if value >= WEIGHTS[name])
            people = mark.mark if mark else None
            worth = WEIGHTS[people] if people else None
        else:
            verdict = "right" if value >= 0.5 else "wrong"
            people = ("right" if WEIGHTS[mark.mark] >= 0.5 else "wrong") if mark else None
            worth = float(people == "right") if people else None
        inside = value if kind.low <= value <= kind.high else float(value > 0)
        times = mark.times if mark else 1.0
        values.append(JudgedValue(judged.item, judged.language, verdict, inside, people, worth, times))
    return values


def measure_agreement(values: Sequence[JudgedValue], kind: CalibrationKind) -> JudgeCheck:
    """Return the agreement between the judge's values and the human marks."""
    pairs = [JudgedPair(value.cluster, value.judge, value.people) for value in values if value.people is not None]
    return check_judge(pairs, kind.classes, kind.classes[0])


def record_judge(
    judge: RunJudge,
    kind: CalibrationKind,
    values: Sequence[JudgedValue],
    cluster: Callable[[str], Hashable],
    seed: int,
    resamples: int,
) -> dict[str, Any]:
    """Return the calibration record of one judge and one kind of human marks, as JSON values."""
    check = measure_agreement(values, kind)
    clusters = [cluster(str(value.cluster)) for value in values]
    rows = [JudgeRow(place, value.value, value.worth, value.times) for place, value in zip(clusters, values, strict=True)]
    positive = sum(value.judge == kind.classes[0] for value in values)
    other = rogan_gladen(positive, len(values), check.tpr, check.tnr) if len(kind.classes) == 2 else None
    return {
        **record_status(judge),
        "per": kind.per,
        "scheme": kind.scheme,
        **record_check(check),
        "raw": _record_mean(bootstrap([value.value for value in values], clusters, resamples, seed)),
        "corrected": _record_mean(correct_mean(rows, kind.low, kind.high)),
        "rogan_gladen": None if other is None else _record_mean(other),
    }


def record_status(judge: RunJudge) -> dict[str, Any]:
    """Return the judge, its metric, and whether it has enough human marks, as JSON values."""
    why = (
        "no person marked what it judged" if not judge.human_marks else f"{judge.human_marks} of {MIN_HUMAN_MARKS} human marks"
    )
    return {
        "metric": judge.base,
        "judge": judge.judge,
        "prompts": sorted(judge.prompts.values()),
        "calibrated": judge.is_calibrated,
        "people": judge.human_marks,
        **({} if judge.is_calibrated else {"why": f"judge not calibrated: {why}"}),
    }


def record_check(check: JudgeCheck) -> dict[str, Any]:
    """Return the agreement between a judge and human marks as JSON values."""
    kappa = check.kappa
    return {
        "n": check.n,
        "confusion": {of: dict(row) for of, row in check.confusion.items()},
        "kappa": {"value": kappa.value, "low": kappa.low, "high": kappa.high, "n": kappa.units, "why": kappa.why},
        "tpr": _record_mean(check.tpr),
        "tnr": _record_mean(check.tnr),
        "classes": {
            name: {"precision": _record_mean(rates.precision), "recall": _record_mean(rates.recall), "f1": rates.f1}
            for name, rates in check.classes.items()
        },
    }


def is_calibrated(metric: str, judges: Sequence[RunJudge]) -> bool | None:
    """Return whether every judge of the metric is calibrated, or None for a metric without a judge."""
    base = split_name(metric).base
    behind = [judge for judge in judges if base in (judge.base, strip_judge(judge.base))]
    return all(judge.is_calibrated for judge in behind) if behind else None


def is_of_answers(base: str) -> bool:
    """Check whether human marks on whole answers, not on claims, are compared with this judged metric."""
    return split_name(base).metric in OF_ANSWERS


def choose_scheme(base: str) -> str:
    """Return the scheme of the marks that people give on single verdicts of this judged metric."""
    return NUGGET_SUPPORT if split_name(base).metric == "nuggets" else RIGHT_WRONG


def has_claims(base: str) -> bool:
    """Check whether the metric's judge gives verdicts on single claims or nuggets, which people can mark one by one."""
    name = split_name(base).metric
    metric = metrics().get(name)
    return metric is not None and metric.judge is not None and name not in ("crag_truthfulness", "rag_quest_eval")


def _record_mean(estimate: Interval | CorrectedMean) -> dict[str, Any]:
    record = estimate._asdict()
    return {"value": record.pop("mean"), **record}
