"""The command-line verb that opens the app in the browser."""

import os
import sys
from argparse import Namespace
from pathlib import Path

from core.errors import BenchError
from core.installation import FOLDER
from terminal.local_session import LocalSession, workspace_name
from terminal.remote import find_running_app
from terminal.session import Session


def open_app(session: Session, options: Namespace) -> int:
    """Replace this process with the server of the app."""
    if not isinstance(session, LocalSession):
        raise BenchError("An app cannot open another app: run this command on your own machine, without --server.")
    workspace = workspace_name(options)
    running = find_running_app(Path(workspace).resolve(), session.say)
    if running is not None:
        raise BenchError(f"An app at port {running.port} has {workspace} open: use that app, or end it first.")
    port = ["--server.port", str(options.port)] if options.port is not None else []
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(FOLDER / "app.py"), *port]
    session.end()
    sys.stdout.flush()
    os.execve(sys.executable, command, {**os.environ, "BENCHWRIGHT_WORKSPACE": workspace})
