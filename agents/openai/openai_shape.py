"""Shape that a chat completion or a text completion must have, validated before a reply is read. Other fields of the reply are
kept but not validated."""

import json
import re
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, Strict, StrictStr, ValidationError, model_validator
from pydantic_core import from_json

Count = Annotated[int, Field(ge=0, le=10**12), Strict(False)]
MAX_KEPT_CHARACTERS = 20_000
"""Number of characters of a malformed reply that its error keeps."""


class Misshapen(Exception):
    """Error for a reply that is complete JSON but does not have the shape of a completion."""

    def __init__(self, why: str, body: bytes | str) -> None:
        super().__init__(why)
        text = body if isinstance(body, str) else body.decode("utf-8", "replace")
        self.raw = {"unread": text[:MAX_KEPT_CHARACTERS]}
        """Beginning of the malformed reply, for the record."""


class ErrorInBody(ValueError):
    """Error for an answer with status 200 whose body reports an error instead of a reply."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(str(body["error"]))
        self.body = body


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True)


class _Part(_Shape):
    text: str | None = None
    refusal: str | None = None


class _Function(_Shape):
    name: str | None = None


class _ToolCall(_Shape):
    id: str | None = None
    function: _Function | None = None


class _Message(_Shape):
    content: StrictStr | list[StrictStr | _Part] | None = None
    """Text of the message, or a list of its parts as some endpoints send it."""
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Top(_Shape):
    logprob: FiniteFloat


class _Token(_Top):
    token: str
    top_logprobs: list[_Top] | None = None


class _TokenList(_Shape):
    content: list[_Token] | None = None


class _Choice(_Shape):
    message: _Message | None = None
    finish_reason: str | None = None
    logprobs: _TokenList | None = None


class _OutputTokens(_Shape):
    reasoning_tokens: Count | None = None


class _Usage(_Shape):
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    completion_tokens_details: _OutputTokens | None = None


class Chat(_Shape):
    """Validated reply of /v1/chat/completions."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class _TextLogs(_Shape):
    tokens: list[str] | None = None
    token_logprobs: list[FiniteFloat] | None = None
    top_logprobs: list[dict[str, FiniteFloat] | None] | None = None

    @model_validator(mode="after")
    def _one_each(self) -> "_TextLogs":
        if len({len(column) for column in (self.tokens or (), self.token_logprobs or ())}) > 1:
            raise ValueError("the number of tokens must equal the number of log probabilities")
        return self


class _TextChoice(_Shape):
    text: str | None = None
    finish_reason: str | None = None
    logprobs: _TextLogs | None = None


class CompletionReply(_Shape):
    """Validated reply of /v1/completions."""

    choices: list[_TextChoice] = Field(min_length=1)
    usage: _Usage | None = None


def parse_reply(body: bytes) -> Any:
    """Decode the JSON of a reply and check that it has choices. A reply without choices that states tokens was charged, and is
    returned with an empty choice, as a stream without text is. Raises ValueError for invalid JSON or a reply without choices
    and tokens, ErrorInBody for an error reported in the body, and Misshapen for JSON that is nested too deeply."""
    try:
        data = json.loads(body)
    except RecursionError:
        raise Misshapen("it is nested too deep", body) from None
    try:
        from_json(body)
    except ValueError as error:
        if "recursion" in str(error):
            raise Misshapen("it is nested too deep", body) from None
    if isinstance(data, dict) and not data.get("choices"):
        if data.get("error"):
            raise ErrorInBody(data)
        if data.get("choices") == [] and data.get("usage"):
            return {**data, "choices": [{}]}
        if data.get("choices") == []:
            raise ValueError("the reply has no choices")
    return data


def read_as(kind: "type[Chat | CompletionReply]", data: Any, body: bytes | str) -> Any:
    """Return the reply validated as `kind`. Raises Misshapen if the reply does not have that shape."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        deepest = max(problems, key=lambda problem: len(problem["loc"]))
        place = ".".join(str(part) for part in deepest["loc"] if part not in ("str", "_Part") and "[" not in str(part))
        message = re.sub(r" or instance of \w+$", "", deepest["msg"])
        raise Misshapen(f"{place or 'the whole reply'}: {message[:1].lower()}{message[1:]}", body) from None


def words_of(message: _Message | None) -> str:
    """Return the text of a message, with its parts joined, or its refusal text if it has no other text."""
    if message is None:
        return ""
    parts = [message.content] if isinstance(message.content, str) else message.content or []
    said = "".join(part if isinstance(part, str) else part.text or "" for part in parts)
    refused = [message.refusal, *(part.refusal for part in parts if isinstance(part, _Part))]
    return said or next((words for words in refused if words), "")
