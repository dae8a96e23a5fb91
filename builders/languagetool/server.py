"""Use a LanguageTool server at an address, or start one as a child process. The optional package language-tool-python (GPL-3.0)
finds LanguageTool's files, downloads them and calls the server; only this file imports the package."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.errors import BenchError

HERE, NONE = "here", "none"
"""Values of the setting for a LanguageTool server other than an address: HERE starts a server on this machine, NONE turns
grammar checks off."""
FOLDER = "LanguageTool-6.8"
"""Name of the folder with LanguageTool's files, which language-tool-python searches for under LTP_PATH."""
DOWNLOAD_MB = 250
JAVA = 17
MEMORY_MB = 950
"""Memory in MB that a LanguageTool server takes when its rules are loaded."""
POLL_SECONDS = 0.1
_GUARD = Path(__file__).with_name("run_until_eof.py")


def check_server(value: str) -> str:
    """Return the valid setting for a LanguageTool server: an address without a trailing slash, or HERE, NONE or "". Raises
    BenchError for any other value."""
    clean = value.strip().rstrip("/")
    if clean in ("", HERE, NONE) or clean.startswith(("http://", "https://")):
        return clean
    raise BenchError(
        f"{clean!r} is not the address of a LanguageTool server: give one that begins with http:// or https://, or the word "
        f"{HERE} (start a server on this machine) or {NONE} (do not check grammar)."
    )


def choose_server(value: str) -> str:
    """Return the setting `value`, but replace "" by HERE if a local LanguageTool server can be started, else by NONE."""
    return value or (NONE if explain_missing() else HERE)


def explain_missing() -> str:
    """Return a sentence that says why no LanguageTool server can be started on this machine, or "" if Java and LanguageTool's
    files are installed."""
    if shutil.which("java") is None:
        return f"Java is not installed here: LanguageTool needs Java {JAVA} or later."
    if not (find_folder() / FOLDER / "languagetool-server.jar").is_file():
        return (
            f"{FOLDER} is not in {find_folder()}: set LTP_PATH to the folder that holds it, or download it on the page Agents "
            f"(some {DOWNLOAD_MB} MB)."
        )
    return ""


def find_folder() -> Path:
    """Return the folder for LanguageTool's files: the environment variable LTP_PATH, or else language-tool-python's default."""
    return Path(os.environ.get("LTP_PATH") or Path.home() / ".cache" / "language_tool_python")


def download() -> None:
    """Download LanguageTool's files into their folder, unless the folder already contains them. Raises BenchError if the
    download fails."""
    try:
        _find_local_tool().download()
    except Exception as error:  # any error of the package: no Java, no network, a wrong checksum
        raise BenchError(f"LanguageTool could not be downloaded: {first_line(error)}.") from error
    if why := explain_missing():
        raise BenchError(f"LanguageTool was downloaded but cannot be used. {why}")


class LocalServer:
    """The LanguageTool server that this process started, or none if it started none. The server is a child process that ends
    when this process ends, even if this process is killed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._address = ""

    @property
    def is_running(self) -> bool:
        """Check whether this process has a running LanguageTool server."""
        return self._process is not None and self._process.poll() is None

    def start(self, seconds: float) -> str:
        """Return the address of the running LanguageTool server; start one if there is none. Raises BenchError if a new server
        does not listen within `seconds`."""
        with self._lock:
            if self.is_running:
                return self._address
            if why := explain_missing():
                raise BenchError(why)
            port = _find_free_port()
            try:
                command = _find_local_tool().get_server_cmd(port)
            except Exception as error:
                raise BenchError(f"LanguageTool cannot be started here: {first_line(error)}.") from error
            process = subprocess.Popen(
                [sys.executable, str(_GUARD), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            address = f"http://127.0.0.1:{port}"
            try:
                _wait_until_listening(process, address, seconds)
            except BenchError:
                _end(process)
                raise
            self._process, self._address = process, address
            return address

    def stop(self) -> None:
        """Stop the LanguageTool server that this process started."""
        with self._lock:
            if self._process is not None:
                _end(self._process)
            self._process = None


local_server = LocalServer()
"""The LanguageTool server that this process starts on demand."""


def open_tool(address: str, code: str) -> Any:
    """Return language-tool-python's client for the server at the address; `code` is LanguageTool's code of the language
    ("en-US")."""
    from language_tool_python import LanguageTool

    return LanguageTool(code, remote_server=address)


def describe_package() -> str:
    """Return the name and version of the grammar checker, to store with a variant."""
    return f"LanguageTool (language-tool-python {version('language-tool-python')})"


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, for use within another message."""
    if isinstance(error, KeyError):
        return f"its reply has no {error}"
    reason = getattr(error, "reason", error)  # the cause of a connection error
    return (str(getattr(reason, "strerror", None) or error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")[:200]


def _find_local_tool() -> Any:
    """Return the object of language-tool-python that manages LanguageTool's local files. Raises the errors of
    language-tool-python, for example if Java is missing or too old."""
    from language_tool_python.download_lt import LocalLanguageTool, confirm_java_compatibility

    confirm_java_compatibility()
    return LocalLanguageTool.from_version_name(FOLDER.rpartition("-")[2])


def _find_free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _wait_until_listening(process: "subprocess.Popen[bytes]", address: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise BenchError(f"LanguageTool was started on this machine but ended at once (exit status {process.returncode}).")
        try:
            with urllib.request.urlopen(f"{address}/v2/healthcheck", timeout=seconds):
                return
        except OSError:
            time.sleep(POLL_SECONDS)
    raise BenchError(f"LanguageTool was started here, but did not listen within {seconds:g} s.")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Close the pipe to the helper process, which then ends the LanguageTool server and itself."""
    assert process.stdin is not None
    process.stdin.close()
    process.wait()
