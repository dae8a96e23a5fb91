"""Read settings that are given as `--set key=value`. A value is parsed as JSON or, if it is not valid JSON, taken as text. The
part of a key before a dot names the owner of the setting: agent, judge, user (the agent that plays the user), or a metric."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import NoReturn

from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError


def parse_settings(pairs: Iterable[str]) -> dict[str, Json]:
    """Parse texts of the form "key=value" to a dict from key to value. Raises BenchError if a text has no key."""
    settings: dict[str, Json] = {}
    for pair in pairs:
        key, sign, text = pair.partition("=")
        if not sign or not key.strip():
            raise BenchError(f"--set {pair!r} has no key: write it as key=value.")
        settings[key.strip()] = read_value(text)
    return settings


def read_value(text: str) -> Json:
    """Return the JSON value of the text, or the text itself if it is not valid JSON, is NaN or infinite, or is nested too
    deeply."""
    try:
        value: Json = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return text
    return value


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not valid JSON")


def check_owners(settings: Mapping[str, Json], is_named: Mapping[str, bool]) -> None:
    """Raise BenchError if there are settings for an agent or a judge that the command does not name; these settings would have
    no effect."""
    for owner, is_there in {"embedding": False, **is_named}.items():
        if not is_there and (given := sorted(select_owner(settings, owner))):
            whose = "an embedding_model of an endpoint" if owner == "embedding" else f"a --{owner}"
            raise BenchError(
                f"--set {owner}.{given[0]} belongs to {whose}, and none is named: name one, or leave the setting out."
            )


def select_owner(settings: Mapping[str, Json], owner: str) -> dict[str, Json]:
    """Return the settings whose keys begin with `owner` and a dot, and remove this beginning: {"agent.rpm": 60} gives {"rpm":
    60} for "agent"."""
    return {key.removeprefix(f"{owner}."): value for key, value in settings.items() if key.startswith(f"{owner}.")}


def select_own(settings: Mapping[str, Json]) -> dict[str, Json]:
    """Return the settings whose keys have no prefix such as "agent." or a metric's name."""
    from eval.metric import metrics

    owners = {"agent", "judge", "embedding", "user", *metrics()}
    return {key: value for key, value in settings.items() if "." not in key or key.partition(".")[0] not in owners}


def select_metric_settings(settings: Mapping[str, Json], wanted: Collection[str] | None) -> dict[str, Json]:
    """Return the settings that belong to metrics, such as {"bertscore.layer": 9}. Raises BenchError if a metric does not have
    the setting, or if the metric is not in `wanted` (None if the metrics are not known yet)."""
    from eval.metric import metrics

    found = {key: value for key, value in settings.items() if "." in key and key.partition(".")[0] in metrics()}
    for key in found:
        name, _, setting = key.partition(".")
        if wanted is not None and name not in wanted:
            raise BenchError(f"--set {key} belongs to the metric {name}, which is not requested: name it in --metrics.")
        check_known({setting: None}, pick(metrics(), name, "metric").settings, f"The metric {name}")
    return found


def assign_to_metrics(settings: Mapping[str, Json], wanted: Collection[str] | None, known: Collection[str]) -> dict[str, Json]:
    """Return the settings with the metric's name before the key of each setting of a metric. For example, {"premise": "strict"}
    becomes {"crag_truthfulness.premise": "strict"} if only one metric in `wanted` (all metrics if None) has this setting.
    Raises BenchError if several metrics have the setting."""
    from eval.metric import metrics

    found: dict[str, Json] = {}
    for key, value in settings.items():
        owners = [name for name, metric in metrics().items() if key in metric.settings and (wanted is None or name in wanted)]
        if "." in key or key in known or not owners:
            found[key] = value
        elif len(owners) == 1:
            found[f"{owners[0]}.{key}"] = value
        else:
            raise BenchError(f"--set {key} is a setting of {', '.join(owners)}: write {owners[0]}.{key} for one of them.")
    return found


def check_known(settings: Mapping[str, Json], allowed: Iterable[str], what: str) -> None:
    """Raise BenchError if a setting is not in `allowed`. The message begins with `what`, which says whose settings they are."""
    known = sorted(set(allowed))
    unknown = sorted(set(settings) - set(known))
    if unknown:
        raise BenchError(f"{what} has no setting {unknown[0]!r}; it has: {', '.join(known) or 'none'}.")
