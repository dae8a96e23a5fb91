"""The settings of sign-in, from the environment."""

import ipaddress
import os
import re
from dataclasses import dataclass

from core.errors import BenchError
from core.inner_network import SIGN_IN_VARIABLE, load_allowed_hosts
from workbench.setup.sign_in_settings import SignInSource, load_sign_in_sources

HEADER_VARIABLE = "BENCHWRIGHT_TRUSTED_HEADER"
PROXIES_VARIABLE = "BENCHWRIGHT_TRUSTED_PROXIES"
PLACE_VARIABLE = "BENCHWRIGHT_SIGN_IN_AT"
WORKSPACES_VARIABLE = "BENCHWRIGHT_WORKSPACES"
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class SignInSettings:
    """The ways to sign in, and the trusted proxies."""

    sources: tuple[SignInSource, ...] = ()
    """Sources of identities; empty = no sign-in."""
    trusted_header: str = ""
    """Name in lower case of the header in which a trusted proxy sends the person's name."""
    trusted_proxies: tuple[Network, ...] = ()
    """Networks of the trusted proxies."""
    place: str = ""
    """Address of the workspace at which people sign in for this one, on this machine and with its base path, for example
    http://127.0.0.1:8501/benchwright; "" = people sign in here."""
    workspaces: tuple[str, ...] = ()
    """Base paths of the workspaces for which people sign in here, and which the front page lists; empty = this one alone."""

    @property
    def is_for_site(self) -> bool:
        """Return whether the cookies of sign-in are for all workspaces of the site, not for this one alone."""
        return bool(self.place or self.workspaces)

    def is_trusted(self, address: str) -> bool:
        """Return whether a trusted proxy has that address."""
        try:
            peer = ipaddress.ip_address(address)
        except ValueError:
            return False
        mapped = getattr(peer, "ipv4_mapped", None)
        return any((mapped or peer) in network for network in self.trusted_proxies)


def load_sign_in_settings() -> SignInSettings:
    """Load the sign-in settings from the environment. Raises BenchError on an unknown or missing setting."""
    sources = load_sign_in_sources()
    load_allowed_hosts()  # read at each request to a model; a faulty entry must stop the start
    header = os.environ.get(HEADER_VARIABLE, "").strip().lower()
    proxies = tuple(_parse_network(word.strip()) for word in os.environ.get(PROXIES_VARIABLE, "").split(",") if word.strip())
    if "header" in sources and not (header and proxies):
        raise BenchError(
            f"{SIGN_IN_VARIABLE} lists header: name the header in {HEADER_VARIABLE}, and the addresses of the proxies that "
            f"set it in {PROXIES_VARIABLE}."
        )
    place = os.environ.get(PLACE_VARIABLE, "").strip().rstrip("/")
    if ("workspace" in sources) != bool(place) or (place and len(sources) > 1):
        raise BenchError(
            f"{SIGN_IN_VARIABLE}=workspace stands alone, and {PLACE_VARIABLE} names the workspace at which people sign in, as "
            f"http://127.0.0.1:8501/benchwright: set both or neither."
        )
    return SignInSettings(sources, header, proxies, _check_place(place), load_workspaces())


def load_workspaces() -> tuple[str, ...]:
    """Return the base paths of the workspaces for which people sign in here. Raises BenchError on a word that is no path."""
    words = [word.strip() for word in os.environ.get(WORKSPACES_VARIABLE, "").split(",") if word.strip()]
    for word in words:
        if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)+/?", word):
            raise BenchError(f"{WORKSPACES_VARIABLE} names {word!r}: it lists base paths, as /benchwright,/law.")
    return tuple(word.rstrip("/") for word in words)


def _check_place(place: str) -> str:
    """Return the address. Raises BenchError for anything else."""
    if place and not re.fullmatch(r"https?://[^/?#@\s]+(/[A-Za-z0-9._~-]+)*", place):
        raise BenchError(f"{PLACE_VARIABLE} is {place!r}: give an address as http://127.0.0.1:8501/benchwright.")
    return place


def _parse_network(word: str) -> Network:
    try:
        return ipaddress.ip_network(word, strict=False)
    except ValueError as error:
        raise BenchError(
            f"{PROXIES_VARIABLE} names {word!r}: it lists addresses or networks, as 10.0.0.7 or 10.0.0.0/8."
        ) from error
