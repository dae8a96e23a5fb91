"""Grades of answers by people: the marks of each scheme with their weights, the sample of answers, and the effective mark of
several marks. CRAG's rubric numbers appear only in imported and exported files."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, NamedTuple

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
"""Weight of each mark in a mean: truthfulness for the four grades (CRAG), the share of right answers for the two grades."""
CODES: Mapping[str, int] = {"missing": 0, "incorrect": 1, "acceptable": 2, "perfect": 3}
"""CRAG's rubric number of each mark, for imported and exported files; not a weight."""


class SchemeMark(NamedTuple):
    """One mark of a grading scheme."""

    name: str
    about: str
    """Rubric of the mark in one sentence."""


class Scheme(NamedTuple):
    """A set of marks for one kind of grading."""

    label: str
    marks: Sequence[SchemeMark]
    """Marks in the order of their keys on the keyboard."""

    @property
    def names(self) -> list[str]:
        return [mark.name for mark in self.marks]


SCHEMES: Mapping[str, Scheme] = {
    FOUR_GRADES: Scheme(
        "Four grades (CRAG)",
        (
            SchemeMark("perfect", "Answers the question fully and correctly, and nothing in it is made up."),
            SchemeMark("acceptable", "Useful, but with a gap or a small error that misleads nobody."),
            SchemeMark("missing", "No answer: it says that it does not know, asks back, or says nothing."),
            SchemeMark(
                "incorrect",
                "Wrong, made up or off the point, about another place, time or kind, or impossible to understand.",
            ),
        ),
    ),
    RIGHT_WRONG: Scheme(
        "Right or wrong",
        (
            SchemeMark("right", "It says what a gold answer says, and nothing that contradicts it."),
            SchemeMark("wrong", "It does not say what a gold answer says, it contradicts it, or it says nothing."),
        ),
    ),
}


class EffectiveGrade(NamedTuple):
    """The combined result of all marks on one answer."""

    state: GradeState
    mark: str | None
    """The effective mark, or None while the state is open or conflict."""
    blind: Mapping[str, str]
    """Marks by person, from people who graded without seeing other marks, in the order of their grades."""


def settle_grades(grades: Sequence[Grade], wanted: int) -> EffectiveGrade:
    """Return the effective grade of one answer. `grades` contains all grades of the answer, oldest first; `wanted` is the
    number of blind marks required.

    The last grade of each person counts, unless it withdraws the mark. Once all blind marks are given, equal marks are agreed;
    if they differ, the mark of the resolver counts."""
    last: dict[str, Grade] = {}
    for grade in grades:
        last.pop(grade.person, None)
        last[grade.person] = grade
    blind = {grade.person: grade.mark for grade in last.values() if grade.role == "" and grade.mark is not None}
    resolved = [grade.mark for grade in last.values() if grade.role == "resolves" and grade.mark is not None]
    if len(blind) < wanted:
        return EffectiveGrade("open", None, blind)
    if len(set(blind.values())) == 1:
        return EffectiveGrade("agreed", next(iter(blind.values())), blind)
    return EffectiveGrade("resolved", resolved[-1], blind) if resolved else EffectiveGrade("conflict", None, blind)


def grading_role(grade: EffectiveGrade, wanted: int, person: str) -> Literal["", "resolves"] | None:
    """Return the role in which the person grades the answer, or None if no mark of this person is needed."""
    if person in grade.blind:
        return None
    if grade.state == "open" and len(grade.blind) < wanted:
        return ""
    return "resolves" if grade.state == "conflict" else None


def draw_sample(strata: Mapping[str, Sequence[str]], each: int, seed: int) -> dict[str, list[str]]:
    """Return `each` random keys of every stratum, or all keys of a smaller stratum. The same seed draws the same keys, so that
    two runs with the same questions get the same sample."""
    return {name: order_by_seed(keys, seed)[:each] for name, keys in sorted(strata.items())}


def order_by_seed(keys: Sequence[str], seed: int) -> list[str]:
    """Return the keys sorted by the hash of seed and key; adding a key does not change the order of the others."""
    return sorted(keys, key=lambda key: content_hash([seed, key]))


class WeightedGrade(NamedTuple):
    """One graded answer with its weight in a mean."""

    cluster: Hashable
    value: float
    times: float
    """Number of answers of the run that this answer represents."""


def weighted_mean(rows: Sequence[WeightedGrade], seed: int = 0) -> Interval:
    """Estimate the mean over the whole run from a stratified sample, with a bootstrap interval by cluster.

    Each answer is weighted by the number of answers that it represents: a ratio of two sums that are drawn together (Cochran,
    Sampling Techniques, 1977, ch. 6)."""
    import numpy as np

    if not rows:
        return Interval(None, None, None, 0, "nothing graded")
    table = np.array([[row.times * row.value, row.times] for row in rows])
    return bootstrap_derived(table, lambda means: means[..., 0] / means[..., 1], [row.cluster for row in rows], seed=seed)


def measure_agreement(answers: Mapping[str, EffectiveGrade]) -> Agreement:
    """Return the agreement of blind marks, for answers with at least two marks: Cohen's kappa if two people gave all marks,
    else Fleiss' kappa."""
    ratings = {key: dict(grade.blind) for key, grade in answers.items() if len(grade.blind) > 1}
    people = sorted({person for row in ratings.values() for person in row})
    return cohen(ratings, people[0], people[1]) if len(people) == 2 else fleiss(ratings)
