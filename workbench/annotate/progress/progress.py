"""Report the progress of annotation: drafted and accepted items, people, agents, days, targets, and how far people agree. All
numbers are computed in the background from stored rows, and cached until these rows change."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, TypeVar

from core.quality.construction import Construction, Drafts, build_construction
from core.retrieval.embeddings import embedder
from core.retrieval.similarity import MODEL, MODEL_LANGUAGES
from core.retrieval.vector_cache import cache_embedder
from eval.page import Cell, Page, Table, count, figure, words
from eval.preset import presets
from eval.reports.renderer import renderers
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.items import board, draft_costs
from store.queue import assistance
from store.reviews import control_answers, label_questions, opinion_table, outcomes, own_answers, progress
from workbench import actor
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.finding.item_similarity import fits_model
from workbench.annotate.progress import agreement, makers, people
from workbench.annotate.progress.agreement import AgreementLine, AgreementReport
from workbench.annotate.progress.effect import EffectReport, measure_effects
from workbench.annotate.progress.forecast import WINDOW_DAYS
from workbench.annotate.progress.makers import DraftingAgent
from workbench.annotate.progress.outcomes import PersonOutcomes, sort_outcomes
from workbench.annotate.progress.pace import DecisionPace, WorkDay, WorkDays, count_days, measure_pace
from workbench.annotate.progress.people import PersonLine
from workbench.annotate.progress.target_state import TargetTable, measure_targets
from workbench.annotate.progress.trust import ControlResults, DraftBias, count_control_results, measure_biases
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.evaluate.results.reports import MIMES
from workbench.home.targets import targets
from workbench.roles import check_permission, explain_refusal, requires

T = TypeVar("T")
S = TypeVar("S")


class ProgressStage:
    """Methods that report the progress of annotation. A method that returns a RunningWork computes its result in the
    background."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache()
        self._slow_cache = BackgroundCache(max_results=4, threads=2)
        """Cache for results that take long: agreement between people (a minute for 100,000 items), and results that need
        embeddings. The cache is separate, so that slow results do not delay the others."""
        self._documents = DocumentCache(database)

    def build_construction(self, by: str = "level") -> RunningWork[Construction]:
        """Return the table of drafted and accepted items, grouped by `by`: level, domain, task, or several of these joined with
        commas."""
        return _convert(self._get("drafts", self._load_drafts), lambda cells: build_construction(cells, by.split(",")))

    def render_construction(self, by: str, form: str) -> str:
        """Return the table of drafted and accepted items as text in the report format `form`, in the layout
        hawkbench_table1."""
        cells = self._cache.wait_for(self._key("drafts"), self._load_drafts)
        return renderers()[form].render(presets()["hawkbench_table1"].build(build_construction(cells, by.split(","))))

    def count_by_agent(self) -> RunningWork[list[DraftingAgent]]:
        """Count what became of the drafts of each agent and version of a prompt."""
        return self._get("makers", self._count_by_agent)

    def render_agents(self, form: str) -> str:
        """Return the table of agents and versions of prompts as text in the format `form`: csv, json or latex."""
        return renderers()[form].render(makers.build_page(self._cache.wait_for(self._key("makers"), self._count_by_agent)))

    @requires("see who did what")
    def count_by_person(self) -> RunningWork[list[PersonLine]]:
        """Count the decisions of each person."""
        return self._get("people", self._count_by_person)

    @requires("see who did what")
    def render_people(self, form: str) -> str:
        """Return the table of people and their decisions as text in the format `form`: csv, json or latex."""
        return renderers()[form].render(people.build_page(self._cache.wait_for(self._key("people"), self._count_by_person)))

    def measure_pace(self, today: date | None = None) -> RunningWork[DecisionPace]:
        """Count the decisions on each day, and forecast the day when no item waits for review any more. `today` (default: now)
        is a date in the server's time zone."""
        waiting = progress.count_waiting(self._db)
        return _convert(self._count_days(), lambda days: measure_pace(days.everybody, *waiting, today or date.today()))

    def measure_targets(self, today: date | None = None) -> RunningWork[TargetTable]:
        """Measure how far each target is reached, and forecast the day and the effort. `today` (default: now) is a date in the
        server's time zone."""
        day, wanted = today or date.today(), targets(self._db)
        since = datetime.combine(day, time()).astimezone(UTC) - timedelta(WINDOW_DAYS + 1)

        def measure() -> TargetTable:
            accepted = progress.load_accepted(self._db, since.isoformat(timespec="milliseconds")) if wanted else []
            efforts = draft_costs.load_efforts(self._db) if wanted else []
            return measure_targets(wanted, board.count_items(self._db), accepted, day, efforts)

        return self._cache.get((*self._key("targets"), day, tuple(wanted.items())), measure)

    def count_days(self, person: str) -> RunningWork[Sequence[WorkDay]]:
        """Count one person's decisions on each day, oldest day first. Raises NotAllowed for another person if the current user
        may not see the work of others."""
        self._check_person(person)
        return _convert(self._count_days(), lambda days: days.of.get(person, []))

    def render_timesheet(self, person: str) -> str:
        """Return the numbers of one person's decisions on each day as CSV, in which a spreadsheet cannot run any text as a
        formula. Raises NotAllowed for another person if the current user may not see the work of others."""
        self._check_person(person)
        days = self._cache.wait_for(self._key("days"), self._load_days)
        rows: list[list[Cell]] = [
            [
                words(day.date.isoformat()),
                words(person),
                count(day.decisions),
                figure(day.active, 1, 1 / 60),
                count(day.measured),
            ]
            for day in days.of.get(person, [])
        ]
        heads = ["date", "person", "decisions", "active minutes", "decisions timed"]
        return renderers()["csv"].render(Page("Timesheet", [Table("Timesheet", heads, rows)]))

    def sort_outcomes(self, person: str, since: datetime) -> RunningWork[PersonOutcomes]:
        """Compare one person's opinions with the final decisions that were made after `since`. Raises NotAllowed for another
        person if the current user may not see the work of others."""
        self._check_person(person)
        at = since.astimezone(UTC).isoformat(timespec="milliseconds")
        key = (*self._key("outcomes"), person, at)
        return self._cache.get(key, lambda: sort_outcomes(outcomes.load_outcomes(self._db, person, at)))

    def compare_opinions(self) -> RunningWork[AgreementReport]:
        """Measure how far people agree on items with two or more opinions. The result contains names if the current user may
        see the work of others."""
        return _convert(self._slow_cache.get(self._agreement_key(), self._compare_opinions), self._hide_names)

    def compare_meaning(self) -> RunningWork[list[AgreementLine]]:
        """Measure how similar in meaning the answers of different people are. The first call loads the embedding model; each
        answer is embedded only once."""
        return self._slow_cache.get(self._meaning_key(), self._compare_meaning)

    def load_agreement(self) -> AgreementReport:
        """Wait until the result of `compare_opinions` is computed, and return it."""
        return self._hide_names(self._slow_cache.wait_for(self._agreement_key(), self._compare_opinions))

    def render_agreement(self, form: str) -> str:
        """Return the agreement between people, with the similarity of answers in meaning, as text in the format `form`: csv,
        json or latex."""
        meaning = self._slow_cache.wait_for(self._meaning_key(), self._compare_meaning)
        return renderers()[form].render(agreement.build_page(self.load_agreement(), meaning))

    @requires("see who did what")
    def count_control_results(self) -> RunningWork[list[ControlResults]]:
        """For each person, count the right decisions on control items (items with a known error) from the queue."""
        return self._count_control_results()

    def count_own_control_results(self, person: str) -> RunningWork[list[ControlResults]]:
        """Return one person's results on control items, as a list with at most one element. Raises NotAllowed for another
        person if the current user may not see the work of others."""
        self._check_person(person)
        return _convert(self._count_control_results(), lambda results: [each for each in results if each.person == person])

    @requires("see who did what")
    def measure_biases(self) -> RunningWork[list[DraftBias]]:
        """Measure how much people's answers depend on seeing the draft first, for all people together and for each person."""
        db = self._db
        return self._cache.get(
            (*self._key("biases"), own_answers.fingerprint(db)),
            lambda: measure_biases(own_answers.load_compared_answers(db), own_answers.load_first_decisions(db)),
        )

    @requires("see who did what")
    def measure_effects(self) -> RunningWork[EffectReport]:
        """Measure how drafts change people's answers, their time and their decisions, of all drafts, by agent and by level."""
        return self._get("effects", self._measure_effects)

    @requires("see who did what")
    def load_effects(self) -> EffectReport:
        """Wait until the result of `measure_effects` is computed, and return it."""
        return self._cache.wait_for(self._key("effects"), self._measure_effects)

    def name_file(self, stem: str, form: str) -> tuple[str, str]:
        """Return (file name made of `stem` and the extension for the format `form`, MIME type of the format)."""
        return f"{stem}{renderers()[form].ending}", MIMES[form]

    def _check_person(self, person: str) -> None:
        """Raise NotAllowed if `person` is not the current user and the current user may not see the work of others."""
        if actor.get_name() not in (None, person):
            check_permission(self._db, "see who did what", person)

    def _hide_names(self, report: AgreementReport) -> AgreementReport:
        return report if explain_refusal(self._db, "see who did what") is None else report.hide_names()

    def _load_drafts(self) -> list[Drafts]:
        return draft_costs.load_drafts(self._db)

    def _load_days(self) -> WorkDays:
        return count_days(progress.load_slots(self._db))

    def _count_days(self) -> RunningWork[WorkDays]:
        return self._get("days", self._load_days)

    def _count_by_agent(self) -> list[DraftingAgent]:
        characters = people.edited_characters(progress.load_saved_edits(self._db))
        return makers.count_by_agent(draft_costs.load_drafts(self._db), characters, draft_costs.load_lost(self._db))

    def _count_by_person(self) -> list[PersonLine]:
        db = self._db
        work, reasons = progress.load_work(db), progress.load_reasons(db)
        return people.count_by_person(work, reasons, progress.load_edits(db), draft_costs.load_costs(db))

    def _measure_effects(self) -> EffectReport:
        return measure_effects(assistance.load_assisted_decisions(self._db))

    def _compare_opinions(self) -> AgreementReport:
        questions = label_questions.list_questions(self._db)
        return agreement.compare_opinions(opinion_table.load_opinions(self._db), self._documents.cut_together, questions)

    def _compare_meaning(self) -> list[AgreementLine]:
        return agreement.compare_meaning(opinion_table.load_opinions(self._db), MODEL_LANGUAGES, MODEL, self._embed)

    def _embed(self, texts: Sequence[str]) -> dict[str, Any]:
        """Return a dict from text to vector, and store new vectors in the workspace. Texts that are too long for the model are
        left out."""
        if not texts:
            return {}
        model = cache_embedder(embedder(MODEL), StoredVectors(self._db))
        fitting = [text for text in texts if fits_model(model, text)]
        return dict(zip(fitting, model.encode(fitting), strict=True)) if fitting else {}

    def _count_control_results(self) -> RunningWork[list[ControlResults]]:
        key = ("control results", control_answers.fingerprint(self._db))
        return self._cache.get(key, lambda: count_control_results(control_answers.count_outcomes(self._db), False))

    def _agreement_key(self) -> tuple[Any, ...]:
        """Return a cache key that changes with each opinion and label question, but not when a job only calls agents."""
        return "agreement", progress.fingerprint_of_work(self._db), *label_questions.list_questions(self._db)

    def _meaning_key(self) -> tuple[Any, ...]:
        return "meaning", progress.fingerprint_of_work(self._db)

    def _get(self, name: str, make: Callable[[], T]) -> RunningWork[T]:
        return self._cache.get(self._key(name), make)

    def _key(self, name: str) -> tuple[Any, ...]:
        return name, progress.fingerprint(self._db)


def _convert(work: RunningWork[T], convert: Callable[[T], S]) -> RunningWork[S]:
    return RunningWork(None if work.value is None else convert(work.value), work.seconds)


def name_zone() -> str:
    """Return the name of the server's time zone, by which days are counted."""
    return datetime.now().astimezone().tzname() or "the server's time"
