"""`--set key=value`: a value is read as JSON, else as text. Keys with a dot belong to what stands before it (agent, judge)."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from core.errors import BenchError


def parse_settings(pairs: Iterable[str]) -> dict[str, Any]:
    """{key: value} of "key=value" texts; raises BenchError on one without a key."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        key, sign, text = pair.partition("=")
        if not sign or not key.strip():
            raise BenchError(f"--set {pair!r} has no key: write it as key=value.")
        settings[key.strip()] = read(text)
    return settings


def read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def of(settings: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """The settings of one owner, without its name: {"agent.rpm": 60} of "agent" is {"rpm": 60}."""
    return {key.removeprefix(f"{owner}."): value for key, value in settings.items() if key.startswith(f"{owner}.")}


def own(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that belong to nobody else."""
    return {key: value for key, value in settings.items() if "." not in key or not key.startswith(("agent.", "judge."))}


def only(settings: Mapping[str, Any], allowed: Iterable[str], what: str) -> None:
    """Raises BenchError naming the first setting that `what` does not know."""
    known = sorted(set(allowed))
    unknown = sorted(set(settings) - set(known))
    if unknown:
        raise BenchError(f"{what} knows no setting {unknown[0]!r}; it knows: {', '.join(known) or 'none'}.")
