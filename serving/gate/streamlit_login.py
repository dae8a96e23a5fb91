"""The parts of Streamlit's own OpenID Connect sign-in that the gate uses: routes, settings, and the cookie that the callback
sets. Only this module uses these internals of the pinned Streamlit version, and a test signs in through them."""

import json
from collections.abc import Iterable, Mapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import quote

from streamlit import auth_util, config
from streamlit.errors import StreamlitAuthError
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME

from core.errors import BenchError
from workbench.setup.access.sign_in_record import Identity
from workbench.setup.accounts import PROXY_PREFIX
from workbench.setup.sign_in_settings import note_providers

LOGIN_PATH = "/auth/login"
CALLBACK_PATH = "/oauth2callback"
DEFAULT_PROVIDER = "default"
"""Streamlit's name for the identity provider whose settings are directly in [auth] of its secrets."""
PROVIDER_KEYS = frozenset({"client_id", "client_secret", "server_metadata_url"})
"""Settings that a provider needs; a section of [auth] with one of them is a provider."""
SECRETS_FILE = ".streamlit/secrets.toml"
MIN_LOGIN_SECRET_CHARACTERS = 40


def list_providers() -> list[str]:
    """Return the names of the identity providers in [auth] of Streamlit's secrets, complete or not."""
    section: Mapping[str, Any] = auth_util.get_secrets_auth_section()
    named = [name for name, value in section.items() if isinstance(value, Mapping) and not PROVIDER_KEYS.isdisjoint(value)]
    return ([DEFAULT_PROVIDER] if "client_id" in section else []) + named


def check_providers() -> None:
    """Check the settings of OpenID Connect. Raises BenchError if nobody could sign in with these settings."""
    if not auth_util.is_authlib_installed():
        raise BenchError("Sign-in with oidc needs the package Authlib: install the packages in requirements.txt.")
    providers = list_providers()
    if not providers:
        raise BenchError(f"Sign-in with oidc needs an identity provider: add one to [auth] in {_name_secrets_files()}.")
    if PROXY_PREFIX.rstrip(":") in providers:
        raise BenchError(
            "Sign-in with oidc: the name `header` is reserved for proxy sign-in, so rename this identity provider."
        )
    for provider in providers:
        try:
            auth_util.validate_auth_credentials(provider)
        except StreamlitAuthError as error:
            said = " ".join(str(error).split()).replace(f"`{SECRETS_FILE}`", _name_secrets_files())
            raise BenchError(f"Sign-in with oidc: {said}") from error
    if len(str(auth_util.get_secrets_auth_section()["cookie_secret"])) < MIN_LOGIN_SECRET_CHARACTERS:
        raise BenchError(
            f"Sign-in with oidc: cookie_secret of [auth] in {_name_secrets_files()} has fewer than "
            f"{MIN_LOGIN_SECRET_CHARACTERS} characters: make one with `openssl rand -hex 32`."
        )
    note_providers(providers)


def _name_secrets_files() -> str:
    """Return the paths of the files in which Streamlit looks for secrets, each with a note if there is no such file."""
    paths = [str(path) for path in config.get_option("secrets.files")] if config.is_manually_set("secrets.files") else []
    return " or ".join(path if Path(path).exists() else f"{path} (there is no such file)" for path in paths) or SECRETS_FILE


def build_login_path(provider: str) -> str:
    """Return the path, without the base path, of the Streamlit route that redirects the browser to the identity provider. The
    path is valid for two minutes."""
    return f"{LOGIN_PATH}?provider={quote(auth_util.encode_provider_token(provider))}"


def is_login_cookie(header: str) -> bool:
    """Return whether a Set-Cookie header sets one of Streamlit's cookies for the user who signed in."""
    name = header.partition("=")[0].strip()
    return name.rstrip("0123456789").rstrip("_") in (USER_COOKIE_NAME, TOKENS_COOKIE_NAME)


def read_identity(set_cookie: Iterable[str]) -> Identity | None:
    """Return the identity of the person who signed in at the identity provider, from the Set-Cookie headers of Streamlit's
    response; None if the sign-in was refused."""
    cookies: dict[str, str] = {}
    for header in set_cookie:
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(header)
        except CookieError:
            continue
        cookies |= {name: morsel.value for name, morsel in jar.items()}
    secret = get_cookie_secret()

    def decode_cookie(name: str) -> bytes | None:
        value = cookies.get(name)
        return decode_signed_value(secret, name, value.encode("latin-1")) if value else None

    value = auth_util.get_cookie_with_chunks(decode_cookie, USER_COOKIE_NAME)
    user = json.loads(value) if value else {}
    if not user.get("is_logged_in") or not user.get("sub"):
        return None
    name = next((str(user[key]) for key in ("name", "preferred_username", "email") if user.get(key)), str(user["sub"]))
    return Identity(f"{user['provider']}:{user['sub']}", name, "oidc")
