"""Settings of sign-in, read from environment variables."""

import ipaddress
import os
from dataclasses import dataclass

from core.errors import BenchError
from core.inner_network import SIGN_IN_VARIABLE, load_allowed_hosts
from workbench.setup.sign_in_settings import (
    PLACE_VARIABLE,
    SignInSource,
    load_sign_in_place,
    load_sign_in_sources,
    load_workspaces,
)

HEADER_VARIABLE = "BENCHWRIGHT_TRUSTED_HEADER"
PROXIES_VARIABLE = "BENCHWRIGHT_TRUSTED_PROXIES"
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class SignInSettings:
    """How people sign in to this server, and which proxies it trusts."""

    sources: tuple[SignInSource, ...] = ()
    """Ways in which people can sign in, such as local accounts or a proxy's header; empty = no sign-in."""
    trusted_header: str = ""
    """Name, in lower case, of the header in which a trusted proxy sends the person's name."""
    trusted_proxies: tuple[Network, ...] = ()
    """Networks whose addresses are trusted proxies."""
    place: str = ""
    """Address, on this machine and with its base path, of the other workspace at which people sign in for this workspace, for
    example http://127.0.0.1:8501/benchwright; "" = people sign in at this workspace."""
    workspaces: tuple[str, ...] = ()
    """Base paths of the workspaces that the front page lists, and for which people sign in at this workspace; empty = only this
    workspace."""

    @property
    def is_for_site(self) -> bool:
        """Whether the sign-in cookies are valid for all workspaces of the site, not only for this workspace."""
        return bool(self.place or self.workspaces)

    def is_trusted(self, address: str) -> bool:
        """Return whether the address is that of a trusted proxy."""
        try:
            peer = ipaddress.ip_address(address)
        except ValueError:
            return False
        mapped = getattr(peer, "ipv4_mapped", None)
        return any((mapped or peer) in network for network in self.trusted_proxies)


def load_sign_in_settings() -> SignInSettings:
    """Load the settings of sign-in from the environment. Raises BenchError if a setting is unknown or missing."""
    sources = load_sign_in_sources()
    load_allowed_hosts()  # also read at each request to a model; a faulty setting must stop the server at its start
    header = os.environ.get(HEADER_VARIABLE, "").strip().lower()
    proxies = tuple(_parse_network(word.strip()) for word in os.environ.get(PROXIES_VARIABLE, "").split(",") if word.strip())
    if "header" in sources and not (header and proxies):
        raise BenchError(
            f"{SIGN_IN_VARIABLE} has the sign-in method `header`: name the header in {HEADER_VARIABLE} and the addresses "
            f"of the proxies that set it in {PROXIES_VARIABLE}."
        )
    place = load_sign_in_place()
    if ("workspace" in sources) != bool(place) or (place and len(sources) > 1):
        raise BenchError(
            f"{SIGN_IN_VARIABLE}=workspace needs {PLACE_VARIABLE}, the address of the workspace at which people sign in, such "
            f"as http://127.0.0.1:8501/benchwright, and allows no other sign-in method: set both variables or neither."
        )
    return SignInSettings(sources, header, proxies, place, load_workspaces())


def _parse_network(word: str) -> Network:
    try:
        return ipaddress.ip_network(word, strict=False)
    except ValueError as error:
        raise BenchError(
            f"{PROXIES_VARIABLE} contains {word!r}: give IP addresses or networks, such as 10.0.0.7 or 10.0.0.0/8."
        ) from error
