"""Compute the answers of template questions from tables, and record each look-up that leads to an answer. No answer of a
template question is written by a model."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from builders.templates.templates import Template
from core.quality.crag import INVALID_QUESTION
from core.tables.default_functions import list_functions
from core.tables.names import normalise_name
from core.tables.queries import compute_measure
from core.tables.world import TableRow, Tables
from core.text.language import ByLanguage

_MAX_SHOWN_VALUES = 4
"""Maximum number of keys or values that a recorded look-up shows to a reader."""


class TemplateAnswer(NamedTuple):
    """The answer to one template question, or the reason why the question is refused."""

    text: str
    """Text of the answer; "" if the question is refused."""
    values: tuple[Any, ...]
    """Values from which the answer's text is built; several if the answer is a set."""
    refused: str = ""
    """Reason why no question is created: no answer, several answers, a tie, ...; "" = there is an answer."""
    is_set: bool = False


def answer(
    tables: Tables, template: Template, rows: Sequence[TableRow], conditions: Mapping[str, Any], now: str | None
) -> TemplateAnswer:
    """Return the template's answer for these rows. `rows` contains the subject's row and, for a comparison, that of the other
    entity; `conditions` is a dict from a column to the value that the rows at the end of the answer path must have."""
    if template.kind == "false_premise":
        return TemplateAnswer(INVALID_QUESTION, (INVALID_QUESTION,))
    if template.kind == "comparison":
        return _compare_rows(tables, template, rows, conditions, now)
    reached = follow_path(tables, rows[0], template.answer, conditions, now)
    if template.kind == "aggregation":
        value = compute_measure(template.measure, reached)
        return TemplateAnswer("", (), "no values to compute with") if value is None else _build_answer(template, (value,))
    values = _drop_repeats(reached)
    if not values:
        return TemplateAnswer("", (), "nothing is known")
    if template.kind == "set":
        return _build_answer(template, values, is_set=True)
    if template.kind == "post-processing":
        taken = _drop_repeats(follow_path(tables, rows[0], template.minus, {}, now))
        if not taken:
            return TemplateAnswer("", (), "nothing is known")
        if len(values) > 1 or len(taken) > 1:
            return TemplateAnswer("", (), "several answers")
        return _build_answer(template, (_measure_difference(values[0], taken[0], template.unit),))
    if len(values) > 1:
        return (
            _build_answer(template, values, is_set=True)
            if template.several == "set"
            else TemplateAnswer("", (), "several answers")
        )
    return _build_answer(template, values)


def follow_path(tables: Tables, row: TableRow, path: str, conditions: Mapping[str, Any], now: str | None) -> list[Any]:
    """Return all values at the end of a path that starts at the row, in the order of the rows; a cell that holds a list
    contributes each value of the list. If the path ends at a relation, return the rows to which the relation leads."""
    *on, last = path.split(".")
    rows = last_rows(tables, row, ".".join(on), now)
    table = tables[rows[0].table] if rows else None
    if table is not None and last not in table.spec.columns:
        rows = last_rows(tables, row, path, now)
        return [reached.place for reached in rows if _meets_conditions(tables, reached, conditions)]
    cells = (
        tables[reached.table].cell(reached.place, last) for reached in rows if _meets_conditions(tables, reached, conditions)
    )
    return [value for cell in cells if cell is not None for value in (cell if isinstance(cell, list) else (cell,))]


def last_rows(tables: Tables, row: TableRow, path: str, now: str | None) -> list[TableRow]:
    """Return the distinct rows to which the relations of the path lead from the row, in order."""
    rows = [row]
    for step in path.split(".") if path else ():
        relation = tables.relation(rows[0].table, step) if rows else None
        if relation is None:
            return []
        rows = list(dict.fromkeys(led for start in rows for led in tables.follow(start, relation, now)))
    return rows


def calls(
    tables: Tables, template: Template, rows: Sequence[TableRow], now: str | None, functions: dict[tuple[str, str], str | None]
) -> list[dict[str, Any]]:
    """Return the look-ups that lead to the answer, as steps of an item: each step finds an entity or follows a relation, and
    contains the keys of the rows that were found. Each step also contains the name of the table's function for this look-up, if
    there is one; `functions` is a cache of these names, which several questions share."""
    named = [slot.path for slot in template.slots.values() if slot.of != "condition"]
    made = []
    for row in rows:
        key = _key(tables, row)
        made.append(
            {
                "kind": "call",
                "function": _function(tables, row.table, "", functions),
                "table": row.table,
                "keys": [key],
                "found": [key],
            }
        )
        for path in _relations(tables, row.table, (*named, template.answer, template.minus)):
            on, _, step = path.rpartition(".")
            before = last_rows(tables, row, on, now)
            if before:
                table = before[0].table
                made.append(
                    {
                        "kind": "call",
                        "function": _function(tables, table, step, functions),
                        "table": table,
                        "keys": [_key(tables, before_row) for before_row in before],
                        "relation": step,
                        "found": [_key(tables, before_row) for before_row in last_rows(tables, row, path, now)],
                    }
                )
    return made


def calls_in_words(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return an item's recorded look-ups as text: one line per look-up with its result, and a last line on how the answer was
    computed."""
    about: Mapping[str, Any] = next((step for step in steps if step.get("kind") == "template"), {})
    slots, named = about.get("template", {}).get("slots", {}), iter(("subject", "other"))
    lines = []
    for step in steps:
        if step.get("kind") == "call":
            name = step["function"] or f"{step['table']}{'.' + step['relation'] if 'relation' in step else ''}"
            call = f"{name}({_list_first_values(step['keys'])})"
            if "relation" not in step:
                of = next(named, "")
                arguments = [
                    f"{slots[slot]['path']} = {value}"
                    for slot, value in about.get("values", {}).items()
                    if slots[slot]["of"] == of
                ]
                call = f"{step['table']} with {' and '.join(arguments)}"
            lines.append(f"{call} → {_list_first_values(step['found']) or 'nothing'}")
        elif step.get("kind") == "answer":
            lines.append(f"{_describe_answer(about.get('template', {}))} → {_list_first_values(step['values'])}")
    return lines


def as_answer(value: Any, language: str) -> str:
    """Return a value as the text of an answer: a number without trailing zeros, a boolean as yes or no."""
    if isinstance(value, bool):
        return ByLanguage({"en": ("no", "yes"), "zh": ("否", "是")})[language][value]
    if isinstance(value, float):
        plain = format(Decimal(f"{value:.12g}"), "f")
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    return str(value)


def join_values(values: Sequence[Any], language: str) -> str:
    """Return the values as the text of one answer."""
    return ("、" if language in ("zh", "ja") else ", ").join(as_answer(value, language) for value in values)


def _relations(tables: Tables, table: str, paths: Sequence[str]) -> list[str]:
    """Return every distinct relation that the paths follow. Each relation is given as the path up to and including this
    relation."""
    relations: dict[str, None] = {}
    for path in paths:
        steps, name = path.split("."), table
        for n, step in enumerate(steps, 1):
            relation = tables.relation(name, step)
            if relation is None or (n == len(steps) and step in tables[name].spec.columns):
                break
            relations[".".join(steps[:n])] = None
            name = relation.to
    return list(relations)


def _list_first_values(values: Sequence[Any]) -> str:
    """Return the first of the values as text, followed by the number of values left out."""
    rest = f" and {len(values) - _MAX_SHOWN_VALUES:,} more" if len(values) > _MAX_SHOWN_VALUES else ""
    return ", ".join(map(str, values[:_MAX_SHOWN_VALUES])) + rest


def _describe_answer(template: Mapping[str, Any]) -> str:
    path = template.get("answer", "")
    conditions = [slot["path"] for slot in template.get("slots", {}).values() if slot["of"] == "condition"]
    where = f" where {' and '.join(conditions)} fit" if conditions else ""
    if template.get("kind") == "false_premise":
        return "the premise is false"
    if template.get("kind") == "comparison":
        return f"the one with the {template['measure']} of {path}{where}"
    if template.get("minus"):
        return f"{path} minus {template['minus']}, in {template['unit']}"
    return f"{template['measure']} of {path}{where}" if template.get("measure") else f"{path}{where}"


def _compare_rows(
    tables: Tables, template: Template, rows: Sequence[TableRow], conditions: Mapping[str, Any], now: str | None
) -> TemplateAnswer:
    sides = [_drop_repeats(follow_path(tables, row, template.answer, conditions, now)) for row in rows]
    if not all(sides):
        return TemplateAnswer("", (), "nothing is known")
    if any(len(side) > 1 for side in sides):
        return TemplateAnswer("", (), "several answers")
    if sides[0][0] == sides[1][0]:
        return TemplateAnswer("", (), "a tie")
    first = (sides[0][0] > sides[1][0]) is (template.measure == "max")
    winner = rows[0] if first else rows[1]
    name = tables[winner.table].cell(winner.place, tables[winner.table].spec.label)
    return TemplateAnswer("", (), "nothing is known") if name is None else _build_answer(template, (name,))


def _build_answer(template: Template, values: tuple[Any, ...], is_set: bool = False) -> TemplateAnswer:
    return TemplateAnswer(join_values(values, template.language), values, is_set=is_set)


def _drop_repeats(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the distinct values; texts that differ only in case or dots count as equal."""
    distinct: dict[Any, Any] = {}
    for value in values:
        distinct.setdefault(normalise_name(value) if isinstance(value, str) else value, value)
    return tuple(distinct.values())


def _measure_difference(value: Any, taken: Any, unit: str) -> Any:
    if unit == "number":
        return value - taken
    later, earlier = date.fromisoformat(str(value)[:10]), date.fromisoformat(str(taken)[:10])
    if unit == "days":
        return (later - earlier).days
    return later.year - earlier.year - ((later.month, later.day) < (earlier.month, earlier.day))


def _meets_conditions(tables: Tables, row: TableRow, conditions: Mapping[str, Any]) -> bool:
    for column, value in conditions.items():
        cell = tables[row.table].cell(row.place, column)
        if value not in cell if isinstance(cell, list) else cell != value:
            return False
    return True


def _key(tables: Tables, row: TableRow) -> Any:
    """Return the value that identifies a row: its key, or its position if the table has no key."""
    table = tables[row.table]
    return table.cell(row.place, table.spec.key) if table.spec.key else row.place


def _function(tables: Tables, table: str, relation: str, known: dict[tuple[str, str], str | None]) -> str | None:
    """Return the name of the table's function that follows the relation, or that finds a row if `relation` is ""; None if the
    table has no such function."""
    if (table, relation) not in known:
        kinds = ("follow",) if relation else ("get", "search")
        fit = (
            function.name
            for function in list_functions(tables, table)
            if function.kind in kinds and function.relation == relation
        )
        known[table, relation] = next(fit, None)
    return known[table, relation]
