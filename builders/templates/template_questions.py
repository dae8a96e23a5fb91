"""Make questions from a template over tables. Each question names exactly one entity and has a computed answer. A seed draws
the entities: as many well-known as little-known ones. A season is a frozen set of such questions; a refresh computes their
answers again."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, NamedTuple

from builders.templates.template_answers import answer, as_answer, calls, follow_path, last_rows
from builders.templates.template_duplicates import TemplateQuestionIndex
from builders.templates.templates import Template, check_template, fill_template, template_from_record, template_record
from core.errors import BenchError
from core.ids import content_hash, derived_id
from core.nouns import Item, Provenance
from core.tables.names import normalise_name
from core.tables.nouns import tables_step
from core.tables.popularity import BUCKETS, Bucket, find_cuts
from core.tables.world import TableRow, Tables

TASK_NAME = "template_question"
SEED = 42
MAX_BUCKET_QUESTIONS = 250
"""Maximum number of questions from one template about entities of one popularity (head, torso or tail)."""
_MAX_TRIES = 20
"""Maximum number of values, or of other entities, that are tried for the question about one subject."""
_MAX_NAMINGS = 16
"""Maximum number of ways to name one entity that are tried, if a slot has several values."""
_Sign = tuple[Any, ...]
Owners = dict[tuple[str, tuple[str, ...], str | None], dict[_Sign, set[Any]]]
"""A dict from (table, paths of slots, time) to a dict from the values of these slots to the keys of the entities that have
them."""


class RefusedQuestion(NamedTuple):
    """A template question that was not created, and why."""

    key: Any
    """Key of the table row that the question would be about."""
    question: str
    """Text of the refused question; "" if its placeholders could not be filled."""
    why: str


@dataclass(frozen=True, slots=True)
class TemplateQuestions:
    """The questions that were made from one template, and counts of those that were not."""

    items: tuple[Item, ...]
    candidates: Mapping[str, int]
    """A dict from popularity bucket to its number of possible questions, up to the cap; the bucket is "" if the table has no
    popularity."""
    refused: Mapping[str, int]
    """A dict from reason to the number of subjects without a question for this reason."""
    examples: tuple[RefusedQuestion, ...]
    """The first questions that were refused, as examples."""


@dataclass(frozen=True, slots=True)
class Season:
    """A frozen set of template questions, identified by the hash of its other fields. Only results on one season are
    comparable."""

    seed: int
    templates: Mapping[str, str]
    """A dict from template id to the version of the template."""
    tables: Mapping[str, str]
    """A dict from table name to the hash of the table's snapshot."""
    items: tuple[str, ...]

    @property
    def id(self) -> str:
        return derived_id(self.seed, sorted(self.templates.items()), self.data_hash, *self.items)

    @property
    def n(self) -> int:
        return len(self.items)

    @property
    def data_hash(self) -> str:
        return content_hash(dict(self.tables))

    def record(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "seed": self.seed,
            "n": self.n,
            "templates": dict(self.templates),
            "tables": dict(self.tables),
            "data_hash": self.data_hash,
        }


class RefreshedItem(NamedTuple):
    """An item made from a template, and the same item with its answer computed again."""

    item: Item
    """The item with its answer before the refresh."""
    refreshed: Item | None
    """The item with its new answer, or None if its question is no longer valid."""
    why: str
    """Reason why the item's question is no longer valid, or "" if it still is."""

    @property
    def is_changed(self) -> bool:
        return self.refreshed is None or self.refreshed.answers != self.item.answers


def make(
    tables: Tables,
    template: Template,
    n: int | None = None,
    seed: int = SEED,
    cap: int = MAX_BUCKET_QUESTIONS,
    now: str | None = None,
    examples: int = 20,
    asked: TemplateQuestionIndex | None = None,
    provenance: Provenance | None = None,
    owners: Owners | None = None,
) -> TemplateQuestions:
    """Make at most `n` questions from the template (None = as many as `cap` allows). If the table has a popularity, as many are
    about head as about torso and tail entities. Questions in `asked` are left out, and new ones are added to it. `provenance`
    is the origin of the template's text; `owners` is a cache for several templates over the same tables. Raises BenchError if
    the template does not fit the tables."""
    if cap < 1 or (n is not None and n < 1):
        raise BenchError(f"Template {template.id} was asked for {min(cap, n or cap)} questions: ask for 1 or more.")
    check_template(template, tables)
    asker = _QuestionMaker(tables, template, seed, now, provenance, owners)
    groups, known, own = asker.groups(), asked or TemplateQuestionIndex(), TemplateQuestionIndex()
    share = cap if n is None else min(cap, -(-n // len(groups)))
    refused: Counter[str] = Counter()
    shown: list[RefusedQuestion] = []
    by_template: dict[str, list[Item]] = {}
    for bucket, subjects in groups.items():
        by_template[bucket] = []
        for place in subjects:
            if len(by_template[bucket]) >= share:
                break
            made = asker.question(place, bucket)
            if isinstance(made, Item) and (why := known.why_not(made) or own.why_not(made)):
                made = RefusedQuestion(_step(made, "template")["subjects"][0], made.question, why)
            if isinstance(made, Item):
                by_template[bucket].append(made)
                own.add(made)
            else:
                refused[made.why] += 1
                shown += [made] if len(shown) < examples else []
    each = min(map(len, by_template.values()))
    items = [item for turn in zip(*(group[:each] for group in by_template.values()), strict=True) for item in turn][:n]
    for item in items:
        known.add(item)
    return TemplateQuestions(tuple(items), {b: len(group) for b, group in by_template.items()}, refused, tuple(shown))


def season(items: Sequence[Item], seed: int) -> Season:
    """Return the season made of these items. Raises BenchError if they use several snapshots of one table."""
    templates: dict[str, str] = {}
    hashes: dict[str, str] = {}
    for item in items:
        step = _step(item, "template")
        templates[step["template"]["id"]] = step["version"]
        for name, hash in _step(item, "tables")["tables"].items():
            if hashes.setdefault(name, hash) != hash:
                raise BenchError(f"These questions use several snapshots of table {name}: refresh them to one snapshot first.")
    return Season(seed, templates, hashes, tuple(item.id for item in items))


def templates_of(items: Iterable[Item]) -> dict[str, Mapping[str, Any]]:
    """Return a dict from version to record, of the templates from which the items were made. Raises BenchError if an item was
    not made from a template."""
    return {step["version"]: step["template"] for step in (_step(item, "template") for item in items)}


def refresh(tables: Tables, items: Iterable[Item], now: str | None = None) -> Iterator[RefreshedItem]:
    """Yield the same questions one by one, with their answers computed again from these tables. An item whose rows are
    unchanged stays the same item. Raises BenchError if an item was not made from a template, or if its template does not fit
    the tables."""
    askers: dict[str, _QuestionMaker] = {}
    owners: Owners = {}
    for item in items:
        step = _step(item, "template")
        name = content_hash([step["version"], step["seed"]])
        if name not in askers:
            template = template_from_record(step["template"])
            check_template(template, tables)
            askers[name] = _QuestionMaker(tables, template, int(step["seed"]), now, owners=owners)
        yield askers[name].refresh_item(item, step)


class _QuestionMaker:
    """Makes the questions of one template over some tables, and caches which values identify which entities."""

    def __init__(
        self,
        tables: Tables,
        template: Template,
        seed: int,
        now: str | None,
        provenance: Provenance | None = None,
        owners: Owners | None = None,
    ) -> None:
        self.tables, self.template, self.seed, self.now = tables, template, seed, now
        self._provenance = provenance or Provenance(seed=seed)
        self.table = tables[template.table]
        self._owners: Owners = {} if owners is None else owners
        self._others: list[int] = []
        self._pools: dict[str, list[Any]] = {}
        self._ways_of: dict[str, list[str]] = {}
        self._hashes = {name: tables[name].hash for name in _list_used_tables(tables, template)}
        self._record, self._version = template_record(template), template.version
        self._functions: dict[tuple[str, str], str | None] = {}

    def groups(self) -> dict[Bucket | str, list[int]]:
        """Return a dict from popularity bucket to the positions of its subjects' rows, shuffled by the seed."""
        current_rows, column = list(self.table.as_of(self.now)), self.table.spec.popularity
        by_bucket: dict[Bucket | str, list[int]]
        if column:
            values = [self.table.cell(place, column) for place in current_rows]
            cut = find_cuts(values)
            by_bucket = {bucket: [] for bucket in BUCKETS}
            for place, value in zip(current_rows, values, strict=True):
                by_bucket[cut.bucket(value)].append(place)
        else:
            by_bucket = {"": current_rows}
        for bucket, places in by_bucket.items():
            random.Random(f"{self.seed} {self.template.id} {bucket}").shuffle(places)
        return by_bucket

    def question(self, place: int, bucket: str) -> Item | RefusedQuestion:
        """Return the question about the subject in the row at `place`, or the reason why there is none."""
        rng = random.Random(f"{self.seed} {self.template.id} {place}")
        key = self.table.cell(place, self.table.spec.key)
        row = TableRow(self.template.table, place)
        values, why = self._choose_values(place, "subject", rng)
        if why:
            return RefusedQuestion(key, "", why)
        last = RefusedQuestion(key, "", "no value fills a slot")
        for other, more in self._companions(row, rng):
            for conditions in self._conditions(row, rng):
                rows = [row, *other]
                filled = {**values, **more, **{name: value for name, (_, value) in conditions.items()}}
                columns = dict(conditions.values())
                answered = answer(self.tables, self.template, rows, columns, self.now)
                if not answered.refused:
                    return self.item(rows, filled, columns, answered, bucket)
                last = RefusedQuestion(key, self._words(filled), answered.refused)
        return last

    def refresh_item(self, item: Item, step: Mapping[str, Any]) -> RefreshedItem:
        """Compute the item's answer again; `step` is the item's step with the rows and values that it was made from."""
        subjects = [self.table.find_row(key, self.now) for key in step["subjects"]]
        rows = [TableRow(self.template.table, place) for place in subjects if place is not None]
        if len(rows) < len(subjects):
            return RefreshedItem(item, None, "its entity is no longer in the table")
        for row, of in zip(rows, ("subject", "other"), strict=False):
            names = tuple(_comparison_key(step["values"][name]) for name in self.slots(of))
            if names not in set(self.signs(row.place, of)):
                return RefreshedItem(item, None, "its entity has another name now")
            if self.owners(of)[names] != {step["subjects"][rows.index(row)]}:
                return RefreshedItem(item, None, "two entities fit")
        for name in self.slots("false"):
            held = follow_path(self.tables, rows[0], self.template.slots[name].path, {}, self.now)
            if _comparison_key(step["values"][name]) in map(_comparison_key, held):
                return RefreshedItem(item, None, "its premise is true now")
        answered = answer(self.tables, self.template, rows, dict(step["conditions"]), self.now)
        if answered.refused:
            return RefreshedItem(item, None, answered.refused)
        self._provenance = item.provenance
        bucket = str(item.labels.get("popularity", ""))
        return RefreshedItem(item, self.item(rows, step["values"], step["conditions"], answered, bucket), "")

    def item(
        self, rows: Sequence[TableRow], values: Mapping[str, Any], conditions: Mapping[str, Any], answered: Any, bucket: str
    ) -> Item:
        """Build the item of a template question, with the rows and values that it is made from. Its id is derived from these,
        so the same question on the same rows is the same item."""
        template, keys = self.template, [self.table.cell(row.place, self.table.spec.key) for row in rows]
        version, chain = self._version, calls(self.tables, template, rows, self.now, self._functions)
        labels: dict[str, Any] = {
            "question_type": "set" if answered.is_set else template.kind,
            "template": template.id,
            "template_version": version,
            "difficulty": "easy" if len(chain) == 1 else "hard",
            "calls": len(chain),
        }
        labels |= {"popularity": bucket} if bucket else {}
        labels |= {"static_or_dynamic": template.dynamism} if template.dynamism else {}
        labels |= {"answer_set": [as_answer(value, template.language) for value in answered.values]} if answered.is_set else {}
        about = {
            "kind": "template",
            "template": self._record,
            "version": version,
            "subjects": keys,
            "values": dict(values),
            "conditions": dict(conditions),
            "seed": self.seed,
            "now": self.now,
        }
        drawn = sorted((name, str(value)) for name, value in values.items())
        return Item(
            id=derived_id(TASK_NAME, version, keys, drawn, self._hashes, self.now),
            task=TASK_NAME,
            question=self._words(values),
            answers=(answered.text,),
            level=template.level,
            domain=template.domain,
            language=template.language,
            labels=labels,
            steps=(
                tables_step(self._hashes),
                about,
                *chain,
                {"kind": "answer", "how": template.measure or template.kind, "values": list(answered.values)},
            ),
            provenance=self._provenance,
        )

    def slots(self, of: str) -> list[str]:
        return [name for name, slot in self.template.slots.items() if slot.of == of]

    def signs(self, place: int, of: str) -> Iterator[_Sign]:
        """Yield the combinations of slot values that name the row at `place`, in the form in which values are compared."""
        return (tuple(map(_comparison_key, way)) for way in self._ways(place, of))

    def owners(self, of: str) -> Mapping[_Sign, set[Any]]:
        """Return a dict from a combination of slot values to the keys of the entities that it names."""
        kind = self.template.table, tuple(self._paths(of)), self.now
        if kind not in self._owners:
            owners: dict[_Sign, set[Any]] = {}
            for place in self.table.as_of(self.now):
                key = self.table.cell(place, self.table.spec.key)
                for sign in self.signs(place, of):
                    owners.setdefault(sign, set()).add(key)
            self._owners[kind] = owners
        return self._owners[kind]

    def _ways(self, place: int, of: str) -> Iterator[_Sign]:
        row, columns = TableRow(self.template.table, place), self.table.spec.columns
        each = []
        for path in self._paths(of):
            if columns.get(path, "list") != "list":  # the usual case: a single cell
                cell = self.table.cell(place, path)
                each.append([cell] if cell is not None and str(cell).strip() else [])
                continue
            values = follow_path(self.tables, row, path, {}, self.now)
            each.append([value for value in dict.fromkeys(values) if str(value).strip()])
        return islice(product(*each), _MAX_NAMINGS)

    def _paths(self, of: str) -> list[str]:
        if of not in self._ways_of:
            self._ways_of[of] = [self.template.slots[name].path for name in self.slots(of)]
        return self._ways_of[of]

    def _choose_values(self, place: int, of: str, rng: random.Random) -> tuple[dict[str, Any], str]:
        """Return (a dict from slot to a value, together naming only the row at `place`; ""), or ({}, the reason why there is
        none)."""
        ways = list(self._ways(place, of))
        if not ways:
            return {}, "no value fills a slot"
        owners = self.owners(of)
        alone = [way for way in ways if len(owners[tuple(map(_comparison_key, way))]) == 1]
        if not alone:
            return {}, "two entities fit"
        return dict(zip(self.slots(of), alone[rng.randrange(len(alone))] if len(alone) > 1 else alone[0], strict=True)), ""

    def _companions(self, row: TableRow, rng: random.Random) -> Iterator[tuple[list[TableRow], dict[str, Any]]]:
        """Yield each addition that the question's subject needs, as (more rows, values of the template's slots). A comparison
        needs another entity, a false premise a false value; other questions get one empty addition."""
        if self.slots("other"):
            if not self._others:
                self._others = list(self.table.as_of(self.now))
            for _ in range(_MAX_TRIES):
                other = self._others[rng.randrange(len(self._others))]
                values, why = self._choose_values(other, "other", rng)
                if other != row.place and not why:
                    yield [TableRow(row.table, other)], values
        elif self.slots("false"):
            values = {name: self._draw_untrue_value(row, self.template.slots[name].path, rng) for name in self.slots("false")}
            if all(value is not None for value in values.values()):
                yield [], values
        else:
            yield [], {}

    def _draw_untrue_value(self, row: TableRow, path: str, rng: random.Random) -> Any:
        """Return a random value that other rows have at the path and this row does not. None if there is none, or if this row's
        value is unknown, because the other value might then be true."""
        if path not in self._pools:
            every = (
                follow_path(self.tables, TableRow(row.table, place), path, {}, self.now) for place in self.table.as_of(self.now)
            )
            candidates: dict[Any, Any] = {}
            for values in every:
                candidates.update((_comparison_key(value), value) for value in values)
            self._pools[path] = list(candidates.values())
        held = {_comparison_key(value) for value in follow_path(self.tables, row, path, {}, self.now)}
        pool = self._pools[path]
        tries = _MAX_TRIES if pool and held else 0
        drawn = (pool[rng.randrange(len(pool))] for _ in range(tries))
        return next((value for value in drawn if _comparison_key(value) not in held), None)

    def _conditions(self, row: TableRow, rng: random.Random) -> Iterator[dict[str, tuple[str, Any]]]:
        """Yield dicts from slot to (column, value that the rows at the end of the answer path must have); all conditions of one
        dict come from the same row."""
        names = self.slots("condition")
        if not names:
            yield {}
            return
        ends = last_rows(self.tables, row, self._end(), self.now)
        for end in rng.sample(ends, min(_MAX_TRIES, len(ends))):
            drawn = {}
            for name in names:
                column = self.template.slots[name].path
                cell = self.tables[end.table].cell(end.place, column)
                cell = rng.choice(cell) if isinstance(cell, list) and cell else cell
                drawn[name] = (column, cell)
            if all(value not in (None, []) for _, value in drawn.values()):
                yield drawn

    def _end(self) -> str:
        """Return the path of relations to the rows to which a template's conditions apply."""
        on, _, last = self.template.answer.rpartition(".")
        table = self.template.table
        for step in on.split(".") if on else ():
            relation = self.tables.relation(table, step)
            table = relation.to if relation else table
        return on if last in self.tables[table].spec.columns else self.template.answer

    def _words(self, values: Mapping[str, Any]) -> str:
        language = self.template.language
        return fill_template(self.template.text, {name: as_answer(value, language) for name, value in values.items()})


def _list_used_tables(tables: Tables, template: Template) -> list[str]:
    """Return the names of the tables that the template's paths use."""
    names = [template.table]
    for path in (template.answer, template.minus, *(s.path for s in template.slots.values() if s.of != "condition")):
        table = template.table
        for step in path.split("."):
            relation = tables.relation(table, step)
            if relation is None:
                break
            table = relation.to
            names.append(table)
    return list(dict.fromkeys(names))


def _step(item: Item, kind: str) -> Mapping[str, Any]:
    for step in item.steps:
        if step.get("kind") == kind:
            return step
    raise BenchError(f"Item {item.id} was not made from a template: choose template questions.")


def _comparison_key(value: Any) -> Any:
    """Return the form in which a value is compared; names that differ only in case or dots are equal for a reader."""
    return normalise_name(value) if isinstance(value, str) else value
