"""Store files that people upload in the browser, and convert them in jobs. Until a job has read the files, they are in a folder
beside the workspace, under names that this program gives them. The original name of a file is shown and stored as its origin,
but never used as a path."""

import asyncio
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from builders.ingest import NamedFile, domain_name
from core.as_json import Json
from core.cancellation import Cancelled, cancel_when
from core.catalog import pick
from core.errors import BenchError
from core.ids import new_id
from core.readers import FORMATS
from core.text.language import read_language
from store.engine.database import Database
from store.format import formats
from store.jobs import jobs
from workbench import actor
from workbench.build.corpus.corpus import CorpusStage, Length, describe_own_facts
from workbench.control import Control
from workbench.release.importing import IMPORT_STOPPED, MAX_REPORTED_REFUSALS, make_job_result
from workbench.release.releases import ReleaseStage
from workbench.release.upload_limits import UploadLimits
from workbench.roles import check_permission, requires

MAX_FILE_BYTES = 200 * 2**20
"""Maximum size of a file in bytes."""
_MAX_DEATHS = 2
"""Number of times that the app may crash while it reads a file; after that the file is skipped, so that the resumed job can
end."""
_BATCH_FILES = 20
"""Number of files that a job reads at a time. After a crash, the job reads one file at a time, to find the file that causes the
crash."""
_IMPORT_KEY = "000000"
"""Key of the single piece of an import job; after an interruption, the import starts from the beginning."""
_MAX_NAME_CHARACTERS = 120
_ENDINGS = frozenset(ending for endings in FORMATS.values() for ending in endings)


class Upload(NamedTuple):
    """A file that a person uploaded in the browser."""

    name: str
    """Name that the browser sent. The name may be a file name, a path within a folder, or any other text."""
    data: BinaryIO
    size: int
    """Size of the uploaded file in bytes."""


class UploadStage:
    """Methods that receive uploaded files. Each upload becomes a job, so that a large file does not block the page and is read
    even if the tab is closed."""

    def __init__(self, database: Database, corpus: CorpusStage, releases: ReleaseStage) -> None:
        self._db, self._corpus, self._releases = database, corpus, releases
        self.limits = UploadLimits()

    def forms(self) -> list[str]:
        """Return the names of the formats in which documents can be uploaded."""
        return ["auto", "lines", "jsonl"]

    def endings(self) -> list[str]:
        """Return the endings of file names by which the format `auto` recognizes the type of a file."""
        return [ending for endings in FORMATS.values() for ending in endings]

    def benchmarks(self) -> dict[str, str]:
        """Return a dict from format to label, for formats in which a benchmark can be imported."""
        return {name: kind.label for name, kind in formats().items() if kind.read}

    @requires("change the corpus", lambda arguments: f"{len(arguments['files'])} files added", notes=["domain", "licence"])
    def add(
        self,
        files: Sequence[Upload],
        *,
        domain: str | None,
        language: str | None,
        form: str = "auto",
        licence: str | None = None,
        length: Length = Length(),
    ) -> str:
        """Store the files, and queue the job that converts them to documents; return the job's id. Raises BenchError if there
        are no files, or if the domain, language or length is invalid."""
        length.check()
        if form not in self.forms():
            raise BenchError(f"Documents cannot be added from the format {form!r}; the formats are: {', '.join(self.forms())}.")
        params = {
            "domain": domain and domain_name(domain),
            "language": language and read_language(language),
            "form": form,
            "licence": (licence or "").strip() or None,
            "length": list(length),
        }
        return self._take("add", files, params, _own_name)

    @requires("import benchmarks", "form")
    def import_(self, files: Sequence[Upload], form: str) -> str:
        """Store the files of a benchmark, and queue the job that imports it; return the job's id."""
        kind = pick(formats(), form, "format")
        if kind.read is None:
            raise BenchError(f"Format {form} can only be exported; the formats for import are: {', '.join(self.benchmarks())}.")
        if kind.decides:
            check_permission(self._db, "decide on items", form)
        return self._take("import", files, {"format": form}, _tree_name)

    async def work_add(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job that converts uploaded files to documents."""
        row = jobs.get(self._db, job)
        files = {f"{number:06d}": file for number, file in enumerate(row.params["files"], 1)}
        self._db.write(lambda cursor: jobs.add_items(cursor, job, files))
        died = {piece.key: piece.attempts for piece in jobs.load_pieces(self._db, job) if piece.state == "todo"}
        known = await asyncio.to_thread(lambda: set(self._corpus.ids()))
        together = 1 if any(died.values()) else _BATCH_FILES
        while not control.look() and (claimed := self._db.write(partial(jobs.claim, job=job, count=together))):
            for key in claimed:
                if died[key] >= _MAX_DEATHS:
                    outcome = _refuse_fatal(files[key]["name"])
                else:
                    say = partial(_report, control, f"{files[key]['name']} ({int(key)} of {len(files)})")
                    with suppress(Cancelled), cancel_when(lambda: control.stopping):
                        outcome = await asyncio.to_thread(self._read, files[key], row.params, known, say, control)
                if control.stopping:
                    self._db.write(partial(jobs.put_back, job=job, keys=claimed))
                    break
                self._db.write(partial(_finish, job=job, key=key, result=outcome))
        return self._tally(job, control.stopping)

    async def work_import(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job that imports an uploaded folder, or a single file, as a benchmark."""
        row = jobs.get(self._db, job)
        control.say("Reading the benchmark ...")
        self._count_start(job)
        folder = self._folder / row.params["folder"]
        names = sorted(folder.iterdir()) if folder.is_dir() else []
        if not names:
            raise BenchError("The uploaded files are gone: upload them again.")
        path = names[0] if len(names) == 1 else folder
        try:
            with cancel_when(lambda: control.stopping):
                report = await asyncio.to_thread(self._releases.import_, path, row.params["format"])
        except Cancelled:
            self._db.write(partial(jobs.put_back, job=job, keys=[_IMPORT_KEY]))
            return {"stopped": "cancelled", "message": IMPORT_STOPPED}
        except BenchError as error:
            self._forget(row.params["folder"])
            shown = row.params["files"][0]["name"] if len(names) == 1 else "The folder"
            raise BenchError(str(error).replace(str(path), shown).replace(str(folder), shown)) from error
        self._forget(row.params["folder"])
        for number in range(len(row.params["files"])):
            self._db.write(partial(_finish, job=job, key=f"{number:06d}", result={}))
        return make_job_result(report, row.params["format"])

    def _count_start(self, job: str) -> None:
        """Count one more start of the import. Raises BenchError if the app has already crashed _MAX_DEATHS times during the
        import."""
        self._db.write(lambda cursor: jobs.add_items(cursor, job, [_IMPORT_KEY]))
        died = next(piece.attempts for piece in jobs.load_pieces(self._db, job) if piece.key == _IMPORT_KEY)
        if died >= _MAX_DEATHS:
            raise BenchError(
                f"The import was stopped, because the app ended {died} times while it read these files: import them in "
                "smaller parts."
            )
        self._db.write(partial(jobs.claim, job=job, count=1))

    @property
    def _folder(self) -> Path:
        """Return the folder of the uploaded files that no job has read yet. The folder is beside the workspace file, and only
        its owner in the operating system can read it."""
        folder = self._db.locate_folder("uploads")
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def _take(self, kind: str, files: Sequence[Upload], params: dict[str, Any], name: Callable[[int, str], str]) -> str:
        if not files:
            raise BenchError("No file was uploaded: drop or choose at least one file.")
        self.limits.begin_upload(actor.get_name(), sum(file.size for file in files))
        self._tidy()
        mine = new_id()
        folder = self._folder / mine
        folder.mkdir(mode=0o700)
        taken = []
        for number, file in enumerate(files, 1):
            stored = name(number, file.name)
            taken.append({"name": clean_name(file.name), "stored": stored, "size": file.size})
            if file.size <= MAX_FILE_BYTES:
                target = folder / stored
                target.parent.mkdir(parents=True, exist_ok=True)
                try:
                    with target.open("xb") as out:
                        shutil.copyfileobj(file.data, out)
                except FileExistsError as error:
                    raise BenchError(f"Two files are named {clean_name(file.name)}: rename one of them.") from error
        return jobs.create(self._db, kind, params | {"files": taken, "folder": mine}, total=len(taken))

    def _read(
        self, file: dict[str, Any], params: dict[str, Any], known: set[str], say: Callable[[str], None], control: Control
    ) -> dict[str, Any]:
        """Add the documents in one file to the corpus; return the numbers for this file, and a message for each document that
        was refused."""
        path = self._folder / params["folder"] / file["stored"]
        if file["size"] > MAX_FILE_BYTES:
            message = (
                f"{file['name']} has {file['size'] / 2**20:,.0f} MB, and a file may have at most {MAX_FILE_BYTES // 2**20}: "
                "split it."
            )
            return _refuse(file["name"], message)
        report = self._corpus.add(
            [NamedFile(path, file["name"])],
            domain=params["domain"],
            language=params["language"],
            form=params["form"],
            licence=params["licence"],
            say=say,
            known=known,
            stop=control.look,
            length=Length(*params.get("length", ())),
        )
        return {
            "added": len(report.added),
            "already": len(report.already),
            "refusals": [asdict(refused) for refused in report.refused],
            "left_out": len(report.left_out),
            "unclear": report.unclear,
            "own_facts": report.own_facts,
        }

    def _tally(self, job: str, was_stopped: bool) -> dict[str, Any]:
        """Return the result of the job: the numbers for all files together and for each file, and the refusals."""
        row = jobs.get(self._db, job)
        results = dict(jobs.load_results(self._db, job))
        files = [
            {
                "name": file["name"],
                "added": r["added"],
                "already": r["already"],
                "refused": len(r["refusals"]),
                "left_out": r.get("left_out", 0),
            }
            for number, file in enumerate(row.params["files"], 1)
            if (r := results.get(f"{number:06d}"))
        ]
        refusals = [refusal for r in results.values() for refusal in r["refusals"]]
        total = {key: sum(file[key] for file in files) for key in ("added", "already", "refused", "left_out")}
        is_over = len(files) == len(row.params["files"])
        if is_over:
            self._forget(row.params["folder"])
        message = f"{total['added']:,} added, {total['already']:,} already there, {total['refused']:,} refused"
        message += f", {total['left_out']:,} left out by their length." if total["left_out"] else "."
        own_facts = sum((Counter(r.get("own_facts", {})) for r in results.values()), Counter[str]())
        message = " ".join([message, *describe_own_facts(own_facts)])
        return total | {
            "files": files,
            "refusals": refusals[:MAX_REPORTED_REFUSALS],
            "unclear": [sentence for r in results.values() for sentence in r.get("unclear", ())][:MAX_REPORTED_REFUSALS],
            "message": message,
            "stopped": "cancelled" if was_stopped and not is_over else None,
        }

    def _forget(self, folder: str) -> None:
        shutil.rmtree(self._folder / folder, ignore_errors=True)

    def _tidy(self) -> None:
        """Delete uploaded files of jobs that have ended."""
        waiting = {job.params.get("folder") for job in jobs.list_unfinished(self._db, ("add", "import"))}
        for left in self._folder.iterdir():
            if left.name not in waiting:
                self._forget(left.name)


def _refuse_fatal(name: str) -> dict[str, Any]:
    return _refuse(name, f"{name} was left out, because the app ended {_MAX_DEATHS} times while it was read: save it again.")


def _refuse(name: str, message: str) -> dict[str, Any]:
    """Return the result for a file from which nothing was added."""
    return {"added": 0, "already": 0, "refusals": [{"where": name, "line": None, "message": message}]}


def clean_name(name: str) -> str:
    """Return the name of the file as it is shown and stored: the last part of its path, without control characters, at most 120
    characters long."""
    last = re.split(r"[\\/]", name.rstrip("\\/"))[-1]
    clean = "".join(c for c in last if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp")).strip(" .") or "unnamed"
    stem, dot, ending = clean.rpartition(".")
    if len(clean) <= _MAX_NAME_CHARACTERS:
        return clean
    return (
        f"{stem[: _MAX_NAME_CHARACTERS - len(ending) - 1]}.{ending}"
        if dot and len(ending) < 12
        else clean[:_MAX_NAME_CHARACTERS]
    )


def _own_name(number: int, name: str) -> str:
    """Return the name under which a file is stored: its number, followed by the ending of its name if this ending is known."""
    ending = Path(clean_name(name)).suffix.lower()
    return f"{number:06d}{ending if ending in _ENDINGS else ''}"


def _tree_name(number: int, name: str) -> str:
    """Return the path under which a file of a benchmark is stored. Ordinary file names stay the same, because formats are
    recognized by file name."""
    parts = [part for part in re.split(r"[\\/]", name) if part not in ("", ".", "..")]
    clean = [re.sub(r"[^\w.-]", "_", part, flags=re.ASCII).lstrip(".")[:100] or "unnamed" for part in parts[-4:]]
    return "/".join(clean) or f"{number:06d}"


def _report(control: Control, where: str, message: str) -> None:
    control.say(f"{where}: {message}")


def _finish(cursor: Any, job: str, key: str, result: dict[str, Any]) -> None:
    jobs.insert_items(cursor, job, [(key, "done", result)])
