"""Who the app answers to: a page at another name whose address was turned to this machine (DNS rebinding) is refused, and so is
a change or a stream that another site's page asks for. It stands before every route, Streamlit's own too."""

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing, which a link of another site may use."""
NOT_OURS = (
    "The app does not answer to this name: come by localhost, or start the app with the name as --browser.serverAddress.\n"
)
NOT_THEIRS = "Only the app's own pages may do this: open the app itself, and do it there.\n"


class Hosts:
    """Refuses with 403 and a sentence; a websocket is refused before it is open."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        asks_only = scope["type"] == "http" and scope["method"] in SAFE
        if len(hosts) != 1 or not is_ours(hosts[0]):
            refusal = NOT_OURS
        elif not asks_only and not all(is_same(origin, hosts[0]) for origin in origins):
            refusal = NOT_THEIRS
        else:
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": refusal.strip()})
        return await PlainTextResponse(refusal, 403)(scope, receive, send)


def is_ours(host: str) -> bool:
    """Whether a Host header is a loopback name, one that was configured, or, where the server listens to more than this
    machine, an address in figures: no name stands behind that."""
    name = _name(f"//{host}")
    if name is None:
        return False
    if name == "localhost" or name.endswith(".localhost") or name in configured_hosts():
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or not _listens_here_alone()


def is_same(origin: str, host: str) -> bool:
    """Whether a page of that origin is the app's own: at the same host and port, or at a configured name (a proxy may ask with
    another host than the browser did)."""
    if urlsplit(origin).scheme not in ("http", "https"):
        return False
    return origin.partition("://")[2].lower() == host.lower() or _name(origin) in configured_hosts()


def configured_hosts() -> set[str]:
    """The names in Streamlit's settings: where it listens, where browsers are pointed to, who may ask from elsewhere."""
    names = [config.get_option("server.address"), config.get_option("browser.serverAddress")]
    origins = [_name(origin) for origin in config.get_option("server.corsAllowedOrigins") or ()]
    return {name.lower() for name in (*names, *origins) if name} - {"localhost", "0.0.0.0", "::", "127.0.0.1"}


def _listens_here_alone() -> bool:
    address = config.get_option("server.address") or "0.0.0.0"
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return bool(address == "localhost")


def _name(address: str) -> str | None:
    """The host of an address, without its port; None when it is none."""
    try:
        found = urlsplit(address)
        is_none = found.path or found.query or found.fragment or found.username is not None or found.port == 0
        return None if is_none else (found.hostname or "").rstrip(".") or None
    except ValueError:
        return None
