"""Manage question templates. People edit a template in a form that is stored while they type, try it on the tables in use, and
save it as a version. An agent's proposal is a draft too, so no items are made from it until a person saves it."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from builders.drafting.samples import FOLDER
from builders.templates import templates as building
from builders.templates.entity_naming import Owners
from builders.templates.template_answers import calls_in_words
from builders.templates.template_questions import SEED, TemplateQuestions, make
from core.as_json import Json
from core.errors import BenchError
from core.ids import derived_id, new_id
from core.quality.crag import DYNAMISMS
from core.tables.queries import MEASURES
from core.text.language import rows
from store.drafting import template_drafts
from store.drafting import templates as stored
from store.drafting.template_drafts import TemplateDraft
from store.drafting.templates import StoredTemplate
from store.engine.database import Database
from workbench import actor
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.build.templates.table_files import read_json
from workbench.build.templates.tables import TableStage
from workbench.roles import requires

__all__ = ["FILE", "StoredTemplate", "TemplateDraft", "TemplateStage"]

FILE = "templates.json"
"""Name of the file in a folder of tables that contains templates for these tables."""
MAX_NAMED = 5
"""Maximum number of faulty templates that one error message lists."""
MAX_FIELD_CHARACTERS = 2_000


class TemplatePreview(NamedTuple):
    """The questions that a template gives for the tables in use, with the way in which their answers are found."""

    drafted: TemplateQuestions
    chains: Sequence[Sequence[str]]
    """For each item, the calls of table functions that lead to its answer, in words."""


class TemplateStage:
    """Methods that list, edit, try, save and remove question templates."""

    def __init__(self, database: Database, tables: TableStage) -> None:
        self._db, self._tables = database, tables
        self._cache = BackgroundCache()
        self._owners: tuple[tuple[tuple[str, str], ...], Owners] = (), {}

    def list_templates(self) -> list[StoredTemplate]:
        """List the templates in use, sorted by id."""
        return stored.list_templates(self._db)

    def versions(self, id: str) -> list[StoredTemplate]:
        """List every stored version of a template, the one in use first."""
        return stored.list_versions(self._db, id)

    @requires("draft items", lambda arguments: "a template")
    def save(self, record: Mapping[str, Any], about: Mapping[str, Any] | None = None) -> StoredTemplate:
        """Save a template under its id; if it changed, as a new version. `about` names the agent that wrote the template's
        text."""
        template = building.template_from_record(record)
        building.check_template(template, self._tables.tables())
        stored.put(self._db, template.id, template.version, building.template_record(template), actor.get_name() or None, about)
        return stored.get(self._db, template.id)

    @requires("draft items", "id")
    def use_version(self, id: str, version: str) -> None:
        """Make `version` the version of the template in use. Raises BenchError if the version does not exist."""
        [template] = stored.load_versions(self._db, [version])
        stored.put(self._db, id, version, template.record)

    @requires("draft items", "id")
    def remove(self, id: str) -> None:
        """Take a template out of use with all its versions; items that were made from it keep its version."""
        stored.get(self._db, id)
        stored.retire(self._db, id)

    @requires("draft items", lambda arguments: "templates of files")
    def add(self, paths: Iterable[Path]) -> list[str]:
        """Save the templates in the file templates.json of each folder in `paths`; return their ids."""
        files = [path / FILE for path in paths if (path / FILE).is_file()]
        return [id for file in files for id in self.add_file(file)]

    @requires("draft items", lambda arguments: arguments["file"].name)
    def add_file(self, file: Path) -> list[str]:
        """Save the templates in a file; return their ids. If some templates cannot be saved, the others are saved, and then
        BenchError is raised with the faulty ones."""
        ids, refused, records = [], [], _read_templates(file)
        for number, record in enumerate(records, 1):
            try:
                ids.append(self.save(record).id)
            except BenchError as error:
                refused.append(f"number {number}: {error}")
        if refused:
            raise BenchError(
                f"{len(refused)} of {len(records)} templates in {file.name} could not be saved (the others were saved): "
                f"{' '.join(refused[:MAX_NAMED])}"
            )
        return ids

    def load_samples(self) -> list[str]:
        """Add the sample tables and their templates, unless they are already stored; return the ids of the templates."""
        self._tables.load_samples()
        return self.add(sorted((FOLDER / "tables").iterdir()))

    @requires("draft items", is_logged=False)
    def preview(self, record: Mapping[str, Any], n: int = 6, seed: int = SEED) -> RunningWork[TemplatePreview]:
        """Try a template, saved or not, on the tables in use, in the background. Raises BenchError if the template does not fit
        the tables."""
        template, tables = building.template_from_record(record), self._tables.tables()
        building.check_template(template, tables)
        hashes = tuple(tables.hashes.items())
        if self._owners[0] != hashes:
            self._owners = hashes, {}  # earlier results depend on the old tables
        owners = self._owners[1]

        def try_template() -> TemplatePreview:
            drafted = make(tables, template, n, seed, owners=owners)
            return TemplatePreview(drafted, [calls_in_words(item.steps) for item in drafted.items])

        return self._cache.get(("preview", template.version, hashes, n, seed), try_template)

    paths = staticmethod(building.paths_from)
    conditions = staticmethod(building.columns_at)
    places = staticmethod(building.places)

    def choices(self) -> dict[str, list[str]]:
        """Return a dict from field of a template to its possible values, for fields with a fixed list."""
        return {
            "kind": list(building.KINDS),
            "of": list(building.OFS),
            "level": list(building.LEVELS),
            "unit": list(building.UNITS),
            "measure": list(MEASURES),
            "language": list(rows()),
            "dynamism": ["", *DYNAMISMS],
        }

    def drafts(self, person: str) -> list[TemplateDraft]:
        """Return the templates that this person has begun but not saved, newest first."""
        return template_drafts.list_drafts_of(self._db, person) if person.strip() else []

    @requires("draft items")
    def begin(self, person: str, of: str = "", table: str = "") -> str:
        """Begin a draft of a new template, or of a change to the template `of`; return the draft's id. If the person already
        edits `of`, return the id of that draft."""
        if not person.strip():
            raise BenchError("A template needs a writer: give your name first.")
        content, id_ = {**building.FORM, "table": table}, new_id()
        if of:
            content, id_ = {**building.FORM, **stored.get(self._db, of).record}, derived_id("template draft", person, of)
            if template_drafts.get(self._db, id_) is not None:
                return id_
        template_drafts.put(self._db, TemplateDraft(id_, person, content, of))
        return id_

    def keep(self, person: str, id_: str, fields: Mapping[str, Any]) -> None:
        """Store the fields of a template's form as typed so far. Raises BenchError if the draft is not this person's, or if a
        text is too long."""
        draft = self._load_own(person, id_)
        for name, value in fields.items():
            if name not in building.FORM:
                raise BenchError(f"The form has no field {name}: load the page again.")
            if len(str(value)) > MAX_FIELD_CHARACTERS:
                raise BenchError(
                    f"The {name} has {len(str(value)):,} characters; at most {MAX_FIELD_CHARACTERS:,} can be stored."
                )
        if any(draft.content.get(name) != value for name, value in fields.items()):
            changed = TemplateDraft(id_, person, {**draft.content, **fields}, draft.of, draft.about)
            template_drafts.put(self._db, changed)

    def read_form(self, draft: TemplateDraft) -> dict[str, Json]:
        """Return the template that the form of the draft describes. The template has only the placeholders that occur in the
        text, and only the fields for its kind of template."""
        return building.template_from_form(draft.content)

    def drop(self, person: str, id_: str) -> None:
        """Delete the draft; the template that it would have changed stays as it is."""
        self._load_own(person, id_)
        template_drafts.drop(self._db, id_)

    @requires("draft items", lambda arguments: "a template")
    def hand_in(self, person: str, id_: str) -> StoredTemplate:
        """Save the draft as a new template or version. Raises BenchError if the template does not fit the tables in use."""
        draft = self._load_own(person, id_)
        about = None if draft.about is None else {**draft.about, "approved_by": person}
        template = self.save(self.read_form(draft), about)
        template_drafts.drop(self._db, id_)
        return template

    def _load_own(self, person: str, id_: str) -> TemplateDraft:
        draft = template_drafts.get(self._db, id_)
        if draft is None or draft.person != person:
            raise BenchError("This draft no longer exists, or belongs to somebody else: begin a new one.")
        return draft


def _read_templates(file: Path) -> list[dict[str, Any]]:
    """Return the templates in a JSON file, which contains a list of objects or a single object. Raises BenchError if the file
    cannot be read."""
    content = read_json(file, file.name, "give a file of templates")
    records: list[Any] = content if isinstance(content, list) else [content]
    if not records or not all(isinstance(record, dict) for record in records):
        raise BenchError(f"{file.name} holds no templates: write a list of objects with id, table, text, slots and answer.")
    return records
