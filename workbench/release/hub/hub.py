"""Publish releases as data sets on the Hugging Face hub, and import them from there."""

import asyncio
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from core.as_json import Json
from core.cancellation import Cancelled, cancel_when
from core.errors import BenchError
from store.engine.database import Database
from store.jobs import jobs
from store.releases.releases import WORKING_RELEASE
from workbench.control import Control
from workbench.release.exporting import WrittenExport
from workbench.release.hub.exchange import (
    TOKEN_VARIABLE,
    ExchangeStopped,
    ask_hub,
    check_going,
    count_bytes,
    find_endpoint,
    read_token,
)
from workbench.release.importing import IMPORT_STOPPED, ImportReport, make_job_result
from workbench.release.releases import ReleaseStage
from workbench.roles import explain_refusal, requires

PREFIX = "hub:"
DEFAULT_FORMAT = "huggingface"
IMPORT_STEPS = ("fetch", "import")
PUBLISHING_STEPS = ("export", "upload")
"""Names of the steps of a job that imports and of a job that publishes, in order."""
_MAX_DEATHS = 2
"""Maximum number of times that the app may end during the second step of a job; the next time, the job fails."""
_ADDRESS = re.compile(r"hub:([A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95})(?:@([A-Za-z0-9][\w.-]{0,127}))?", re.ASCII)
_TAG = re.compile(r"(?!.*\.\.)(?!.*\.lock$)(?!.*\.$).+")
_FILES_OF_FORMATS = {"huggingface": "data/items", "parquet": "items.parquet", "jsonl": "items.jsonl"}


class HubAddress(NamedTuple):
    """The address of a data set on the hub, with a tag if one is given."""

    repo: str
    """Name of the data set on the hub, in the form OWNER/NAME."""
    tag: str | None


@dataclass(frozen=True, slots=True)
class PublishedRelease:
    """A release that is published on the hub."""

    release: str
    hash: str
    format: str
    repo: str
    tag: str
    url: str
    private: bool
    already: bool
    """Whether the same content was already published with this tag."""


class HubStage:
    """Methods that publish releases on the Hugging Face hub and import them from there."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        self._db, self._releases = database, releases

    @requires("publish releases", "name", notes=["to", "public"])
    def publish(
        self, name: str, to: str, *, form: str = DEFAULT_FORMAT, withhold: Sequence[str] = (), public: bool = False
    ) -> PublishedRelease:
        """Export a frozen release, and publish the folder as a data set with the release's name as its tag. The data set is
        private unless `public` is True."""
        self._check_publishing(name, to)
        with make_room() as room:
            folder = room / "export"
            written = self._releases.export(name, form, folder, withhold=withhold)
            return push_release(written, folder, read_address(to).repo, room, Control(), public=public)

    @requires("publish releases", "name", notes=["to", "public"])
    def plan_publishing(self, name: str, to: str, *, withhold: Sequence[str] = (), public: bool = False) -> str:
        """Queue a job that publishes like `publish`; return its id. Raises BenchError if the release cannot be published."""
        self._check_publishing(name, to)
        params = {"release": name, "to": to, "withhold": list(withhold), "public": public}
        return jobs.create(self._db, "hub_publish", params, total=len(PUBLISHING_STEPS))

    async def work_publish(self, job: str, control: Control) -> dict[str, Json]:
        """Export the release, and then publish the folder. If the job is resumed, the release is exported again; files that are
        already on the hub stay there."""
        params = jobs.get(self._db, job).params
        name, repo = params["release"], read_address(params["to"]).repo
        self._start_steps(job, PUBLISHING_STEPS)
        control.say("Writing the files ...")
        with make_room() as room:
            folder = room / "export"
            export = partial(self._releases.export, name, DEFAULT_FORMAT, folder, withhold=params["withhold"])
            try:
                written = await asyncio.to_thread(export)
                check_going(control)
                self._end_step(job, "export")
                control.say(f"Sending {count_bytes(folder) / 1e6:,.1f} MB ...")
                push = partial(push_release, written, folder, repo, room, control, public=params["public"])
                done = await asyncio.to_thread(push)
            except ExchangeStopped:
                said = f"{repo} may be without {name}, or without its tag: publish it again to go on."
                return {"stopped": "cancelled", "message": said}
        self._end_step(job, "upload")
        state = "private" if done.private else "public"
        message = f"{repo} ({state}) {'had the tag already' if done.already else 'has the tag'} {name}."
        return {**asdict(done), "stopped": None, "message": message}

    def _check_publishing(self, name: str, to: str) -> None:
        """Raise BenchError if the release or the address cannot be used for publishing, or if there is no token."""
        if read_address(to).tag is not None:
            raise BenchError(f"{to!r} names a tag: a release is published under its own name, so leave the tag out.")
        if name == WORKING_RELEASE:
            raise BenchError(f"{WORKING_RELEASE!r} changes with every decision: freeze a release, and publish that one.")
        if not _TAG.fullmatch(name):
            raise BenchError(
                f"{name!r} cannot be a tag on the hub: freeze the release under a name that does not end with a dot."
            )
        if not self.is_signed_in():
            raise BenchError(
                f"Publishing needs a token: set {TOKEN_VARIABLE} in this program's environment to a token with write access."
            )
        find_endpoint()

    @requires("import benchmarks", "path", is_logged=False)
    def import_(self, path: str, form: str | None = None) -> ImportReport:
        """Import a release from the hub. A person who may not publish can read only public data sets, because the token belongs
        to the server."""
        with make_room() as room:
            folder = fetch_release(path, room, Control(), is_signed=self._may_use_token())
            return self._releases.import_(folder, form or find_format(folder, path))

    @requires("import benchmarks", "path")
    def plan_import(self, path: str) -> str:
        """Queue a job that imports like `import_`; return its id. Raises BenchError if `path` is not an address on the hub."""
        read_address(path)
        find_endpoint()
        params = {"path": path, "signed": self._may_use_token()}
        return jobs.create(self._db, "hub_import", params, total=len(IMPORT_STEPS))

    async def work_import(self, job: str, control: Control) -> dict[str, Json]:
        """Download the release, and then import it. If the job is resumed, it downloads again, because the files are deleted
        when the job stops."""
        params = jobs.get(self._db, job).params
        self._start_steps(job, IMPORT_STEPS)
        died = next(piece.attempts for piece in jobs.load_pieces(self._db, job) if piece.key == "import")
        if died >= _MAX_DEATHS:
            raise BenchError(
                f"The import was stopped, because the app ended {died} times while importing: download the data set yourself, "
                "and import its files in smaller parts."
            )
        control.say("Asking the hub ...")
        with make_room() as room:
            try:
                fetch = partial(fetch_release, params["path"], room, control, is_signed=params["signed"])
                folder = await asyncio.to_thread(fetch)
                check_going(control)
            except ExchangeStopped:
                return {"stopped": "cancelled", "message": "Nothing was imported: the job was stopped before the import."}
            self._end_step(job, "fetch")
            control.say("Importing ...")
            form = find_format(folder, params["path"])
            self._db.write(partial(jobs.claim, job=job, count=1))
            try:
                with cancel_when(lambda: control.stopping):
                    report = await asyncio.to_thread(self._releases.import_, folder, form)
            except Cancelled:
                self._db.write(partial(jobs.put_back, job=job, keys=["import"]))
                return {"stopped": "cancelled", "message": IMPORT_STOPPED}
            except BenchError as error:
                self._db.write(partial(jobs.put_back, job=job, keys=["import"]))
                raise BenchError(str(error).replace(str(folder), params["path"].removeprefix(PREFIX))) from error
        self._end_step(job, "import")
        return make_job_result(report, form)

    def _start_steps(self, job: str, steps: Sequence[str]) -> None:
        """Mark all steps of the job as waiting, including those that an earlier start of the job finished."""
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(step, "todo", None) for step in steps]))

    def _end_step(self, job: str, step: str) -> None:
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(step, "done", {})]))

    def _may_use_token(self) -> bool:
        """Return whether the current user may use the server's token."""
        return explain_refusal(self._db, "publish releases") is None

    def is_signed_in(self) -> bool:
        """Return whether the environment contains a token for the Hugging Face hub."""
        return bool(read_token())


def read_address(text: str) -> HubAddress:
    """Return the address in a text of the form hub:OWNER/NAME or hub:OWNER/NAME@TAG. Raises BenchError if the text has another
    form."""
    match = _ADDRESS.fullmatch(text)
    if not match:
        raise BenchError(f"{text!r} is not an address on the hub: write hub:OWNER/NAME, or hub:OWNER/NAME@TAG to import a tag.")
    return HubAddress(match[1], match[2])


@contextmanager
def make_room() -> Iterator[Path]:
    """Return a context manager with a temporary folder for the files that are uploaded or downloaded."""
    with tempfile.TemporaryDirectory(prefix="benchwright-hub-", ignore_cleanup_errors=True) as room:
        yield Path(room)


def push_release(
    written: WrittenExport, folder: Path, repo: str, room: Path, control: Control, *, public: bool
) -> PublishedRelease:
    """Publish the folder of an exported release as a data set on the hub."""
    order = {
        "action": "push",
        "repo": repo,
        "tag": written.release,
        "folder": str(folder),
        "public": public,
        "message": f"Release {written.release} {written.hash}",
    }
    done = ask_hub(order, find_endpoint(), room, is_signed=True, control=control)
    return PublishedRelease(
        release=written.release,
        hash=written.hash,
        format=written.format,
        repo=repo,
        tag=written.release,
        url=done.url,
        private=done.private,
        already=done.already,
    )


def fetch_release(path: str, room: Path, control: Control, *, is_signed: bool) -> Path:
    """Download a data set from the hub into a folder below `room`; return this folder."""
    address = read_address(path)
    folder = room / address.repo.replace("/", "-")
    order = {"action": "fetch", "repo": address.repo, "tag": address.tag, "folder": str(folder)}
    ask_hub(order, find_endpoint(), room, is_signed=is_signed, control=control)
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    return folder


def find_format(folder: Path, path: str) -> str:
    """Return the name of the format of the release in the folder. Raises BenchError if the folder contains no release; the
    message contains `path`."""
    found = next((name for name, file in _FILES_OF_FORMATS.items() if (folder / file).exists()), None)
    if found is None:
        raise BenchError(f"{path} has no items in a recognized format: name the format with --format.")
    return found
