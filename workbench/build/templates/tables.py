"""Tables of entities. Files are read with a proposed spec that a person corrects, and tables in use are read and queried here.
Other stages get the tables in use, or the snapshots from which items were created, as one world."""

import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from builders.drafting.samples import FOLDER
from core.as_json import Json
from core.errors import BenchError
from core.functions.functions import Observation, Parameter, Registry, as_text
from core.ids import new_id
from core.json_lines import strict_json
from core.shapes import CorrectionShape, check_shape
from core.tables.checks import check_relations, convert_rows, raw_table
from core.tables.default_functions import list_functions
from core.tables.files import ENDINGS, RawTable, read_table
from core.tables.nouns import TableSpec, spec_from_record, spec_record
from core.tables.popularity import BUCKETS, UNKNOWN_POPULARITY, assign_buckets, find_cuts
from core.tables.proposal import Proposal, propose
from core.tables.world import EntityTable, Tables
from eval.environment import EnvironmentSources, open_environments
from store.corpus import tables as stored
from store.corpus.tables import StoredTable
from store.engine.database import Database
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.release.uploads import Upload
from workbench.roles import requires

SPECS = "tables.json"
"""File of a folder that corrects proposed specs: {table name: {field of the spec: value}}; `types` = {column: type}."""
MAX_LOADED_TABLES = 24
"""Maximum number of tables whose rows stay in memory."""


class TableDraft(NamedTuple):
    """A file that was read but is not saved yet."""

    file: str
    raw: RawTable
    proposal: Proposal


class ColumnFacts(NamedTuple):
    """Facts about a column that help a person to correct its spec."""

    different: int
    """Number of different values."""
    missing: int
    first_values: str


class TableCard(NamedTuple):
    """A table in use."""

    stored: StoredTable
    snapshots: int
    """Number of snapshots kept under the table's name."""
    accepted_from: int
    """Number of accepted items made from this snapshot."""


@dataclass(frozen=True, slots=True)
class SavedTable:
    """The result of saving a table."""

    card: TableCard
    is_new: bool
    notes: Sequence[str]
    """Remarks on the table, in sentences."""
    replaced: str | None
    """Hash of the replaced snapshot; None = a new table."""
    items_on_replaced: int
    """Number of accepted items made from the replaced snapshot."""


class PopularityBucket(NamedTuple):
    """Rows with a similar popularity."""

    bucket: str
    rows: int
    share: float | None
    """Share of the table's rows, 0..1."""
    mass: float | None
    """Share of the total popularity, 0..1."""
    examples: Sequence[str]
    """Names of the most popular rows in the bucket."""


class PopularitySpread(NamedTuple):
    """The current rows by bucket."""

    tail: float
    """Highest popularity in the tail."""
    torso: float
    """Highest popularity in the torso."""
    rows: int
    buckets: Sequence[PopularityBucket]


class FunctionCard(NamedTuple):
    """A function that queries a table."""

    name: str
    words: str
    """Description of the function as in a prompt."""
    parameters: Sequence[Parameter]


class TableStage:
    """Verbs on tables."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(threads=2)
        self._loaded: OrderedDict[str, EntityTable] = OrderedDict()

    def endings(self) -> list[str]:
        """Return the endings of files of rows."""
        return list(ENDINGS)

    @requires("change the corpus", is_logged=False)
    def take(self, files: Sequence[Upload]) -> str:
        """Store uploaded files; return the name to pass to `load_drafts`."""
        held, name = [(upload.name, upload.data.read()) for upload in files], new_id()
        self._cache.get(("drafts", name), lambda: self._read_uploads(held), 0.0, keeps_errors=True)
        return name

    @requires("change the corpus", is_logged=False)
    def load_drafts(self, name: str) -> RunningWork[list[TableDraft]]:
        """Load the tables of the files uploaded under that name, each with its proposed spec. Raises BenchError on unreadable
        files, or on files that are no longer held."""
        return self._recall(("drafts", name), "These files are no longer kept: choose them again.")

    def list_facts(self, draft: TableDraft) -> dict[str, ColumnFacts]:
        """Return column of a draft -> facts that help to correct its spec."""
        facts = {}
        for column, cells in draft.raw.columns.items():
            values = [cell for cell in cells if cell is not None]
            first = [cell for cell in cells[:200] if cell is not None][:3]
            texts = [text if len(text) <= 40 else f"{text[:40]}..." for text in map(as_text, first)]
            facts[column] = ColumnFacts(len(set(map(str, values))), len(cells) - len(values), " · ".join(texts))
        return facts

    @requires("change the corpus", lambda arguments: "tables added")
    def save(self, drafts: Sequence[TableDraft], records: Sequence[Mapping[str, Any]]) -> str:
        """Save the drafts under the specs of these records, all of them or none; returns the name to pass to `load_saved`."""
        tables = [(draft.raw, draft.file, record) for draft, record in zip(drafts, records, strict=True)]
        name = new_id()
        self._cache.get(("saved", name), lambda: self._save(tables), 0.0, keeps_errors=True)
        return name

    def load_saved(self, name: str) -> RunningWork[list[SavedTable]]:
        """Return the outcome for each table. Raises BenchError with all reasons that refuse a table."""
        return self._recall(("saved", name), "What was saved is not known any more: look at the list of tables.")

    @requires("change the corpus", lambda arguments: "tables added")
    def add(self, paths: Iterable[Path], settings: Mapping[str, Any]) -> list[SavedTable]:
        """Add files, and the files of folders, under the proposed specs, corrected by the folder's tables.json and by the
        settings, which apply to a single file. The notes also report omitted and guessed values."""
        files, corrections = _list_files(paths)
        if not files:
            raise BenchError(f"No table found: give files that end in {', '.join(ENDINGS)}, or a folder of them.")
        if settings and len(files) > 1:
            raise BenchError(
                f"--set applies to one table, but {len(files)} files were given: write a {SPECS} beside the files."
            )
        _check_changes("The --set of the table", settings)
        drafts = self._propose([read_table(path) for path in files], [path.name for path in files])
        changes = [{**corrections.get(draft.raw.name, {}), **settings} for draft in drafts]
        saved = self._save(
            [(d.raw, d.file, _correct(d.proposal.spec, change)) for d, change in zip(drafts, changes, strict=True)]
        )
        return [
            replace(table, notes=[*(draft.raw.notes if change else draft.proposal.notes), *table.notes])
            for table, draft, change in zip(saved, drafts, changes, strict=True)
        ]

    @requires("change the corpus", "name")
    def correct(self, name: str, record: Mapping[str, Any]) -> SavedTable:
        """Change these fields of a table's spec and apply the spec to the table's rows, as a new snapshot."""
        current = self._load_current(name)
        _check_changes(f"The correction of table {name}", record)
        [saved] = self._save([(raw_table(self._load_table(current.hash)), current.origin, _correct(current.spec, record))])
        if saved.card.stored.name != name:
            stored.retire(self._db, name)
        return saved

    @requires("change the corpus", "name")
    def remove(self, name: str) -> None:
        """Remove a table from use. Snapshots that items were made from remain stored, so that the items stay readable."""
        if not stored.retire(self._db, name):
            raise self._unknown(name)

    def load_samples(self) -> list[SavedTable]:
        """Add the sample world's tables, unless they exist already."""
        return self.add(sorted(path for path in (FOLDER / "tables").iterdir() if path.is_dir()), {})

    def hashes(self) -> dict[str, str]:
        """Return name of each table in use -> hash of its snapshot."""
        return {table.name: table.hash for table in stored.list_tables(self._db)}

    def list_tables(self) -> list[TableCard]:
        """Return the tables in use, by name."""
        return [self._card(table) for table in stored.list_tables(self._db)]

    def is_empty(self) -> bool:
        """Return whether no table is in use."""
        return not self._db.has_any("knowledge_table") or not stored.list_tables(self._db)

    def card(self, name: str) -> TableCard:
        """Return the table in use with that name; raises BenchError when there is none."""
        return self._card(self._load_current(name))

    def rows(self, name: str, limit: int = 20, offset: int = 0) -> list[dict[str, object]]:
        """Return some rows, in order."""
        current = self._load_current(name)
        page = stored.load_page(self._db, current.hash, limit, offset)
        return [dict(zip(current.spec.columns, row, strict=True)) for row in page]

    def popularity(self, name: str) -> RunningWork[PopularitySpread]:
        """Count the rows by popularity. Raises BenchError when the table has no such column."""
        current = self._load_current(name)
        if not current.spec.popularity:
            raise BenchError(f"Table {name} has no popularity column, so its rows have no popularity: name one in its spec.")
        return self._cache.get(("popularity", current.hash), lambda: _spread_popularity(self._load_table(current.hash)))

    def world(self) -> RunningWork[Tables]:
        """Return the tables in use, with their rows."""
        hashes = tuple(self.hashes().values())
        return self._cache.get(("world", hashes), lambda: self.tables(hashes))

    def tables(self, hashes: Iterable[str] | None = None) -> Tables:
        """Return the tables in use, or those snapshots. Raises BenchError on a snapshot that is missing."""
        return Tables([self._load_table(hash) for hash in (self.hashes().values() if hashes is None else hashes)])

    def functions(self, name: str, world: Tables) -> list[FunctionCard]:
        """Return the functions of a table."""
        registry = self.registry(world)
        names = [function.name for function in list_functions(world, name)]
        return [
            FunctionCard(function_name, Registry([registry[function_name]]).as_prompt(), registry[function_name].parameters)
            for function_name in names
        ]

    def call(self, world: Tables, function: str, arguments: Mapping[str, Any], now: str | None = None) -> Observation:
        """Return the observation that a system gets from that call."""
        return self.registry(world, now).call(function, arguments)

    def registry(self, world: Tables, now: str | None = None, language: str = "en") -> Registry:
        """Return the functions of all tables, opened for one question."""
        return open_environments(["tables"], EnvironmentSources(tables=world), now, language)

    def _recall(self, key: tuple[str, str], if_unknown: str) -> RunningWork[Any]:
        """Return the work of that key. Raises BenchError with the work's error, or when the key is no longer known."""

        def refuse() -> None:
            raise BenchError(if_unknown)

        return self._cache.get(key, refuse, keeps_errors=True)

    def _save(self, tables: Sequence[tuple[RawTable, str, Mapping[str, Any]]]) -> list[SavedTable]:
        in_use = stored.list_tables(self._db)
        keys = {table.name: table.spec.key for table in in_use}
        keys |= {str(record.get("name")): str(record.get("key") or "") for _, _, record in tables}
        specs = [_lead_to_keys(spec_from_record(record), keys) for _, _, record in tables]
        names = [spec.name for spec in specs]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BenchError(f"Two tables are called {', '.join(twice)}: give one of them another name.")
        others = [self._load_table(table.hash) for table in in_use if table.name not in names]
        new = [convert_rows(spec, raw) for spec, (raw, *_) in zip(specs, tables, strict=True)]
        checked = [check_relations(table, [*others, *new]) for table in new]
        saved = []
        for (_, origin, _), check in zip(tables, checked, strict=True):
            put = stored.put(self._db, check.table.spec, check.table.rows, origin)
            old = put.replaced.hash if put.replaced else None
            on_old = stored.count_accepted_from(self._db, old) if old else 0
            saved.append(SavedTable(self._card(put.stored), put.is_new, check.said, old, on_old))
        return saved

    def _read_uploads(self, held: Sequence[tuple[str, bytes]]) -> list[TableDraft]:
        raws, names = [], [Path(name).name for name, _ in held]
        for name, (_, data) in zip(names, held, strict=True):
            with tempfile.NamedTemporaryFile() as file:
                file.write(data)
                file.flush()
                raws.append(read_table(Path(file.name), name))
        return self._propose(raws, names)

    def _propose(self, raws: Sequence[RawTable], files: Sequence[str]) -> list[TableDraft]:
        """Propose specs that refer to the tables in use and to one another: tables of entities are described first."""
        names = {raw.name for raw in raws}
        others = [self._load_table(table.hash) for table in stored.list_tables(self._db) if table.name not in names]
        for raw, spec in [(raw, propose(raw).spec) for raw in raws]:
            try:
                others.append(convert_rows(spec, raw))
            except BenchError:  # a person corrects the table; until then no relation leads to it
                continue
        return [TableDraft(file, raw, propose(raw, others)) for raw, file in zip(raws, files, strict=True)]

    def _card(self, table: StoredTable) -> TableCard:
        snapshots = len(stored.list_snapshots(self._db, table.name))
        return TableCard(table, snapshots, stored.count_accepted_from(self._db, table.hash))

    def _load_current(self, name: str) -> StoredTable:
        table = stored.load_current(self._db, name)
        if table is None:
            raise self._unknown(name)
        return table

    def _unknown(self, name: str) -> BenchError:
        names = ", ".join(table.name for table in stored.list_tables(self._db)) or "none"
        return BenchError(f"No table {name} is in use: there are {names}.")

    def _load_table(self, hash: str) -> EntityTable:
        if hash not in self._loaded:
            self._loaded[hash] = stored.load(self._db, hash)
            while len(self._loaded) > MAX_LOADED_TABLES:
                self._loaded.popitem(last=False)
        return self._loaded[hash]


def _list_files(paths: Iterable[Path]) -> tuple[list[Path], dict[str, Any]]:
    """List the files of rows, and the settings from tables.json of each folder."""
    files: list[Path] = []
    corrections: dict[str, Any] = {}
    for path in paths:
        if not path.exists():
            raise BenchError(f"{path} does not exist: give the path of a file or folder that does.")
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        files += [file for file in inside if file.suffix.lower() in ENDINGS or not path.is_dir()]
        specs = path / SPECS
        if path.is_dir() and specs.exists():
            changes = read_json(specs, str(specs), "look at its rights", "save it as UTF-8", "mend it, or take it away")
            if not isinstance(changes, dict) or not all(isinstance(value, dict) for value in changes.values()):
                raise BenchError(f"{specs} is not an object of specs: write {{table name: {{field: value}}}}.")
            for name, change in changes.items():
                _check_changes(f"Table {name} in {specs}", change)
            corrections |= changes
    return files, corrections


def read_json(file: Path, name: str, if_unreadable: str, if_not_utf8: str = "", if_not_json: str = "") -> Json:
    """Return the parsed content of the file. Raises BenchError with `name` and advice; `if_unreadable` is the default
    advice."""
    try:
        content: Json = strict_json(file.read_text(encoding="utf-8"))
        return content
    except OSError as error:
        raise BenchError(f"{name} cannot be read ({error.strerror or error}): {if_unreadable}.") from error
    except UnicodeDecodeError as error:
        raise BenchError(f"{name} is not UTF-8 at its byte {error.start + 1:,}: {if_not_utf8 or if_unreadable}.") from error
    except ValueError as error:
        raise BenchError(f"{name} {error}: {if_not_json or if_unreadable}.") from error


def _check_changes(where: str, changes: Mapping[str, Any]) -> None:
    """Raise BenchError on a field of another type."""
    try:
        check_shape(changes, CorrectionShape)
        check_shape({key: value for key, value in changes.items() if key.startswith("types.")}, dict[str, str])
    except ValueError as error:
        raise BenchError(f"{where} {error}: correct the file.") from error


def _correct(spec: TableSpec, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a spec's record with the changes; `types` changes the types of single columns, `types.COLUMN` the type of one
    column."""
    record = spec_record(spec)
    types = dict(changes.get("types") or {})
    types |= {key.partition(".")[2]: value for key, value in changes.items() if key.startswith("types.")}
    plain = {key: value for key, value in changes.items() if key != "types" and not key.startswith("types.")}
    return {**record, **plain, "columns": {**(plain.get("columns") or record["columns"]), **types}}


def _lead_to_keys(spec: TableSpec, keys: Mapping[str, str]) -> TableSpec:
    """Point relations without a named column to the other table's key."""
    return replace(spec, relations=tuple(replace(r, to_column=r.to_column or keys.get(r.to, "")) for r in spec.relations))


def _spread_popularity(table: EntityTable) -> PopularitySpread:
    spec, places = table.spec, table.as_of()
    cells = [table.cell(place, spec.popularity) for place in places]
    bucket_of, cut = assign_buckets(cells), find_cuts(cells)
    numbers = [UNKNOWN_POPULARITY if cell is None else cell for cell in cells]
    total, label = sum(numbers), spec.label or spec.key
    spread = []
    for bucket in BUCKETS:
        inside = sorted((i for i, other in enumerate(bucket_of) if other == bucket), key=lambda i: -numbers[i])
        share = len(inside) / len(places) if places else None
        mass = sum(numbers[i] for i in inside) / total if total else None
        examples = [str(table.cell(places[i], label)) for i in inside[:3]]
        spread.append(PopularityBucket(bucket, len(inside), share, mass, examples))
    return PopularitySpread(cut.tail, cut.torso, len(places), spread)
