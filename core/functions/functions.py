"""Functions that an agent, a template or a program may call. One spec of a function drives the words of the prompt, the JSON
schema of a tool call and the call itself; what a model wrote is read as JSON or as Python literals and never executed."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.functions.arguments import by_name, fit_arguments, read_arguments, shorten_words
from core.functions.function import Function, FunctionResult, Observation, Parameter, Trouble
from core.functions.function_words import describe_function, describe_in_prompt, schema

__all__ = [
    "Function",
    "FunctionResult",
    "Observation",
    "Parameter",
    "Registry",
    "as_text",
    "by_name",
    "finish_function",
    "join_registries",
    "read_arguments",
]

MAX_TEXT_CHARACTERS = 100_000
"""Characters of an observation: 10 MB of rows never enter a trace. What a model is shown of it is cut shorter by the caller."""


class Registry(Mapping[str, Function]):
    """The functions open for one question, in order. `now` (the time that is asked at, ISO; None = no time is set) and the
    question's language are bound when it is opened."""

    def __init__(
        self,
        functions: Iterable[Function],
        now: str | None = None,
        language: str = "en",
        branch: "Callable[[], Registry] | None" = None,
    ) -> None:
        """`branch` = makes a registry that goes on by itself from the state that this one is in; None = it has no state."""
        self.now, self.language = now, language
        self._branch = branch
        self._functions: dict[str, Function] = {}
        for function in functions:
            if function.name in self._functions:
                raise BenchError(f"Two functions are named {function.name}: give one of them another name.")
            self._functions[function.name] = function

    def __getitem__(self, name: str) -> Function:
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def add_functions(self, *functions: Function) -> "Registry":
        """With further functions at the end."""
        branch = self._branch
        return Registry(
            [*self.values(), *functions], self.now, self.language, branch and (lambda: branch().add_functions(*functions))
        )

    def remove_functions(self, *names: str) -> "Registry":
        branch = self._branch
        kept = [function for function in self.values() if function.name not in names]
        return Registry(kept, self.now, self.language, branch and (lambda: branch().remove_functions(*names)))

    def start_branch(self) -> "Registry":
        """One that goes on by itself from here, for a search that comes back here; this one where it has no state."""
        return self._branch() if self._branch else self

    def as_prompt(self, language: str | None = None) -> str:
        """The functions in the words of a prompt, in the question's language unless another is named."""
        return "\n\n".join(describe_in_prompt(function, language or self.language) for function in self.values())

    def json_schema(self) -> list[dict[str, Any]]:
        """The functions as an OpenAI-compatible endpoint's `tools`."""
        return [
            {
                "type": "function",
                "function": {
                    "name": function.name,
                    "description": " ".join(describe_function(function, self.language)),
                    "parameters": schema(function, self.language),
                },
            }
            for function in self.values()
        ]

    def call(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Carry the function out. A name or argument that is wrong comes back as an observation that says so."""
        function = self.get(name)
        if function is None:
            return _refuse_call(
                f"There is no function {shorten_words(name)}; there are: {', '.join(self)}.", "unknown_function"
            )
        try:
            fitted = fit_arguments(function, arguments)
        except BenchError as error:
            return _refuse_call(str(error), "bad_arguments")
        try:
            came = function.call(**fitted)
        except BenchError as error:
            return _refuse_call(str(error), "failed", fitted)
        found = came if isinstance(came, FunctionResult) else FunctionResult(came, as_text(came))
        return Observation(_cut(found.text), found.value, spans=found.spans, arguments=fitted, ends=function.ends)

    def call_text(self, name: str, text: str) -> Observation:
        """As call, with the arguments as a model wrote them, see `read_arguments`."""
        function = self.get(name)
        if function is None:
            return self.call(name, {})
        try:
            return self.call(name, read_arguments(function, text))
        except BenchError as error:
            return _refuse_call(str(error), "bad_arguments")


def join_registries(registries: Sequence[Registry]) -> Registry:
    """Several registries as one; of functions that end the work the last one stays."""
    ends = [function for registry in registries for function in registry.values() if function.ends][-1:]
    first = registries[0]
    functions = [function for registry in registries for function in registry.values() if not function.ends]
    return Registry(
        [*functions, *ends], first.now, first.language, lambda: join_registries([one.start_branch() for one in registries])
    )


def finish_function() -> Function:
    """The function that ends the work with an answer."""
    return Function(
        name="Finish",
        description="Ends the work with the answer.",
        zh="给出答案并结束。",
        parameters=(Parameter("answer", "string", "The answer.", zh="答案。"),),
        returns="nothing more.",
        zh_returns="无。",
        call=lambda answer: FunctionResult(answer, answer),
        ends=True,
    )


def as_text(value: object) -> str:
    """A value in an observation: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _refuse_call(sentence: str, trouble: Trouble, arguments: Mapping[str, Any] | None = None) -> Observation:
    return Observation(_cut(sentence), ok=False, error=_cut(sentence), trouble=trouble, arguments=arguments or {})


def _cut(text: str) -> str:
    if len(text) <= MAX_TEXT_CHARACTERS:
        return text
    return f"{text[:MAX_TEXT_CHARACTERS]}... ({len(text):,} characters, the first {MAX_TEXT_CHARACTERS:,} are shown)"
