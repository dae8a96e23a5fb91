"""Finds the network address of a client: the peer of the connection or, behind a trusted proxy, the address that the proxy
reports."""

import ipaddress

from starlette.datastructures import Headers
from starlette.types import Scope

from serving.gate.settings import SignInSettings

FORWARDING = ("forwarded", "via", "x-real-ip")
"""Headers that proxies add to a request, besides those that begin with x-forwarded-."""


def find_peer(scope: Scope) -> str:
    """Return the address of the connection's peer, which is the browser or a proxy; "" if the peer has no address, for example
    on a Unix socket."""
    return str(scope["client"][0]) if scope.get("client") else ""


def find_client(scope: Scope, settings: SignInSettings) -> str:
    """Return the address of the browser. If a trusted proxy sent the header X-Forwarded-For, return the last address in the
    header that is not the address of a trusted proxy; otherwise return the address of the connection's peer."""
    address = find_peer(scope)
    if not settings.is_trusted(address):
        return address
    forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")
    for word in reversed([word.strip() for word in forwarded if word.strip()]):
        address = word
        if not settings.is_trusted(word):
            break
    return address


def is_over_tls(scope: Scope, settings: SignInSettings) -> bool:
    """Return whether the browser connected with https, to the app itself or to a trusted proxy."""
    if scope["scheme"] in ("https", "wss"):
        return True
    protocols = Headers(scope=scope).getlist("x-forwarded-proto")
    return settings.is_trusted(find_peer(scope)) and protocols in (["https"], ["wss"])


def is_from_this_machine(scope: Scope) -> bool:
    """Return whether the request comes from a process on this machine, and not from a local proxy that forwards it for another
    client."""
    names = [name.decode("latin-1").lower() for name, _ in scope["headers"]]
    if any(name in FORWARDING or name.startswith("x-forwarded-") for name in names):
        return False
    try:
        return ipaddress.ip_address(find_peer(scope)).is_loopback
    except ValueError:
        return False
