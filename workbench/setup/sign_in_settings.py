"""Read the settings for signing in from the environment: the ways to sign in, and the workspaces of the server."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Literal, get_args
from urllib.parse import quote, urlsplit

from core.errors import BenchError
from core.inner_network import SIGN_IN_VARIABLE

SignInSource = Literal["local", "oidc", "header", "workspace"]
SIGN_IN_SOURCES: tuple[SignInSource, ...] = get_args(SignInSource)
SIGN_IN_WORDS: Mapping[str, str] = {
    "local": "password",
    "oidc": "provider",
    "header": "proxy",
    "workspace": "another workspace",
}
"""Dict from a way to sign in to the words that show it to a reader."""
NAME_FORMS: Mapping[SignInSource, str] = {
    "local": "without a colon",
    "oidc": "PROVIDER:ID",
    "header": "header:NAME",
    "workspace": "workspace:NAME",
}
"""Dict from a way to sign in to the form of the names of people who sign in that way."""
PLACE_VARIABLE = "BENCHWRIGHT_SIGN_IN_AT"
WORKSPACES_VARIABLE = "BENCHWRIGHT_WORKSPACES"
FRONT_PATH = "/bench/workspaces"
"""Path of the page that lists the server's workspaces. The path of this page follows the base path of the workspace at which
people sign in."""
INVITE_PATH = "/bench/invite"
"""Path of the page that accepts an invite. The path of this page follows the app's base path, and the invite's secret follows
it."""
_providers: list[str] = []


def load_sign_in_sources() -> tuple[SignInSource, ...]:
    """Return the ways to sign in that BENCHWRIGHT_SIGN_IN lists, such as local or oidc. The result is empty if nobody needs to
    sign in on this server. Raises BenchError if the variable contains an unknown way to sign in."""
    words = [word.strip().lower() for word in os.environ.get(SIGN_IN_VARIABLE, "").split(",")]
    unknown = next((word for word in words if word and word not in SIGN_IN_SOURCES), None)
    if unknown is not None:
        raise BenchError(
            f"{SIGN_IN_VARIABLE} contains {unknown!r}, which is not a way to sign in: set it to one or more of "
            f"{', '.join(SIGN_IN_SOURCES)}."
        )
    return tuple(source for source in SIGN_IN_SOURCES if source in words)


def explain_unusable_name(person: str) -> str:
    """Return a sentence that says why nobody can sign in to this server under a name of this form, or "" if somebody may be
    able to. The app knows its identity providers (see note_providers); a command line without the app checks the form alone."""
    sources = load_sign_in_sources()
    prefix, colon, _ = person.strip().partition(":")
    source: SignInSource = "local"
    if colon:
        source = "workspace" if prefix == "workspace" else "header" if prefix == "header" else "oidc"
    if source == "oidc" and source in sources and _providers and prefix not in _providers:
        return f"Nobody can sign in here as {person.strip()}: the identity providers here are {', '.join(_providers)}."
    if not sources or source in sources:
        return ""
    forms = " or ".join(NAME_FORMS[one] for one in sources)
    return f"Nobody can sign in here as {person.strip()}: the names of people who sign in here are {forms}."


def note_providers(names: Sequence[str]) -> None:
    """Let this process know the names of the identity providers, with which the names of their people begin."""
    _providers[:] = names


def is_sign_in_on() -> bool:
    """Return whether people must sign in on this server."""
    return bool(load_sign_in_sources())


def load_sign_in_place() -> str:
    """Return the address of the workspace at which people sign in for this one, with its base path, such as
    http://127.0.0.1:8501/benchwright. Return "" if people sign in at this one. Raises BenchError if the setting is not such an
    address."""
    place = os.environ.get(PLACE_VARIABLE, "").strip().rstrip("/")
    if place and not re.fullmatch(r"https?://[^/?#@\s]+(/[A-Za-z0-9._~-]+)*", place):
        raise BenchError(f"{PLACE_VARIABLE} is {place!r}: give an address such as http://127.0.0.1:8501/benchwright.")
    return place


def load_workspaces() -> tuple[str, ...]:
    """Return the base paths of the other workspaces for which people sign in here. Raises BenchError if one of the values is
    not a path."""
    words = [word.strip() for word in os.environ.get(WORKSPACES_VARIABLE, "").split(",") if word.strip()]
    for word in words:
        if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)+/?", word):
            raise BenchError(
                f"{WORKSPACES_VARIABLE} has {word!r}, which is not a base path: list base paths separated by commas, "
                "such as /benchwright,/law."
            )
    return tuple(word.rstrip("/") for word in words)


def find_front_page(base: str) -> str:
    """Return the path of the page that lists the server's workspaces; "" if this is the only workspace. `base` is the base path
    of this workspace."""
    if place := load_sign_in_place():
        return urlsplit(place).path + FRONT_PATH
    return base + FRONT_PATH if load_workspaces() else ""


def write_invite_link(base: str, secret: str) -> str:
    """Return the link with which a person accepts an invite. `base` is the app's external address with its base path; if it is
    "", only the path is returned."""
    return f"{base.rstrip('/')}{INVITE_PATH}/{quote(secret, safe='')}"
