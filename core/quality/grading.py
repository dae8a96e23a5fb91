"""Grades of answers by people: the marks of each scheme with their weights, which answers are drawn for it, and what the marks
of several people on one answer come to. The figures of CRAG's rubric stand at the edges alone."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from core.ids import content_hash
from core.nouns import Grade
from core.statistics.agreement import Agreement, cohen, fleiss
from core.statistics.statistics import Interval, bootstrap_derived

GradeState = Literal["open", "agreed", "conflict", "resolved"]
FOUR_GRADES, RIGHT_WRONG = "four_grades", "right_wrong"
WEIGHTS: Mapping[str, float] = {
    "perfect": 1.0,
    "acceptable": 0.5,
    "missing": 0.0,
    "incorrect": -1.0,
    "right": 1.0,
    "wrong": 0.0,
}
"""Every mark with what it counts in a mean: truthfulness with the four grades (CRAG), the share of right ones with the two."""
CODES: Mapping[str, int] = {"missing": 0, "incorrect": 1, "acceptable": 2, "perfect": 3}
"""CRAG's rubric figures, which are no weights: for files that come in and go out."""


class SchemeMark(NamedTuple):
    """One of a scheme's marks."""

    name: str
    about: str
    """The rubric, in a sentence."""


class Scheme(NamedTuple):
    """What people may say of an answer."""

    label: str
    marks: Sequence[SchemeMark]
    """In the order of their keys."""

    @property
    def names(self) -> list[str]:
        return [mark.name for mark in self.marks]


SCHEMES: Mapping[str, Scheme] = {
    FOUR_GRADES: Scheme(
        "Four grades (CRAG)",
        (
            SchemeMark("perfect", "Answers the question fully and truly, and nothing in it is made up."),
            SchemeMark("acceptable", "Useful, but with a gap or a small slip that misleads nobody."),
            SchemeMark("missing", "No answer: it says that it does not know, asks back, or says nothing."),
            SchemeMark(
                "incorrect",
                "Wrong or made up, beside the question, or of another place, time or kind; also what nobody can understand.",
            ),
        ),
    ),
    RIGHT_WRONG: Scheme(
        "Right or wrong",
        (
            SchemeMark("right", "It says what a gold answer says, and nothing that contradicts it."),
            SchemeMark("wrong", "It does not, or it says nothing."),
        ),
    ),
}


class EffectiveGrade(NamedTuple):
    """What the marks on one answer come to."""

    state: GradeState
    mark: str | None
    """The mark that counts; None while it is open or in conflict."""
    blind: Mapping[str, str]
    """Person -> mark of those who graded blind to each other, in the order in which they did."""


def settle_grades(grades: Sequence[Grade], wanted: int) -> EffectiveGrade:
    """From all grades on one answer, oldest first; a person's last one counts, and none of a person who took it back. With the
    blind marks in: equal ones are agreed; of others the resolver's mark counts."""
    last: dict[str, Grade] = {}
    for grade in grades:
        last.pop(grade.person, None)
        last[grade.person] = grade
    blind = {one.person: one.mark for one in last.values() if one.role == "" and one.mark is not None}
    resolved = [one.mark for one in last.values() if one.role == "resolves" and one.mark is not None]
    if len(blind) < wanted:
        return EffectiveGrade("open", None, blind)
    if len(set(blind.values())) == 1:
        return EffectiveGrade("agreed", next(iter(blind.values())), blind)
    return EffectiveGrade("resolved", resolved[-1], blind) if resolved else EffectiveGrade("conflict", None, blind)


def grading_role(found: EffectiveGrade, wanted: int, person: str) -> Literal["", "resolves"] | None:
    """What that person would be to that answer; None where it needs no mark of theirs."""
    if person in found.blind:
        return None
    if found.state == "open" and len(found.blind) < wanted:
        return ""
    return "resolves" if found.state == "conflict" else None


def draw_sample(strata: Mapping[str, Sequence[str]], each: int, seed: int) -> dict[str, list[str]]:
    """`each` of every stratum, all of one that has fewer: by chance, the same for the same seed, and of two runs that were
    asked the same questions the same ones."""
    return {name: order_by_seed(keys, seed)[:each] for name, keys in sorted(strata.items())}


def order_by_seed(keys: Sequence[str], seed: int) -> list[str]:
    """All of them in an order by chance, where none depends on which others there are."""
    return sorted(keys, key=lambda key: content_hash([seed, key]))


class WeightedGrade(NamedTuple):
    """One resolved answer in a mean."""

    cluster: Hashable
    value: float
    times: float
    """How many answers of the run it stands for."""


def weighted_mean(rows: Sequence[WeightedGrade], seed: int = 0) -> Interval:
    """The mean over the whole run that a stratified sample stands for (each answer counts as many times as it stands for), with
    its bootstrap interval by cluster: a ratio of two sums, drawn together (Cochran, Sampling Techniques, 1977, ch. 6)."""
    import numpy as np

    if not rows:
        return Interval(None, None, None, 0, "nothing graded")
    table = np.array([[row.times * row.value, row.times] for row in rows])
    return bootstrap_derived(table, lambda means: means[..., 0] / means[..., 1], [row.cluster for row in rows], seed=seed)


def measure_agreement(answers: Mapping[str, EffectiveGrade]) -> Agreement:
    """Agreement of the blind marks, before anything was resolved: Cohen's kappa where two people gave them all, else Fleiss',
    over the answers with two marks, whoever gave them."""
    ratings = {key: dict(one.blind) for key, one in answers.items() if len(one.blind) > 1}
    people = sorted({person for row in ratings.values() for person in row})
    if len(people) == 2:
        return cohen(ratings, people[0], people[1])
    return fleiss(ratings)


def record_of(found: Agreement) -> dict[str, Any]:
    """As JSON values."""
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.units, "why": found.why}
