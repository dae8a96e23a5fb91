"""Grading of answers, and of a judge's verdicts on them, by people: the possible marks with their weights, the sample of
answers to grade, and the mark that counts if several people grade one answer. CRAG's rubric numbers appear only in imported and
exported files."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, NamedTuple

from core.ids import content_hash
from core.nouns import Grade
from core.statistics.agreement import Agreement, cohen, fleiss
from core.statistics.statistics import Interval, bootstrap_derived

GradeState = Literal["open", "agreed", "conflict", "resolved"]
FOUR_GRADES, RIGHT_WRONG, NUGGET_SUPPORT = "four_grades", "right_wrong", "nugget_support"
WEIGHTS: Mapping[str, float] = {
    "perfect": 1.0,
    "acceptable": 0.5,
    "missing": 0.0,
    "incorrect": -1.0,
    "right": 1.0,
    "wrong": 0.0,
    "support": 1.0,
    "partial support": 0.5,
    "no support": 0.0,
}
"""Dict from mark to its weight in a mean: truthfulness for CRAG's four grades, 1 or 0 for right and wrong, the value of a
nugget for its support."""
CODES: Mapping[str, int] = {"missing": 0, "incorrect": 1, "acceptable": 2, "perfect": 3}
"""Dict from mark to CRAG's rubric number for imported and exported files; the number is not a weight."""


class SchemeMark(NamedTuple):
    """One of the marks that a grading scheme offers."""

    name: str
    about: str
    """Sentence that says when to give the mark (its rubric)."""


class Scheme(NamedTuple):
    """The set of marks that people may give in one kind of grading."""

    label: str
    marks: Sequence[SchemeMark]
    """Marks of the scheme, in the order of the keyboard keys with which people give them."""

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
            SchemeMark("right", "The answer says what a gold answer says, and nothing that contradicts a gold answer."),
            SchemeMark("wrong", "The answer does not say what a gold answer says, contradicts gold answers, or says nothing."),
        ),
    ),
    NUGGET_SUPPORT: Scheme(
        "Support of a nugget",
        (
            SchemeMark("support", "The answer says the whole nugget, in whatever words."),
            SchemeMark(
                "partial support",
                "The answer says an essential part, contradicts nothing, and leaves something out.",
            ),
            SchemeMark(
                "no support",
                "The answer does not say it, says something else (a figure, a name, a cause), or says nothing.",
            ),
        ),
    ),
}


class EffectiveGrade(NamedTuple):
    """The mark that finally counts for an answer, determined from the marks of all people who graded it."""

    state: GradeState
    mark: str | None
    """The mark that counts, or None while marks are missing (state open) or differ (state conflict)."""
    blind: Mapping[str, str]
    """Dict from person to mark, for people who graded without seeing other marks, in the order of their grades."""


def settle_grades(grades: Sequence[Grade], wanted: int) -> EffectiveGrade:
    """Return the mark that counts for one answer. `grades` contains all grades of the answer, oldest first; `wanted` is the
    number of people who must grade the answer blindly, that is without seeing other marks.

    The last grade of each person counts, unless the person withdraws the mark with it. Once `wanted` people have graded
    blindly, their mark counts if all their marks are equal; if the marks differ, the mark of the resolver counts."""
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
    """Return the role in which the person may grade the answer now, or None if no mark from this person is needed."""
    if person in grade.blind:
        return None
    if grade.state == "open" and len(grade.blind) < wanted:
        return ""
    return "resolves" if grade.state == "conflict" else None


def draw_sample(strata: Mapping[str, Sequence[str]], each: int, seed: int) -> dict[str, list[str]]:
    """Draw `each` random keys from every stratum; from a stratum with fewer keys, draw all of them. The same seed draws the
    same keys, so that two runs with the same questions get the same sample."""
    return {name: order_by_seed(keys, seed)[:each] for name, keys in sorted(strata.items())}


def order_by_seed(keys: Sequence[str], seed: int) -> list[str]:
    """Return the keys in a random order that depends on the seed. Adding a key does not change the order of the other keys."""
    return sorted(keys, key=lambda key: content_hash([seed, key]))


class WeightedGrade(NamedTuple):
    """A graded answer with its weight in the mean over the whole run."""

    cluster: Hashable
    value: float
    times: float
    """Number of answers of the run that this answer represents in the sample."""


def weighted_mean(rows: Sequence[WeightedGrade], seed: int = 0) -> Interval:
    """Estimate the mean mark over a whole run from a stratified sample, with a bootstrap interval that resamples clusters.

    Each answer is weighted by the number of answers that it represents: the estimate is the ratio of two sums over the same
    sample (Cochran, Sampling Techniques, 1977, ch. 6)."""
    import numpy as np

    if not rows:
        return Interval(None, None, None, 0, "nothing graded")
    table = np.array([[row.times * row.value, row.times] for row in rows])
    return bootstrap_derived(table, lambda means: means[..., 0] / means[..., 1], [row.cluster for row in rows], seed=seed)


def measure_agreement(answers: Mapping[str, EffectiveGrade]) -> Agreement:
    """Return the agreement of the people who graded without seeing other marks, over the answers with at least two such marks:
    Cohen's kappa if two people gave all marks, else Fleiss' kappa."""
    ratings = {key: dict(grade.blind) for key, grade in answers.items() if len(grade.blind) > 1}
    people = sorted({person for row in ratings.values() for person in row})
    return cohen(ratings, people[0], people[1]) if len(people) == 2 else fleiss(ratings)
