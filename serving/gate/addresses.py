"""Network addresses of clients: the other end of the connection, and the browser's address as a trusted proxy reports it."""

import ipaddress

from starlette.datastructures import Headers
from starlette.types import Scope

from serving.gate.settings import SignInSettings

FORWARDING = ("forwarded", "via", "x-real-ip")
"""Headers that proxies add to a request, besides those that begin with x-forwarded-."""


def find_peer(scope: Scope) -> str:
    """Return the address of the other end of the connection; "" if it has none, for example on a Unix socket."""
    return str(scope["client"][0]) if scope.get("client") else ""


def find_client(scope: Scope, settings: SignInSettings) -> str:
    """Return the address of the browser: if a trusted proxy sent the header X-Forwarded-For, the last address in it that is not
    a trusted proxy's, else the other end of the connection."""
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
    """Return whether the request was made by a process on this machine, and not by a proxy here for another client."""
    names = [name.decode("latin-1").lower() for name, _ in scope["headers"]]
    if any(name in FORWARDING or name.startswith("x-forwarded-") for name in names):
        return False
    try:
        return ipaddress.ip_address(find_peer(scope)).is_loopback
    except ValueError:
        return False
