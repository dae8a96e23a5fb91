"""The sign-in sources, from the environment variable BENCHWRIGHT_SIGN_IN."""

import os
from typing import Literal, get_args
from urllib.parse import quote

from core.errors import BenchError
from core.inner_network import SIGN_IN_VARIABLE

SignInSource = Literal["local", "oidc", "header", "workspace"]
SIGN_IN_SOURCES: tuple[SignInSource, ...] = get_args(SignInSource)
INVITE_PATH = "/bench/invite"
"""Path of the page that accepts an invite, below the app's base path, followed by the invite's secret."""


def load_sign_in_sources() -> tuple[SignInSource, ...]:
    """Return the sources that BENCHWRIGHT_SIGN_IN lists, separated by commas; empty = there is no sign-in. Raises BenchError on
    an unknown source."""
    words = [word.strip().lower() for word in os.environ.get(SIGN_IN_VARIABLE, "").split(",")]
    unknown = next((word for word in words if word and word not in SIGN_IN_SOURCES), None)
    if unknown is not None:
        raise BenchError(
            f"{SIGN_IN_VARIABLE} contains {unknown!r}, which is no source of sign-in: set it to one or more of "
            f"{', '.join(SIGN_IN_SOURCES)}."
        )
    return tuple(source for source in SIGN_IN_SOURCES if source in words)


def is_sign_in_on() -> bool:
    """Return whether sign-in is on."""
    return bool(load_sign_in_sources())


def write_invite_link(base: str, secret: str) -> str:
    """Return the link of an invite, under the app's external address with its base path; "" gives the path alone."""
    return f"{base.rstrip('/')}{INVITE_PATH}/{quote(secret, safe='')}"
