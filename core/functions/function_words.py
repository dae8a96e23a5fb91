"""Describes a function that agents can call: as text for a prompt, as a JSON tool for an endpoint, and as an example call."""

from collections.abc import Mapping
from typing import Any

from core.functions.function import Function, Parameter

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "string": "string",
        "integer": "integer",
        "number": "number",
        "boolean": "boolean",
        "required": "required",
        "optional": "optional",
        "returns": "Returns: ",
        "one of": "one of",
        "fuzzy": " Similar spellings match.",
        "exact": " Only the exact value matches.",
    },
    "zh": {
        "string": "字符串",
        "integer": "整数",
        "number": "数值",
        "boolean": "布尔值",
        "required": "必填",
        "optional": "可选",
        "returns": "返回：",
        "one of": "取值",
        "fuzzy": "允许近似匹配。",
        "exact": "必须完全一致。",
    },
}


def describe_in_prompt(function: Function, language: str) -> str:
    """Return the description of a function for a prompt: its signature, what it does, one line per parameter, and what it
    returns."""
    word = _WORDS.get(language, _WORDS["en"])
    description, returns = describe_function(function, language)
    names = ", ".join(p.name if p.required else f"{p.name}?" for p in function.parameters)
    lines = [f"{function.name}({names})", f"  {description}"]
    for parameter in function.parameters:
        kind = f"{word[parameter.type]}, {word['required' if parameter.required else 'optional']}"
        choices = f" ({word['one of']}: {', '.join(parameter.choices)})" if parameter.choices else ""
        lines.append(f"  - {parameter.name} ({kind}): {_describe_parameter(parameter, language)}{choices}")
    return "\n".join([*lines, f"  {returns}"])


def describe_function(function: Function, language: str) -> tuple[str, str]:
    """Return a description of what the function does, how it matches values, and what it returns."""
    is_zh = language == "zh"
    word = _WORDS["zh" if is_zh else "en"]
    matching = word[function.match] if function.parameters and not function.ends else ""
    description = ((is_zh and function.zh) or function.description) + matching
    return description, word["returns"] + ((is_zh and function.zh_returns) or function.returns)


def _describe_parameter(parameter: Parameter, language: str) -> str:
    return (language == "zh" and parameter.zh) or parameter.description


def schema(function: Function, language: str) -> dict[str, Any]:
    """Return the JSON schema of the function's arguments."""
    properties = {
        parameter.name: {"type": parameter.type, "description": _describe_parameter(parameter, language)}
        | ({"enum": list(parameter.choices)} if parameter.choices else {})
        for parameter in function.parameters
    }
    required = [parameter.name for parameter in function.parameters if parameter.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def example(function: Function) -> str:
    """Return an example call with placeholders for the required arguments, such as search(name="...")."""
    arguments = [p.name + ('="..."' if p.type == "string" else "=...") for p in function.parameters if p.required]
    return f"{function.name}({', '.join(arguments)})"
