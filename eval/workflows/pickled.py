"""Pickled Python values in JSON, for exchange between our own processes."""

import base64
import pickle
from typing import Any


def pack_value(value: Any) -> str:
    """Return the pickled value as base64 text."""
    return base64.b64encode(pickle.dumps(value)).decode()


def unpack_value(text: str) -> Any:
    """Return the value of a text from `pack_value`. Only safe for texts from our own processes."""
    return pickle.loads(base64.b64decode(text))
