"""Find the source rows of template questions: the rows that a question names and those from which its answer is computed. When
rows are removed from a table, these source rows must stay."""

from collections.abc import Iterable, Iterator
from typing import Any

from builders.templates.template_answers import last_rows
from builders.templates.templates import template_from_record
from core.nouns import Item
from core.tables.world import TableRow, Tables


def ground(tables: Tables, items: Iterable[Item]) -> dict[str, set[Any]]:
    """Return a dict from table name to the keys of the rows that the items were made from, for tables that have a key; {} if no
    item was made from a template."""
    keys: dict[str, set[Any]] = {}
    for row in {row for item in items for row in _rows(tables, item)}:
        spec = tables[row.table].spec
        if spec.entity and spec.key:
            keys.setdefault(row.table, set()).add(tables[row.table].cell(row.place, spec.key))
    return keys


def _rows(tables: Tables, item: Item) -> Iterator[TableRow]:
    for step in item.steps:
        if step.get("kind") != "template":
            continue
        template, now = template_from_record(step["template"]), step["now"]
        paths = {template.answer, template.minus, *(slot.path for slot in template.slots.values())}
        for key in step["subjects"]:
            place = tables[template.table].find_row(key, now)
            if place is None:
                continue
            row = TableRow(template.table, place)
            yield row
            for path in paths:
                steps = path.split(".")
                for n in range(1, len(steps) + 1):
                    yield from last_rows(tables, row, ".".join(steps[:n]), now)
