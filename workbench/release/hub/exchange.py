"""Exchange data sets with the Hugging Face hub in a separate process. The token comes from the environment variable HF_TOKEN,
and no message, log or file ever contains it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from core.errors import BenchError
from core.installation import VERSION
from workbench.control import Control
from workbench.setup.agents import ENVIRONMENT

TOKEN_VARIABLE = "HF_TOKEN"
ENDPOINT_VARIABLE = "HF_ENDPOINT"
DEFAULT_ENDPOINT = "https://huggingface.co"
CHILD = Path(__file__).with_name("child.py")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MAX_EXCHANGE_SECONDS = 3 * 3600.0
"""Maximum number of seconds for one upload or download of up to 20 GB."""
POLL_SECONDS = 0.5
_LEFT_OUT = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DEBUG", "HF_TOKEN_PATH", "HUGGING_FACE_HUB_TOKEN", TOKEN_VARIABLE)
"""Names of environment variables that the process which talks to the hub does not get unchanged."""


class ExchangeStopped(Exception):
    """Raised if a person, or the end of the app, stops an exchange with the hub."""


class HubReply(NamedTuple):
    """The result of publishing on the hub or downloading from it."""

    url: str
    """Address of the published data set; "" after a download."""
    private: bool
    already: bool
    """Whether the same content was already published with this tag."""


def find_endpoint() -> str:
    """Return the address of the Hugging Face hub: the environment variable HF_ENDPOINT, or the default. Raises BenchError if
    the token would be sent over a network without encryption."""
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


def read_token() -> str:
    """Return the token for the Hugging Face hub from the environment; "" if there is none."""
    return ENVIRONMENT.get().get(TOKEN_VARIABLE, "").strip()


def ask_hub(
    order: Mapping[str, Any], endpoint: str, room: Path, *, is_signed: bool, control: Control | None = None
) -> HubReply:
    """Send one request to the hub in a separate process; return its result. The token is sent only if `is_signed` is True.
    Raises ExchangeStopped if `control` stops the exchange. Raises BenchError with a message that this program wrote, because
    the library's messages could contain parts of the request."""
    token = read_token() if is_signed else ""
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
    """Start the process that talks to the hub; return the result that it prints. The process is killed if this call ends
    before."""
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
    """Wait until the process ends, and report how many bytes it has downloaded so far. Raises ExchangeStopped if `control`
    stops the exchange, and TimeoutExpired if it takes longer than MAX_EXCHANGE_SECONDS."""
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


def _read_printed(printed: Path) -> list[dict[str, Any]]:
    """Return the complete lines that the process has printed, as parsed JSON."""
    return [json.loads(line) for line in printed.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def check_going(control: Control) -> None:
    """Raise ExchangeStopped if `control` stops the exchange."""
    if control.look():
        raise ExchangeStopped


def count_bytes(folder: Path) -> int:
    """Return the size in bytes of the files in the folder."""
    return sum(os.path.getsize(Path(root, file)) for root, _, files in os.walk(folder) for file in files)


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
