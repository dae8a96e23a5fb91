"""What is known about the parameters that one model of an endpoint accepts. A profile starts empty and is learned from answers
and refusals; a ProfileMemory stores it. Every field can be set by hand instead."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

JsonForm = Literal["schema", "json", "prompt"]
ThinkingPlace = Literal["none", "hidden", "reasoning", "reasoning_content", "reasoning_details", "parts", "text"]

OTHER_LIMIT: Literal["max_completion_tokens"] = "max_completion_tokens"
PLAINER_FORMS: Mapping[JsonForm, JsonForm] = {"schema": "json", "json": "prompt"}


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known about the parameters that one model of an endpoint accepts, for one combination of reasoning effort and
    `extra`, because some models accept a temperature only when they do not think. None = not known yet. "Accepted" means that
    the endpoint did not refuse the parameter: some endpoints silently ignore unknown parameters."""

    token_limit: Literal["max_tokens", "max_completion_tokens", "none"] | None = None
    """Name of the parameter that limits the tokens of a reply; none = the endpoint accepts no limit."""
    most_tokens: int | None = None
    """Highest token limit of a reply that the endpoint accepts."""
    temperature: bool | None = None
    top_p: bool | None = None
    stop: bool | None = None
    seed: Literal["seed", "random_seed", "none"] | None = None
    """Name of the parameter for the random seed; none = the endpoint accepts no seed."""
    logprobs: bool | None = None
    tools: bool | None = None
    """Whether functions for the model to call are accepted."""
    tools_effort: Literal["none"] | None = None
    """Reasoning effort that the endpoint requires together with functions."""
    reasoning: bool | None = None
    """Whether the endpoint accepts the set value of the parameter `reasoning_effort`."""
    returns_thinking: bool | None = None
    """Whether the endpoint requires the thinking of earlier turns with function calls to be sent back."""
    system: bool | None = None
    """Whether the endpoint accepts messages with the role system; False = their text is put before the first user message."""
    stream: bool | None = None
    stream_usage: bool | None = None
    """Whether the endpoint accepts the request for a token count at the end of a streamed reply."""
    structured: JsonForm | None = None
    """How JSON replies are requested: by JSON schema, as any JSON object, or in words only."""
    extra_refused: tuple[str, ...] = ()
    """Names of the fields in agent.extra that the endpoint refused."""
    thinking: ThinkingPlace | None = None
    """Where the endpoint returns the model's thinking: none = the model does not think; hidden = counted but not shown;
    reasoning, reasoning_content, reasoning_details = a field of the message; parts = parts of the content; text = in the text,
    between tags."""

    @property
    def thinks(self) -> bool:
        """Whether the model has returned thinking (reasoning before its answer)."""
        return self.thinking not in (None, "none")

    @property
    def record(self) -> dict[str, Any]:
        """Known facts of the profile as JSON values; unknown facts are left out."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) not in (None, ())}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Profile":
        values = {name: value for name, value in record.items() if name in cls.__slots__}
        return cls(**{**values, "extra_refused": tuple(values.get("extra_refused", ()))})

    def update(self, other: "Profile") -> "Profile":
        """Return this profile with its facts replaced by the known facts of `other`."""
        news = other.record
        return replace(self, **news) if news else self

    def refuse(self, parameter: str, *, rename: bool = False) -> "Profile | None":
        """Return the profile to use after the endpoint refused a parameter (given by Benchwright's name for it): with another
        name for the parameter, with a simpler reply format, or without the parameter. `rename` says that the endpoint may
        accept another name. Returns None when no alternative is left."""
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
    """Stores what is learned about endpoints as JSON values for all agents and processes, by endpoint, model and `way`
    (reasoning effort and extra fields)."""

    def load(self, endpoint: str, model: str, way: str) -> Mapping[str, Any]:
        """Return the stored facts about the endpoint's model; empty if nothing is known. This method must be fast, because it
        runs before every request."""

    def save(self, endpoint: str, model: str, way: str, record: Mapping[str, Any]) -> None:
        """Store the facts about the endpoint's model in place of older ones."""


class PassingMemory:
    """Stores what is learned about endpoints only in memory, for as long as the object exists."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, str, str], Mapping[str, Any]] = {}

    def load(self, endpoint: str, model: str, way: str) -> Mapping[str, Any]:
        return self._records.get((endpoint, model, way), {})

    def save(self, endpoint: str, model: str, way: str, record: Mapping[str, Any]) -> None:
        self._records[endpoint, model, way] = record
