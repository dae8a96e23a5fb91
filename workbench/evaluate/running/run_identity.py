"""Compute the identity of a run from everything that can change an answer, and from nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Run, System
from core.retrieval.model_folders import digests
from eval.reports.latency import DEFAULT_PROBE_WIDTH, is_probe
from eval.settings import list_defaults
from eval.system import Question, systems
from eval.workflows.shots import SHOTS
from prompts.prompt import load
from workbench import settings as keys

LOAD_SETTINGS = ("timeout", "concurrency", "mode")
"""Names of settings that limit the load on the agent. Load settings are part of a run's identity only if the run measures
latency."""
FILE_SETTINGS = ("predictions", "program", "spans")
"""Names of settings whose value is the name of a file. A run's identity contains the content of the file and not its name."""
ACCOUNT_SETTINGS = ("reranker_key", "reranker_price")
"""Names of settings that concern the payment of an endpoint, which are not part of a run's identity."""
PLACE_SETTINGS = ("engine_address", "engine_index", "engine_user")
"""Names of settings that say where a search index is stored. A run's identity contains a hash of the index's content
instead."""
MODEL_SETTINGS = ("embedding_model", "reranker", "compressor")
"""Names of settings whose value can be the folder of a model. A run's identity contains the files of the folder and not its
path."""


def settings_of(params: Mapping[str, Any]) -> dict[str, Json]:
    """Return the settings that can change an answer; a hash of the content takes the place of the name of a file. If the run
    measures latency, also return the settings that limit the load on the agent."""
    own = keys.select_own(params["settings"])
    probe = {"mode": "probe", "concurrency": own.get("concurrency", DEFAULT_PROBE_WIDTH)} if is_probe(own) else {}
    settings = {
        key: value for key, value in own.items() if key not in (*LOAD_SETTINGS, *ACCOUNT_SETTINGS, *PLACE_SETTINGS)
    } | probe
    files = {key: hash_file(settings[key]) for key in FILE_SETTINGS if key in settings}
    endpoints = params.get("embeddings", {})
    models = {key: endpoints.get(settings[key]) or name_model(settings[key]) for key in MODEL_SETTINGS if key in settings}
    return settings | files | models


def prompts_of(questions: Iterable[Question], own: Sequence[str] = ()) -> list[str]:
    """Return the identity (name@hash) of every prompt that the run may use for these questions; `own` has the names of the
    system's own prompts."""
    every = list(questions)
    of_questions = {prompt.identity for question in every for prompt in (question.prompt, question.closed_prompt) if prompt}
    languages = {question.language for question in every}
    return sorted(of_questions | {load(name, language).identity for name in own for language in languages})


def build_config(
    params: Mapping[str, Any],
    agent: Mapping[str, Any] | None,
    prompts: Sequence[str],
    not_run: Sequence[Mapping[str, Any]],
    repetition: int,
    *,
    tables: Mapping[str, Any] = MappingProxyType({}),
    distractors: Sequence[Mapping[str, Any]] = (),
    of_question: Sequence[str] = (),
    shots: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Json]:
    """Return the whole configuration of a run. `agent` is the agent's identity. `tables` has the hash of each table that the
    system's functions read, or several hashes if questions use different snapshots. `distractors` describes the rows of tables
    that are kept although no question is about them. `of_question` names the inputs that a workflow gets for each question
    (`pages`, `time`). `shots` lists the items that are shown as worked examples."""
    settings = settings_of(params)
    judging = {name: words for name, words in params.get("words", {}).items() if name.startswith(("judge/", "extract/"))}
    where_any = {
        "tables": dict(tables),
        "distractors": [dict(row) for row in distractors],
        "of_question": list(of_question),
        "shots": [dict(shot) for shot in shots],
    }
    return {
        "release": params["release_hash"],
        "system": params["system"],
        "settings": settings,
        "retriever": params["retriever"],
        "embedding_model": settings.get("embedding_model"),
        "agent": dict(agent) if agent else None,
        "prompts": list(prompts) if agent else [],
        "variants": params["variants"],
        "sample": [params["sample"], params["seed"]] if params["sample"] else None,
        "repetition": repetition,
        "not_run": [dict(row) for row in not_run],
        **({"judging": judging} if judging and params["judges"] else {}),
        **default_settings(params["system"]),
        **{name: value for name, value in where_any.items() if value},
    }


def default_settings(system: str) -> dict[str, Json]:
    """Return {"defaults": settings} for a system that itself decides when to search or which functions to call, and {} for any
    other system.

    The defaults include the thresholds and limits that a person needs to read the system's traces. Worked examples have a
    separate entry in the configuration."""
    adapter = pick(systems(), system, "system")
    own = {name: value for name, value in list_defaults(adapter.settings).items() if name not in SHOTS}
    return {"defaults": own} if adapter.family in ("adaptive", "agent") else {}


def build_run(params: Mapping[str, Any], config: Mapping[str, Any], offline: Sequence[str]) -> Run:
    """Build the run that the parameters and the configuration describe."""
    identity = content_hash(_strip_model_names(config) | {"settings": _strip_model_names(config["settings"])})
    return Run(
        id=identity.removeprefix("b2:")[:16],
        identity=identity,
        system=System(params["system"], config["settings"]),
        release=params["release"],
        release_hash=params["release_hash"],
        agent=config["agent"]["name"] if config["agent"] else None,
        config=config,
        repetition=config["repetition"],
        offline=tuple(offline),
    )


def _strip_model_names(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with only the hash of each model, so that a copy of a model's folder under another name gives the same
    identity of the run."""
    return {
        key: value.rpartition("@")[2] if key in MODEL_SETTINGS and isinstance(value, str) else value
        for key, value in values.items()
    }


def name_model(name: Json) -> Json:
    """Return the name of a model's folder with a hash of the files in it that matter. If the value is not a folder, return it
    unchanged."""
    folder = Path(str(name)).expanduser()
    if not name or not folder.is_dir():
        return name
    return f"{folder.resolve().name}@{content_hash(digests(folder)).removeprefix('b2:')[:12]}"


def hash_file(path: object) -> str:
    """Return the hash of the file's content. Raises BenchError if the file cannot be read."""
    try:
        return content_hash(Path(str(path)).read_bytes().hex())
    except OSError as error:
        raise BenchError(f"{path} cannot be read ({error.strerror}): give the path of an existing file.") from error
