"""Templates of questions: written in a form that loses nothing, tried on the tables in use as they are written, and kept in
versions. What an agent proposed is a draft like any other: nothing is made of it until a person saves it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from builders.drafting.samples import FOLDER
from builders.templates.template_answers import calls_in_words
from builders.templates.template_questions import SEED, DraftedQuestion, Owners, make
from builders.templates.templates import (
    FORM,
    KINDS,
    LEVELS,
    OFS,
    UNITS,
    check_template,
    columns_at,
    paths_from,
    places,
    template_from_form,
    template_from_record,
    template_record,
)
from core.errors import BenchError
from core.ids import derived_id, new_id
from core.json_lines import strict_json
from core.nouns import LANGUAGES, Item
from core.quality.crag import DYNAMISMS
from core.tables.asking import MEASURES
from core.tables.world import Tables
from store.drafting import template_drafts
from store.drafting import templates as stored
from store.drafting.template_drafts import TemplateDraft
from store.engine.database import Database
from workbench import acting
from workbench.build.templates.tables import TableStage
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

__all__ = ["FILE", "TemplateDraft", "TemplateStage"]

FILE = "templates.json"
"""The file of a folder of tables that holds templates over them, as a list of records."""
MOST_TOLD = 5
"""Templates of a file that cannot be kept, named in one message."""
LONGEST = 2_000
"""Characters of one field of the form."""


class TemplateStage:
    """Verbs on templates."""

    def __init__(self, database: Database, tables: TableStage) -> None:
        self._db, self._tables = database, tables
        self._kept = BackgroundCache()
        self._owners: tuple[tuple[tuple[str, str], ...], Owners] = (), {}

    def every(self) -> list[dict[str, Any]]:
        """The templates in use: the record of each, with version, versions, saved_at, saved_by, and about:
        which agent gave the words, where one did."""
        return [_card(one) for one in stored.list_templates(self._db)]

    def versions(self, id: str) -> list[dict[str, Any]]:
        """Every version that is kept of one, as `every`, the one in use first."""
        return [_card(one) for one in stored.versions(self._db, id)]

    @act("draft items", lambda given: "a template")
    def save(self, record: Mapping[str, Any], about: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Keep a template under its id, as a new version unless it is the same; returns its card. `about` = which agent gave
        the words. Raises BenchError when it does not fit the tables in use."""
        template = template_from_record(record)
        check_template(template, self._tables.tables())
        stored.put(self._db, template.id, template.version, template_record(template), acting.who() or None, about)
        return _card(stored.get(self._db, template.id))

    @act("draft items", "id")
    def stand(self, id: str, version: str) -> None:
        """That version is the one in use from now on. Raises BenchError when it is not here."""
        [found] = stored.load_versions(self._db, [version])
        stored.put(self._db, id, version, found.record)

    @act("draft items", "id")
    def remove(self, id: str) -> None:
        """Take a template and its versions away; items that were made from it keep theirs."""
        stored.get(self._db, id)
        stored.retire(self._db, id)

    @act("draft items", lambda given: "templates of files")
    def add(self, paths: Iterable[Path]) -> list[str]:
        """Keep the templates that templates.json of each folder among the paths holds; returns their ids."""
        files = [path / FILE for path in paths if (path / FILE).is_file()]
        return [id for file in files for id in self.add_file(file)]

    @act("draft items", lambda given: given["file"].name)
    def add_file(self, file: Path) -> list[str]:
        """Keep the templates of a file; returns their ids. Those that cannot be kept do not hold up the others: they are named
        in the BenchError that is raised after them."""
        kept, refused, records = [], [], templates_in(file)
        for number, record in enumerate(records, 1):
            try:
                kept.append(self.save(record)["id"])
            except BenchError as error:
                refused.append(f"number {number}: {error}")
        if refused:
            raise BenchError(
                f"{len(refused)} of {len(records)} templates in {file.name} were not kept, the others were; "
                f"{' '.join(refused[:MOST_TOLD])}"
            )
        return kept

    def load_samples(self) -> list[str]:
        """The sample world's tables and the templates over them, unless they are there; returns the templates' ids."""
        self._tables.load_samples()
        return self.add(sorted((FOLDER / "tables").iterdir()))

    @act("draft items", is_logged=False)
    def preview(self, record: Mapping[str, Any], n: int = 6, seed: int = SEED) -> RunningWork[dict[str, Any]]:
        """A template tried, that need not be kept: {"items": [{question, answer, popularity, difficulty, chain: its calls in
        words}], "candidates": {bucket: n}, "refused": {why: n}, "examples": [{key, question, why}]}. Raises BenchError when it
        does not fit the tables in use."""
        template, tables = template_from_record(record), self._tables.tables()
        check_template(template, tables)
        key = ("preview", template.version, tuple(tables.hashes.items()), n, seed)
        owners = self._owners_of(tables)
        return self._kept.get(key, lambda: _told(make(tables, template, n, seed, owners=owners)))

    def paths(self, table: str, world: Tables) -> dict[str, str]:
        """What can fill a slot or be asked for, from a row of that table: a path -> what it holds, "rows" at a relation. The
        shortest ones come first."""
        return paths_from(table, world)

    def conditions(self, table: str, answer: str, world: Tables) -> list[str]:
        """What a condition can be on: the columns of the rows that hold the answer."""
        return columns_at(table, answer, world)

    def choices(self) -> dict[str, list[str]]:
        """The closed lists of a template's fields."""
        return {
            "kind": list(KINDS),
            "of": list(OFS),
            "level": list(LEVELS),
            "unit": list(UNITS),
            "measure": list(MEASURES),
            "language": list(LANGUAGES),
            "dynamism": ["", *DYNAMISMS],
        }

    def places(self, text: str) -> list[str]:
        """The {places} of the words, in order. Raises BenchError on a brace that delimits none."""
        return places(text)

    def drafts(self, person: str) -> list[TemplateDraft]:
        """What that person is writing, the newest first."""
        return template_drafts.list_drafts_of(self._db, person) if person.strip() else []

    @act("draft items")
    def begin(self, person: str, of: str = "", table: str = "") -> str:
        """A new draft, or one that changes the template `of`: the person's own of it, where there is one. Returns its id."""
        if not person.strip():
            raise BenchError("A template needs a writer: give your name first.")
        content = {**FORM, "table": table}
        id_ = new_id()
        if of:
            found = stored.get(self._db, of)
            id_ = derived_id("template draft", person, of)
            content = {**FORM, **found.record}
            if template_drafts.get(self._db, id_) is not None:
                return id_
        template_drafts.put(self._db, TemplateDraft(id_, person, content, of))
        return id_

    def keep(self, person: str, id_: str, fields: Mapping[str, Any]) -> None:
        """Keep what stands in the form. Raises BenchError when the draft is not this person's, or a text is too long."""
        draft = self._own(person, id_)
        for name, value in fields.items():
            if name not in FORM:
                raise BenchError(f"The form has no field {name}: load the page again.")
            if len(str(value)) > LONGEST:
                raise BenchError(f"The {name} has {len(str(value)):,} characters; at most {LONGEST:,} can be kept.")
        if any(draft.content.get(name) != value for name, value in fields.items()):
            changed = TemplateDraft(id_, person, {**draft.content, **fields}, draft.of, draft.about)
            template_drafts.put(self._db, changed)

    def written(self, draft: TemplateDraft) -> dict[str, Any]:
        """The record of the template that the form would give: only slots that stand in its words, and only what its kind
        has."""
        return template_from_form(draft.content)

    def drop(self, person: str, id_: str) -> None:
        """Throw the draft away; the template that it would have changed stays as it is."""
        self._own(person, id_)
        template_drafts.drop(self._db, id_)

    @act("draft items", lambda given: "a template")
    def hand_in(self, person: str, id_: str) -> dict[str, Any]:
        """The draft becomes a version of a template, see `save`. Raises BenchError when it does not fit the tables in use."""
        draft = self._own(person, id_)
        about = None if draft.about is None else {**draft.about, "approved_by": person}
        card = self.save(self.written(draft), about)
        template_drafts.drop(self._db, id_)
        return card

    def close(self) -> None:
        """Wait for what is under way."""
        self._kept.close()

    def _owners_of(self, tables: Tables) -> Owners:
        """What previews have found of these tables: words that are typed are tried at once."""
        hashes = tuple(tables.hashes.items())
        if self._owners[0] != hashes:
            self._owners = hashes, {}
        return self._owners[1]

    def _own(self, person: str, id_: str) -> TemplateDraft:
        draft = template_drafts.get(self._db, id_)
        if draft is None or draft.person != person:
            raise BenchError("This draft is not here any more, or is somebody else's: begin a new one.")
        return draft


def templates_in(file: Path) -> list[dict[str, Any]]:
    """The objects of a file: a list of them, or one. Raises BenchError when it cannot be read."""
    try:
        found = strict_json(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BenchError(f"{file.name} cannot be read ({error.strerror or error}): give a file of templates.") from error
    except UnicodeDecodeError as error:
        raise BenchError(f"{file.name} is not UTF-8 at its byte {error.start + 1:,}: give a file of templates.") from error
    except ValueError as error:
        raise BenchError(f"{file.name} {error}: give a file of templates.") from error
    records = found if isinstance(found, list) else [found]
    if not records or not all(isinstance(record, dict) for record in records):
        raise BenchError(f"{file.name} holds no templates: write a list of objects with id, table, text, slots and answer.")
    return records


def _card(one: stored.StoredTemplate) -> dict[str, Any]:
    return {
        **one.record,
        "version": one.version,
        "versions": one.versions,
        "saved_at": one.saved_at,
        "saved_by": one.saved_by,
        "about": one.about,
    }


def _told(made: DraftedQuestion) -> dict[str, Any]:
    return {
        "items": [_shown(item) for item in made.items],
        "candidates": dict(made.candidates),
        "refused": dict(made.refused),
        "examples": [one._asdict() for one in made.examples],
    }


def _shown(item: Item) -> dict[str, Any]:
    return {
        "question": item.question,
        "answer": item.answers[0],
        "popularity": item.labels.get("popularity", ""),
        "difficulty": item.labels["difficulty"],
        "chain": calls_in_words(item.steps),
    }
