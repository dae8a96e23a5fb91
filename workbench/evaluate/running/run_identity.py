"""What makes two runs the same: everything that could change an answer, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.catalog import pick
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Run, System
from core.retrieval.sentence_model import digests
from eval.reports.latency import AT_ONCE, is_probe
from eval.settings import list_defaults
from eval.system import Question, systems
from eval.workflows.shots import SHOTS
from prompts.prompt import load
from workbench import settings as keys

LOAD = ("timeout", "concurrency", "mode")
"""Settings of how hard a run goes; no part of its identity, but in a latency probe."""
FILES = ("predictions", "program")
"""Settings that name a file: its content counts, not its name."""
MODELS = ("embedding_model", "reranker", "compressor")
"""Settings that may name a folder with a model: what it holds counts, not where it lies."""


def settings_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that could change an answer, files by their content; of a latency probe also how many are asked at once."""
    given = keys.own(params["settings"])
    probe = {"mode": "probe", "concurrency": given.get("concurrency", AT_ONCE)} if is_probe(given) else {}
    own = {k: v for k, v in given.items() if k not in LOAD} | probe
    return {
        **own,
        **{key: file_hash(own[key]) for key in FILES if key in own},
        **{key: model_hash(own[key]) for key in MODELS if key in own},
    }


def prompts_of(questions: Iterable[Question], own: Sequence[str] = ()) -> list[str]:
    """The identities of every prompt that these questions may be answered with, a system's own ones by name among them."""
    asked = list(questions)
    known = {p.identity for q in asked for p in (q.prompt, q.closed_prompt) if p}
    return sorted(known | {load(name, language).identity for name in own for language in {q.language for q in asked}})


def config_of(
    params: Mapping[str, Any],
    agent: Mapping[str, Any] | None,
    prompts: Sequence[str],
    not_run: Sequence[Mapping[str, Any]],
    repetition: int,
    tables: Mapping[str, Any] = MappingProxyType({}),
    distractors: Sequence[Mapping[str, Any]] = (),
    of_question: Sequence[str] = (),
    shots: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The whole configuration; `agent` is the agent's identity, `tables` the hash of each table that its functions ask,
    or its hashes where questions differ; `distractors` what stood there beside the rows that questions are about; `of_question`
    what a workflow has of each question by itself: `pages`, `time`; `shots` the items that are shown as worked examples."""
    settings = settings_of(params)
    judging = {name: words for name, words in params.get("words", {}).items() if name.startswith(("judge/", "extract/"))}
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
        **stated(params["system"]),
        **({"tables": dict(tables)} if tables else {}),
        **({"distractors": [dict(one) for one in distractors]} if distractors else {}),
        **({"of_question": list(of_question)} if of_question else {}),
        **({"shots": [dict(one) for one in shots]} if shots else {}),
    }


def stated(system: str) -> dict[str, Any]:
    """{"defaults": settings} of a system that decides itself when to search or what to call: its thresholds and limits as they
    are where nobody set them, for a trace is not read without them. Which worked examples it shows is told by itself."""
    adapter = pick(systems(), system, "system")
    own = {name: value for name, value in list_defaults(adapter.settings).items() if name not in SHOTS}
    return {"defaults": own} if adapter.family in ("adaptive", "agent") else {}


def run_of(params: Mapping[str, Any], config: Mapping[str, Any], offline: Sequence[str]) -> Run:
    """The run of that configuration."""
    identity = content_hash(_unnamed(config))
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


def _unnamed(config: Mapping[str, Any]) -> dict[str, Any]:
    """Without the names of model folders: a copy under another name is the same run."""

    def bare(key: str, value: Any) -> Any:
        return value.rpartition("@")[2] if key in MODELS and isinstance(value, str) else value

    settings = {key: bare(key, value) for key, value in config["settings"].items()}
    return {**{key: bare(key, value) for key, value in config.items()}, "settings": settings}


def model_hash(name: Any) -> Any:
    """The folder's own name with the hash of all its files that count; what is no folder is itself."""
    folder = Path(str(name)).expanduser()
    if not name or not folder.is_dir():
        return name
    return f"{folder.resolve().name}@{content_hash(digests(folder)).removeprefix('b2:')[:12]}"


def file_hash(path: Any) -> str:
    """What stands in a file, by its hash."""
    try:
        return content_hash(Path(str(path)).read_bytes().hex())
    except OSError as error:
        raise BenchError(f"{path} cannot be read ({error.strerror}): give the path of a file that is there.") from error
