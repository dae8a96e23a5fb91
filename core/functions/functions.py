"""Functions that an agent, a template or a program may call. A function's text in the prompt, its JSON schema as a tool, and
the call itself all come from one description of the function. Text that a model wrote is read as JSON or Python literals and
never executed."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from core.errors import BenchError, EngineFailed
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
"""Maximum number of characters in the text of a function's result, so that a trace never contains 10 MB of rows. Callers
shorten the text further for a model."""


class Registry(Mapping[str, Function]):
    """The functions that may be called for one question, in order. The time at which the question is asked, `now` (ISO format;
    None = not set), and the language of the question are fixed at construction."""

    def __init__(
        self,
        functions: Iterable[Function],
        now: str | None = None,
        language: str = "en",
        branch: "Callable[[], Registry] | None" = None,
    ) -> None:
        """Create a registry. `branch` returns an independent registry in the current state; None means that the functions have
        no state."""
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
        """Return a new registry with the given functions added at the end."""
        branch = self._branch
        more = branch and (lambda: branch().add_functions(*functions))
        return Registry([*self.values(), *functions], self.now, self.language, more)

    def remove_functions(self, *names: str) -> "Registry":
        """Return a copy of the registry without the functions that have the given names."""
        branch = self._branch
        others = [function for function in self.values() if function.name not in names]
        return Registry(others, self.now, self.language, branch and (lambda: branch().remove_functions(*names)))

    def start_branch(self) -> "Registry":
        """Return a copy of the registry in its current state for one branch of a search that backtracks; the branches do not
        affect each other. If the registry has no state, the method returns the registry itself."""
        return self._branch() if self._branch else self

    def as_prompt(self, language: str | None = None) -> str:
        """Return the descriptions of all functions for a prompt, in `language` or else in the language of the question."""
        return "\n\n".join(describe_in_prompt(function, language or self.language) for function in self.values())

    @cached_property
    def json_schema(self) -> tuple[Mapping[str, Any], ...]:
        """Return all functions in the form of the `tools` of an OpenAI-compatible endpoint."""
        tools = [
            {
                "name": function.name,
                "description": " ".join(describe_function(function, self.language)),
                "parameters": schema(function, self.language),
            }
            for function in self.values()
        ]
        return tuple({"type": "function", "function": tool} for tool in tools)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Call the function with that name. If the name or an argument is wrong, return an observation that contains the
        error."""
        function = self.get(name)
        if function is None:
            known = ", ".join(self)
            return _refuse_call(f"There is no function {shorten_words(name)}; there are: {known}.", "unknown_function")
        try:
            fitted = fit_arguments(function, arguments)
        except BenchError as error:
            return _refuse_call(str(error), "bad_arguments")
        try:
            value = function.call(**fitted)
        except EngineFailed:  # raised, because the model must not take an outage for a result
            raise
        except BenchError as error:
            return _refuse_call(str(error), "failed", fitted)
        result = value if isinstance(value, FunctionResult) else FunctionResult(value, as_text(value))
        return Observation(_cut_text(result.text), result.value, spans=result.spans, arguments=fitted, ends=function.ends)

    def call_text(self, name: str, text: str) -> Observation:
        """Call the function with that name with arguments that a model wrote as text; see read_arguments."""
        function = self.get(name)
        try:
            return self.call(name, read_arguments(function, text) if function else {})
        except BenchError as error:
            return _refuse_call(str(error), "bad_arguments")


def join_registries(registries: Sequence[Registry]) -> Registry:
    """Return one registry with the functions of several registries. If several of the functions end the agent's work, the
    result contains only the last of these."""
    every = [function for registry in registries for function in registry.values()]
    functions = [function for function in every if not function.ends] + [function for function in every if function.ends][-1:]
    now, language = registries[0].now, registries[0].language
    return Registry(functions, now, language, lambda: join_registries([registry.start_branch() for registry in registries]))


def finish_function() -> Function:
    """Return the function that an agent calls to end its work and give its answer."""
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
    """Return a function's value as text for a model: a string unchanged, any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _refuse_call(sentence: str, trouble: Trouble, arguments: Mapping[str, Any] | None = None) -> Observation:
    text = _cut_text(sentence)
    return Observation(text, ok=False, error=text, trouble=trouble, arguments=arguments or {})


def _cut_text(text: str) -> str:
    if len(text) <= MAX_TEXT_CHARACTERS:
        return text
    return f"{text[:MAX_TEXT_CHARACTERS]}... ({len(text):,} characters, the first {MAX_TEXT_CHARACTERS:,} are shown)"
