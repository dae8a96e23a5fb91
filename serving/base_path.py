"""The base path: all addresses of the app begin with Streamlit's setting server.baseUrlPath."""

from collections.abc import Sequence

from starlette.routing import Route
from streamlit import config

VERB_PATHS = ("/bench/verb", "/bench/verb/stop")
"""Paths to which no base path is added; they are for the command line on this machine. A proxy that forwards only the base path
never forwards them."""


def find_base() -> str:
    """Return the base path of the app's addresses, for example "/team/bench"; "" = none."""
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def place_routes(routes: Sequence[Route], base: str) -> list[Route]:
    """Return the routes with the base path before their addresses, except the routes for the command line."""
    return [
        route
        if is_for_command_line(route.path)
        else Route(base + route.path, route.endpoint, methods=sorted(route.methods or ()))
        for route in routes
    ]


def is_for_command_line(path: str) -> bool:
    """Return whether a full path is one of the routes for the command line on this machine."""
    return path in VERB_PATHS


def strip_base(path: str, base: str) -> str | None:
    """Return a path without the base path, or None if it does not begin with it."""
    if path == base:
        return "/"
    return path[len(base) :] if path.startswith(f"{base}/") else None
