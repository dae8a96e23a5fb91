"""Load people's marks on the answers of a run that are in effect, and the number of marks for each judge of the run. Marks
count only if their grading batch is closed, so that nobody is influenced by other people's marks."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Run
from core.quality.grading import SCHEMES, EffectiveGrade, settle_grades
from eval.reports.calibration import HumanMark, JudgedAnswer, RunJudge, index_by_language, is_of_answers, strip_judge
from store.engine.database import Database
from store.runs import grades, runs, traces
from store.runs.grades import Grading, GradingPlace

JudgeKey = tuple[str, str, str]
"""(metric without the judge's number, judge, prompt), which identifies the work of a judge."""


class MarkedPlace(NamedTuple):
    """One answer of a grading batch, with the mark that follows from all marks on it."""

    place: GradingPlace
    effective: EffectiveGrade

    @property
    def mark(self) -> str | None:
        """Return the mark that counts, given by people or by a rule, or None if there is none."""
        return self.place.mark or self.effective.mark


def load_marked_places(database: Database, grading: Grading) -> list[MarkedPlace]:
    """Return every answer of a grading batch with the mark that counts."""
    by_place = grades.load_grades(database, grading.id)
    return [
        MarkedPlace(place, settle_grades(by_place.get(place.key, ()), grading.graders))
        for place in grades.load_places(database, grading.id)
    ]


def weigh_strata(grading: Grading, places: Sequence[MarkedPlace]) -> dict[tuple[str, str], float]:
    """Return a dict from (run, stratum) to how many answers of this stratum (group of similar answers) each marked answer
    stands for. Strata without marks are left out."""
    marked = Counter((place.place.run, place.place.stratum) for place in places if place.mark)
    return {(run, stratum): grading.sizes[run][stratum] / n for (run, stratum), n in marked.items()}


def marks_of(database: Database, run: str) -> list[HumanMark]:
    """Return people's marks on a run's answers from all closed grading batches, the oldest batch first. Batches that were drawn
    from the same strata are weighted as one sample."""
    marks: list[HumanMark] = []
    batches = [
        (grading, [place for place in load_marked_places(database, grading) if place.place.run == run])
        for grading in reversed(grades.list_closed_gradings(database, run))
    ]
    designs = [(g.scheme, g.of, g.by, tuple(sorted(g.sizes[run].items()))) for g, _ in batches]
    units: dict[Hashable, set[Hashable]] = defaultdict(set)
    for design, (_, places) in zip(designs, batches, strict=True):
        for marked in places:
            if marked.mark:
                units[design, marked.place.stratum].add(_identify_unit(marked.place))
    for design, (grading, places) in zip(designs, batches, strict=True):
        for marked in places:
            place = marked.place
            if marked.mark in SCHEMES[grading.scheme].names:
                n = None if place.verdict is None else int(place.verdict["n"])
                weight = grading.sizes[run][place.stratum] / len(units[design, place.stratum])
                nugget = _name_nugget(place.verdict)
                marks.append(HumanMark(place.item, place.variant, grading.scheme, marked.mark, weight, grading.of, n, nugget))
    return marks


def judgings_of(database: Database, run: Run, marks: Sequence[HumanMark], counts: Mapping[JudgeKey, int]) -> list[RunJudge]:
    """Return every judge of the run with each metric that it judged. `counts` is the result of `count_marks_by_judge`."""
    metrics_with_claims = {mark.of for mark in marks if mark.of}
    claims = claims_of(database, run, metrics_with_claims) if metrics_with_claims else {}
    judgings = []
    for (metric, judge), prompts in _prompts_by_judge(database, run.id).items():
        if not prompts and is_of_answers(metric):
            continue  # a rule decided on every claim, so no judge was asked
        people = {prompt: counts.get((strip_judge(metric), judge, prompt), 0) for prompt in prompts}
        judgings.append(RunJudge(metric, judge, index_by_language(prompts), people, claims.get(metric, ())))
    return judgings


def claims_of(database: Database, run: Run, metrics: set[str]) -> dict[str, list[JudgedAnswer]]:
    """Return a dict from metric to its judge's verdicts on single sentences; verdicts that could not be parsed are left out."""
    languages = languages_of(database, run)
    claims: dict[str, list[JudgedAnswer]] = defaultdict(list)
    for stored in runs.load_newest_judgements(database, run.id):
        if stored.metric in metrics:
            language = languages.get((stored.item, stored.variant), "en")
            claims[stored.metric] += [
                JudgedAnswer(stored.item, stored.variant, language, float(verdict["value"]), n, _name_nugget(verdict))
                for n, verdict in enumerate(stored.details.get("verdicts", ()))
                if verdict.get("value") is not None
            ]
    return dict(claims)


def count_marks_by_judge(database: Database) -> dict[JudgeKey, int]:
    """Return the number of people's marks on each judge's verdicts, for each metric and prompt. An answer that a rule of the
    metric scored is counted with the prompt of its language."""
    counts: Counter[JudgeKey] = Counter()
    for run in grades.list_graded_runs(database):
        marks = marks_of(database, run)
        answers = {(mark.item, mark.variant) for mark in marks if not mark.of}
        claims = Counter((mark.of, mark.item, mark.variant) for mark in marks if mark.of)
        languages, prompts = languages_of(database, runs.get(database, run)), _prompts_by_judge(database, run)
        for metric, judge, prompt, item, variant in grades.load_judged(database, run):
            used = prompt or index_by_language(prompts[metric, judge]).get(languages.get((item, variant), ""), "")
            n = int(is_of_answers(metric) and (item, variant) in answers) + claims[metric, item, variant]
            counts[strip_judge(metric), judge, used] += n if used else 0
    return {key: n for key, n in counts.items() if n}


def languages_of(database: Database, run: Run) -> dict[tuple[str, str | None], str]:
    """Return a dict from (item, variant) to language, for every answered question of a run."""
    return {(answer.item, answer.variant): answer.language for answer in traces.list_answers(database, run)}


def _identify_unit(place: GradingPlace) -> tuple[str, str | None, int | None]:
    return place.item, place.variant, None if place.verdict is None else int(place.verdict["n"])


def _name_nugget(verdict: Mapping[str, Any] | None) -> str:
    """Return the nugget that a judge's verdict is about, or "" if it is about something else."""
    return str(verdict["sentence"]) if verdict is not None and verdict.get("side") == "nugget" else ""


def _prompts_by_judge(database: Database, run: str) -> dict[tuple[str, str], list[str]]:
    """Return a dict from (metric, judge) to the prompts of the judge. The list of prompts is empty if rules scored all
    answers."""
    prompts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for metric, judge, prompt, _ in grades.load_judges(database, run):
        prompts[metric, judge] += [prompt] if prompt else []
    return prompts
