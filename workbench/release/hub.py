"""Publishes releases as data sets on the Hugging Face hub, and imports them from there. The token comes from the environment
variable HF_TOKEN and never appears in a message, a log or a file."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from core.errors import BenchError
from core.installation import VERSION
from store.engine.database import Database
from store.releases.releases import WORKING_RELEASE
from workbench.release.importing import ImportReport
from workbench.release.releases import ReleaseStage
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
_ADDRESS = re.compile(r"hub:([A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95})(?:@([A-Za-z0-9][\w.-]{0,127}))?", re.ASCII)
_TAG = re.compile(r"(?!.*\.\.)(?!.*\.lock$)(?!.*\.$).+")
_LEFT_OUT = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DEBUG", "HF_TOKEN_PATH", "HUGGING_FACE_HUB_TOKEN", TOKEN_VARIABLE)
"""Environment variables that are not passed on as they are to the process that talks to the hub."""
_FILES_OF_FORMATS = {"huggingface": "data/items", "parquet": "items.parquet", "jsonl": "items.jsonl"}


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
        """Export a frozen release, and publish the folder as a data set on the hub, with the release's name as tag. The data
        set is private unless `public`."""
        address = read_address(to)
        if address.tag is not None:
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
        endpoint = find_endpoint()
        with make_room() as room:
            folder = room / "export"
            written = self._releases.export(name, form, folder, withhold=withhold)
            order = {
                "action": "push",
                "repo": address.repo,
                "tag": name,
                "folder": str(folder),
                "public": public,
                "message": f"Release {name} {written.hash}",
            }
            done = ask_hub(order, endpoint, room, is_signed=True)
        return PublishedRelease(
            release=name,
            hash=written.hash,
            format=form,
            repo=address.repo,
            tag=name,
            url=done.url,
            private=done.private,
            already=done.already,
        )

    @requires("import benchmarks", "path", is_logged=False)
    def import_(self, path: str, form: str | None = None) -> ImportReport:
        """Import a release from the hub. Without the permission to publish, only public data sets can be read, because the
        token belongs to the server."""
        address, endpoint = read_address(path), find_endpoint()
        with make_room() as room:
            folder = room / address.repo.replace("/", "-")
            order = {"action": "fetch", "repo": address.repo, "tag": address.tag, "folder": str(folder)}
            ask_hub(order, endpoint, room, is_signed=explain_refusal(self._db, "publish releases") is None)
            shutil.rmtree(folder / ".cache", ignore_errors=True)
            found = form or next((name for name, file in _FILES_OF_FORMATS.items() if (folder / file).exists()), None)
            if found is None:
                raise BenchError(f"{path} holds no items in a format that can be imported: name it with --format.")
            return self._releases.import_(folder, found)

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


def ask_hub(order: Mapping[str, Any], endpoint: str, room: Path, *, is_signed: bool) -> HubReply:
    """Send one request to the hub, in a separate process, and return its result. `is_signed` = send the token. Raises
    BenchError with a message of this program, because messages of the library could contain parts of the request."""
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
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(CHILD)],
            input=json.dumps({**order, "endpoint": endpoint, "room": str(room)}).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            check=False,
            timeout=MAX_EXCHANGE_SECONDS,
        )
        result = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        result = {"fault": "too slow", "at": ""}
    except ValueError:
        result = {"fault": "failed", "status": f"exit code {done.returncode}", "at": ""}
    if "fault" in result:
        raise BenchError(describe_fault(result, order, urlsplit(endpoint).netloc, bool(token)))
    return HubReply(str(result.get("url", "")), bool(result.get("private")), bool(result.get("already")))


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
    sentences = {
        "is public": f"{repo} on the hub is public, and this release would be too: name another data set, or give --public.",
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
        + (f"look what is in {repo}, and run" if is_push else "nothing was imported; run")
        + " the same command again.",
        "unreachable": f"The hub at {host} cannot be reached, and {what}: check the network, and {ENDPOINT_VARIABLE}.",
        "silent": f"The hub at {host} does not answer, and {what}: try it again later.",
        "broke off": f"The connection to the hub at {host} broke off, and {what}: run the same command again.",
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
        return f"The hub at {host} refuses with status {status}, and {what}: run the same command again later."
    return f"The exchange with the hub at {host} failed ({status}), and {what}: run the same command again."
