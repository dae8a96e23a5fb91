"""List the answers and scores of runs, and export runs for other tools: as TREC files, inspect logs or promptfoo results. A
file is written under a temporary name and renamed when it is complete."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from core.catalog import pick
from core.errors import BenchError
from core.inner_network import is_guarded
from core.nouns import Run, Score, Trace
from eval.reports.export import ExportedRun, exporters
from eval.reports.results import RunResult
from eval.sending.mlflow_server import send_to_mlflow
from eval.sending.otlp import send_by_otlp
from store.engine.database import Database
from store.engine.exchange import hidden_part
from store.runs import runs, twin_traces
from workbench.release.releases import ReleaseStage
from workbench.roles import requires


@dataclass(frozen=True, slots=True)
class RunExportRecord:
    """What an export of a run wrote, for the output of the command."""

    run: str
    format: str
    out: str
    """Path of the file or folder that the export wrote."""
    files: Sequence[str]
    """Names of the files that the export wrote."""
    n: int
    """Number of exported answers, including failed ones."""


class SentRun(NamedTuple):
    """A run that was sent to another tool, for the output of the command."""

    run: str
    to: str
    address: str
    n: int
    """Number of the run's answers that were sent."""


TARGETS: Mapping[str, Callable[[ExportedRun, str], int]] = {"otlp": send_by_otlp, "mlflow": send_to_mlflow}
"""Dict from the name of another tool to the function that sends a run to it and returns the number of answers."""


OWN_TARGETS: Mapping[str, Sequence[str]] = {
    "otlp": ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"),
    "mlflow": ("MLFLOW_TRACKING_URI",),
}
"""Dict from the name of another tool to the environment variables with its address. Secrets in the environment are sent only to
this address."""


def check_target(to: str, address: str) -> None:
    """Check that a run may be sent to the address. If people sign in on this server, only the address in the server's
    environment variables is allowed. The reason: the libraries send secrets of the environment to every address, follow
    redirects, and write files where an MLflow server tells them to. Raises BenchError if the address is not allowed."""
    variables = OWN_TARGETS[to]
    own = {urlsplit(os.environ.get(name, ""))[:2] for name in variables} - {("", "")}
    if is_guarded() and urlsplit(address)[:2] not in own:
        raise BenchError(
            f"A server on which people sign in sends runs only to the address in its environment variable {variables[-1]}, "
            f"not to {address}."
        )


class RunExport:
    """Methods that write runs to files and send them to other tools."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        self._db, self._releases = database, releases

    @requires("export releases", "run")
    def write(self, run: str, form: str, out: Path, rows_per_file: int | None = None) -> RunExportRecord:
        """Write the run to `out` in the format `form`. Raises BenchError if `out` exists already, or if the run lacks data for
        the format."""
        kind = pick(exporters(), form, "format")
        if rows_per_file is not None and (rows_per_file < 1 or not kind.has_several_files):
            raise BenchError("--rows-per-file must be at least 1 and works only with the format parquet.")
        stored = runs.get(self._db, run)
        if out.exists() and (not kind.is_folder or not out.is_dir() or any(out.iterdir())):
            raise BenchError(f"{out} already exists: give the name of a new {'folder' if kind.is_folder else 'file'}.")
        files = kind.files(replace(self._load(stored), rows_per_file=rows_per_file))
        try:
            with hidden_part(self._db.path, out) as part:
                for name, text in files.items():
                    (part / (name or out.name)).write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
                if kind.is_folder:
                    if out.exists():
                        out.rmdir()
                    part.replace(out)
                else:
                    (part / out.name).replace(out)
        except OSError as error:
            raise BenchError(f"{out} cannot be written ({error.strerror}): choose another place.") from error
        names = sorted(files) if kind.is_folder else [out.name]
        return RunExportRecord(stored.id, form, str(out), names, len(runs.load_traces(self._db, stored.id)))

    @requires("export releases", "run", notes=["to"])
    def send(self, run: str, to: str, address: str) -> SentRun:
        """Send the run by OTLP to a program that collects traces, or to MLflow. Raises BenchError if the other tool is unknown
        or refuses the run, or if people sign in on this server and the address is not allowed."""
        target = pick(TARGETS, to, "target")
        stored = runs.get(self._db, run)
        check_target(to, address)
        return SentRun(stored.id, to, address, target(self._load(stored), address))

    @requires("see runs", "run")
    def list_traces(self, run: str) -> list[Trace]:
        """Return the traces of the run, in the order in which they were stored."""
        return runs.load_traces(self._db, runs.get(self._db, run).id)

    @requires("see runs", "run")
    def list_scores(self, run: str) -> list[Score]:
        """Return the scores of the run's answers, for each metric those by its newest version."""
        return runs.load_newest_scores(self._db, runs.get(self._db, run).id)

    def _load(self, run: Run) -> ExportedRun:
        content = self._releases.members(run.release, run.release_hash)
        result = RunResult(
            run=run,
            traces=runs.load_traces(self._db, run.id),
            scores=runs.load_scores(self._db, run.id),
            items={item.id: item for item in content.items},
            kinds={variant.id: variant.kind for variant in content.variants},
        )
        texts = {document.id: document.text for document in content.documents}
        return ExportedRun(
            result,
            {variant.id: variant.text for variant in content.variants},
            runs.load_start_time(self._db, run.id),
            lambda span: texts.get(span.document, "")[span.start : span.end],
            twins=list(twin_traces.load_traces(self._db, run.id).values()),
        )
