"""The base path: the app's addresses stand under Streamlit's setting server.baseUrlPath."""

from collections.abc import Sequence

from starlette.routing import Route
from streamlit import config

VERB_PATHS = ("/bench/verb", "/bench/verb/stop")
"""Paths without the base path, for the command line on this machine. A proxy that forwards only the base path never forwards
these."""


def find_base() -> str:
    """Return the base path, for example "/team/bench"; "" = none."""
    base = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def place_routes(routes: Sequence[Route], base: str) -> list[Route]:
    """Return the routes under the base path, except the route for the command line."""
    return [
        route
        if is_for_command_line(route.path)
        else Route(base + route.path, route.endpoint, methods=sorted(route.methods or ()))
        for route in routes
    ]


def is_for_command_line(path: str) -> bool:
    """Return whether the full path is the command line's path."""
    return path in VERB_PATHS


def strip_base(path: str, base: str) -> str | None:
    """Return the path below the base path, or None for a path outside the base path."""
    if path == base:
        return "/"
    return path[len(base) :] if path.startswith(f"{base}/") else None
