"""Make individual questions from a template over tables, and recompute the answers of such questions."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from builders.templates.entity_naming import EntityNaming, Owners, comparison_key
from builders.templates.template_answers import answer, as_answer, calls, follow_path, last_rows
from builders.templates.templates import Template, fill_template, template_record
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Provenance
from core.tables.nouns import tables_step
from core.tables.popularity import BUCKETS, Bucket, find_cuts
from core.tables.world import TableRow, Tables

TASK_NAME = "template_question"
_MAX_TRIES = 20
"""Maximum number of values, or of other entities, that are tried for the question about one subject."""


class RefusedQuestion(NamedTuple):
    """A template question that was not created, and why."""

    key: Any
    """Key of the table row that the question would be about."""
    question: str
    """Text of the refused question; "" if its placeholders could not be filled."""
    why: str


class RefreshedItem(NamedTuple):
    """An item made from a template, and the same item with its answer recomputed."""

    item: Item
    """The item with its answer before the refresh."""
    refreshed: Item | None
    """The item with its new answer, or None if its question cannot be asked of the new tables."""
    why: str
    """Reason why the question cannot be asked of the new tables, or "" if it can be asked."""

    @property
    def is_changed(self) -> bool:
        return self.refreshed is None or self.refreshed.answers != self.item.answers


class QuestionMaker:
    """Makes the questions of one template over some tables."""

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
        self._naming = EntityNaming(tables, template, now, owners)
        self._others: list[int] = []
        self._pools: dict[str, list[Any]] = {}
        self._hashes = {name: tables[name].hash for name in _list_used_tables(tables, template)}
        self._record, self._version = template_record(template), template.version
        self._functions: dict[tuple[str, str], str | None] = {}

    def groups(self) -> dict[Bucket | str, list[int]]:
        """Return a dict from popularity bucket to the positions of the rows of the subjects in this bucket, shuffled by the
        seed."""
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
        """Return the question about the subject in the row at index `place`, or the reason why no question can be made."""
        rng = random.Random(f"{self.seed} {self.template.id} {place}")
        key = self.table.cell(place, self.table.spec.key)
        row = TableRow(self.template.table, place)
        values, why = self._naming.choose_values(place, "subject", rng)
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
        """Recompute the item's answer; `step` is the item's step with the rows and values that it was made from."""
        subjects = [self.table.find_row(key, self.now) for key in step["subjects"]]
        rows = [TableRow(self.template.table, place) for place in subjects if place is not None]
        if len(rows) < len(subjects):
            return RefreshedItem(item, None, "its entity is no longer in the table")
        for row, of in zip(rows, ("subject", "other"), strict=False):
            names = tuple(comparison_key(step["values"][name]) for name in self._naming.slots(of))
            if names not in set(self._naming.signs(row.place, of)):
                return RefreshedItem(item, None, "its entity has another name now")
            if self._naming.owners(of)[names] != {step["subjects"][rows.index(row)]}:
                return RefreshedItem(item, None, "two entities fit")
        for name in self._naming.slots("false"):
            held = follow_path(self.tables, rows[0], self.template.slots[name].path, {}, self.now)
            if comparison_key(step["values"][name]) in map(comparison_key, held):
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
        """Build the item of a template question, with the rows and values that it is made from. The id of the item is derived
        from the question, rows and values, so the same question on the same rows is the same item."""
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

    def _companions(self, row: TableRow, rng: random.Random) -> Iterator[tuple[list[TableRow], dict[str, Any]]]:
        """Yield each possible addition to the question's subject, as (further rows, values of the template's slots). For a
        comparison, the addition is another entity; for a question with a false premise, a false value. For all other kinds of
        questions, a single empty addition is yielded."""
        if self._naming.slots("other"):
            if not self._others:
                self._others = list(self.table.as_of(self.now))
            for _ in range(_MAX_TRIES):
                other = self._others[rng.randrange(len(self._others))]
                values, why = self._naming.choose_values(other, "other", rng)
                if other != row.place and not why:
                    yield [TableRow(row.table, other)], values
        elif self._naming.slots("false"):
            values = {
                name: self._draw_untrue_value(row, self.template.slots[name].path, rng) for name in self._naming.slots("false")
            }
            if all(value is not None for value in values.values()):
                yield [], values
        else:
            yield [], {}

    def _draw_untrue_value(self, row: TableRow, path: str, rng: random.Random) -> Any:
        """Return a random value that other rows have at the path and this row does not. Return None if no row has another
        value, or if this row's value is unknown: another row's value might then be true for this row."""
        if path not in self._pools:
            every = (
                follow_path(self.tables, TableRow(row.table, place), path, {}, self.now) for place in self.table.as_of(self.now)
            )
            candidates: dict[Any, Any] = {}
            for values in every:
                candidates.update((comparison_key(value), value) for value in values)
            self._pools[path] = list(candidates.values())
        held = {comparison_key(value) for value in follow_path(self.tables, row, path, {}, self.now)}
        pool = self._pools[path]
        tries = _MAX_TRIES if pool and held else 0
        drawn = (pool[rng.randrange(len(pool))] for _ in range(tries))
        return next((value for value in drawn if comparison_key(value) not in held), None)

    def _conditions(self, row: TableRow, rng: random.Random) -> Iterator[dict[str, tuple[str, Any]]]:
        """Yield dicts from slot to (column, value that the rows at the end of the answer path must have); all conditions of one
        dict come from the same row."""
        names = self._naming.slots("condition")
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


def find_step(item: Item, kind: str) -> Mapping[str, Any]:
    """Return the item's step of this kind. Raises BenchError if the item was not made from a template."""
    for step in item.steps:
        if step.get("kind") == kind:
            return step
    raise BenchError(f"Item {item.id} was not made from a template: choose only items that were made from templates.")
