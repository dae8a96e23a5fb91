"""Read a sweep from a YAML file. A sweep is a set of runs that vary one base run; the file gives the base run and the factors
that change in it, or the name of a paper's sweep."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from workbench.evaluate.running.run_presets import apply_preset
from workbench.evaluate.running.run_request import RunRequest, format_setting
from workbench.evaluate.sweeps.sweep_plan import Factor, FactorValue, SweepPlan, factor
from workbench.evaluate.sweeps.sweep_presets import SWEEPS

TEXTS = ("release", "system", "agent", "retriever")
COUNTS = ("votes", "repeat", "sample", "seed")
OF_RUN = (*TEXTS, "run_preset", "metrics", "judges", "budget", "settings", "variants", *COUNTS)
"""Names of the fields of a sweep that describe its base run."""
OF_SWEEP = ("name", "shape", "factors", "preset", "agents", "embedding_models")
MAX_FILE_BYTES = 1_000_000


def read_sweep_file(file: Path, name_agent: Callable[[str], str]) -> SweepPlan:
    """Return the sweep that a YAML file describes; `name_agent` completes an agent's name. Raises BenchError if the file is not
    a sweep."""
    import yaml

    try:
        raw = file.read_bytes()
        record = yaml.safe_load(raw[:MAX_FILE_BYTES].decode())
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = "" if line is None else f" at line {line + 1}"
        raise BenchError(f"{file.name} is not YAML{where}: write the fields of a sweep as `name: value` lines.") from error
    if not isinstance(record, Mapping):
        raise BenchError(f"{file.name} is not a sweep: it needs the fields release, system and factors.")
    return build_sweep(record, file.stem, name_agent)


def build_sweep(record: Mapping[str, Any], name: str, name_agent: Callable[[str], str]) -> SweepPlan:
    """Return the sweep that a dict of fields describes. `name` is the name of the sweep if the fields have none. Raises
    BenchError if a field is unknown, is missing or has another type."""
    if unknown := [str(key) for key in record if key not in (*OF_RUN, *OF_SWEEP)]:
        raise BenchError(f"A sweep has no field {unknown[0]!r}: its fields are {', '.join((*OF_SWEEP, *OF_RUN))}.")
    if "preset" in record:
        if "factors" in record or "shape" in record:
            raise BenchError("A sweep with a preset takes its factors from the preset: leave out factors and shape.")
        preset = pick(SWEEPS, str(record["preset"]), "sweep preset")
        agents = [name_agent(one) for one in _read_texts(record, "agents")]
        base = _read_base({"system": "vanilla", **({"agent": agents[0]} if agents else {}), **record}, name_agent)
        plan = preset.make(base, agents or [base.agent or "offline"], _read_texts(record, "embedding_models"))
        return SweepPlan(str(record.get("name", plan.name)), plan.base, plan.factors, plan.shape)
    if extra := [key for key in ("agents", "embedding_models") if key in record]:
        raise BenchError(
            f"The field {extra[0]} is only for sweeps with a preset: write it as a factor, such as `factors: {{agent: [...]}}`."
        )
    factors = record.get("factors")
    if not isinstance(factors, Mapping) or not factors:
        raise BenchError(
            "A sweep needs factors: write `factors:` and below it a line for each factor, such as `top_k: [1, 5, 10]`."
        )
    every = [_read_factor(str(key), values, name_agent) for key, values in factors.items()]
    defaults = {  # if a factor sets a field in every cell, the base needs no value for it
        key: value.changes[key] for one in every for value in one.steps[:1] for key in TEXTS if key in value.changes
    }
    base = _read_base({**defaults, **record}, name_agent)
    return SweepPlan(str(record.get("name", name)), base, every, record.get("shape", "one"))


def _read_factor(name: str, values: object, name_agent: Callable[[str], str]) -> Factor:
    """Return one factor of a sweep. A factor is a list of values of the field or setting `name`, or a dict from label to fields
    and settings that change together."""

    def change(key: str, value: Any) -> Json:
        return name_agent(value) if key == "agent" and isinstance(value, str) else value

    if isinstance(values, Sequence) and not isinstance(values, str):
        return factor(name, [change(name, value) for value in values])
    if isinstance(values, Mapping) and all(isinstance(changes, Mapping) for changes in values.values()):
        steps = [
            FactorValue(format_setting(label), {str(key): change(str(key), value) for key, value in changes.items()})
            for label, changes in values.items()
        ]
        return Factor(name, steps)
    raise BenchError(
        f"The factor {name} has no values: give a list, or a line for each label with what it changes, such as "
        f"`small: {{chunk_tokens: 64, top_k: 16}}`."
    )


def _read_base(record: Mapping[str, Any], name_agent: Callable[[str], str]) -> RunRequest:
    for key in ("release", *(() if "run_preset" in record else ("system",))):
        if not record.get(key):
            raise BenchError(f"A sweep needs the field {key}: add a line `{key}: NAME`.")
    for key in TEXTS:
        if not isinstance(record.get(key), str | None):
            raise BenchError(f"The field {key} of a sweep takes one name: to vary it, list the names under factors.")
    for key in COUNTS:
        if key in record and (not isinstance(record[key], int) or isinstance(record[key], bool)):
            raise BenchError(f"The field {key} of a sweep is a whole number, not {format_setting(record[key])}.")
    settings, budget = record.get("settings") or {}, record.get("budget")
    if not isinstance(settings, Mapping):
        raise BenchError("The field settings of a sweep takes `key: value` lines, one for each setting.")
    if not isinstance(budget, int | float | None):
        raise BenchError(f"The budget of a sweep is a number of US dollars, not {format_setting(budget)}.")
    request = RunRequest(
        release=record["release"],
        system=record.get("system") or "",
        agent=name_agent(record["agent"]) if record.get("agent") else None,
        retriever=record.get("retriever"),
        metrics=_read_texts(record, "metrics") if record.get("metrics") is not None else None,
        judges=[name_agent(judge) for judge in _read_texts(record, "judges")],
        budget=None if budget is None else float(budget),
        settings={str(key): value for key, value in settings.items()},
        variants=bool(record.get("variants", False)),
        **{key: record[key] for key in COUNTS if key in record},
    )
    return apply_preset(str(record["run_preset"]), request) if "run_preset" in record else request


def _read_texts(record: Mapping[str, Any], key: str) -> list[str]:
    values = record.get(key) or []
    names = values.split(",") if isinstance(values, str) else values
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise BenchError(f"The field {key} of a sweep is a list of names.")
    return [name.strip() for name in names if name.strip()]
