"""Determines the person for whom a request acts: the person who signed in or, on a server without sign-in, the person whom the
request's body or the browser's cookie names. Without this module, the app's routes would act as the owner of the workspace
file."""

from contextvars import ContextVar
from urllib.parse import unquote

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from core.errors import BenchError
from serving.base_path import find_base
from workbench import actor, open_workbench
from workbench.roles import explain_guest
from workbench.setup.sign_in_session import SignInSession

COOKIE = "benchwright_person"
OURS = "/bench/"
SESSION_KEY = "benchwright.session"
"""Key in the ASGI scope of a request under which the sign-in gate stores the session it found."""

GUEST_PATHS = ("/bench/export/", "/bench/board/", "/bench/health")
"""Beginnings of the addresses of routes that guests may use."""

_signed_in: ContextVar[str | None] = ContextVar("signed_in", default=None)


def spell_person(person: str) -> str:
    """Return the person's name as the workspace spells it; "" for a blank name."""
    return open_workbench().people.spell_name(person) if person.strip() else ""


def resolve_person(claimed: str) -> str:
    """Return the person for whom this request acts: the person who signed in or, on a server without sign-in, `claimed`, the
    person whom the request names."""
    signed_in = _signed_in.get()
    return spell_person(claimed) if signed_in is None else signed_in


def find_guest_release() -> str | None:
    """Return the one release that the guest who sends this request may see. Return None if the sender is not a guest or has no
    name, or if the workspace cannot be opened (each route reports that error itself)."""
    try:
        return open_workbench().people.find_guest_release() if actor.get_name() else None
    except BenchError:
        return None


class ActorMiddleware:
    """Middleware that sets the person for whom requests under /bench/ act. A verb (command) that a command line sends to the
    app runs in a separate thread, as the owner."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._base = find_base()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(self._base + OURS):
            session: SignInSession | None = scope.get(SESSION_KEY)
            _signed_in.set(session.person if session else None)
            actor.set_name(resolve_person(unquote(HTTPConnection(scope).cookies.get(COOKIE, ""))))
            release = find_guest_release()
            if release is not None and not scope["path"].removeprefix(self._base).startswith(GUEST_PATHS):
                refusal = explain_guest(actor.get_name() or "", release)
                return await JSONResponse({"ok": False, "message": refusal}, 403)(scope, receive, send)
        await self.app(scope, receive, send)
