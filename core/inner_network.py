"""Guards requests to addresses that users enter, such as the address of an agent's endpoint. On a server with sign-in, a
request to such an address must not reach a host inside the server's network, unless the server's environment allows this host.
Without sign-in all addresses are allowed, because people use model servers on their own machine."""

import asyncio
import ipaddress
import os
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from core.errors import BenchError
from core.load_once import load_once

SIGN_IN_VARIABLE = "BENCHWRIGHT_SIGN_IN"
HOSTS_VARIABLE = "BENCHWRIGHT_MODEL_HOSTS"
OWN_ENDPOINT_VARIABLE = "OPENAI_BASE_URL"
"""Environment variable with an endpoint's URL, whose host and port are allowed too, because only the server's owner can set
it."""
DEFAULT_PORTS = {"http": 80, "https": 443, "postgres": 5432, "postgresql": 5432}
_CARRIER_PREFIXES = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
"""IPv6 networks whose addresses end in an IPv4 address to which a gateway connects (NAT64)."""
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class InsideNetwork(BenchError):
    """Error for a request that would reach an address inside the server's network; it was not sent."""


class AllowedHost(NamedTuple):
    """A host inside the server's network that requests may reach."""

    host: str
    port: int | None
    """Port of the host that requests may reach; None = every port."""


class GuardedHost(NamedTuple):
    """The host that a thread may connect to, and the addresses inside the server's network that are allowed."""

    host: str
    allowed: frozenset[tuple[str, int | None]] = frozenset()
    """Allowed addresses inside the network, each as (address, port); port None = every port."""


_guarded_host: ContextVar[GuardedHost | None] = ContextVar("guarded_host", default=None)


def is_guarded() -> bool:
    """Return whether this server guards its network, which is the case if people must sign in to the server."""
    return bool(os.environ.get(SIGN_IN_VARIABLE, "").strip(" ,"))


def load_allowed_hosts() -> frozenset[AllowedHost]:
    """Return the hosts inside the server's network that its environment allows. Raises BenchError if an entry of the
    environment is not a host."""
    words = os.environ.get(HOSTS_VARIABLE, "").split(",")
    allowed = {_parse_host(word.strip()) for word in words if word.strip()}
    own = os.environ.get(OWN_ENDPOINT_VARIABLE, "")
    host, port = _split_address(own)
    return frozenset(allowed | {AllowedHost(host, port)} if host else allowed)


def is_inside(address: str) -> bool:
    """Return whether an IP address lies outside the public Internet: loopback, private, link-local (such as the metadata
    service of a cloud at 169.254.169.254), unique-local, shared, reserved, multicast, or an IPv6 form of such an IPv4
    address."""
    try:
        found: IpAddress = ipaddress.ip_address(address)
    except ValueError:
        return True
    embedded = _find_embedded(found) if isinstance(found, ipaddress.IPv6Address) else None
    if embedded is not None:
        found = embedded
    is_site_local = isinstance(found, ipaddress.IPv6Address) and found.is_site_local
    return not found.is_global or found.is_multicast or found.is_reserved or is_site_local


def check_reachable(address: str) -> None:
    """Check where a request to the URL would go. Raises InsideNetwork if the request would go to an address inside the server's
    network. A host name that cannot be resolved passes the check, because the request will fail by itself."""
    host, port = _split_address(address)
    if not is_guarded() or not host or _is_allowed(host, port):
        return
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return
    _check_addresses(host, found)


def build_client_options() -> dict[str, Any]:
    """Return options for an asynchronous httpx2 client that make it refuse requests to addresses inside the server's network,
    also after redirects. The host's name is resolved before the request; the address of the connection is checked again before
    anything is sent, because the name may resolve to another address by then. All clients share one TLS context, because
    loading the certificates takes 30 ms."""
    return {"event_hooks": {"request": [_guard_request]}, "verify": _load_tls_context()}


@load_once()
def _load_tls_context() -> Any:
    import httpx2

    return httpx2.create_ssl_context()


@contextmanager
def guard_connections(address: str) -> Iterator[None]:
    """Context manager that guards all connections which this thread opens inside the block. Raises InsideNetwork if the URL or
    a connection leads inside the server's network. The function is meant for libraries that cannot use this project's HTTP
    client: a Python audit hook checks each connection before it is opened. If the server's environment sets a proxy, the proxy
    checks the connections."""
    check_reachable(address)
    host, port = _split_address(address)
    if not is_guarded() or (urlsplit(address).scheme in getproxies() and not proxy_bypass(host)):
        yield
        return
    allowed: set[tuple[str, int | None]] = set()
    if _is_allowed(host, port):
        open_port = None if AllowedHost(host, None) in load_allowed_hosts() else port
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        allowed = {(str(peer[0]), open_port) for *_, peer in found}
    _watch_connections()
    token = _guarded_host.set(GuardedHost(host, frozenset(allowed)))
    try:
        yield
    finally:
        _guarded_host.reset(token)


@cache
def _watch_connections() -> None:
    sys.addaudithook(_check_connection)


def _check_connection(event: str, details: tuple[Any, ...]) -> None:
    guarded = _guarded_host.get() if event == "socket.connect" else None
    if guarded is None or not isinstance(details[1], tuple):
        return
    peer, port = str(details[1][0]), int(details[1][1])
    if is_inside(peer) and not guarded.allowed & {(peer, port), (peer, None)}:
        raise _refuse(guarded.host)


async def _guard_request(request: Any) -> None:
    if not is_guarded():
        return
    named = request.url.raw_host.decode("ascii")
    host, port = _clean_host(named), request.url.port or DEFAULT_PORTS.get(request.url.scheme)
    if _is_allowed(host, port):
        return
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        found = []  # not resolved here: a proxy of the server's environment may resolve it
    _check_addresses(host, found)
    target = ""

    async def check_peer(event: str, details: dict[str, Any]) -> None:
        nonlocal target
        if event.endswith("connect_tcp.started"):
            target = details["host"]  # the proxy's host, if the server's environment names a proxy
        elif event.endswith("connect_tcp.complete") and target == named:
            stream = details["return_value"]
            peer = stream.get_extra_info("server_addr")
            if not peer or is_inside(str(peer[0])):
                await stream.aclose()
                raise _refuse(host)

    request.extensions["trace"] = check_peer


def _check_addresses(host: str, found: list[Any]) -> None:
    """Check the addresses that a host name resolved to. Raises InsideNetwork if any of the addresses is inside the server's
    network."""
    if any(is_inside(str(peer[0])) for *_, peer in found):
        raise _refuse(host)


def _refuse(host: str) -> InsideNetwork:
    return InsideNetwork(
        f"The host {host} is inside the server's network, so nothing is sent to it: give another address, or name the host in "
        f"{HOSTS_VARIABLE} on the server."
    )


def _is_allowed(host: str, port: int | None) -> bool:
    allowed = load_allowed_hosts()
    return AllowedHost(host, None) in allowed or AllowedHost(host, port) in allowed


def _find_embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that is embedded in an IPv6 address and that a connection may reach, or None if there is none."""
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    is_carrier = any(address in network for network in _CARRIER_PREFIXES)
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if is_carrier or int(address) >> 32 == 0 else None


def _split_address(address: str) -> tuple[str, int | None]:
    """Return the host and the port of a URL; ("", None) if the text is not a URL with a host."""
    try:
        parts = urlsplit(address)
        return _clean_host(parts.hostname or ""), parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return "", None


def _parse_host(word: str) -> AllowedHost:
    """Parse one entry of the list of allowed hosts: a name or an address, with or without a port. Raises BenchError if the
    entry is not a host."""
    is_bare_ipv6 = word.count(":") > 1 and not word.startswith("[")
    host, port = "", None
    try:
        parts = urlsplit(f"//[{word}]" if is_bare_ipv6 else f"//{word}")
        host, port = _clean_host(parts.hostname or ""), parts.port
    except ValueError:
        host = ""
    if not host or re.search(r"[/@?#*\s]", word):
        raise BenchError(
            f"{HOSTS_VARIABLE} contains {word!r}, which is not a host: list hosts with or without ports, such as llm.lan:8000."
        )
    return AllowedHost(host, port)


def _clean_host(host: str) -> str:
    """Return a host name in lower case without a final dot, and an IP address in its usual form."""
    clean = host.lower().rstrip(".")
    try:
        return str(ipaddress.ip_address(clean))
    except ValueError:
        return clean
