"""What people came to on the answers of a run, and how much each judge of it was seen by people: of closed batches alone, so
that nobody grades by what others did."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.nouns import Run
from core.quality.grading import SCHEMES, EffectiveGrade, settle_grades
from eval.reports.calibration import HumanMark, JudgedClaim, RunJudge, index_by_language, is_of_answers, strip_judge
from store.engine.database import Database
from store.runs import grades, runs, traces
from store.runs.grades import Grading, GradingPlace

Judged = tuple[str, str, str]
"""Metric without which of several judges it was, judge, prompt."""


class MarkedPlace(NamedTuple):
    """A place of a batch with what its marks come to."""

    place: GradingPlace
    standing: EffectiveGrade

    @property
    def mark(self) -> str | None:
        """The one that counts, a rule's included."""
        return self.place.mark or self.standing.mark


def placed(database: Database, grading: Grading) -> list[MarkedPlace]:
    """Every place of a batch."""
    given = grades.load_grades(database, grading.id)
    return [
        MarkedPlace(place, settle_grades(given.get(place.key, ()), grading.graders))
        for place in grades.load_places(database, grading.id)
    ]


def times(grading: Grading, found: Sequence[MarkedPlace]) -> dict[tuple[str, str], float]:
    """(run, stratum) -> how many answers each one that has a mark stands for; strata without any mark are left out."""
    marked = Counter((one.place.run, one.place.stratum) for one in found if one.mark)
    return {(run, stratum): grading.sizes[run][stratum] / n for (run, stratum), n in marked.items()}


def marks_of(database: Database, run: str) -> list[HumanMark]:
    """Of all closed batches that drew from that run, the older ones first."""
    made: list[HumanMark] = []
    for grading in reversed(grades.list_closed_gradings(database, run)):
        found = placed(database, grading)
        weight = times(grading, found)
        made += [
            HumanMark(
                p.item,
                p.variant,
                grading.scheme,
                one.mark,
                weight[p.run, p.stratum],
                grading.of,
                None if p.verdict is None else int(p.verdict["n"]),
            )
            for one in found
            if (p := one.place).run == run and one.mark in SCHEMES[grading.scheme].names
        ]
    return made


def judgings_of(database: Database, run: Run, marks: Sequence[HumanMark], seen: Mapping[Judged, int]) -> list[RunJudge]:
    """Every judge at every metric of the run; `seen` is what `people_on` gives."""
    prompts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for metric, judge, prompt, _ in grades.load_judges(database, run.id):
        prompts[metric, judge] += [prompt] if prompt else []
    wanted = {one.of for one in marks if one.of}
    claims = claims_of(database, run, wanted) if wanted else {}
    found = []
    for (base, judge), asked in prompts.items():
        if not asked and is_of_answers(base):
            continue  # rules decided all of it: no judge was asked
        people = {prompt: seen.get((strip_judge(base), judge, prompt), 0) for prompt in asked}
        found.append(RunJudge(base, judge, index_by_language(asked), people, claims.get(base, ())))
    return found


def claims_of(database: Database, run: Run, metrics: set[str]) -> dict[str, list[JudgedClaim]]:
    """Metric -> the single verdicts of its judge that could be read."""
    language = {(one.item, one.variant): one.language for one in traces.list_answers(database, run)}
    found: dict[str, list[JudgedClaim]] = defaultdict(list)
    for said in runs.load_judgements(database, run.id):
        if said.metric in metrics:
            found[said.metric] += [
                JudgedClaim(said.item, said.variant, n, int(verdict["value"]), language.get((said.item, said.variant), "en"))
                for n, verdict in enumerate(said.details.get("verdicts", ()))
                if verdict.get("value") is not None
            ]
    return dict(found)


def people_on(database: Database) -> dict[Judged, int]:
    """How many marks of people there are on what each judge said, by metric and prompt. An answer that a rule of the metric
    decided counts with the prompt that would have been asked in its language."""
    found: Counter[Judged] = Counter()
    for name in grades.list_graded_runs(database):
        run = runs.get(database, name)
        marks = marks_of(database, name)
        answers = {(one.item, one.variant) for one in marks if not one.of}
        claims = Counter((one.of, one.item, one.variant) for one in marks if one.of)
        language = {(one.item, one.variant): one.language for one in traces.list_answers(database, run)}
        asked: dict[tuple[str, str], list[str]] = defaultdict(list)
        for metric, judge, prompt, _ in grades.load_judges(database, name):
            asked[metric, judge] += [prompt] if prompt else []
        for metric, judge, prompt, item, variant in grades.load_judged(database, name):
            used = prompt or index_by_language(asked[metric, judge]).get(language.get((item, variant), ""), "")
            n = int(is_of_answers(metric) and (item, variant) in answers) + claims[metric, item, variant]
            found[strip_judge(metric), judge, used] += n if used else 0
    return {key: n for key, n in found.items() if n}
