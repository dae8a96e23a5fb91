"""Exchange pickled Python values in JSON between a process and its own child processes."""

import base64
import pickle
from typing import Any


def pack_value(value: Any) -> str:
    """Return the value, pickled, as base64 text."""
    return base64.b64encode(pickle.dumps(value)).decode()


def unpack_value(text: str) -> Any:
    """Return the value of a text that `pack_value` returned. Only safe for texts from this project's own processes."""
    return pickle.loads(base64.b64decode(text))
