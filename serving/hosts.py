"""Refuses requests from pages of other sites: requests with another site's host name that resolves to this machine (DNS
rebinding), and requests of another origin that change data or open a websocket. The check runs before every route, including
Streamlit's."""

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

SAFE = ("GET", "HEAD", "OPTIONS")
"""HTTP methods that change nothing, so that links on other sites may use them."""
NOT_THEIRS = "Only the app's own pages may do this: open the app itself, and do it there.\n"


class Hosts:
    """Middleware that responds with status 403 and a message if the host or origin of a request is not the app's. The
    middleware refuses a websocket before the websocket opens."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        is_safe = scope["type"] == "http" and scope["method"] in SAFE
        if len(hosts) != 1 or not is_ours(hosts[0]):
            refusal = explain_wrong_host()
        elif not is_safe and not all(is_same(origin, hosts[0]) for origin in origins):
            refusal = NOT_THEIRS
        else:
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1008, "reason": refusal.strip()})
        return await PlainTextResponse(refusal, 403)(scope, receive, send)


def is_ours(host: str) -> bool:
    """Return whether the value of a Host header may name this app: a loopback name or address, a configured name or, if other
    machines can reach the server, any IP address (DNS rebinding needs a name)."""
    name = _host_name(f"//{host}")
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
    """Return whether the origin of a request is this app: the origin has the host and port of the request, or a configured host
    name (a proxy may change the Host header)."""
    try:
        scheme = urlsplit(origin).scheme
    except ValueError:  # not a valid address, such as http://[
        return False
    if scheme not in ("http", "https"):
        return False
    return origin.partition("://")[2].lower() == host.lower() or _host_name(origin) in configured_hosts()


def explain_wrong_host() -> str:
    """Return the message for a request with another host name: the names that the app answers to, and the setting."""
    names = " or ".join(sorted(configured_hosts())) or "localhost"
    return (
        f"The app does not answer to this host name: open it at {names}, or start the app with the name as "
        "--browser.serverAddress (the variable STREAMLIT_BROWSER_SERVER_ADDRESS).\n"
    )


def configured_hosts() -> set[str]:
    """Return the host names in Streamlit's settings server.address, browser.serverAddress and server.corsAllowedOrigins."""
    names = [config.get_option("server.address"), config.get_option("browser.serverAddress")]
    origins = [_host_name(origin) for origin in config.get_option("server.corsAllowedOrigins") or ()]
    return {name.lower() for name in (*names, *origins) if name} - {"localhost", "0.0.0.0", "::", "127.0.0.1"}


def _listens_here_alone() -> bool:
    address = config.get_option("server.address") or "0.0.0.0"
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return bool(address == "localhost")


def _host_name(address: str) -> str | None:
    """Return the host of an address without its port, or None if the text is not an address."""
    try:
        parts = urlsplit(address)
        has_more = parts.path or parts.query or parts.fragment or parts.username is not None or parts.port == 0
        return None if has_more else (parts.hostname or "").rstrip(".") or None
    except ValueError:
        return None
