"""An agent's name on the command line becomes an Agent: offline, recorded, openai:MODEL, huggingface:FOLDER_OR_NAME,
scripted:FILE.jsonl."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.agents.agent import Agent
from core.errors import BenchError

if TYPE_CHECKING:
    from core.offline.corpus import Corpus

KINDS = ("offline", "recorded", "openai:MODEL", "huggingface:FOLDER_OR_NAME", "scripted:FILE.jsonl")
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "openai": ("price_in", "price_out", "context", "rpm", "tpm", "concurrency", "timeout", "temperature", "structured"),
    "huggingface": ("temperature",),
}
"""What can be set per kind, by --set agent.NAME=VALUE."""
_WHOLE = ("context", "concurrency")
_FROM_ZERO = ("price_in", "price_out", "temperature")
_MODES = ("auto", "schema", "json", "prompt")


def build(
    name: str,
    settings: Mapping[str, object],
    environment: Mapping[str, str],
    recordings: Sequence[Path],
    corpus: "Corpus | None",
    *,
    base_url: str = "",
    key_env: str = "OPENAI_API_KEY",
) -> Agent:
    """The agent of that name. `settings` are values as --set reads them; `environment` holds the key under the name `key_env`,
    and OPENAI_BASE_URL for when `base_url` is empty; `recordings` are the recorded agent's files; `corpus` is what the offline
    agent knows of the documents. Raises BenchError on an unknown name, an unknown setting or a value that does not fit."""
    values: dict[str, Any] = checked(name, settings)
    kind, _, what = name.partition(":")
    if kind == "openai":
        from core.agents.openai import OpenAIAgent, OpenAISettings

        key, url = environment.get(key_env), base_url or environment.get("OPENAI_BASE_URL")
        return OpenAIAgent(what, url or None, key or None, OpenAISettings(**values), key_env=key_env)
    if kind == "huggingface":
        from core.agents.huggingface import HuggingFaceAgent

        return HuggingFaceAgent(what, **values)
    if kind == "scripted":
        from core.agents.scripted import ScriptedAgent

        return ScriptedAgent.from_file(Path(what))
    if kind == "recorded":
        from core.agents.recorded import RecordedAgent

        return RecordedAgent(recordings)
    from core.offline.agent import OfflineAgent

    return OfflineAgent(corpus)


def checked(name: str, settings: Mapping[str, object]) -> dict[str, Any]:
    """The settings of the agent of that name as it takes them, None left out. Raises BenchError on an unknown name, an unknown
    setting or a value that does not fit."""
    kind, _, what = name.partition(":")
    takes_more = any(known.startswith(f"{kind}:") for known in KINDS)
    if not (takes_more or kind in KINDS) or bool(what) != takes_more:
        raise BenchError(f"No agent named {name!r}; there are: {', '.join(KINDS)}, and those saved on the agents page.")
    known = SETTINGS.get(kind, ())
    if unknown := sorted(set(settings) - set(known)):
        there = f"there are: {', '.join(known)}" if known else "it takes none"
        raise BenchError(f"The agent {name} has no setting {unknown[0]!r}; {there}.")
    return {key: _value(key, value) for key, value in settings.items() if value is not None}


def _value(key: str, value: object) -> object:
    if key == "structured":
        if value not in _MODES:
            raise BenchError(f"The agent's setting structured is {value!r}: write one of {', '.join(_MODES)}.")
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    number = float(value) if is_number else -1.0  # type: ignore[arg-type]
    low_enough = number >= 0 if key in _FROM_ZERO else number > 0
    if not is_number or not low_enough or (key in _WHOLE and number != int(number)):
        kind = "a whole number above 0" if key in _WHOLE else "a number from 0" if key in _FROM_ZERO else "a number above 0"
        raise BenchError(f"The agent's setting {key} is {value!r}: write {kind}.")
    return int(number) if key in _WHOLE else number
