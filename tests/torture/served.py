"""The app under torture: `streamlit run ...` in this process, with a clock that is as many hours off as a file says."""

import os
import sys
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

from streamlit.web.cli import main

from store.engine import columns

HOURS = "TORTURE_CLOCK"
"""Environment: the file."""


class Moved(datetime):
    """What the store asks for the time."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + timedelta(hours=float(Path(os.environ[HOURS]).read_text(encoding="ascii")))


if __name__ == "__main__":
    columns.datetime = Moved  # type: ignore[misc]  # every store function's now() reads it there
    sys.argv[0] = "streamlit"
    sys.exit(main())
