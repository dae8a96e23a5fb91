"""What one model of one endpoint takes. A profile starts unknown and is learned from answers and refusals; a ProfileMemory
keeps it. Every field can be set by hand instead."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

JsonForm = Literal["schema", "json", "prompt"]
ThinkingPlace = Literal["none", "hidden", "reasoning", "reasoning_content", "reasoning_details", "parts", "text"]

OTHER_LIMIT: Literal["max_completion_tokens"] = "max_completion_tokens"
PLAINER_FORMS: Mapping[JsonForm, JsonForm] = {"schema": "json", "json": "prompt"}


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of one endpoint and model, for one way of asking: the reasoning effort and what `extra` adds, because some
    models take a temperature only when they do not think. None = not known yet. "Takes" means that the endpoint did not refuse
    it: some ignore in silence what they do not know."""

    token_limit: Literal["max_tokens", "max_completion_tokens", "none"] | None = None
    """Its name for the limit of a reply; none = it takes no limit."""
    most_tokens: int | None = None
    """The highest limit that it allows."""
    temperature: bool | None = None
    top_p: bool | None = None
    stop: bool | None = None
    seed: Literal["seed", "random_seed", "none"] | None = None
    """Its name for the seed; none = it takes none."""
    logprobs: bool | None = None
    tools: bool | None = None
    """Functions that the model may call."""
    tools_effort: Literal["none"] | None = None
    """The reasoning effort that it demands together with functions."""
    reasoning: bool | None = None
    """Whether it takes `reasoning_effort` with the value that is asked for."""
    returns_thinking: bool | None = None
    """Whether it demands its thinking back with the function calls of earlier turns."""
    system: bool | None = None
    """Messages of the role system; False = their text is put at the head of the user's first message."""
    stream: bool | None = None
    stream_usage: bool | None = None
    """Whether it takes the wish for a count of tokens at the end of a stream."""
    structured: JsonForm | None = None
    """How JSON is had: by schema, as any JSON object, in words only."""
    extra_refused: tuple[str, ...] = ()
    """Names in agent.extra that it refused."""
    thinking: ThinkingPlace | None = None
    """Where its thinking stands: none = it does not think; hidden = it is counted and not shown; reasoning, reasoning_content,
    reasoning_details = a field of the message; parts = parts of its content; text = in the text, between tags."""

    @property
    def thinks(self) -> bool:
        """Whether the model was seen to think."""
        return self.thinking not in (None, "none")

    @property
    def record(self) -> dict[str, Any]:
        """What is known, as JSON values."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) not in (None, ())}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Profile":
        values = {name: value for name, value in record.items() if name in cls.__slots__}
        return cls(**{**values, "extra_refused": tuple(values.get("extra_refused", ()))})

    def update(self, other: "Profile") -> "Profile":
        """This profile with whatever the other one knows in its place."""
        news = other.record
        return replace(self, **news) if news else self

    def refuse(self, parameter: str, *, rename: bool = False) -> "Profile | None":
        """The profile once the endpoint refused a parameter, by our name for it: another name for it (`rename` = the endpoint
        may know one), a plainer form, or nothing. None when there is nothing left to leave out."""
        if parameter.startswith("extra."):
            name = parameter.removeprefix("extra.")
            return None if name in self.extra_refused else replace(self, extra_refused=(*self.extra_refused, name))
        if parameter == "token_limit":
            is_old = self.token_limit in (None, "max_tokens")
            return None if self.token_limit == "none" else replace(self, token_limit=OTHER_LIMIT if is_old else "none")
        if parameter == "seed":
            is_first = rename and self.seed in (None, "seed")
            return None if self.seed == "none" else replace(self, seed="random_seed" if is_first else "none")
        if parameter == "structured":
            plainer = PLAINER_FORMS.get(self.structured or "schema")
            return replace(self, structured=plainer) if plainer else None
        if parameter == "tools_effort":
            return None if self.tools_effort else replace(self, tools_effort="none")
        if parameter == "returns_thinking":
            return None if self.returns_thinking else replace(self, returns_thinking=True)
        change: dict[str, Any] = {parameter: False}
        return None if getattr(self, parameter) is False else replace(self, **change)


class ProfileMemory(Protocol):
    """Keeps profiles as JSON values between agents and processes, by endpoint, model and way of asking."""

    def load(self, endpoint: str, model: str, way: str) -> Mapping[str, Any]:
        """The record; empty when nothing is known. Called before every request, so it must be quick."""

    def save(self, endpoint: str, model: str, way: str, record: Mapping[str, Any]) -> None:
        """Keep the record in the place of an older one."""


class PassingMemory:
    """Keeps profiles as long as the object lives."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str, str], Mapping[str, Any]] = {}

    def load(self, endpoint: str, model: str, way: str) -> Mapping[str, Any]:
        return self._records.get((endpoint, model, way), {})

    def save(self, endpoint: str, model: str, way: str, record: Mapping[str, Any]) -> None:
        self._records[endpoint, model, way] = record
