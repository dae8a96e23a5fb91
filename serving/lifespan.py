"""Start-up and shut-down of the app's one process: the workspace is opened and the background runner started before the first
session, and both end with the server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from streamlit.runtime.pages_manager import PagesManager

import jobs
from core.errors import BenchError
from workbench import close, opened

GRACE = 10.0
"""Seconds that calls in flight have to end in when the server stops; they are asked again later otherwise."""


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
    """Hold the workspace while the server runs. One that cannot be opened is told on every page."""
    PagesManager.uses_pages_directory = False  # second lock: the folder pages/ is a menu of app.py, not of Streamlit
    try:
        bench = await asyncio.to_thread(opened)
    except BenchError:
        yield {}
        return
    jobs.start(bench)
    try:
        yield {}
    finally:
        await asyncio.to_thread(jobs.stop, bench, GRACE)
        await asyncio.to_thread(close)
