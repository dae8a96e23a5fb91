"""How the annotation goes: Table 1 of the drafts, the people, the agents, the days, and how far two people agree. All figures
are queries over kept rows, made beside the page and kept until something changes."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
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
from store.items import board
from store.reviews import control_answers, label_questions, outcomes, own_answers, progress
from workbench import acting
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.progress import agreement
from workbench.annotate.progress.agreement import Agreed, AgreementLine
from workbench.annotate.progress.effort import Between, Effort
from workbench.annotate.progress.forecast import WINDOW, Forecast
from workbench.annotate.progress.makers import DraftingAgent, makers
from workbench.annotate.progress.makers import page_of as page_of_makers
from workbench.annotate.progress.outcomes import Outcomes, sort_out
from workbench.annotate.progress.pace import Day, Days, DecisionPace, days_of, pace
from workbench.annotate.progress.people import PersonLine, edited_characters, people
from workbench.annotate.progress.people import page_of as page_of_people
from workbench.annotate.progress.trust import Bias, Hits, biases, hits
from workbench.annotate.progress.wanted import Filled, TargetTable, wanted
from workbench.evaluate.results.reports import MIMES
from workbench.home.targets import TargetCell, targets
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act, may, why_not

__all__ = [
    "Agreed",
    "AgreementLine",
    "Between",
    "Bias",
    "Construction",
    "Day",
    "DecisionPace",
    "DraftingAgent",
    "Effort",
    "Filled",
    "Forecast",
    "Hits",
    "PersonLine",
    "ProgressStage",
    "TargetCell",
    "TargetTable",
]
T = TypeVar("T")


class ProgressStage:
    """Verbs that count."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache()
        self._slowly = BackgroundCache(most=4, threads=2)
        """Agreement: a minute for 100,000 items, and what a model has to look at; other figures do not wait for it, and neither
        waits for the other."""
        self._reading = DocumentCache(database)

    def construction(self, by: str = "level") -> RunningWork[Construction]:
        """Table 1 by level, domain or task, or several of them with commas, when it is there."""
        found = self._drafts()
        return RunningWork(None if found.value is None else build_construction(found.value, by.split(",")), found.seconds)

    def makers(self) -> RunningWork[list[DraftingAgent]]:
        """What became of the drafts of each agent and prompt, when it is there."""
        return self._ask("makers", self._makers)

    def makers_table(self, form: str) -> str:
        """As csv, json or latex."""
        return renderers()[form].render(page_of_makers(self._kept.now(self._key("makers"), self._makers)))

    @act("see who did what")
    def people(self) -> RunningWork[list[PersonLine]]:
        """What each person decided, when it is there."""
        return self._ask("people", self._people)

    @act("see who did what")
    def people_table(self, form: str) -> str:
        """As csv, json or latex."""
        return renderers()[form].render(page_of_people(self._kept.now(self._key("people"), self._people)))

    def pace(self, today: date | None = None) -> RunningWork[DecisionPace]:
        """Decisions by day and what they promise, when they are there. `today` is the server's day."""
        found, waiting = self._days(), progress.count_waiting(self._db)
        made = None if found.value is None else pace(found.value.everybody, *waiting, today or date.today())
        return RunningWork(made, found.seconds)

    def wanted(self, today: date | None = None) -> RunningWork[TargetTable]:
        """How full each cell with a target is, when the rest is there and what it takes, when it is counted. `today` is the
        server's day."""
        day, every = today or date.today(), targets(self._db)
        since = datetime.combine(day, time()).astimezone(UTC) - timedelta(WINDOW + 1)

        def count() -> TargetTable:
            accepted = progress.load_accepted(self._db, since.isoformat(timespec="milliseconds")) if every else []
            efforts = progress.load_efforts(self._db) if every else []
            return wanted(every, board.count_items(self._db), accepted, day, efforts)

        return self._kept.get((*self._key("wanted"), day, tuple(every.items())), count)

    def days(self, person: str) -> RunningWork[Sequence[Day]]:
        """One person's days with decisions, oldest first, when they are there. Raises Refused when they are another's, which is
        not for everybody."""
        self._own(person)
        found = self._days()
        return RunningWork(None if found.value is None else found.value.of.get(person, []), found.seconds)

    def outcomes(self, person: str, since: datetime) -> RunningWork[Outcomes]:
        """What became of one person's opinions that were decided on since, when it is there. Raises Refused as days does."""
        self._own(person)
        at = since.astimezone(UTC).isoformat(timespec="milliseconds")
        return self._kept.get(
            (*self._key("outcomes"), person, at), lambda: sort_out(outcomes.load_outcomes(self._db, person, at))
        )

    def agreement(self) -> RunningWork[Agreed]:
        """How far people agree where two gave an opinion on one item, when it is there; names for those who may see them."""
        found = self._slowly.get(self._agreement_key(), self._agreed)
        return RunningWork(None if found.value is None else self._with_names(found.value), found.seconds)

    def agreement_in_meaning(self) -> RunningWork[list[AgreementLine]]:
        """How alike their answers are in meaning, when it is there: the first time a model is loaded, and each new answer takes
        its time once."""
        return self._slowly.get(self._meaning_key(), self._alike_in_meaning)

    def agreement_lines(self) -> dict[str, Any]:
        """How far people agree, without likeness in meaning: {"items", "blind", "people", "lines": [{"what", "measure",
        "people", "value", "low", "high", "items", "chance", "why"}]}; no value = null and why."""
        found = self._with_names(self._slowly.now(self._agreement_key(), self._agreed))
        lines = [
            {name: value for name, value in asdict(line).items() if name != "is_corrected"}
            | ({"chance": 0.0} if line.is_corrected else {})
            for line in found.lines
        ]
        return {"items": found.items, "blind": found.blind, "people": found.people, "lines": lines}

    def agreement_table(self, form: str) -> str:
        """All of it as csv, json or latex."""
        found = self._with_names(self._slowly.now(self._agreement_key(), self._agreed))
        meaning = self._slowly.now(self._meaning_key(), self._alike_in_meaning)
        return renderers()[form].render(agreement.page_of(found, meaning))

    @act("see who did what")
    def hits(self) -> RunningWork[list[Hits]]:
        """How often each person decided on planted items of the queue as expected, when it is there."""
        return self._hits()

    def own_hits(self, person: str) -> RunningWork[list[Hits]]:
        """That of one person: nothing, or one. Raises Refused when it is another's, which is not for everybody."""
        self._own(person)
        found = self._hits()
        return RunningWork(None if found.value is None else [one for one in found.value if one.person == person], found.seconds)

    @act("see who did what")
    def biases(self) -> RunningWork[list[Bias]]:
        """What seeing the draft first does, of all and of each person, when it is there."""
        key = (*self._key("biases"), own_answers.fingerprint(self._db))
        return self._kept.get(
            key, lambda: biases(own_answers.load_compared_answers(self._db), own_answers.load_first_decisions(self._db))
        )

    def table(self, by: str, form: str) -> str:
        """Table 1 in a report's format: the preset hawkbench_table1."""
        cells = self._kept.now(self._key("drafts"), lambda: progress.load_drafts(self._db))
        return renderers()[form].render(presets()["hawkbench_table1"].build(build_construction(cells, by.split(","))))

    def file_of(self, what: str, form: str) -> tuple[str, str]:
        """(name, MIME type) of a file that holds it."""
        return f"{what}{renderers()[form].ending}", MIMES[form]

    def timesheet(self, person: str) -> str:
        """One person's days as CSV, in which no name is run as a formula. Raises Refused as days does."""
        self._own(person)
        days = self._kept.now(self._key("days"), lambda: days_of(progress.load_slots(self._db)))
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

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()
        self._slowly.close()

    def _own(self, person: str) -> None:
        """Raises Refused when whoever asks is another, and may not see who did what."""
        if acting.who() not in (None, person):
            may(self._db, "see who did what", person)

    def _with_names(self, found: Agreed) -> Agreed:
        return found if why_not(self._db, "see who did what") is None else agreement.nameless(found)

    def _drafts(self) -> RunningWork[list[Drafts]]:
        return self._ask("drafts", lambda: progress.load_drafts(self._db))

    def _days(self) -> RunningWork[Days]:
        return self._ask("days", lambda: days_of(progress.load_slots(self._db)))

    def _makers(self) -> list[DraftingAgent]:
        characters = edited_characters(progress.load_saved_edits(self._db))
        return makers(progress.load_drafts(self._db), characters, progress.load_lost(self._db))

    def _people(self) -> list[PersonLine]:
        db = self._db
        return people(progress.load_work(db), progress.load_reasons(db), progress.load_edits(db), progress.load_costs(db))

    def _agreed(self) -> Agreed:
        return agreement.agreed(
            progress.load_opinions(self._db), self._reading.sentences, label_questions.list_questions(self._db)
        )

    def _alike_in_meaning(self) -> list[AgreementLine]:
        return agreement.alike_in_meaning(progress.load_opinions(self._db), MODEL_LANGUAGES, MODEL, self._vectors)

    def _vectors(self, texts: Sequence[str]) -> dict[str, Any]:
        """Of those that are not too long for the model; kept in the workspace."""
        if not texts:
            return {}
        model = cache_embedder(embedder(MODEL), StoredVectors(self._db))
        fitting = [text for text in texts if model.max_tokens is None or model.count_tokens(text) <= model.max_tokens]
        return dict(zip(fitting, model.encode(fitting), strict=True)) if fitting else {}

    def _hits(self) -> RunningWork[list[Hits]]:
        key = ("hits", control_answers.fingerprint(self._db))
        return self._kept.get(key, lambda: hits(control_answers.count_outcomes(self._db), False))

    def _agreement_key(self) -> tuple[Any, ...]:
        """Another one also when a label question changed; the same while a job only makes calls."""
        return "agreement", progress.fingerprint_of_work(self._db), *label_questions.list_questions(self._db)

    def _meaning_key(self) -> tuple[Any, ...]:
        return "meaning", progress.fingerprint_of_work(self._db)

    def _ask(self, what: str, make: Callable[[], T]) -> RunningWork[T]:
        return self._kept.get(self._key(what), make)

    def _key(self, what: str) -> tuple[Any, ...]:
        return what, progress.fingerprint(self._db)


def zone() -> str:
    """The time zone that days are of: the server's."""
    return datetime.now().astimezone().tzname() or "the server's time"
