"""Tables of entities: files come in with a proposed spec that a person corrects; what is in use is looked at and asked here.
Other stages have the tables in use, or those that items were made from, as one world."""

import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from builders.drafting.samples import FOLDER
from core.errors import BenchError
from core.functions.functions import Observation, Registry, as_text
from core.ids import new_id
from core.json_lines import strict_json
from core.shapes import CorrectionShape, check_shape
from core.tables.checks import check_relations, convert_rows, raw_of
from core.tables.default_functions import functions_of
from core.tables.distractors import Among, mix_distractors
from core.tables.files import ENDINGS, RawTable, read_table
from core.tables.nouns import TableSpec, spec_from_record, spec_record
from core.tables.popularity import BUCKETS, UNKNOWN, buckets, cuts
from core.tables.proposal import Proposal, propose
from core.tables.world import EntityTable, Tables
from eval.environment import EnvironmentSources, open_environments
from store.corpus import tables as stored
from store.corpus.tables import Stored
from store.engine.database import Database
from workbench.kept import BackgroundCache, RunningWork
from workbench.release.uploads import Upload
from workbench.roles import act

SPECS = "tables.json"
"""The file of a folder that corrects proposals: {table name: {field of the spec: value}}; `types` = {column: type}."""
_PREVIEW = 20
_WAITING = 4
"""Uploads whose files stay in memory."""
_TABLES = 24
"""Tables whose rows stay in memory."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A file that was read and is not kept yet."""

    file: str
    raw: RawTable
    proposal: Proposal


class TableStage:
    """Verbs on tables."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(threads=2)
        self._files: OrderedDict[str, Callable[[], list[Draft]]] = OrderedDict()
        self._saving: OrderedDict[str, Callable[[], list[dict[str, Any]]]] = OrderedDict()
        self._loaded: OrderedDict[str, EntityTable] = OrderedDict()

    def endings(self) -> list[str]:
        """Endings of files of rows."""
        return list(ENDINGS)

    @act("change the corpus", is_logged=False)
    def take(self, files: Sequence[Upload]) -> str:
        """Take uploaded files in to be read; returns the name to ask `drafts` for."""
        held = [(upload.name, upload.data.read()) for upload in files]
        name = new_id()
        self._files[name] = lambda: self._read_uploads(held)
        while len(self._files) > _WAITING:
            self._files.popitem(last=False)
        return name

    @act("change the corpus", is_logged=False)
    def drafts(self, name: str) -> RunningWork[list[Draft]]:
        """What the files that were taken in under that name hold, each with its proposal. Raises BenchError on files that
        cannot be read, or are not held any more."""
        if name not in self._files:
            raise BenchError("These files are not held any more: choose them again.")
        return self._kept.get(("drafts", name), self._files[name])

    def proposed(self, draft: Draft) -> dict[str, Any]:
        """The record of the spec that is proposed."""
        return spec_record(draft.proposal.spec)

    def facts(self, draft: Draft) -> dict[str, dict[str, Any]]:
        """What is shown beside each column of a draft: how many values differ, how many are missing, and the first ones."""
        return {
            column: {
                "Different": len(set(map(str, (cell for cell in cells if cell is not None)))),
                "Missing": sum(cell is None for cell in cells),
                "First values": _first([cell for cell in cells[:200] if cell is not None]),
            }
            for column, cells in draft.raw.columns.items()
        }

    @act("change the corpus", lambda given: "tables added")
    def save(self, drafts: Sequence[Draft], records: Sequence[Mapping[str, Any]]) -> str:
        """Keep the drafts under the specs of these records, all of them or none; returns the name to ask `saved` for."""
        name, wanted = new_id(), list(zip(drafts, records, strict=True))
        self._saving[name] = lambda: self._save([(draft.raw, draft.file, dict(record)) for draft, record in wanted])
        while len(self._saving) > _WAITING:
            self._saving.popitem(last=False)
        return name

    def saved(self, name: str) -> RunningWork[list[dict[str, Any]]]:
        """What became of them: for each its card, whether it is new, what is to be said of it, and how many items stand on the
        snapshot that it replaced. Raises BenchError with all that refuses one."""
        if name not in self._saving:
            raise BenchError("What was saved is not known any more: look at the list of tables.")
        return self._kept.get(("saved", name), self._saving[name])

    @act("change the corpus", lambda given: "tables added")
    def add(self, paths: Iterable[Path], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Files, and the files of folders, as `saved` tells them, with what was left out or guessed: under the specs that are
        proposed, corrected by the folder's tables.json and by the settings, which are for a single file."""
        files, corrected = _listed(paths)
        if not files:
            raise BenchError(f"No table there: give files that end in {', '.join(ENDINGS)}, or a folder of them.")
        if settings and len(files) > 1:
            raise BenchError(f"Settings are for one table and {len(files)} were given: write a {SPECS} beside the files.")
        _check_changes("The --set of the table", settings)
        drafts = self._proposed([read_table(path) for path in files], [path.name for path in files])
        changes = [{**corrected.get(draft.raw.name, {}), **settings} for draft in drafts]
        saved = self._save(
            [
                (draft.raw, draft.file, _corrected(spec_record(draft.proposal.spec), change))
                for draft, change in zip(drafts, changes, strict=True)
            ]
        )
        return [
            {**one, "said": [*(draft.raw.notes if change else draft.proposal.notes), *one["said"]]}
            for one, draft, change in zip(saved, drafts, changes, strict=True)
        ]

    @act("change the corpus", "name")
    def correct(self, name: str, record: Mapping[str, Any]) -> dict[str, Any]:
        """Put a table's rows under its spec with these fields changed: a new snapshot, as `saved` tells it."""
        found = self._current(name)
        _check_changes(f"The correction of table {name}", record)
        changed = _corrected(spec_record(found.spec), record)
        [saved] = self._save([(raw_of(self._load(found.hash)), found.origin, changed)])
        if saved["name"] != name:
            stored.retire(self._db, name)
        return saved

    @act("change the corpus", "name")
    def remove(self, name: str) -> None:
        """Take a table out of use. Snapshots that items were made from stay, so that the items can be looked at again."""
        if not stored.retire(self._db, name):
            raise BenchError(
                f"No table {name} is in use: there are {', '.join(s.name for s in stored.list_tables(self._db)) or 'none'}."
            )

    def load_samples(self) -> list[dict[str, Any]]:
        """The sample world's tables, unless they are there."""
        return self.add(sorted(path for path in (FOLDER / "tables").iterdir() if path.is_dir()), {})

    def hashes(self) -> dict[str, str]:
        """The snapshot in use of each table, by name."""
        return {found.name: found.hash for found in stored.list_tables(self._db)}

    def every(self) -> list[dict[str, Any]]:
        """The card of each table in use, see `card`."""
        return [self.card(found.name) for found in stored.list_tables(self._db)]

    def is_empty(self) -> bool:
        """Whether no table is in use."""
        return not self._db.has_any("knowledge_table") or not stored.list_tables(self._db)

    def card(self, name: str) -> dict[str, Any]:
        """The spec's record, with hash, data (the rows' own hash), rows, origin, added_at, how many snapshots are kept under
        the name, and how many accepted items were made from this one."""
        found = self._current(name)
        return {
            **spec_record(found.spec),
            **_told(found),
            "snapshots": len(stored.snapshots(self._db, name)),
            "accepted_from": stored.accepted_from(self._db, found.hash),
        }

    def rows(self, name: str, limit: int = _PREVIEW, offset: int = 0) -> list[dict[str, Any]]:
        """Some rows, in order."""
        found = self._current(name)
        return [dict(zip(found.spec.columns, row, strict=True)) for row in stored.page(self._db, found.hash, limit, offset)]

    def popularity(self, name: str) -> RunningWork[dict[str, Any]]:
        """{"tail", "torso": the cuts, "rows", "buckets": [{"bucket", "rows", "share": of the rows, "mass": of the popularity,
        "examples"}]}. Raises BenchError when the table has no such column."""
        found = self._current(name)
        if not found.spec.popularity:
            raise BenchError(f"Table {name} has no popularity column, so its rows are in no bucket: name one in its spec.")
        return self._kept.get(("popularity", found.hash), lambda: _bucketed(self._load(found.hash)))

    def world(self) -> RunningWork[Tables]:
        """The tables in use, with their rows."""
        hashes = tuple(found.hash for found in stored.list_tables(self._db))
        return self._kept.get(("world", hashes), lambda: self.tables(hashes))

    def tables(self, hashes: Iterable[str] | None = None) -> Tables:
        """The tables in use, or those snapshots. Raises BenchError on one that is not here."""
        wanted = [found.hash for found in stored.list_tables(self._db)] if hashes is None else list(hashes)
        return Tables([self._load(hash) for hash in wanted])

    def functions(self, name: str, world: Tables) -> list[dict[str, Any]]:
        """Each function of a table: {"name", "kind", "relation", "words": as a prompt has them, "parameters": [{"name", "type",
        "required", "choices"}]}."""
        registry = self.registry(world)
        return [
            {
                "name": one.name,
                "kind": one.kind,
                "relation": one.relation,
                "words": Registry([registry[one.name]]).as_prompt(),
                "parameters": [
                    {"name": p.name, "type": p.type, "required": p.required, "choices": list(p.choices)}
                    for p in registry[one.name].parameters
                ],
            }
            for one in functions_of(world, name)
        ]

    def call(self, world: Tables, function: str, arguments: Mapping[str, Any], now: str | None = None) -> Observation:
        """What a system would see of that call."""
        return self.registry(world, now).call(function, arguments)

    def registry(self, world: Tables, now: str | None = None, language: str = "en") -> Registry:
        """The functions of all tables, opened for one question."""
        return open_environments(["tables"], EnvironmentSources(tables=world), now, language)

    def among(self, world: Tables, subjects: Mapping[str, Iterable[Any]], *, others: int, nearest: int, seed: int) -> Among:
        """As core.tables.distractors tells it."""
        return mix_distractors(world, subjects, others=others, nearest=nearest, seed=seed)

    def close(self) -> None:
        """Wait for what is under way."""
        self._kept.close()

    def _save(self, wanted: Sequence[tuple[RawTable, str, dict[str, Any]]]) -> list[dict[str, Any]]:
        keys = {found.name: found.spec.key for found in stored.list_tables(self._db)}
        keys |= {str(record.get("name")): str(record.get("key") or "") for _, _, record in wanted}
        specs = [_to_keys(spec_from_record(record), keys) for _, _, record in wanted]
        names = [spec.name for spec in specs]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BenchError(f"Two tables are called {', '.join(twice)}: give one of them another name.")
        others = [self._load(found.hash) for found in stored.list_tables(self._db) if found.name not in names]
        new = [convert_rows(spec, raw) for spec, (raw, *_) in zip(specs, wanted, strict=True)]
        checked = [check_relations(table, [*others, *new]) for table in new]
        saved = []
        for (_, origin, _), found in zip(wanted, checked, strict=True):
            put = stored.put(self._db, found.table.spec, found.table.rows, origin)
            stands = stored.accepted_from(self._db, put.replaced.hash) if put.replaced else 0
            saved.append(
                {
                    **self.card(put.stored.name),
                    "is_new": put.is_new,
                    "said": list(found.said),
                    "replaced": put.replaced.hash if put.replaced else None,
                    "items_on_replaced": stands,
                }
            )
        return saved

    def _read_uploads(self, held: Sequence[tuple[str, bytes]]) -> list[Draft]:
        raws, names = [], []
        for name, data in held:
            with tempfile.NamedTemporaryFile() as file:
                file.write(data)
                file.flush()
                raws.append(read_table(Path(file.name), Path(name).name))
                names.append(Path(name).name)
        return self._proposed(raws, names)

    def _proposed(self, raws: Sequence[RawTable], files: Sequence[str]) -> list[Draft]:
        """Proposals that know of the tables in use and of one another: tables of entities are described first."""
        names = {raw.name for raw in raws}
        others = [self._load(found.hash) for found in stored.list_tables(self._db) if found.name not in names]
        first = [propose(raw).spec for raw in raws]
        known = []
        for raw, spec in zip(raws, first, strict=True):
            try:
                known.append(convert_rows(spec, raw))
            except BenchError:  # a person corrects it; nothing leads there until then
                continue
        return [Draft(file, raw, propose(raw, [*others, *known])) for raw, file in zip(raws, files, strict=True)]

    def _current(self, name: str) -> Stored:
        found = stored.load_current(self._db, name)
        if found is None:
            raise BenchError(
                f"No table {name} is in use: there are {', '.join(s.name for s in stored.list_tables(self._db)) or 'none'}."
            )
        return found

    def _load(self, hash: str) -> EntityTable:
        if hash not in self._loaded:
            self._loaded[hash] = stored.load(self._db, hash)
            while len(self._loaded) > _TABLES:
                self._loaded.popitem(last=False)
        return self._loaded[hash]


def _listed(paths: Iterable[Path]) -> tuple[list[Path], dict[str, Any]]:
    """The files of rows, and what tables.json of each folder says."""
    files: list[Path] = []
    corrected: dict[str, Any] = {}
    for path in paths:
        if not path.exists():
            raise BenchError(f"{path} does not exist: give the path of a file or folder that does.")
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        files += [file for file in inside if file.suffix.lower() in ENDINGS or not path.is_dir()]
        if path.is_dir() and (path / SPECS).exists():
            try:
                found = strict_json((path / SPECS).read_text(encoding="utf-8"))
            except OSError as error:
                raise BenchError(f"{path / SPECS} cannot be read ({error.strerror or error}): look at its rights.") from error
            except UnicodeDecodeError as error:
                raise BenchError(f"{path / SPECS} is not UTF-8 at its byte {error.start + 1:,}: save it as UTF-8.") from error
            except ValueError as error:
                raise BenchError(f"{path / SPECS} {error}: mend it, or take it away.") from error
            if not isinstance(found, dict) or not all(isinstance(value, dict) for value in found.values()):
                raise BenchError(f"{path / SPECS} is no object of specs: write {{table name: {{field: value}}}}.")
            for name, changes in found.items():
                _check_changes(f"Table {name} in {path / SPECS}", changes)
            corrected |= found
    return files, corrected


def _check_changes(where: str, changes: Mapping[str, Any]) -> None:
    """Raises BenchError on a field of another type."""
    try:
        check_shape(changes, CorrectionShape)
        check_shape({key: value for key, value in changes.items() if key.startswith("types.")}, dict[str, str])
    except ValueError as error:
        raise BenchError(f"{where} {error}: mend it there.") from error


def _corrected(record: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A spec's record with changes; `types` changes the types of single columns, `types.COLUMN` that of one."""
    types = dict(changes.get("types") or {})
    types |= {key.partition(".")[2]: value for key, value in changes.items() if key.startswith("types.")}
    plain = {key: value for key, value in changes.items() if key != "types" and not key.startswith("types.")}
    return {**record, **plain, "columns": {**(plain.get("columns") or record["columns"]), **types}}


def _first(cells: Sequence[Any]) -> str:
    shown = [text if len(text) <= 40 else f"{text[:40]}..." for text in map(as_text, cells[:3])]
    return " · ".join(shown)


def _to_keys(spec: TableSpec, keys: Mapping[str, str]) -> TableSpec:
    """Relations that name no column lead to the other table's key."""
    return replace(spec, relations=tuple(replace(r, to_column=r.to_column or keys.get(r.to, "")) for r in spec.relations))


def _told(found: Stored) -> dict[str, Any]:
    return {"hash": found.hash, "data": found.data, "rows": found.rows, "origin": found.origin, "added_at": found.added_at}


def _bucketed(table: EntityTable) -> dict[str, Any]:
    """The rows that stand today, by bucket."""
    spec, places = table.spec, table.as_of()
    cells = [table.cell(place, spec.popularity) for place in places]
    found, cut = buckets(cells), cuts(cells)
    numbers = [UNKNOWN if cell is None else cell for cell in cells]
    label = spec.label or spec.key
    told = []
    for bucket in BUCKETS:
        inside = sorted((i for i, one in enumerate(found) if one == bucket), key=lambda i: -numbers[i])
        told.append(
            {
                "bucket": bucket,
                "rows": len(inside),
                "share": len(inside) / len(places) if places else None,
                "mass": sum(numbers[i] for i in inside) / sum(numbers) if sum(numbers) else None,
                "examples": [str(table.cell(places[i], label)) for i in inside[:3]],
            }
        )
    return {"tail": cut.tail, "torso": cut.torso, "rows": len(places), "buckets": told}
