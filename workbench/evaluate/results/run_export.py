"""Runs written down for other tools: TREC files, inspect logs, promptfoo results. It stands under its name only when whole."""

from pathlib import Path
from typing import Any

from core.catalog import pick
from core.errors import BenchError
from eval.reports.export import ExportedRun, exporters
from eval.reports.results import RunResult
from store.engine.database import Database
from store.engine.exchange import hidden_part
from store.runs import runs
from workbench.release.releases import ReleaseStage
from workbench.roles import act


class RunExport:
    """Verbs on exports of runs."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        self._db, self._releases = database, releases

    @act("export releases", "run")
    def write(self, run: str, form: str, out: Path) -> dict[str, Any]:
        """{"run", "format", "out", "files": names, "n": answers, failed ones included}. Raises BenchError when there is
        something at `out` already, or the run holds nothing for that form."""
        kind = pick(exporters(), form, "format")
        found = runs.get(self._db, run)
        if out.exists() and (not kind.is_folder or not out.is_dir() or any(out.iterdir())):
            raise BenchError(f"{out} is there already: give the name of a new {'folder' if kind.is_folder else 'file'}.")
        files = kind.files(self._exported(found.id))
        try:
            with hidden_part(self._db.path, out) as part:
                for name, text in files.items():
                    (part / (name or out.name)).write_text(text, encoding="utf-8")
                if kind.is_folder:
                    if out.exists():
                        out.rmdir()
                    part.replace(out)
                else:
                    (part / out.name).replace(out)
        except OSError as error:
            raise BenchError(f"{out} cannot be written ({error.strerror}): choose another place.") from error
        names = sorted(files) if kind.is_folder else [out.name]
        return {
            "run": found.id,
            "format": form,
            "out": str(out),
            "files": names,
            "n": len(runs.load_traces(self._db, found.id)),
        }

    def _exported(self, id_: str) -> ExportedRun:
        run = runs.get(self._db, id_)
        content = self._releases.members(run.release, run.release_hash)
        result = RunResult(
            run=run,
            traces=runs.load_traces(self._db, run.id),
            scores=runs.load_scores(self._db, run.id),
            items={item.id: item for item in content.items},
            kinds={v.id: v.kind for v in content.variants},
        )
        return ExportedRun(result, {v.id: v.text for v in content.variants}, runs.load_start_time(self._db, run.id))
