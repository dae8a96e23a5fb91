"""Send a run to MLflow: its configuration as parameters, the mean of each metric with its number of values, and the answers and
scores as a table. A run that MLflow already has is not sent again."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import BenchError
from eval.reports.export import ExportedRun, name_trace, split_scores
from eval.reports.summary import summarise_answers
from eval.scoring.scoring import MetricValue

EXPERIMENT = "benchwright"
MAX_PARAM_CHARACTERS = 500
TAG = "benchwright.run"
MAX_RETRIES = "2"
"""Number of times that a request is repeated if the MLflow server does not answer, unless an environment variable sets this
number; with MLflow's own default, the repeats take minutes."""


def send_to_mlflow(exported: ExportedRun, address: str) -> int:
    """Send the run to MLflow and return its number of answers. `address` is a tracking URI of MLflow, or a folder. Raises
    BenchError if the package is missing, or if MLflow refuses the run or already has the run."""
    try:
        import mlflow
        from mlflow.exceptions import MlflowException
    except ImportError as error:
        raise BenchError(
            "Sending to MLflow needs the package mlflow-skinny: install Benchwright with its extra mlflow."
        ) from error
    run, answers = exported.result.run, list(exported.answers())
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", MAX_RETRIES)
    os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")
    try:
        client: Any = mlflow.MlflowClient(tracking_uri=address)
        experiment = client.get_experiment_by_name(EXPERIMENT)
        id_ = experiment.experiment_id if experiment else client.create_experiment(EXPERIMENT)
        if client.search_runs([id_], f"tags.`{TAG}` = '{run.id}'", max_results=1):
            raise BenchError(f"MLflow at {address} has run {run.id} already: to send it again, delete it in MLflow.")
        tags = {TAG: run.id, "benchwright.offline": ", ".join(run.offline) or "none"}
        made = client.create_run(id_, tags=tags, run_name=f"{run.system.name} on {run.release}").info.run_id
        for name, value in _list_params(exported):
            client.log_param(made, name, value)
        for name, number in _list_metrics(exported):
            client.log_metric(made, name, number)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in _list_files(exported).items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
                client.log_artifact(made, str(Path(folder) / name))
        client.set_terminated(made)
    except ImportError as error:
        raise BenchError(
            f"MLflow cannot use {address}: {error}; install the full package mlflow, or give the address of a server."
        ) from error
    except MlflowException as error:
        if "MLFLOW_ALLOW_FILE_STORE" in str(error):
            raise BenchError(
                f"MLflow keeps runs in a folder such as {address} only if MLFLOW_ALLOW_FILE_STORE=true is set: set it, "
                "or give the address of a server."
            ) from error
        raise BenchError(f"MLflow at {address} did not accept the run: {str(error).splitlines()[0][:200]}.") from error
    return len(answers)


def _list_params(exported: ExportedRun) -> Iterator[tuple[str, str]]:
    run = exported.result.run
    fixed = {
        "system": run.system.name,
        "agent": run.agent,
        "release": run.release,
        "release_hash": run.release_hash,
        "repetition": run.repetition,
    }
    for name, value in (fixed | {f"setting.{key}": value for key, value in run.system.settings.items()}).items():
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield name.replace("@", "_at_"), text[:MAX_PARAM_CHARACTERS]


def _list_metrics(exported: ExportedRun) -> Iterator[tuple[str, float]]:
    """Yield (name, value) pairs: for each metric the mean, the ends of its interval, the number of values (NAME.n) and the
    number of answers without a value; then the numbers of answers."""
    answers = list(exported.answers())
    rows = [{score.metric: MetricValue(score.value, score.version, score.why) for score in scores} for *_, scores in answers]
    figures = summarise_answers(rows, [item.id for _, item, _, _ in answers], seed=0)
    for name, figure in figures.items():
        plain = name.replace("@", "_at_")
        parts = {"": figure.mean, ".low": figure.low, ".high": figure.high, ".n": figure.n}
        yield from ((f"{plain}{part}", float(value)) for part, value in parts.items() if value is not None)
    failed = sum(trace.answer is None for trace, *_ in answers)
    yield from (("answered", float(len(answers) - failed)), ("failed", float(failed)))


def _list_files(exported: ExportedRun) -> Mapping[str, str]:
    run = exported.result.run
    lines = []
    for trace, item, question, scores in exported.answers():
        values, unscored = split_scores(scores)
        record = {"id": name_trace(trace), "question": question, "answer": trace.answer, "error": trace.error}
        facts = {"task": item.task, "level": item.level, "domain": item.domain, "seconds": trace.seconds}
        lines.append(json.dumps(record | facts | {"scores": values, "unscored": unscored}, ensure_ascii=False))
    config = {"run": run.id, "identity": run.identity, "config": dict(run.config)}
    return {"answers.jsonl": "\n".join([*lines, ""]), "config.json": json.dumps(config, ensure_ascii=False, indent=1) + "\n"}
