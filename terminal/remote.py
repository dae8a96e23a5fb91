"""Asks the app that has the workspace open to run a verb for this command line, as the workspace's owner, and prints the verb's
output as it arrives. The address and key of a model endpoint are sent only to a process that proves that it wrote the token
file."""

import hmac
import json
import os
import secrets
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any

from core.errors import BenchError, WorkspaceHeld
from terminal import token as tokens
from terminal.local_session import handle_ctrl_c, workspace_name
from terminal.session import Session
from terminal.silence import watch_silence
from terminal.token import AppToken

ENVIRONMENT = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "HF_ENDPOINT", "HF_TOKEN")
"""Environment variables whose values are sent to the app; no others are sent."""
GONE = "The app ended before the command did: results so far are stored; run the same command again to continue."
START_SECONDS = 5.0
"""Maximum seconds to wait for an app that is starting or ending."""
ANSWER_SECONDS, NOTICE_SECONDS = 20.0, 3.0
"""Maximum seconds to wait for the app's answer to a short request, and seconds after which a line reports the wait."""
SILENCE_SECONDS, SILENCE_NOTICE_SECONDS = 120.0, 30.0
"""Maximum seconds without a line of a verb's output, and seconds after which a message reports the wait; the app sends a line
at least every 20 seconds."""


def run_through_app(words: Sequence[str], options: Namespace, here: Session, held: WorkspaceHeld) -> int:
    """Let the app that has the workspace open run the verb, and return the verb's exit code. Raises `held`, the error that
    another process has the workspace open, if no running app has it open."""
    workspace = Path(workspace_name(options)).resolve()
    app = find_running_app(workspace, here.say)
    if app is None:
        if owner := tokens.find_other_owner(workspace):
            raise WorkspaceHeld(
                f"{workspace} is open in the app of the user {owner}: run the command as that user, for example with "
                f"`runuser -u {owner} -- ...`."
            ) from held
        raise held
    order = {
        "id": secrets.token_hex(8),
        "words": list(words),
        "folder": str(Path.cwd()),
        "workspace": str(workspace),
        "plain": here.is_plain,
        "environment": {name: os.environ[name] for name in ENVIRONMENT if os.environ.get(name)},
    }

    def stop() -> None:
        if not stop_verb(app, str(order["id"])):
            raise KeyboardInterrupt

    with handle_ctrl_c(stop):
        try:
            with watch_silence(here.say, explain_silence(app, SILENCE_SECONDS), SILENCE_NOTICE_SECONDS) as note_answer:
                response = send_request(app, "POST", "/bench/verb", order, timeout=SILENCE_SECONDS)
                if response.status != 200:
                    raise held
                return print_lines(response, here, note_answer)
        except TimeoutError as error:
            raise BenchError(
                f"The app at port {app.port} (process {app.pid}) has sent nothing for {SILENCE_SECONDS:.0f} seconds: results "
                f"so far are stored; let it continue with `kill -CONT {app.pid}`, or end it, then run the same command again."
            ) from error
        except (HTTPException, ConnectionResetError, ConnectionRefusedError) as error:
            raise BenchError(GONE) from error


def explain_silence(app: AppToken, seconds: float) -> str:
    """Return the message that the app does not answer and that the command line waits for up to `seconds`."""
    return (
        f"The app at port {app.port} (process {app.pid}) does not answer; waiting for up to {seconds:.0f} seconds. If it was "
        f"stopped, `kill -CONT {app.pid}` lets it go on."
    )


def print_lines(response: HTTPResponse, here: Session, note_answer: Callable[[], None]) -> int:
    """Print the lines of the verb's output as they arrive, and return the exit code, which the last line contains. Call
    `note_answer` for each line."""
    while raw := response.readline():
        note_answer()
        line = json.loads(raw)
        if "out" in line:
            here.write_out(line["out"])
        elif "err" in line:
            here.say(line["err"])
        elif "exit" in line:
            return int(line["exit"])
    raise HTTPException("the stream ended without an exit code")


def stop_verb(app: AppToken, order: str) -> bool:
    """Ask the app to stop the verb, and return whether the verb had a running job, which is now stopping."""
    try:
        response = send_request(app, "POST", "/bench/verb/stop", {"id": order}, timeout=START_SECONDS)
        return response.status == 200 and bool(json.loads(response.read())["stopping"])
    except (OSError, HTTPException, ValueError):
        return False


def find_running_app(workspace: Path, say: Callable[[str], None]) -> AppToken | None:
    """Return the content of the token file if the app that wrote the file is running and proves that it wrote the file, else
    None. While the app does not answer, report the wait with `say`. Raises WorkspaceHeld if the app still does not answer."""
    until = time.monotonic() + START_SECONDS
    while (app := tokens.read(workspace)) and is_alive(app.pid):
        nonce = secrets.token_urlsafe(32)
        try:
            with watch_silence(say, explain_silence(app, ANSWER_SECONDS), NOTICE_SECONDS):
                response = send_request(app, "GET", f"/bench/verb?nonce={nonce}", timeout=ANSWER_SECONDS, token=False)
                proof = json.loads(response.read())["proof"] if response.status == 200 else ""
            return app if hmac.compare_digest(str(proof).encode(), app.proof(nonce).encode()) else None
        except ConnectionRefusedError:  # the app is starting or ending
            if time.monotonic() > until:
                return None
            time.sleep(0.1)
        except TimeoutError as error:
            raise WorkspaceHeld(
                f"The app at port {app.port} (process {app.pid}) has {workspace} open and does not answer: let it continue "
                f"with `kill -CONT {app.pid}`, or end it with `kill -KILL {app.pid}`, then try again."
            ) from error
        except (OSError, HTTPException, ValueError, KeyError, TypeError):
            return None
    return None


def send_request(
    app: AppToken, method: str, address: str, body: Any = None, *, timeout: float, token: bool = True
) -> HTTPResponse:
    """Send a request to the app and return the response before its body is read."""
    connection = HTTPConnection("127.0.0.1", app.port, timeout=timeout)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {app.token}"} if token else {})
    connection.request(method, address, None if body is None else json.dumps(body), headers)
    return connection.getresponse()


def is_alive(pid: int) -> bool:
    """Return whether a process with this id exists, no matter which user owns it."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
