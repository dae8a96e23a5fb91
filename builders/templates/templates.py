"""Define question templates: a text with placeholders, the columns that fill them, and how to compute the answer from tables.
Templates are read from and written as JSON. A template that does not fit its tables is refused with an error."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from core.errors import BenchError
from core.ids import content_hash
from core.quality.crag import DYNAMISMS
from core.shapes import TemplateShape, check_shape
from core.tables.nouns import ColumnType, TableSpec
from core.tables.queries import MEASURES
from core.tables.world import Tables
from core.text.language import rows

Kind = Literal[
    "simple", "simple_w_condition", "comparison", "aggregation", "set", "multi-hop", "post-processing", "false_premise"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds of question templates, which are CRAG's question types."""
Of = Literal["subject", "other", "condition", "false"]
OFS: tuple[Of, ...] = get_args(Of)
LEVELS = ("KS", "KU", "KA")
UNITS = ("number", "days", "years")
MAX_HOPS = 3
_NAME = re.compile(r"[^\W\d]\w*")
_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_MEASURED_TYPES: Mapping[str, tuple[ColumnType, ...]] = {
    "sum": ("integer", "number"),
    "mean": ("integer", "number"),
    "min": ("integer", "number", "date"),
    "max": ("integer", "number", "date"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class TemplateSlot:
    """The table column that fills one placeholder of a question template."""

    path: str
    """Path from the subject's row to the column that fills the placeholder: a column, or relation.column. The placeholder of a
    condition is filled from a column of the rows at the end of the answer path."""
    of: Of = "subject"
    """Role of the slot's value: subject = identifies the entity; other = identifies the second entity; condition = selects the
    rows with this value; false = a value that other entities have and the subject does not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Template:
    """One question template. The version of a template is the hash of all its fields, so changing any field changes the
    version."""

    id: str
    text: str
    """Text of the question, with placeholders as {name}; {{ and }} stand for braces."""
    table: str
    """Name of the table whose rows are the subjects of the questions."""
    kind: Kind
    slots: Mapping[str, TemplateSlot] = field(default_factory=dict)
    answer: str = ""
    """Path from the subject's row to the answer, over at most three relations; for a comparison, the path leads to the compared
    value; "" for a question with a false premise."""
    measure: str = ""
    """How the answer is computed: count, sum, min, max or mean for an aggregation; max or min for a comparison, whose answer is
    the entity with the higher or lower value."""
    minus: str = ""
    """For the kind post-processing: path to the value that is subtracted from the value at the answer path."""
    unit: str = "number"
    """For the kind post-processing: unit of the difference: number, or the days or full years between two dates."""
    several: Literal["refuse", "set"] = "refuse"
    """What happens if a question that expects one answer has several: the question is refused, or its answer is the set of all
    these answers."""
    level: str = "KS"
    """Level of the template's questions: KS, KU or KA."""
    language: str = "en"
    domain: str = "general"
    dynamism: str = ""
    """How fast the answer changes, in CRAG's terms; "" = not labelled."""

    @property
    def version(self) -> str:
        return content_hash(template_record(self))


def template_record(template: Template) -> dict[str, Any]:
    """Return the template as a JSON record."""
    return {**asdict(template), "slots": {name: asdict(slot) for name, slot in template.slots.items()}}


def template_from_record(record: Mapping[str, Any]) -> Template:
    """Build a template from a JSON record; a slot may be given as an object or as only its path. Raises BenchError, with a
    message that names the invalid part, if the record is invalid."""
    known = set(Template.__dataclass_fields__)
    extra = [str(name) for name in record if name not in known]
    if extra:
        raise BenchError(f"A template has no field {', '.join(extra)}: its fields are {', '.join(sorted(known))}.")
    name = str(record.get("id") or "")[:60]
    try:
        check_shape(record, TemplateShape)
    except ValueError as error:
        raise BenchError(f"Template {name} {error}.") from error
    if not _NAME.fullmatch(name):
        raise BenchError(f"{name!r} is not a template name: use letters, digits and _.")
    slots = {}
    for place, slot in (record.get("slots") or {}).items():
        fields = {"path": slot} if isinstance(slot, str) else slot
        if set(fields) - {"path", "of"} or not fields["path"]:
            raise BenchError(
                f"Slot {place} of template {name} needs the field `path` (the column that fills the slot) and may have the "
                "field `of`, but no other field."
            )
        slots[place] = TemplateSlot(path=fields["path"], of=fields.get("of") or "subject")  # type: ignore[arg-type]
    template = Template(
        **{"text": "", "table": "", "kind": "simple", **{k: v for k, v in record.items() if k != "slots"}, "slots": slots}
    )
    for value, choices, field_name in (
        (template.kind, KINDS, "kind"),
        (template.level, LEVELS, "level"),
        (template.unit, UNITS, "unit"),
        (template.language, rows(), "language"),
        (template.several, ("refuse", "set"), "several"),
        (template.dynamism, ("", *DYNAMISMS), "dynamism"),
        (template.measure, ("", *MEASURES), "measure"),
    ):
        if value not in choices:
            raise BenchError(
                f"Template {name} has {field_name} {value!r}, which is invalid: choose one of "
                f"{', '.join(c or '(none)' for c in choices)}."
            )
    for place, slot in slots.items():
        if slot.of not in OFS:
            raise BenchError(
                f"In slot {place} of template {name}, the field `of` has the value {slot.of!r}: choose one of {', '.join(OFS)}."
            )
    _check_places(template)
    return template


FORM: Mapping[str, Any] = {
    "id": "",
    "text": "",
    "table": "",
    "kind": "simple",
    "slots": {},
    "answer": "",
    "measure": "",
    "minus": "",
    "unit": "number",
    "several": "refuse",
    "level": "KS",
    "language": "en",
    "domain": "general",
    "dynamism": "",
}
"""Fields of the form for a new template, with their initial values."""
MEASURED_KINDS, MAX_PATHS = ("aggregation", "comparison"), 400


def template_from_form(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON record of a template that a person entered in a form. The record contains only the slots that occur in
    the text, and only the other fields that the template's kind uses."""
    record = {name: content.get(name, begins) for name, begins in FORM.items()}
    try:
        named = places(record["text"])
    except BenchError:  # the error is reported when the record is read
        named = list(record["slots"])
    kind = record["kind"]
    record["slots"] = {name: {"path": "", "of": "subject", **(record["slots"].get(name) or {})} for name in named}
    has = {
        "measure": kind in MEASURED_KINDS,
        "minus": kind == "post-processing",
        "unit": kind == "post-processing",
        "answer": kind != "false_premise",
    }
    return record | {name: FORM[name] for name, does in has.items() if not does}


def paths_from(table: str, tables: Tables) -> dict[str, str]:
    """Return a dict from path to the type of its values, for every path from a row of the table over at most three relations,
    shortest first. The type is "rows" if the path ends at a relation; the number of paths is limited."""
    paths: dict[str, str] = {}
    ends = [("", table)] if table in tables else []
    for hop in range(MAX_HOPS + 1):
        led = []
        for before, name in ends:
            paths |= {f"{before}{column}": kind for column, kind in tables[name].spec.columns.items()}
            for relation in tables.relations(name) if hop < MAX_HOPS else ():
                paths.setdefault(f"{before}{relation.name}", "rows")
                led.append((f"{before}{relation.name}.", relation.to))
        ends = led
    return dict(list(paths.items())[:MAX_PATHS])


def columns_at(table: str, path: str, tables: Tables) -> list[str]:
    """Return the columns that a condition can use, which are those of the table at the end of the path; the result is empty if
    the path is invalid."""
    name = table
    for step in path.split(".") if path and name in tables else ():
        relation = tables.relation(name, step)
        if step in tables[name].spec.columns or relation is None:
            break
        name = relation.to
    return list(tables[name].spec.columns) if name in tables else []


def places(text: str) -> list[str]:
    """Return the distinct names of the placeholders in the text, in order. Raises BenchError if a brace is not part of a
    placeholder."""
    slots = []
    for match in _PLACE.finditer(text):
        name = match.group(1)
        if match.group() in ("{", "}") or (name is not None and not _NAME.fullmatch(name)):
            raise BenchError(
                f"{match.group()!r} in {text!r} is not a placeholder: write {{name}}, and {{{{ or }}}} for a literal brace."
            )
        if name is not None:
            slots.append(name)
    return list(dict.fromkeys(slots))


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """Return the text with its placeholders filled in one pass, so that a value which contains braces is not filled again.
    Raises BenchError if a placeholder has no value."""
    missing = [name for name in places(text) if name not in values]
    if missing:
        raise BenchError(f"Nothing fills {_list_names(missing)} in {text!r}: give each placeholder a value.")
    return _PLACE.sub(lambda match: match.group()[0] if match.group(1) is None else values[match.group(1)], text)


def check_template(template: Template, tables: Tables) -> None:
    """Raise BenchError if the template does not fit these tables."""
    where = f"Template {template.id}"
    if template.table not in tables:
        there = ", ".join(tables) or "none"
        raise BenchError(f"{where} is about table {template.table}, which is not in this workspace; its tables are: {there}.")
    spec = tables[template.table].spec
    if not spec.key:
        raise BenchError(f"{where} is about table {spec.name}, which has no key column: choose its key column first.")
    for place, slot in template.slots.items():
        if slot.of == "condition":
            ends = _end(template, tables, template.answer)[0]
            if slot.path not in ends.columns:
                raise BenchError(
                    f"{where} fills slot {place} from the column {slot.path}, which table {ends.name} does not have."
                )
        else:
            _end(template, tables, slot.path)
    if template.kind == "false_premise":
        return
    ends, column = _end(template, tables, template.answer)
    kind = None if column is None else ends.columns[column]
    if column is None and template.measure != "count":
        raise BenchError(
            f"{where} has an answer path that ends at the relation {template.answer}: add a column to the path, or set measure "
            "to count."
        )
    if template.kind in ("aggregation", "comparison") and kind is not None:
        fit = _MEASURED_TYPES.get(template.measure)
        if fit and kind not in fit:
            raise BenchError(
                f"{where} needs the {template.measure} of {template.answer}, whose type is {kind}, not {_join_names(fit)}."
            )
    if template.kind == "comparison" and not spec.label:
        raise BenchError(f"{where} compares rows of table {spec.name}, which has no name column: choose its name column first.")
    if template.kind == "post-processing":
        ends, column = _end(template, tables, template.minus)
        wanted = ("integer", "number") if template.unit == "number" else ("date",)
        for path, held in ((template.answer, kind), (template.minus, column and ends.columns[column])):
            if held not in wanted:
                raise BenchError(
                    f"{where} has the unit {template.unit} and uses {path}, whose type is {held}, not {_join_names(wanted)}."
                )


def _end(template: Template, tables: Tables, path: str) -> tuple[TableSpec, str | None]:
    """Return (table, column) at the end of a path; the column is None if the path ends at a relation. Raises BenchError if the
    path is invalid."""
    *on, last = path.split(".")
    spec = tables[template.table].spec
    if len(on) > MAX_HOPS:
        raise BenchError(f"{path} of template {template.id} follows {len(on)} relations: at most {MAX_HOPS} can be followed.")
    for step in on:
        relation = tables.relation(spec.name, step)
        if relation is None:
            raise BenchError(f"{path} of template {template.id} matches no column: table {spec.name} has no relation {step}.")
        spec = tables[relation.to].spec
    if last in spec.columns:
        return spec, last
    relation = tables.relation(spec.name, last)
    if relation is None:
        raise BenchError(
            f"{path!r} of template {template.id} matches no column: table {spec.name} has no column or relation {last!r}."
        )
    return tables[relation.to].spec, None


def _check_places(template: Template) -> None:
    """Check that the placeholders in the texts and the slots have the same names, and that all slots exist which the template's
    kind requires."""
    where = f"Template {template.id}"
    if not template.text.strip():
        raise BenchError(f"{where} has no text: write the question with a placeholder in braces for the entity.")
    named = places(template.text)
    unknown = [name for name in named if name not in template.slots]
    if unknown:
        raise BenchError(
            f"{where} has {_list_names(unknown)} in its text and no slot of that name: add a slot with a column for it."
        )
    unused = [name for name in template.slots if name not in named]
    if unused:
        raise BenchError(
            f"{where} has a slot for {_list_names(unused)}, which its text does not contain: add it to the text, or remove "
            "the slot."
        )
    held = [slot.of for slot in template.slots.values()]
    needed: Mapping[Kind, tuple[Of, ...]] = {
        "comparison": ("other",),
        "simple_w_condition": ("condition",),
        "false_premise": ("false",),
    }
    for of in ("subject", *needed.get(template.kind, ())):
        if of not in held:
            raise BenchError(f"{where} is of kind {template.kind} and has no slot with `of: {of}`: add one.")
    if ("other" in held) > (template.kind == "comparison") or ("false" in held) > (template.kind == "false_premise"):
        raise BenchError(
            f"{where} is of kind {template.kind}: only the kind comparison has slots with `of: other`, and only the kind "
            "false_premise slots with `of: false`."
        )
    if template.kind == "false_premise":
        if template.answer:
            raise BenchError(f"{where} has a false premise, so no path can lead to an answer: leave the answer empty.")
        return
    if not template.answer:
        raise BenchError(f"{where} does not say where its answer is: set answer to a column, or to relation.column.")
    if template.kind == "aggregation" and not template.measure:
        raise BenchError(f"{where} aggregates values without a measure: set measure to count, sum, min, max or mean.")
    if template.kind == "comparison" and template.measure not in ("min", "max"):
        raise BenchError(f"{where} compares two entities, which requires the measure max or min: set one of the two.")
    if template.kind not in ("aggregation", "comparison") and template.measure:
        raise BenchError(f"{where} has a measure, but only questions of aggregation and comparison have one: remove it.")
    if (template.kind == "post-processing") != bool(template.minus):
        raise BenchError(
            f"{where} is of kind {template.kind}: the kind post-processing requires the field minus, and no other kind allows "
            "it."
        )
    if template.kind == "multi-hop" and not any("." in path for path in (template.answer, *_paths(template))):
        raise BenchError(
            f"{where} is of kind multi-hop but follows no relation: use a path such as relation.column, or the kind simple."
        )


def _paths(template: Template) -> list[str]:
    return [slot.path for slot in template.slots.values()]


def _list_names(names: list[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def _join_names(names: tuple[str, ...]) -> str:
    return " or ".join(names)
