"""The Chromium that tests, benchmarks and pictures use, and its flags."""

import os
import shutil

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first has no windows and takes a third less processor time."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
TEST_FLAGS = (*FLAGS, "--js-flags=--no-opt --no-maglev")
"""A page of a test lasts for seconds: optimizing its scripts takes more processor time than it saves, a seventh of all."""


def find_chromium() -> str | None:
    """$CHROMIUM, or the first program of PROGRAMS on PATH."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
