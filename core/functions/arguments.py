"""Arguments of a function: read from what a model wrote, given their names, and fitted to the parameters. Nothing that a model
wrote is executed."""

import ast
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.functions.function import Function, Parameter
from core.functions.function_words import example

MAX_READ_CHARACTERS = 10_000
"""Characters of a model's text that are read."""
_STATEMENTS = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.Assign,
    ast.For,
    ast.While,
    ast.With,
    ast.ListComp,
    ast.GeneratorExp,
    ast.DictComp,
    ast.SetComp,
)


def read_arguments(function: Function, text: str) -> dict[str, Any]:
    """The arguments that a model wrote: a JSON object; Python literals by name or by place (`name="x", 3`); or, where one
    argument is enough and that one is a string, the bare text. Nothing is executed. Raises BenchError on anything else, on code
    above all."""
    if len(text) > MAX_READ_CHARACTERS:
        raise BenchError(
            f"The arguments of {function.name} are {len(text):,} characters long: at most {MAX_READ_CHARACTERS:,} are read."
        )
    text = text.strip()
    if not text:
        return {}
    read = _json_object(text)
    if read is not None:
        return read
    call, bare = _python_call(text), _find_text_parameter(function)
    if call is not None and _is_literal(call):
        args = [ast.literal_eval(arg) for arg in call.args]
        kwargs = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
        if len(args) == 1 and not kwargs and isinstance(args[0], dict):
            return {str(key): value for key, value in args[0].items()}
        if bare is not None and len(args) == 1 and not kwargs and isinstance(args[0], int | float | None):
            return {bare.name: text}
        return by_name(function, args, kwargs)
    named = {keyword.arg for keyword in call.keywords} if call else set()
    if bare is not None and not _is_code(text, call) and not named & {parameter.name for parameter in function.parameters}:
        return {bare.name: text}
    raise BenchError(
        f"The arguments of {function.name} cannot be read: give plain values by name, as in {example(function)}; code is not "
        "run."
    )


def by_name(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments given by place and by name as arguments by name. Raises BenchError when there are too many, or one twice."""
    names = [parameter.name for parameter in function.parameters]
    if len(args) > len(names):
        raise BenchError(f"{function.name} takes {_count(len(names))}, not {len(args)}: {example(function)}.")
    placed = dict(zip(names, args, strict=False))
    twice = [name for name in placed if name in kwargs]
    if twice:
        raise BenchError(f"{function.name} was given {', '.join(twice)} twice: give each argument once.")
    return placed | dict(kwargs)


def fit_arguments(function: Function, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the function wants them. Raises BenchError on those it has no place for."""
    known = {parameter.name: parameter for parameter in function.parameters}
    extra = [str(name) for name in arguments if name not in known]
    if extra:
        takes = ", ".join(known) or "nothing"
        raise BenchError(f"{function.name} has no argument {shorten_words(', '.join(extra))}; it takes {takes}.")
    given = {name: value for name, value in arguments.items() if value is not None}
    missing = [name for name, parameter in known.items() if parameter.required and name not in given]
    if missing:
        raise BenchError(f"{function.name} was not given {', '.join(missing)}: call it as {example(function)}.")
    return {name: _value(function, known[name], value) for name, value in given.items()}


def _value(function: Function, parameter: Parameter, value: Any) -> Any:
    """The value in its parameter's type, where the two can only mean one thing."""
    read = _READERS[parameter.type](value)
    if read is None:
        raise BenchError(
            f"{parameter.name} of {function.name} has to be {_article(parameter.type)}, not {shorten_words(repr(value))}."
        )
    if parameter.choices and read not in parameter.choices:
        raise BenchError(
            f"{parameter.name} of {function.name} is one of {', '.join(parameter.choices)}, not {shorten_words(repr(read))}."
        )
    return read


def _string(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _integer(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


def _number(value: Any) -> int | float | None:
    if isinstance(value, str):
        try:
            value = json.loads(value.strip()) if len(value) < 400 else None
        except ValueError:
            return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and abs(value) < 1e300 and math.isfinite(value) else None


def _boolean(value: Any) -> bool | None:
    words = {"true": True, "false": False}
    return value if isinstance(value, bool) else words.get(value.strip().lower()) if isinstance(value, str) else None


_READERS: Mapping[str, Callable[[Any], Any]] = {"string": _string, "integer": _integer, "number": _number, "boolean": _boolean}


def _json_object(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def _python_call(text: str) -> ast.Call | None:
    """The text as what stands between a call's brackets; None when it cannot stand there."""
    tree = _parse_python(f"f({text}\n)")
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    try:
        call = _JsonWords().visit(tree.body[0].value)
    except RecursionError:
        return None
    return call if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "f" else None


class _JsonWords(ast.NodeTransformer):
    """true, false and null as the values that they are in JSON."""

    _VALUES: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Constant(self._VALUES[node.id]), node) if node.id in self._VALUES else node


def _parse_python(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_literal(call: ast.Call) -> bool:
    """Whether every argument is a plain value with a name or a place."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if any(keyword.arg is None for keyword in call.keywords):
        return False
    try:
        for value in values:
            ast.literal_eval(value)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return False
    return True


def _is_code(text: str, call: ast.Call | None) -> bool:
    """Whether a bare text is a program rather than words: `Titanic (1997)` and `Mercury (planet)` are titles, `open("x")` and
    `os.listdir()` are not. Neither would be run; a model that writes code is told so."""
    tree = _parse_python(text)
    if tree is None and call is None:
        return "__" in text or (";" in text and "(" in text)
    within = [*call.args, *(keyword.value for keyword in call.keywords)] if call else []
    return any(_does_something(node) for part in (tree, *within) if part is not None for node in ast.walk(part))


def _does_something(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        told = [arg for arg in node.args if isinstance(arg, ast.Constant | ast.JoinedStr) and not _is_figure(arg)]
        return bool(told or node.keywords or not node.args)
    return isinstance(node, _STATEMENTS) or (isinstance(node, ast.Name) and node.id.startswith("__"))


def _is_figure(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _find_text_parameter(function: Function) -> Parameter | None:
    """The string that a bare text can be."""
    required = [parameter for parameter in function.parameters if parameter.required] or list(function.parameters[:1])
    return required[0] if len(required) == 1 and required[0].type == "string" else None


def shorten_words(text: str) -> str:
    """A model's words within a sentence, not too many of them."""
    return text if len(text) <= 60 else f"{text[:60]}..."


def _count(n: int) -> str:
    return "no argument" if n == 0 else "1 argument" if n == 1 else f"{n} arguments"


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
