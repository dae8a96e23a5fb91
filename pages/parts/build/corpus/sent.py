"""What the browser sent, as the workbench takes it."""

from collections.abc import Sequence
from typing import Any

from workbench.release.uploads import Upload


def sent(files: Sequence[Any]) -> list[Upload]:
    """Streamlit's uploaded files as uploads, read from their beginning."""
    found = []
    for file in files:
        file.seek(0)
        found.append(Upload(file.name, file, file.size))
    return found
