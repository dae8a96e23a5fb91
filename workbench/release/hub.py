"""Publishes releases as data sets on the Hugging Face hub, and imports them from there. The token comes from the environment
variable HF_TOKEN and never appears in a message, a log or a file."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from core.as_json import Json
from core.errors import BenchError
from core.installation import VERSION
from store.engine.database import Database
from store.jobs import jobs
from store.releases.releases import WORKING_RELEASE
from workbench.control import Control
from workbench.release.importing import ImportReport, make_job_result
from workbench.release.releases import ReleaseStage, WrittenExport
from workbench.roles import explain_refusal, requires
from workbench.setup.agents import ENVIRONMENT

PREFIX = "hub:"
TOKEN_VARIABLE = "HF_TOKEN"
ENDPOINT_VARIABLE = "HF_ENDPOINT"
DEFAULT_ENDPOINT = "https://huggingface.co"
DEFAULT_FORMAT = "huggingface"
CHILD = Path(__file__).with_name("hub_child.py")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MAX_EXCHANGE_SECONDS = 3 * 3600.0
"""Maximum seconds for one upload or download, which may have 20 GB."""
POLL_SECONDS = 0.5
IMPORT_STEPS = ("fetch", "import")
PUBLISHING_STEPS = ("export", "upload")
"""Steps of an import job and of a publishing job, in order."""
_MAX_DEATHS = 2
"""Maximum number of times that the app may end during the second step of a job; after that the job fails."""
_ADDRESS = re.compile(r"hub:([A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95})(?:@([A-Za-z0-9][\w.-]{0,127}))?", re.ASCII)
_TAG = re.compile(r"(?!.*\.\.)(?!.*\.lock$)(?!.*\.$).+")
_LEFT_OUT = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DEBUG", "HF_TOKEN_PATH", "HUGGING_FACE_HUB_TOKEN", TOKEN_VARIABLE)
"""Environment variables that are not passed on as they are to the process that talks to the hub."""
_FILES_OF_FORMATS = {"huggingface": "data/items", "parquet": "items.parquet", "jsonl": "items.jsonl"}


class ExchangeStopped(Exception):
    """A person, or the end of the app, stopped an exchange with the hub."""


class HubReply(NamedTuple):
    """The result of publishing to the hub or of fetching from it."""

    url: str
    """Address of the published data set; "" after a fetch."""
    private: bool
    already: bool
    """Whether the same content was already published under this tag."""


class HubAddress(NamedTuple):
    """The address of a data set on the hub, with a tag if one is given."""

    repo: str
    """Name of the data set on the hub, as OWNER/NAME."""
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
    """Whether the same content was already published under this tag."""


class HubStage:
    """Verbs that publish releases on the Hugging Face hub and import them from there."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        self._db, self._releases = database, releases

    @requires("publish releases", "name", notes=["to", "public"])
    def publish(
        self, name: str, to: str, *, form: str = DEFAULT_FORMAT, withhold: Sequence[str] = (), public: bool = False
    ) -> PublishedRelease:
        """Export a frozen release, and publish the folder as a data set with the release's name as tag. The data set is private
        unless `public`."""
        self._check_publishing(name, to)
        with make_room() as room:
            folder = room / "export"
            written = self._releases.export(name, form, folder, withhold=withhold)
            return push_release(written, folder, read_address(to).repo, room, Control(), public=public)

    @requires("publish releases", "name", notes=["to", "public"])
    def plan_publishing(self, name: str, to: str, *, withhold: Sequence[str] = (), public: bool = False) -> str:
        """Return the queued job that does what `publish` does. Raises BenchError for what cannot be published."""
        self._check_publishing(name, to)
        params = {"release": name, "to": to, "withhold": list(withhold), "public": public}
        return jobs.create(self._db, "hub_publish", params, total=len(PUBLISHING_STEPS))

    async def work_publish(self, job: str, control: Control) -> dict[str, Json]:
        """Export the release, then publish the folder. A job that goes on exports again; what is on the hub already stays."""
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
        """Raise BenchError for a release or an address with which nothing can be published, or without a token."""
        if read_address(to).tag is not None:
            raise BenchError(f"{to!r} names a tag: a release is published under its own name, so leave the tag out.")
        if name == WORKING_RELEASE:
            raise BenchError(f"{WORKING_RELEASE!r} changes with every decision: freeze a release, and publish that one.")
        if not _TAG.fullmatch(name):
            raise BenchError(
                f"{name!r} cannot be a tag on the hub: freeze the release under a name without a point at its end."
            )
        if not self.is_signed_in():
            raise BenchError(
                f"Publishing needs a token: set {TOKEN_VARIABLE} in the environment of this program to one that may write."
            )
        find_endpoint()

    @requires("import benchmarks", "path", is_logged=False)
    def import_(self, path: str, form: str | None = None) -> ImportReport:
        """Import a release from the hub. Without the permission to publish, only public data sets can be read, because the
        token belongs to the server."""
        with make_room() as room:
            folder = fetch_release(path, room, Control(), is_signed=self._may_use_token())
            return self._releases.import_(folder, form or find_format(folder, path))

    @requires("import benchmarks", "path")
    def plan_import(self, path: str) -> str:
        """Return the queued job that does what `import_` does. Raises BenchError for what is not an address on the hub."""
        read_address(path)
        find_endpoint()
        params = {"path": path, "signed": self._may_use_token()}
        return jobs.create(self._db, "hub_import", params, total=len(IMPORT_STEPS))

    async def work_import(self, job: str, control: Control) -> dict[str, Json]:
        """Fetch the release, then import it. A job that goes on fetches again, because a stop removes what was fetched."""
        params = jobs.get(self._db, job).params
        self._start_steps(job, IMPORT_STEPS)
        died = next(piece.attempts for piece in jobs.load_pieces(self._db, job) if piece.key == "import")
        if died >= _MAX_DEATHS:
            raise BenchError(
                f"The import was stopped, because the app ended {died} times during it: fetch the data set yourself, and "
                "import its files in smaller parts."
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
                report = await asyncio.to_thread(self._releases.import_, folder, form)
            except BenchError as error:
                self._db.write(partial(jobs.put_back, job=job, keys=["import"]))
                raise BenchError(str(error).replace(str(folder), params["path"].removeprefix(PREFIX))) from error
        self._end_step(job, "import")
        return make_job_result(report, form)

    def _start_steps(self, job: str, steps: Sequence[str]) -> None:
        """Store the steps as pieces that wait, those of an earlier start too."""
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(step, "todo", None) for step in steps]))

    def _end_step(self, job: str, step: str) -> None:
        self._db.write(lambda cursor: jobs.insert_items(cursor, job, [(step, "done", {})]))

    def _may_use_token(self) -> bool:
        """Return whether the actor may use the server's token."""
        return explain_refusal(self._db, "publish releases") is None

    def is_signed_in(self) -> bool:
        """Return whether the environment has a token for the hub."""
        return bool(ENVIRONMENT.get().get(TOKEN_VARIABLE, "").strip())


def read_address(text: str) -> HubAddress:
    """Parse an address of the form hub:OWNER/NAME or hub:OWNER/NAME@TAG. Raises BenchError on any other form."""
    match = _ADDRESS.fullmatch(text)
    if not match:
        raise BenchError(f"{text!r} is not an address on the hub: write hub:OWNER/NAME, or hub:OWNER/NAME@TAG to import a tag.")
    return HubAddress(match[1], match[2])


def find_endpoint() -> str:
    """Return the URL of the hub: HF_ENDPOINT or the default. Raises BenchError if the token would be sent unencrypted over a
    network."""
    endpoint = ENVIRONMENT.get().get(ENDPOINT_VARIABLE, "").strip().rstrip("/") or DEFAULT_ENDPOINT
    try:
        parts = urlsplit(endpoint)
        is_good = bool(parts.hostname) and not parts.username and not parts.query
        is_good = is_good and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK))
    except ValueError:
        is_good = False
    if not is_good:
        raise BenchError(
            f"{ENDPOINT_VARIABLE} is not the https address of a hub: correct it, or unset it for {DEFAULT_ENDPOINT}."
        )
    return endpoint


@contextmanager
def make_room() -> Iterator[Path]:
    """Return a context manager that provides a temporary folder for the files to upload or download."""
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
    """Download a data set from the hub into a folder under `room`, and return that folder."""
    address = read_address(path)
    folder = room / address.repo.replace("/", "-")
    order = {"action": "fetch", "repo": address.repo, "tag": address.tag, "folder": str(folder)}
    ask_hub(order, find_endpoint(), room, is_signed=is_signed, control=control)
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    return folder


def find_format(folder: Path, path: str) -> str:
    """Return the name of the format in which the folder holds a release. Raises BenchError, which names `path`, if it holds
    none."""
    found = next((name for name, file in _FILES_OF_FORMATS.items() if (folder / file).exists()), None)
    if found is None:
        raise BenchError(f"{path} holds no items in a format that can be imported: name it with --format.")
    return found


def ask_hub(
    order: Mapping[str, Any], endpoint: str, room: Path, *, is_signed: bool, control: Control | None = None
) -> HubReply:
    """Send one request to the hub, in a separate process, and return its result. `is_signed` = send the token. Raises
    BenchError with a message of this program, because messages of the library could contain parts of the request; raises
    ExchangeStopped if `control` stops the exchange."""
    token = ENVIRONMENT.get().get(TOKEN_VARIABLE, "").strip() if is_signed else ""
    environment = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    environment |= {
        "HF_HOME": str(room / "hf"),
        "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_ENDPOINT": endpoint,
        "HF_HUB_USER_AGENT_ORIGIN": f"benchwright/{VERSION}",
        **({TOKEN_VARIABLE: token} if token else {}),
    }
    result = _run_child({**order, "endpoint": endpoint, "room": str(room)}, environment, control or Control())
    if "fault" in result:
        raise BenchError(describe_fault(result, order, urlsplit(endpoint).netloc, bool(token)))
    return HubReply(str(result.get("url", "")), bool(result.get("private")), bool(result.get("already")))


def _run_child(order: Mapping[str, Any], environment: Mapping[str, str], control: Control) -> dict[str, Any]:
    """Return the result that the process prints which talks to the hub, and end that process with this call."""
    printed = Path(order["room"], "printed.jsonl")
    with (
        printed.open("wb") as out,
        subprocess.Popen(
            [sys.executable, "-P", str(CHILD)], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL, env=environment
        ) as process,
    ):
        try:
            assert process.stdin is not None
            with suppress(BrokenPipeError), process.stdin:
                process.stdin.write(json.dumps(order).encode())
            _wait(process, order, printed, control)
        except subprocess.TimeoutExpired:
            return {"fault": "too slow", "at": ""}
        finally:
            process.kill()
    lines = _read_printed(printed)
    if not lines or lines[-1].keys().isdisjoint(("commit", "fault")):
        return {"fault": "failed", "status": f"exit code {process.returncode}", "at": ""}
    return lines[-1]


def _wait(process: "subprocess.Popen[bytes]", order: Mapping[str, Any], printed: Path, control: Control) -> None:
    """Wait for the end of the process, and report how much it fetched. Raises ExchangeStopped when the control stops it, and
    TimeoutExpired."""
    end = time.monotonic() + MAX_EXCHANGE_SECONDS
    while True:
        try:
            process.wait(timeout=max(min(POLL_SECONDS, end - time.monotonic()), 0.0))
            return
        except subprocess.TimeoutExpired:
            check_going(control)
            if time.monotonic() >= end:
                raise
        size = next((line["bytes"] for line in _read_printed(printed) if "bytes" in line), None)
        if size:
            there = min(count_bytes(Path(order["folder"])), size)
            control.say(f"{there / 1e6:,.1f} of {size / 1e6:,.1f} MB fetched.")


def count_bytes(folder: Path) -> int:
    """Return the size of the files in the folder."""
    return sum(os.path.getsize(Path(root, file)) for root, _, files in os.walk(folder) for file in files)


def check_going(control: Control) -> None:
    """Raise ExchangeStopped when the control stops the exchange."""
    if control.look():
        raise ExchangeStopped


def _read_printed(printed: Path) -> list[dict[str, Any]]:
    """Return the whole lines that the process has printed."""
    return [json.loads(line) for line in printed.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def describe_fault(result: Mapping[str, Any], order: Mapping[str, Any], host: str, has_token: bool) -> str:
    """Return the error message for a failure that the separate process reported."""
    repo, tag, fault, status = order["repo"], order["tag"], result["fault"], result.get("status")
    is_push = order["action"] == "push"
    what = {
        "create": "nothing was published",
        "upload": f"nothing was published, and {repo} is without this release",
        "tag": f"the files are in {repo}, and only the tag {tag} is missing",
    }.get(str(result.get("at")), "nothing was published" if is_push else "nothing was imported")
    secret = f"the token in {TOKEN_VARIABLE}"
    again = "publish it again" if is_push else "import it again"
    sentences = {
        "is public": f"{repo} on the hub is public, and this release would be too: name another data set, or publish it with "
        "--public (in the app: Public).",
        "tag is taken": f"{repo} has the tag {tag} with other content already: publish to another data set, or freeze this "
        "release under another name.",
        "holds other files": f"{repo} is on the hub already and holds something else than a release: name a new data set.",
        "no export": f"{repo} on the hub is not an exported release: it has no manifest.json with its checksums.",
        "too large": f"{repo} on the hub is larger than 20 GB, or has more than 10,000 files: fetch it yourself, and import "
        "the folder.",
        "no tag": f"{repo} on the hub has no tag {tag}: look at its tags, or leave the tag out.",
        "no repository": f"{host} has no data set {repo} that {secret if has_token else 'everybody'} may read: check the name"
        + (", and the rights of the token." if has_token else f", or set {TOKEN_VARIABLE} if it is private."),
        "too slow": f"The exchange with the hub at {host} was ended after {MAX_EXCHANGE_SECONDS / 3600:g} hours: "
        + (f"look what is in {repo}, then {again}." if is_push else f"nothing was imported: {again}."),
        "unreachable": f"The hub at {host} cannot be reached, and {what}: check the network, and {ENDPOINT_VARIABLE}.",
        "silent": f"The hub at {host} does not answer, and {what}: try it again later.",
        "broke off": f"The connection to the hub at {host} broke off, and {what}: {again}.",
        "card": f"The hub does not accept the front matter of README.md, and {what}: check the languages of the release.",
    }
    if fault in sentences:
        return sentences[str(fault)]
    if status == 401 and not has_token:
        return sentences["no repository"]
    if status == 401:
        return f"The hub at {host} does not accept {secret}, and {what}: make a new token on the hub."
    if status == 403:
        return f"The hub at {host} forbids this to {secret}, and {what}: it needs the right to write to {repo.split('/')[0]}."
    if fault == "status":
        return f"The hub at {host} refuses with status {status}, and {what}: {again} later."
    return f"The exchange with the hub at {host} failed ({status}), and {what}: {again}."
