"""Checks when the server starts: if other machines can reach the server, sign-in must be on and somebody must be able to sign
in."""

import ipaddress
import tomllib
from pathlib import Path

import uvicorn
from streamlit import config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from core.errors import BenchError
from core.inner_network import SIGN_IN_VARIABLE
from serving.base_path import find_base
from serving.gate.session_cookie import check_secret
from serving.gate.settings import PROXIES_VARIABLE, load_sign_in_settings
from serving.gate.sign_in_routes import FIRST
from workbench import open_workbench
from workbench.setup.sign_in_settings import WORKSPACES_VARIABLE


def check_start(host: str) -> None:
    """Check whether the app may start on the network address `host`. Raises BenchError if others could use the app without
    sign-in, or if nobody could sign in."""
    settings = load_sign_in_settings()
    if find_base().startswith("/bench/") or find_base() == "/bench":
        raise BenchError(
            "The first part of the base path cannot be `bench`, with which the app's own addresses begin: set "
            "server.baseUrlPath to another path, such as benchwright."
        )
    if settings.workspaces and find_base() not in settings.workspaces:
        raise BenchError(
            f"{WORKSPACES_VARIABLE} does not list the base path of this workspace, which is {find_base() or 'empty'}: list the "
            "base paths of all workspaces (the setting server.baseUrlPath of each), such as /benchwright,/law."
        )
    if not settings.sources:
        if settings.trusted_proxies:
            raise BenchError(
                f"Benchwright does not start behind a proxy ({PROXIES_VARIABLE}) without sign-in, because everybody would have "
                f"all permissions: set {SIGN_IN_VARIABLE}=local, oidc or header (see docs/how-to/team-server.md)."
            )
        if not is_loopback(host):
            raise BenchError(
                f"Benchwright does not start on {host or 'all addresses'} without sign-in, because everybody who "
                f"reaches this address would have all permissions: set {SIGN_IN_VARIABLE}=local, oidc or header (see "
                f"docs/how-to/team-server.md), or start the app with --server.address 127.0.0.1."
            )
        return
    check_secret()
    if "oidc" in settings.sources:
        from serving.gate.streamlit_login import check_providers

        check_providers()


def check_secrets_files() -> None:
    """Check whether Streamlit can read its secrets, which it reads before `check_start` runs. Raises BenchError if a file
    exists and cannot be read, or is not TOML: Streamlit would start and answer every request with status 500."""
    for path in config.get_option("secrets.files"):
        try:
            if not Path(path).is_dir():
                tomllib.loads(Path(path).read_bytes().decode())
        except FileNotFoundError:
            continue
        except ValueError as error:  # not UTF-8, or no TOML; the message names the place, not the text
            raise BenchError(f"{path} is not a TOML file: {error}. Compare it with deploy/secrets.toml.example.") from error
        except OSError as error:
            raise BenchError(f"{path} cannot be read ({error.strerror}): let the account that runs the app read it.") from error


def is_loopback(host: str) -> bool:
    """Return whether a network address can be reached only from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_true_peers(server: uvicorn.Server | None) -> None:
    """On a server with sign-in, make uvicorn pass the real addresses of its peers to the app. By default, uvicorn replaces the
    real addresses with the header X-Forwarded-For that any process on this machine sends; the gate trusts this header only from
    configured proxies. Raises BenchError if uvicorn's setting cannot be changed."""
    if server is None or not load_sign_in_settings().sources or not server.config.proxy_headers:
        return
    outermost = server.config.loaded_app
    if not isinstance(outermost, ProxyHeadersMiddleware):
        raise BenchError(
            "This uvicorn version hides client addresses, so sign-in is not safe: install the version in requirements.txt."
        )
    outermost.trusted_hosts = type(outermost.trusted_hosts)([])


def invite_first_owner(url: str) -> str:
    """Return a line for the terminal with the link with which the first admin creates an account; the link works once. Return
    "" if there is an admin already, or if sign-in has no local accounts. `url` is the app's address."""
    accounts = open_workbench().accounts
    if "local" not in load_sign_in_settings().sources or accounts.has_owner():
        return ""
    link = f"{url.rstrip('/')}{FIRST}/{accounts.create_first_link()}"
    return f"Nobody can sign in as an admin yet. The first admin opens this link once: {link}"
