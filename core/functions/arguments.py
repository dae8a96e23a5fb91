"""Parses the arguments of a function call from text that a model wrote, assigns them to the function's parameters, and converts
them to the parameters' types. The text is never executed."""

import ast
import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from core.errors import BenchError
from core.functions.function import Function, Parameter
from core.functions.function_words import example

MAX_READ_CHARACTERS = 10_000
"""Maximum number of characters in the arguments that a model writes."""
MAX_SHOWN_CHARACTERS = 60
"""Maximum number of characters of a model's text that an error message quotes."""
_STATEMENTS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.Assign, ast.For, ast.While, ast.With)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
_UNREADABLE = (SyntaxError, ValueError, TypeError, RecursionError, MemoryError)
"""Errors that Python's parser raises for text that was written to make the parser fail."""


def read_arguments(function: Function, text: str) -> dict[str, Any]:
    """Return the arguments of a function as a dict from argument name to value, read from text that a model wrote. The text is
    never executed.

    Reads a JSON object, Python literals by name or position (`name="x", 3`), or bare text if one string argument is enough.
    Raises BenchError for any other text, including code."""
    if len(text) > MAX_READ_CHARACTERS:
        raise BenchError(
            f"The arguments of {function.name} are {len(text):,} characters long: at most {MAX_READ_CHARACTERS:,} are read."
        )
    text = text.strip()
    if not text:
        return {}
    with suppress(*_UNREADABLE):
        if isinstance(arguments := json.loads(text), dict):
            return arguments
    call, bare = _parse_call(text), _find_text_parameter(function)
    if call is not None and (literals := _read_literals(call)) is not None:
        args, kwargs = literals
        if len(args) == 1 and not kwargs and isinstance(args[0], dict):
            return {str(key): value for key, value in args[0].items()}
        if bare is not None and len(args) == 1 and not kwargs and isinstance(args[0], int | float | None):
            return {bare.name: text}
        return by_name(function, args, kwargs)
    names = {keyword.arg for keyword in call.keywords} if call else set()
    if bare is not None and not _is_code(text, call) and not names & {parameter.name for parameter in function.parameters}:
        return {bare.name: text}
    raise BenchError(
        f"The arguments of {function.name} cannot be read: give plain values by name, as in {example(function)}; code is not "
        "run."
    )


def by_name(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return positional and named arguments together as a dict from argument name to value. Raises BenchError if there are too
    many arguments, or if an argument is given twice."""
    names = [parameter.name for parameter in function.parameters]
    if len(args) > len(names):
        takes = "no argument" if not names else "1 argument" if len(names) == 1 else f"{len(names)} arguments"
        raise BenchError(f"{function.name} takes {takes}, not {len(args)}: {example(function)}.")
    placed = dict(zip(names, args, strict=False))
    if twice := [name for name in placed if name in kwargs]:
        raise BenchError(f"{function.name} was given {', '.join(twice)} twice: give each argument once.")
    return placed | dict(kwargs)


def fit_arguments(function: Function, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Convert each argument to the type of its parameter, and drop arguments that are null. Raises BenchError for an unknown,
    missing or wrong argument."""
    parameters = {parameter.name: parameter for parameter in function.parameters}
    if extra := [str(name) for name in arguments if name not in parameters]:
        takes = ", ".join(parameters) or "nothing"
        raise BenchError(f"{function.name} has no argument {shorten_words(', '.join(extra))}; it takes {takes}.")
    values = {name: value for name, value in arguments.items() if value is not None}
    if missing := [name for name, parameter in parameters.items() if parameter.required and name not in values]:
        raise BenchError(f"{function.name} was not given {', '.join(missing)}: call it as {example(function)}.")
    return {name: _convert_value(function, parameters[name], value) for name, value in values.items()}


def _convert_value(function: Function, parameter: Parameter, value: Any) -> Any:
    """Convert a value to the type of its parameter. Raises BenchError if the value does not fit."""
    converted = _READERS[parameter.type](value)
    if converted is None:
        article = "an" if parameter.type == "integer" else "a"
        raise BenchError(
            f"{parameter.name} of {function.name} has to be {article} {parameter.type}, not {shorten_words(repr(value))}."
        )
    if parameter.choices and converted not in parameter.choices:
        choices, shown = ", ".join(parameter.choices), shorten_words(repr(converted))
        raise BenchError(f"{parameter.name} of {function.name} is one of {choices}, not {shown}.")
    return converted


def _read_string(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _read_integer(value: Any) -> int | None:
    number = _read_number(value)
    return int(number) if number is not None and number == int(number) else None


def _read_number(value: Any) -> int | float | None:
    if isinstance(value, str):
        try:
            value = json.loads(value.strip()) if len(value) < 400 else None
        except ValueError:
            return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and abs(value) < 1e300 and math.isfinite(value) else None


def _read_boolean(value: Any) -> bool | None:
    words = {"true": True, "false": False}
    return value if isinstance(value, bool) else words.get(value.strip().lower()) if isinstance(value, str) else None


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "string": _read_string,
    "integer": _read_integer,
    "number": _read_number,
    "boolean": _read_boolean,
}


def _parse_call(text: str) -> ast.Call | None:
    """Parse the text as the arguments of a function call. Return None if the text cannot be parsed."""
    tree = _parse_python(f"f({text}\n)")
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    try:
        call = _JsonWords().visit(tree.body[0].value)
    except RecursionError:
        return None
    return call if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "f" else None


class _JsonWords(ast.NodeTransformer):
    """Replaces the names true, false and null in a parsed text with their JSON values."""

    _VALUES: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Constant(self._VALUES[node.id]), node) if node.id in self._VALUES else node


def _parse_python(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except _UNREADABLE:
        return None


def _read_literals(call: ast.Call) -> tuple[list[Any], dict[str, Any]] | None:
    """Return the positional and named arguments of a parsed call, or None if any of them is not a plain value."""
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    try:
        named = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
        return [ast.literal_eval(arg) for arg in call.args], named
    except _UNREADABLE:
        return None


def _is_code(text: str, call: ast.Call | None) -> bool:
    """Return whether text without quotes is program code: `Titanic (1997)` and `Mercury (planet)` are titles, `open("x")` and
    `os.listdir()` are code. The text is never executed; for code, the caller gets an error."""
    tree = _parse_python(text)
    if tree is None and call is None:
        return "__" in text or (";" in text and "(" in text)
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)] if call else []
    return any(_is_action(node) for part in (tree, *arguments) if part is not None for node in ast.walk(part))


def _is_action(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return bool(node.keywords or not node.args or any(map(_is_text_literal, node.args)))
    is_private = isinstance(node, ast.Name) and node.id.startswith("__")
    return is_private or isinstance(node, _STATEMENTS + _COMPREHENSIONS)


def _is_text_literal(node: ast.expr) -> bool:
    is_number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    return isinstance(node, ast.Constant | ast.JoinedStr) and not is_number


def _find_text_parameter(function: Function) -> Parameter | None:
    """Return the parameter whose value is a text without quotes: the function's only required parameter. Return None if the
    function requires several arguments, or if that parameter is not a string."""
    required = [parameter for parameter in function.parameters if parameter.required] or list(function.parameters[:1])
    return required[0] if len(required) == 1 and required[0].type == "string" else None


def shorten_words(text: str) -> str:
    """Shorten text that a model wrote, so that it fits into an error message."""
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."
