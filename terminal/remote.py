"""A verb that the app works for this command line, because it holds the workspace: it is told the words, and what it prints
streams back line by line. The endpoint and its key are sent only to a process that proved it wrote the token file."""

import hmac
import json
import os
import secrets
import signal
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any

from core.errors import BenchError, WorkspaceHeld
from terminal import token as tokens
from terminal.local_session import LocalSession, workspace_name
from terminal.token import AppToken

ENVIRONMENT = ("OPENAI_BASE_URL", "OPENAI_API_KEY")
"""The only variables that are sent."""
GONE = "The app ended before the verb did: what was stored stays; the same command goes on from there."
ANSWER_SECONDS = 5.0
"""Seconds for an app that lives and does not listen yet, or no more."""


def run_through_app(words: Sequence[str], options: Namespace, here: LocalSession, held: WorkspaceHeld) -> int:
    """Have the app that holds the workspace work the verb; returns its exit code. Raises `held` when no app of ours does."""
    workspace = Path(workspace_name(options)).resolve()
    app = find_running_app(workspace)
    if app is None:
        raise held
    order = {
        "id": secrets.token_hex(8),
        "words": list(words),
        "folder": str(Path.cwd()),
        "workspace": str(workspace),
        "plain": here.is_plain,
        "environment": {name: os.environ[name] for name in ENVIRONMENT if os.environ.get(name)},
    }
    with hearing_ctrl_c(app, str(order["id"])):
        try:
            response = send_request(app, "POST", "/bench/verb", order, timeout=None)
            if response.status != 200:
                raise held
            return print_response(response, here)
        except (HTTPException, ConnectionResetError, ConnectionRefusedError) as error:
            raise BenchError(GONE) from error


def print_response(response: HTTPResponse, here: LocalSession) -> int:
    """Print the lines as they come; returns the exit code that the last one tells."""
    while line := response.readline():
        said = json.loads(line)
        if "out" in said:
            here.write_out(said["out"])
        elif "err" in said:
            here.say(said["err"])
        else:
            return int(said["exit"])
    raise HTTPException("the stream ended without an exit code")


@contextmanager
def hearing_ctrl_c(app: AppToken, order: str) -> Iterator[None]:
    """The first press stops the verb's job after its calls in flight, the second leaves at once; where there is no job to stop
    the first one leaves. Where Ctrl-C is ignored it stays so."""
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:
        yield
        return

    def press(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        if not stop_verb(app, order):
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def stop_verb(app: AppToken, order: str) -> bool:
    """Ask the app to stop that verb; whether a job of it is stopping now."""
    try:
        response = send_request(app, "POST", "/bench/verb/stop", {"id": order})
        return response.status == 200 and bool(json.loads(response.read())["stopping"])
    except (OSError, HTTPException, ValueError):
        return False


def find_running_app(workspace: Path) -> AppToken | None:
    """The app beside whose workspace there is a token, if it lives and can prove that the token is its own."""
    until = time.monotonic() + ANSWER_SECONDS
    while (app := tokens.read(workspace)) and is_alive(app.pid):
        nonce = secrets.token_urlsafe(32)
        try:
            response = send_request(app, "GET", f"/bench/verb?nonce={nonce}", token=False)
            found = json.loads(response.read())["proof"] if response.status == 200 else ""
            return app if hmac.compare_digest(str(found).encode(), app.proof(nonce).encode()) else None
        except ConnectionRefusedError:  # it starts, or it ends
            if time.monotonic() > until:
                return None
            time.sleep(0.1)
        except (OSError, HTTPException, ValueError, KeyError, TypeError):
            return None
    return None


def send_request(
    app: AppToken, method: str, address: str, body: Any = None, *, timeout: float | None = ANSWER_SECONDS, token: bool = True
) -> HTTPResponse:
    """The head of the app's answer; its body is still to be read."""
    connection = HTTPConnection("127.0.0.1", app.port, timeout=timeout)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {app.token}"} if token else {})
    connection.request(method, address, None if body is None else json.dumps(body), headers)
    return connection.getresponse()


def is_alive(pid: int) -> bool:
    """Whether there is such a process; one of somebody else's counts."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
