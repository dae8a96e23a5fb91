"""Manages the two things that exist only while this process has the workspace open: the token file, with which a command line
finds the app, and the background runner, which also continues unfinished jobs from before a restart."""

import logging
from pathlib import Path

import jobs
from terminal import token as tokens
from terminal.token import AppToken
from workbench import Workbench

_bench: list[Workbench] = []
_token: list[AppToken] = []


def hold(bench: Workbench, port: int | None) -> None:
    """After the workspace is opened, write the token file and start the background runner. No token file is written if `port`
    is None, because a command line then cannot reach the app."""
    _bench[:] = [bench]
    path = bench.database.path
    if path is not None and port is not None:
        token = tokens.create_token(port)
        try:
            tokens.write(path, token)
            _token[:] = [token]
        except OSError as error:
            why = "No token file could be written beside %s (%s): the command line cannot reach this app."
            logging.getLogger(__name__).warning(why, path, error.strerror)
    runner = jobs.start(bench)
    for job in bench.upkeep.list_left_over():
        runner.submit(job)


def release() -> None:
    """Remove the token file. Call this function before the workspace is closed."""
    path = workspace()
    while _token:
        token = _token.pop()
        if path is not None:
            tokens.remove(path, token)
    _bench.clear()


def bench() -> Workbench | None:
    """Return the workspace that the app has open, or None if it has none open."""
    return _bench[0] if _bench else None


def token() -> AppToken | None:
    """Return the content of the token file that this process has written, or None if there is none."""
    return _token[0] if _token else None


def workspace() -> Path | None:
    """Return the path of the open workspace file, or None if no workspace file is open."""
    return _bench[0].database.path if _bench else None
