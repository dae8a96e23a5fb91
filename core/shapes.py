"""Checks JSON records against shapes, which are TypedDicts with the names and types of the records' fields. A fault is reported
as the end of a sentence that names the faulty field. Values are never converted."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required

from annotated_types import Interval, Len, MaxLen, MinLen
from typing_extensions import TypedDict

Count = Annotated[int, Interval(ge=0, lt=2**31)]
Number = Annotated[int, Interval(ge=1, lt=2**31)]
Seed = Annotated[int, Interval(ge=-(2**63), lt=2**63)]
Words = Annotated[str, MinLen(1)]
Share = Annotated[float, Interval(ge=0, le=1)]
Name = Annotated[str, Len(1, 200)]
"""Type of an id or a person's name: text of 1 to 200 characters."""
LongWords = Annotated[str, MaxLen(200_000)]
JsonObject = dict[str, Any]
LevelName = Annotated[int, Interval(ge=1, le=4)] | Literal["KS", "KU", "KA"]
StatusName = Literal["drafted", "refused", "accepted", "discarded"]
_MAX_SHOWN_CHARACTERS = 40
"""Number of characters of a wrong value that an error message quotes."""
_EXPECTED_TYPES = {
    "string_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "dict_type": "an object",
    "none_required": "null",
    "finite_number": "a finite number",
    "is_instance_of": "another value",
    "string_too_short": "text",
    "too_short": "a list that is not empty",
}


class SpanShape(TypedDict):
    document: Words
    start: Count
    end: Count
    text: NotRequired[str | None]


class ProvenanceShape(TypedDict, total=False):
    agent: str | None
    prompt: str | None
    seed: Seed | None
    calls: list[str] | None
    origin: Literal["drafted", "imported", "written"] | None


class AnnotationShape(TypedDict):
    keyword: str
    is_right: bool
    reason: str


EditShape = TypedDict("EditShape", {"class": str, "was": str, "is": str})


class CragShape(TypedDict, total=False):
    pages: list[JsonObject]
    alternatives: JsonObject


class LabelsShape(TypedDict, total=False):
    """Labels of an item that this project reads, with their types; other labels may have any value."""

    annotations: list[AnnotationShape]
    edit: EditShape
    selections: dict[str, str]
    selection_answers: list[str]
    source: str
    event: str
    query_time: str
    crag: CragShape
    hawkbench: JsonObject
    crud_rag: JsonObject
    uhgeval: JsonObject
    squad: JsonObject
    triviaqa: JsonObject
    adarague: JsonObject


class TraceStepShape(TypedDict, total=False):
    """Fields of a trace's step that this project reads, with their types; other fields may have any value."""

    kind: Required[Words]
    tables: dict[str, str]
    template: JsonObject
    hits: list[JsonObject] | None
    spans: list[Annotated[list[str | int], MinLen(1)]] | None


class ItemShape(TypedDict):
    id: Words
    task: Words
    question: Words
    answers: list[str]
    evidence: NotRequired[list[SpanShape] | None]
    level: NotRequired[LevelName | None]
    domain: NotRequired[str | None]
    language: NotRequired[str | None]
    revision: NotRequired[Number | None]
    status: NotRequired[StatusName | None]
    labels: NotRequired[LabelsShape | None]
    inputs: NotRequired[dict[str, str] | None]
    given: NotRequired[list[str] | None]
    steps: NotRequired[list[TraceStepShape] | None]
    overlap: NotRequired[Share | None]
    provenance: NotRequired[ProvenanceShape | None]


class VariantShape(TypedDict):
    id: Words
    item: Words
    revision: Number
    kind: Words
    text: Words
    status: NotRequired[StatusName | None]
    generator: NotRequired[str | None]
    seed: NotRequired[Seed | None]
    checks: NotRequired[JsonObject | None]


class DocumentShape(TypedDict):
    id: Words
    text: str
    title: str
    domain: Words
    language: Words
    origin: NotRequired[str | None]
    licence: NotRequired[str | None]
    published: NotRequired[str | None]
    meta: NotRequired[JsonObject | None]


class RelationShape(TypedDict):
    name: Words
    column: Words
    to: Words
    to_column: str
    many: bool
    back: NotRequired[str]


class TableFunctionShape(TypedDict):
    kind: Literal["search", "get", "value", "follow", "aggregate"]
    name: Words
    argument: NotRequired[str]
    columns: NotRequired[dict[str, str]]
    filters: NotRequired[dict[str, str]]
    relation: NotRequired[str]
    order: NotRequired[str]
    limit: NotRequired[Number]
    about: NotRequired[str]


class SpecShape(TypedDict, total=False):
    """Shape of a table's spec, or of part of a spec."""

    name: str
    columns: dict[str, str] | None
    entity: str | None
    key: str | None
    label: str | None
    attributes: list[str] | None
    relations: list[RelationShape] | None
    time: str | None
    popularity: str | None
    functions: list[TableFunctionShape] | None


class CorrectionShape(SpecShape, total=False):
    """Shape of a table's entry in tables.json, which corrects the proposed spec."""

    types: dict[str, str] | None


class SlotShape(TypedDict):
    path: str
    of: NotRequired[str | None]


class TemplateShape(TypedDict, total=False):
    id: Required[str]
    text: str
    table: str
    kind: str
    slots: dict[str, str | SlotShape] | None
    answer: str
    measure: str
    minus: str
    unit: str
    several: str
    level: str
    language: str
    domain: str
    dynamism: str


class ReviewShape(TypedDict):
    id: Name
    item: Name
    person: Name
    revision: Number
    decision: Literal["accept", "discard"]
    reason: NotRequired[LongWords | None]
    comment: NotRequired[LongWords | None]
    seconds: NotRequired[Annotated[float, Interval(ge=0, lt=1e9)] | None]
    at: str
    details: NotRequired["ReviewDetailsShape | None"]
    role: NotRequired[Literal["", "opinion", "settled", "adjudicated"] | None]


class ReviewDetailsShape(TypedDict, total=False):
    guideline: int
    of: list[Name]


class RevisionShape(TypedDict):
    item: Name
    revision: Number
    base: NotRequired[Number | None]
    by: Name
    at: str
    question: LongWords
    answers: list[LongWords]
    evidence: list[SpanShape]
    labels: LabelsShape
    overlap: NotRequired[Share | None]


class CommentShape(TypedDict):
    id: Name
    item: Name
    person: Name
    text: LongWords
    at: str
    taken_back_at: NotRequired[str | None]


def check_shape(record: object, shape: Any) -> None:
    """Check those fields of a record that the shape names; other fields are allowed. Raises ValueError for the first faulty
    field; the message is the end of a sentence, and callers put the subject before it."""
    from pydantic import ValidationError

    try:
        _adapter(shape).validate_python(record, strict=True)
    except ValidationError as error:
        faults = [dict(fault) for fault in error.errors(include_url=False, include_context=True)]
        raise ValueError(_describe_fault(record, faults)) from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


@cache
def _adapter(shape: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(shape)


def _describe_fault(record: object, faults: list[dict[str, Any]]) -> str:
    places = [_locate_fault(record, fault["loc"], fault["type"] == "missing") for fault in faults]
    place, value = max(places, key=lambda pair: len(pair[0]))  # if several types are allowed, the type that fits best
    same = [fault for fault, (other, _) in zip(faults, places, strict=True) if other == place]
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")[:80]
    if same[0]["type"] == "missing":
        return f"has no {field}"
    expected = " or ".join(dict.fromkeys(map(_describe_expected, same)))
    shown = _shorten_value(value)
    return f"has {shown} as its {field}, where {expected} belongs" if place else f"is {shown}, not {expected}"


def _locate_fault(record: object, loc: tuple[str | int, ...], is_missing: bool) -> tuple[tuple[str | int, ...], object]:
    """Return the location of the fault in the record, and the faulty value. Names that pydantic adds for the branches of a
    union are left out."""
    place: list[str | int] = []
    value = record
    for step in loc:
        if isinstance(value, Mapping) and (step in value or (is_missing and step == loc[-1])):
            place, value = [*place, step], value.get(step)
        elif isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
            place, value = [*place, step], value[step]
    return tuple(place), value


def _describe_expected(fault: Mapping[str, Any]) -> str:
    context = fault.get("ctx") or {}
    match fault["type"]:
        case "literal_error":
            return f"one of {context['expected']}"
        case "greater_than_equal" | "greater_than":
            return f"a number of at least {context['ge']}" if "ge" in context else f"a number above {context['gt']}"
        case "less_than" | "less_than_equal":
            return f"a number of at most {context['le']}" if "le" in context else f"a number below {context['lt']}"
        case "string_too_long" | "too_long":
            return f"at most {context['max_length']:,} characters"
    return _EXPECTED_TYPES.get(fault["type"], str(fault["msg"]))


def _shorten_value(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= _MAX_SHOWN_CHARACTERS else f"{text[:_MAX_SHOWN_CHARACTERS]}..."
