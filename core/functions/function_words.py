"""A function in words: in a prompt, as an endpoint's tool, as an example of how it is called."""

from collections.abc import Mapping
from typing import Any

from core.functions.function import Function, Parameter

_TYPES: Mapping[str, Mapping[str, str]] = {
    "en": {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean"},
    "zh": {"string": "字符串", "integer": "整数", "number": "数值", "boolean": "布尔值"},
}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "required": "required",
        "optional": "optional",
        "returns": "Returns",
        "one of": "one of",
        "fuzzy": "Similar spellings match.",
        "exact": "Only the exact value matches.",
    },
    "zh": {
        "required": "必填",
        "optional": "可选",
        "returns": "返回",
        "one of": "取值",
        "fuzzy": "允许近似匹配。",
        "exact": "必须完全一致。",
    },
}


def describe_in_prompt(function: Function, language: str) -> str:
    """As it stands in a prompt."""
    word = _WORDS.get(language, _WORDS["en"])
    types = _TYPES.get(language, _TYPES["en"])
    described, returns = describe_function(function, language)
    names = ", ".join(p.name if p.required else f"{p.name}?" for p in function.parameters)
    lines = [f"{function.name}({names})", f"  {described}"]
    for parameter in function.parameters:
        kind = f"{types[parameter.type]}, {word['required' if parameter.required else 'optional']}"
        lines.append(f"  - {parameter.name} ({kind}): {_describe_parameter(parameter, language)}")
        if parameter.choices:
            lines[-1] += f" ({word['one of']}: {', '.join(parameter.choices)})"
    return "\n".join([*lines, f"  {returns}"])


def describe_function(function: Function, language: str) -> tuple[str, str]:
    """What it does and how it matches; what it returns."""
    is_zh = language == "zh"
    word = _WORDS["zh" if is_zh else "en"]
    described = (is_zh and function.zh) or function.description
    returns = (is_zh and function.zh_returns) or function.returns
    how = [word[function.match]] if function.parameters and not function.ends else []
    return ("" if is_zh else " ").join([described, *how]), f"{word['returns']}{'：' if is_zh else ': '}{returns}"


def _describe_parameter(parameter: Parameter, language: str) -> str:
    return (language == "zh" and parameter.zh) or parameter.description


def schema(function: Function, language: str) -> dict[str, Any]:
    """Its arguments as a JSON schema."""
    properties = {}
    for parameter in function.parameters:
        properties[parameter.name] = {"type": parameter.type, "description": _describe_parameter(parameter, language)} | (
            {"enum": list(parameter.choices)} if parameter.choices else {}
        )
    required = [parameter.name for parameter in function.parameters if parameter.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def example(function: Function) -> str:
    """How it is called."""
    named = [p.name + ('="..."' if p.type == "string" else "=...") for p in function.parameters if p.required]
    return f"{function.name}({', '.join(named)})"
