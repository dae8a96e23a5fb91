"""Cookie that identifies a session, signed with a secret that only this server knows."""

import hashlib
import os
import secrets
from functools import lru_cache
from pathlib import Path

from itsdangerous import BadData, URLSafeSerializer
from starlette.responses import Response

from core.errors import BenchError
from workbench.current_workbench import find_workspace_path
from workbench.setup.sign_in_session import MAX_SESSION_SECONDS, SignInSession

COOKIE = "benchwright_session"
SITE_COOKIE = "benchwright_site_session"
"""Name of the cookie for a session in all workspaces of the site; the cookie for one workspace has another name, because a
browser sends both cookies."""
SECRET_VARIABLE = "BENCHWRIGHT_COOKIE_SECRET"
MIN_SECRET_CHARACTERS = 32


def sign_session(session: SignInSession) -> str:
    """Return the signed value of the cookie for a session."""
    value = [session.person, session.name, session.source, session.began_at, session.not_before]
    return str(_find_signer().dumps(value))


def read_session(value: str) -> SignInSession | None:
    """Return the session that a cookie identifies, or None if this server did not sign the cookie for this workspace."""
    try:
        fields = _find_signer().loads(value)
        person, name, source, began_at, not_before = fields
    except (BadData, ValueError, TypeError):
        return None
    return SignInSession(person, name, source, began_at, not_before)


def set_session(response: Response, session: SignInSession, cookie: str, path: str) -> None:
    """Add the cookie of a session to the response; if the browser uses https, the gate marks the cookie Secure. The cookie is
    SameSite=Lax: a person who follows a link from another site to the app stays signed in, but a form on another site cannot
    post to the app."""
    response.set_cookie(
        cookie, sign_session(session), max_age=int(MAX_SESSION_SECONDS), path=path, httponly=True, samesite="lax"
    )


def delete_session(response: Response, cookie: str, path: str) -> None:
    """Make the response delete the session cookie in the browser."""
    response.delete_cookie(cookie, path=path, httponly=True, samesite="lax")


def check_secret() -> None:
    """Check that there is a secret for signing cookies. Raises BenchError if there is none or it is too short."""
    _find_signer()


def _find_signer() -> URLSafeSerializer:
    return _load_signer(find_workspace_path(), os.environ.get(SECRET_VARIABLE, ""))


@lru_cache(maxsize=8)
def _load_signer(workspace: str, secret: str) -> URLSafeSerializer:
    """Return the serializer that signs the cookies of a workspace. A cookie for one workspace is not valid for another, even if
    two servers share a secret."""
    path = "" if workspace == ":memory:" else str(Path(workspace).resolve())
    salt = f"benchwright session {path}"
    key = secret or _load_secret(Path(path) if path else None)
    if len(key) < MIN_SECRET_CHARACTERS:
        raise BenchError(f"{SECRET_VARIABLE} is shorter than {MIN_SECRET_CHARACTERS} characters: give a longer random text.")
    return URLSafeSerializer(key, salt, signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"})


def _load_secret(workspace: Path | None) -> str:
    """Return the secret from the file next to the workspace file; the first call creates the file. For a workspace in memory,
    return a random secret. Raises BenchError if other users can read the file."""
    if workspace is None:
        return secrets.token_urlsafe(32)
    path = workspace.with_name(workspace.name + ".cookie-secret")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if path.stat().st_mode & 0o077:
            raise BenchError(
                f"Other users can read {path}: delete this file and restart the app (this ends all sessions)."
            ) from None
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BenchError(
            f"The secret file {path} cannot be written ({error.strerror}): set {SECRET_VARIABLE} instead."
        ) from error
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(secret := secrets.token_urlsafe(32))
    return secret
