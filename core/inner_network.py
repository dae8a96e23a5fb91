"""Guards requests to addresses that people set, such as an agent's endpoint. On a server with sign-in, such a request must not
reach the inside of the server's network, unless the server's environment names the host. Without sign-in all addresses are
allowed, because people reach the model servers of their own machine."""

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

SIGN_IN_VARIABLE = "BENCHWRIGHT_SIGN_IN"
HOSTS_VARIABLE = "BENCHWRIGHT_MODEL_HOSTS"
OWN_ENDPOINT_VARIABLE = "OPENAI_BASE_URL"
"""Variable whose host and port are allowed too, because only the server's environment can set it."""
DEFAULT_PORTS = {"http": 80, "https": 443, "postgres": 5432, "postgresql": 5432}
_CARRIER_PREFIXES = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
"""IPv6 networks whose last 32 bits are an IPv4 address, which a gateway connects to (NAT64)."""
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class InsideNetwork(BenchError):
    """Raised when a request would reach the inside of the server's network. Nothing was sent."""


class AllowedHost(NamedTuple):
    """A host inside the network that requests may reach."""

    host: str
    port: int | None
    """None = every port."""


class GuardedHost(NamedTuple):
    """The host to which the connections of a thread belong, and where they may go inside the network."""

    host: str
    allowed: frozenset[tuple[str, int | None]] = frozenset()
    """Addresses with their ports; None = every port."""


_guarded_host: ContextVar[GuardedHost | None] = ContextVar("guarded_host", default=None)


def is_guarded() -> bool:
    """Return whether people sign in on this server."""
    return bool(os.environ.get(SIGN_IN_VARIABLE, "").strip(" ,"))


def load_allowed_hosts() -> frozenset[AllowedHost]:
    """Load the allowed hosts inside the network from the environment. Raises BenchError on an entry that is not a host."""
    words = os.environ.get(HOSTS_VARIABLE, "").split(",")
    allowed = {_parse_host(word.strip()) for word in words if word.strip()}
    own = os.environ.get(OWN_ENDPOINT_VARIABLE, "")
    host, port = _split_address(own)
    return frozenset(allowed | {AllowedHost(host, port)} if host else allowed)


def is_inside(address: str) -> bool:
    """Return whether an IP address is not on the public Internet: loopback, private, link-local (such as the metadata service
    of a cloud at 169.254.169.254), unique-local, shared, reserved, multicast, or an IPv6 form of such an IPv4 address."""
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
    """Raise InsideNetwork when a request to that URL would reach the inside of the network. A name that cannot be resolved
    passes: the request will fail by itself."""
    host, port = _split_address(address)
    if not is_guarded() or not host or _is_allowed(host, port):
        return
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return
    _check_addresses(host, found)


def guard_requests() -> dict[str, Any]:
    """Return the options of an asynchronous httpx2 client that refuse requests to the inside of the network, redirects
    included. The name is resolved before the request. The address that the connection has is checked before anything is sent,
    because the name may resolve to another address by then."""
    return {"event_hooks": {"request": [_guard_request]}}


@contextmanager
def guard_connections(address: str) -> Iterator[None]:
    """Raise InsideNetwork when a request to that URL, or any connection of this thread within the block, would reach the inside
    of the network. It is for libraries that take no client: the interpreter's own event is checked before each connection. A
    proxy of the server's environment checks the connections itself."""
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
    """Raise InsideNetwork when any of the resolved addresses is inside."""
    if any(is_inside(str(peer[0])) for *_, peer in found):
        raise _refuse(host)


def _refuse(host: str) -> InsideNetwork:
    return InsideNetwork(
        f"The host {host} is inside the server's network and is not asked: give another address, or name the host in "
        f"{HOSTS_VARIABLE} on the server."
    )


def _is_allowed(host: str, port: int | None) -> bool:
    allowed = load_allowed_hosts()
    return AllowedHost(host, None) in allowed or AllowedHost(host, port) in allowed


def _find_embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that a connection to that IPv6 address may end at, or None without one."""
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    is_carrier = any(address in network for network in _CARRIER_PREFIXES)
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if is_carrier or int(address) >> 32 == 0 else None


def _split_address(address: str) -> tuple[str, int | None]:
    """Return (host, port) of a URL; ("", None) for anything else."""
    try:
        parts = urlsplit(address)
        return _clean_host(parts.hostname or ""), parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return "", None


def _parse_host(word: str) -> AllowedHost:
    """Return the host of one entry: a name or an address, with or without a port."""
    is_bare_ipv6 = word.count(":") > 1 and not word.startswith("[")
    host, port = "", None
    try:
        parts = urlsplit(f"//[{word}]" if is_bare_ipv6 else f"//{word}")
        host, port = _clean_host(parts.hostname or ""), parts.port
    except ValueError:
        host = ""
    if not host or re.search(r"[/@?#*\s]", word):
        raise BenchError(f"{HOSTS_VARIABLE} names {word!r}: it lists hosts, each with or without a port, such as llm.lan:8000.")
    return AllowedHost(host, port)


def _clean_host(host: str) -> str:
    """Return the host in lower case, without a final dot; an IP address in its usual form."""
    clean = host.lower().rstrip(".")
    try:
        return str(ipaddress.ip_address(clean))
    except ValueError:
        return clean
