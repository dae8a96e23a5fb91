"""Converts the reply schema of a prompt file to a pydantic type. Import this module inside the function that uses it, as
pydantic is heavy."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from core.ids import canonical_json

Kind = Literal["string", "integer", "number", "boolean", "array", "object", "null"]


class ReplySchema(BaseModel):
    """The JSON schema keywords that the program checks; other keywords of a prompt file are only sent to the endpoint."""

    model_config = ConfigDict(strict=True, extra="ignore")
    type: Annotated[list[Kind], BeforeValidator(lambda kind: kind if isinstance(kind, list) else [kind])] = ["string"]
    enum: list[str | int | bool | None] | None = None
    anyOf: list["ReplySchema"] = []
    properties: dict[str, "ReplySchema"] = {}
    required: Annotated[frozenset[str], Field(strict=False)] = frozenset()
    items: "ReplySchema | None" = None
    minimum: float | None = None
    maximum: float | None = None
    minItems: int | None = None
    maxItems: int | None = None

    def reply_type(self, extra: Literal["ignore", "forbid"]) -> Any:
        """Return the strict Python type of valid values; `extra` determines how unknown fields of an object are treated."""
        if self.enum is not None:
            return Literal[tuple(self.enum)]
        branches = [part.reply_type(extra) for part in self.anyOf] or [self._type_of(kind, extra) for kind in self.type]
        union = branches[0]
        for branch in branches[1:]:
            union |= branch
        return union

    def _type_of(self, kind: Kind, extra: Literal["ignore", "forbid"]) -> Any:
        match kind:
            case "array":
                item: Any = self.items.reply_type(extra) if self.items else str
                return Annotated[list[item], Field(min_length=self.minItems, max_length=self.maxItems)]
            case "object":
                types = {name: part.reply_type(extra) for name, part in self.properties.items()}
                fields: dict[str, Any] = {
                    name: (type_, ...) if name in self.required else (type_ | None, None) for name, type_ in types.items()
                }
                return create_model("Reply", __config__=ConfigDict(strict=True, extra=extra), **fields)
            case "integer" | "number":
                number: Any = {"integer": int, "number": float}[kind]
                return Annotated[number, Field(ge=self.minimum, le=self.maximum)]
            case _:
                return {"string": str, "boolean": bool, "null": None}[kind]


def schema_fault(schema: Mapping[str, Any]) -> str | None:
    """Return the place and reason of the first error in a reply schema, such as "question.type: 'strng', ...", or None if the
    schema is valid."""
    try:
        ReplySchema.model_validate(schema)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "properties" and isinstance(part, str))
        return f"{place}: {first['input']!r}, {_as_clause(first['msg'])}"
    return None


def reply_fault(schema: Mapping[str, Any], value: object) -> str | None:
    """Return the field and reason of the first error in a reply, or None if the reply fits its schema."""
    try:
        _adapter(canonical_json(dict(schema)), "forbid").validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).lstrip(".")
        return f"{place or 'the reply'}: {_as_clause(first['msg'])}"
    return None


def read_reply(schema: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the reply that the schema defines. Raises ValueError with the first error."""
    try:
        model = _adapter(canonical_json(dict(schema)), "ignore").validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"field {'.'.join(str(part) for part in first['loc'])}: {_as_clause(first['msg'])}") from error
    return dict(model.model_dump(exclude_unset=True))


def _as_clause(message: str) -> str:
    return message[:1].lower() + message[1:]


@cache
def _adapter(schema: str, extra: Literal["ignore", "forbid"]) -> TypeAdapter[Any]:
    return TypeAdapter(ReplySchema.model_validate(json.loads(schema)).reply_type(extra))
