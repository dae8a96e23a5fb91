"""What runs are called side by side: no two of a list alike, and each by what sets it apart from the others."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from agents.kind import needs_no_model
from core.nouns import Run

MAX_VALUE_CHARACTERS = 24
"""Characters of a setting's value."""


def name_runs(runs: Sequence[Run]) -> list[str]:
    """A short name per run: its system, retriever and agent, offline marked; then, of runs that are alike in these, what
    most of the others do not have; the run's id where nothing else tells two apart."""
    bases = [_base(run) for run in runs]
    of = {base: [run for run, own in zip(runs, bases, strict=True) if own == base] for base in dict.fromkeys(bases)}
    apart = {base: _find_usual_facts([_facts(run) for run in alike]) for base, alike in of.items()}
    names = [", ".join([base, *_list_unusual_facts(_facts(run), apart[base])]) for base, run in zip(bases, runs, strict=True)]
    times = Counter(names)
    return [name if times[name] == 1 else f"{name} {run.id[:6]}" for name, run in zip(names, runs, strict=True)]


def _base(run: Run) -> str:
    agent = "" if needs_no_model(run.agent) else run.agent or ""  # the mark says it
    parts = [run.system.name, str(run.config.get("retriever") or ""), str(run.config.get("embedding_model") or ""), agent]
    return " ".join(filter(None, parts)) + (" (offline)" if run.offline else "")


def _facts(run: Run) -> dict[str, str]:
    """What may set a run apart from others of its name, in words; a value that is a hash tells nobody anything."""
    facts = {name: _format_value(value) for name, value in run.system.settings.items() if not str(value).startswith("b2:")}
    facts = {name: f"{name} {value}" for name, value in facts.items()}
    if sample := run.config.get("sample"):
        facts["sample"] = f"sample of {sample[0]}"
    if run.repetition:
        facts["repetition"] = f"repetition {run.repetition + 1}"
    return {**facts, "release": run.release}


def _format_value(value: Any) -> str:
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return words if len(words) <= MAX_VALUE_CHARACTERS else f"…{words[-MAX_VALUE_CHARACTERS:]}"


def _find_usual_facts(facts: Sequence[Mapping[str, str]]) -> dict[str, str | None]:
    """What more than half of them have, by fact; a fact that none or all have alike among them."""
    found: dict[str, str | None] = {}
    for name in dict.fromkeys(name for one in facts for name in one):
        value, times = Counter(one.get(name) for one in facts).most_common(1)[0]
        if 2 * times > len(facts):
            found[name] = value
    return found


def _list_unusual_facts(facts: Mapping[str, str], usual: Mapping[str, str | None]) -> list[str]:
    return [said for name, said in facts.items() if name not in usual or usual[name] != said]
