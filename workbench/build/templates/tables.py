"""Manage tables of entities, from which template questions are made. An uploaded file is read with a proposed specification,
which a person can correct. Tables in use can be read and queried. The rest of the program gets all tables together as one
object, in their current state or as the snapshots from which items were made."""

import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from builders.drafting.samples import FOLDER
from core.errors import BenchError
from core.functions.functions import Observation, Parameter, Registry, as_text
from core.ids import new_id
from core.tables.checks import check_relations, convert_rows, raw_table
from core.tables.default_functions import list_functions
from core.tables.files import ENDINGS, RawTable, read_table
from core.tables.nouns import TableSpec, spec_from_record
from core.tables.proposal import Proposal, propose
from core.tables.world import EntityTable, Tables
from eval.environment import EnvironmentSources, open_environments
from store.corpus import tables as stored
from store.corpus.tables import StoredTable
from store.engine.database import Database
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.build.templates.popularity import PopularitySpread, spread_popularity
from workbench.build.templates.table_files import SPECS, check_changes, correct_spec, list_files
from workbench.release.uploads import Upload
from workbench.roles import requires

MAX_LOADED_TABLES = 24
"""Maximum number of tables whose rows are cached in memory."""


class TableDraft(NamedTuple):
    """A table that was read from a file but is not saved, with a proposed specification."""

    file: str
    raw: RawTable
    proposal: Proposal


class ColumnFacts(NamedTuple):
    """Numbers and first values of a column, which help a person to correct the table's specification."""

    different: int
    """Number of different values in the column."""
    missing: int
    first_values: str


class TableCard(NamedTuple):
    """A table in use, with the numbers of its snapshots and items."""

    stored: StoredTable
    snapshots: int
    """Number of stored snapshots with this table's name."""
    accepted_from: int
    """Number of accepted items that were made from the current snapshot."""


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table that was saved, and the snapshot that it replaced."""

    card: TableCard
    is_new: bool
    notes: Sequence[str]
    """Sentences about the table that a person should read, for example that the table of a relation is missing."""
    replaced: str | None
    """Hash of the snapshot that was in use before, or None if the table is new."""
    items_on_replaced: int
    """Number of accepted items that were made from the snapshot that was in use before."""


class FunctionCard(NamedTuple):
    """A function by which a RAG system queries a table."""

    name: str
    words: str
    """Description of the function in prompts."""
    parameters: Sequence[Parameter]


class TableStage:
    """Methods that read, save, correct, query and remove tables of entities."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(threads=2)
        self._loaded: OrderedDict[str, EntityTable] = OrderedDict()

    def endings(self) -> list[str]:
        """Return the file name endings of tables that can be read."""
        return list(ENDINGS)

    @requires("change the corpus", is_logged=False)
    def take(self, files: Sequence[Upload]) -> str:
        """Read uploaded files in the background; return a key with which `load_drafts` returns their tables."""
        held, name = [(upload.name, upload.data.read()) for upload in files], new_id()
        self._cache.get(("drafts", name), lambda: self._read_uploads(held), 0.0, keeps_errors=True)
        return name

    @requires("change the corpus", is_logged=False)
    def load_drafts(self, name: str) -> RunningWork[list[TableDraft]]:
        """Return the tables in the files that were given to `take`, each with a proposed specification. Raises BenchError if a
        file cannot be read, or if the key `name` is not known any more."""
        return self._recall(("drafts", name), "These files are no longer kept: choose them again.")

    def list_facts(self, draft: TableDraft) -> dict[str, ColumnFacts]:
        """Return a dict from column of the table to numbers and first values, which help to correct the specification."""
        facts = {}
        for column, cells in draft.raw.columns.items():
            values = [cell for cell in cells if cell is not None]
            first = [cell for cell in cells[:200] if cell is not None][:3]
            texts = [text if len(text) <= 40 else f"{text[:40]}..." for text in map(as_text, first)]
            facts[column] = ColumnFacts(len(set(map(str, values))), len(cells) - len(values), " · ".join(texts))
        return facts

    @requires("change the corpus", lambda arguments: "tables added")
    def save(self, drafts: Sequence[TableDraft], records: Sequence[Mapping[str, Any]]) -> str:
        """Save all tables, or none of them, in the background with the specifications `records`; return a key for
        `load_saved`."""
        tables = [(draft.raw, draft.file, record) for draft, record in zip(drafts, records, strict=True)]
        name = new_id()
        self._cache.get(("saved", name), lambda: self._save(tables), 0.0, keeps_errors=True)
        return name

    def load_saved(self, name: str) -> RunningWork[list[SavedTable]]:
        """Return the tables that `save` stored. Raises BenchError with all reasons for which a table was refused."""
        return self._recall(("saved", name), "Whether this save succeeded is no longer known: look at the list of tables.")

    @requires("change the corpus", lambda arguments: "tables added")
    def add(self, paths: Iterable[Path], settings: Mapping[str, Any]) -> list[SavedTable]:
        """Save the tables in files and folders with proposed specifications. A tables.json in a folder can correct these;
        `settings` correct the specification of a single file. The notes of the result also name values that were left out or
        guessed."""
        files, corrections = list_files(paths)
        if not files:
            raise BenchError(f"No table found: give files that end in {', '.join(ENDINGS)}, or a folder with such files.")
        if settings and len(files) > 1:
            raise BenchError(
                f"--set applies to one table, but {len(files)} files were given: write a {SPECS} beside the files."
            )
        check_changes("The --set of the table", settings)
        drafts = self._propose([read_table(path) for path in files], [path.name for path in files])
        changes = [{**corrections.get(draft.raw.name, {}), **settings} for draft in drafts]
        saved = self._save(
            [(d.raw, d.file, correct_spec(d.proposal.spec, change)) for d, change in zip(drafts, changes, strict=True)]
        )
        return [
            replace(table, notes=[*(draft.raw.notes if change else draft.proposal.notes), *table.notes])
            for table, draft, change in zip(saved, drafts, changes, strict=True)
        ]

    @requires("change the corpus", "name")
    def correct(self, name: str, record: Mapping[str, Any]) -> SavedTable:
        """Change the fields in `record` of a table's specification, convert the table's rows accordingly, and save both as a
        new snapshot."""
        current = self._load_current(name)
        check_changes(f"The correction of table {name}", record)
        [saved] = self._save([(raw_table(self._load_table(current.hash)), current.origin, correct_spec(current.spec, record))])
        if saved.card.stored.name != name:
            stored.retire(self._db, name)
        return saved

    @requires("change the corpus", "name")
    def remove(self, name: str) -> None:
        """Take a table out of use. Snapshots from which items were made stay stored, so that these items can still be read."""
        if not stored.retire(self._db, name):
            raise self._unknown(name)

    def load_samples(self) -> list[SavedTable]:
        """Add the sample tables, unless they are already stored."""
        return self.add(sorted(path for path in (FOLDER / "tables").iterdir() if path.is_dir()), {})

    def hashes(self) -> dict[str, str]:
        """Return a dict from the name of each table in use to the hash of its snapshot."""
        return {table.name: table.hash for table in stored.list_tables(self._db)}

    def list_tables(self) -> list[TableCard]:
        """List the tables in use, sorted by name."""
        return [self._card(table) for table in stored.list_tables(self._db)]

    def is_empty(self) -> bool:
        """Return whether no table is in use."""
        return not self._db.has_any("knowledge_table") or not stored.list_tables(self._db)

    def card(self, name: str) -> TableCard:
        """Return the table in use with this name. Raises BenchError if there is no such table."""
        return self._card(self._load_current(name))

    def rows(self, name: str, limit: int = 20, offset: int = 0) -> list[dict[str, object]]:
        """Return `limit` rows of the table from `offset` on; each row is a dict from column to value."""
        current = self._load_current(name)
        page = stored.load_page(self._db, current.hash, limit, offset)
        return [dict(zip(current.spec.columns, row, strict=True)) for row in page]

    def popularity(self, name: str) -> RunningWork[PopularitySpread]:
        """Count the rows of the table by range of popularity, in the background. Raises BenchError if the table has no column
        for popularity."""
        current = self._load_current(name)
        if not current.spec.popularity:
            raise BenchError(
                f"Table {name} has no popularity column, so its rows have no popularity: set that column in its spec."
            )
        return self._cache.get(("popularity", current.hash), lambda: spread_popularity(self._load_table(current.hash)))

    def world(self) -> RunningWork[Tables]:
        """Load all tables in use with their rows, in the background."""
        hashes = tuple(self.hashes().values())
        return self._cache.get(("world", hashes), lambda: self.tables(hashes))

    def tables(self, hashes: Iterable[str] | None = None) -> Tables:
        """Load all tables in use, or the snapshots with these hashes. Raises BenchError if a snapshot is missing."""
        return Tables([self._load_table(hash) for hash in (self.hashes().values() if hashes is None else hashes)])

    def functions(self, name: str, world: Tables) -> list[FunctionCard]:
        """Return the functions with which a RAG system can query the table `name`."""
        registry = self.registry(world)
        names = [function.name for function in list_functions(world, name)]
        return [
            FunctionCard(function_name, Registry([registry[function_name]]).as_prompt(), registry[function_name].parameters)
            for function_name in names
        ]

    def call(self, world: Tables, function: str, arguments: Mapping[str, Any], now: str | None = None) -> Observation:
        """Call a function of a table; return what a RAG system would get from it."""
        return self.registry(world, now).call(function, arguments)

    def registry(self, world: Tables, now: str | None = None, language: str = "en") -> Registry:
        """Return the functions of all tables, ready for answering one question."""
        return open_environments(["tables"], EnvironmentSources(tables=world), now, language)

    def _recall(self, key: tuple[str, str], if_unknown: str) -> RunningWork[Any]:
        """Return the state of the background work with this key. Raises the error of the work itself, or BenchError with the
        sentence `if_unknown` if the key is not known any more."""

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
        """Propose a specification for each table, with its relations to the other tables and to tables in use. Tables of
        entities come first, because relations lead to them."""
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
        return BenchError(f"No table {name} is in use. The tables in use are: {names}.")

    def _load_table(self, hash: str) -> EntityTable:
        if hash not in self._loaded:
            self._loaded[hash] = stored.load(self._db, hash)
            while len(self._loaded) > MAX_LOADED_TABLES:
                self._loaded.popitem(last=False)
        return self._loaded[hash]


def _lead_to_keys(spec: TableSpec, keys: Mapping[str, str]) -> TableSpec:
    """Return the specification with the key column of the other table in each relation that names no column. `keys` is a dict
    from table to key column."""
    return replace(spec, relations=tuple(replace(r, to_column=r.to_column or keys.get(r.to, "")) for r in spec.relations))
