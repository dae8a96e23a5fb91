"""Give each run in a list a short unique name, made from the facts in which the run differs from the other runs."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from agents.kind import needs_no_model
from core.nouns import Run

MAX_VALUE_CHARACTERS = 24
"""Maximum number of characters of a setting's value in a run's name; a longer value is cut."""

HASHES = ("user_prompts",)
"""Settings of a run that are lists of hashes, which are left out of names as single hashes are."""


def name_runs(runs: Sequence[Run]) -> list[str]:
    """Return a short name for each run: its system, retriever and agent, marked if its answers are the offline agent's. If
    several runs have the same name, each name is extended by the facts in which the run differs from most of these runs or, if
    names are still equal, by the beginning of the run's id."""
    bases = [_name_base(run) for run in runs]
    facts = [_list_facts(run) for run in runs]
    pairs = list(zip(bases, facts, strict=True))
    usual = {base: _find_usual_facts([own for other, own in pairs if other == base]) for base in set(bases)}
    names = []
    for base, own in pairs:
        unusual = [words for name, words in own.items() if usual[base].get(name, "") != words]
        names.append(", ".join([base, *unusual]))
    counts = Counter(names)
    return [name if counts[name] == 1 else f"{name} {run.id[:6]}" for name, run in zip(names, runs, strict=True)]


def _name_base(run: Run) -> str:
    is_offline = "answer" in run.offline
    agent = "" if is_offline and needs_no_model(run.agent) else run.agent or ""  # the offline mark replaces the agent's name
    parts = [run.system.name, str(run.config.get("retriever") or ""), str(run.config.get("embedding_model") or ""), agent]
    return " ".join(filter(None, parts)) + (" (offline)" if is_offline else "")


def _list_facts(run: Run) -> dict[str, str]:
    """Return a dict from the name to the text of each fact that may distinguish a run from runs of the same name; hashes are
    left out."""
    settings = run.system.settings.items()
    facts = {
        name: f"{name} {_format_value(value)}"
        for name, value in settings
        if name not in HASHES and not str(value).startswith("b2:")
    }
    if sample := run.config.get("sample"):
        facts["sample"] = f"sample of {sample[0]}"
    if run.repetition:
        facts["repetition"] = f"repetition {run.repetition + 1}"
    return {**facts, "release": run.release}


def _format_value(value: Any) -> str:
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return words if len(words) <= MAX_VALUE_CHARACTERS else f"…{words[-MAX_VALUE_CHARACTERS:]}"


def _find_usual_facts(facts: Sequence[Mapping[str, str]]) -> dict[str, str | None]:
    """Return a dict from fact to the value that more than half of the runs share; None = more than half lack the fact."""
    counts = {name: Counter(own.get(name) for own in facts) for name in dict.fromkeys(name for own in facts for name in own)}
    common = {name: count.most_common(1)[0] for name, count in counts.items()}
    return {name: value for name, (value, times) in common.items() if 2 * times > len(facts)}
