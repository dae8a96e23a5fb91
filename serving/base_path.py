"""The base path, with which all addresses of the app begin; it is Streamlit's setting server.baseUrlPath."""

from collections.abc import Sequence

from starlette.routing import Route
from streamlit import config

VERB_PATHS = ("/bench/verb", "/bench/verb/stop")
"""Paths to which no base path is added; they are for the command line on this machine. A proxy that forwards only addresses
under the base path never forwards these paths."""


def find_base() -> str:
    """Return the base path of the app's addresses, for example "/team/bench"; "" = none."""
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def place_routes(routes: Sequence[Route], base: str) -> list[Route]:
    """Return the routes with the base path added in front of their paths. Routes for the command line stay unchanged."""
    return [
        route
        if is_for_command_line(route.path)
        else Route(base + route.path, route.endpoint, methods=sorted(route.methods or ()))
        for route in routes
    ]


def is_for_command_line(path: str) -> bool:
    """Return whether a request's path is that of a route for the command line on this machine."""
    return path in VERB_PATHS


def strip_base(path: str, base: str) -> str | None:
    """Return `path` without the base path, or None if `path` does not begin with the base path."""
    if path == base:
        return "/"
    return path[len(base) :] if path.startswith(f"{base}/") else None
