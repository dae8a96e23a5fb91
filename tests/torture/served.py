"""The app under torture: `streamlit run ...` in this process, with clocks that are as many hours off as a file says."""

import os
import sys
import time
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

HOURS = "TORTURE_CLOCK"
"""Environment: the file."""


def hours() -> float:
    return float(Path(os.environ[HOURS]).read_text(encoding="ascii"))


class Moved(datetime):
    """What the store asks for the time."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(hours=hours())


def move_clocks() -> None:
    """Before anything of the app is imported: sessions, tokens and guesses are counted by time.time()."""
    true_time = time.time
    time.time = lambda: true_time() + 3600 * hours()

    from store.engine import columns

    columns.datetime = Moved  # type: ignore[misc]  # every store function's now() reads it there


if __name__ == "__main__":
    move_clocks()

    from streamlit.web.cli import main

    sys.argv[0] = "streamlit"
    sys.exit(main())
