"""Routes of sign-in, which are open to people who have not signed in yet."""

import time
from collections.abc import Sequence
from urllib.parse import parse_qs, quote, unquote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, Router

from core.errors import BenchError
from serving.base_path import place_routes
from serving.gate.addresses import find_client
from serving.gate.session_cookie import COOKIE, SITE_COOKIE, delete_session, read_session, set_session
from serving.gate.settings import SignInSettings
from serving.gate.sign_in_place import SignInPlace
from serving.gate.sign_in_view import (
    respond_page,
    show_invite,
    show_proxy_sign_out,
    show_sign_in,
    show_sign_out,
    show_useless_invite,
)
from workbench import actor, open_workbench
from workbench.setup.access.sign_in_record import Identity
from workbench.setup.sign_in_session import SignInSession
from workbench.setup.sign_in_settings import FRONT_PATH, INVITE_PATH

SIGN_IN = "/bench/sign-in"
SIGN_OUT = "/bench/sign-out"
FIRST = "/bench/first"
NEXT_COOKIE = "benchwright_next"
SITE_NEXT_COOKIE = "benchwright_site_next"
NEXT_SECONDS = 600
MAX_FORM_BYTES = 16_384
NO_PASSWORDS = "This server has no sign-in by password: use a way that this page offers."
TROUBLES = {
    "provider": "The provider did not sign you in: try again, or ask who runs this server.",
    "ended": "Your session has ended: sign in again. What you typed is kept.",
    "down": "The provider does not answer: try again later, or ask who runs this server.",
}


class SignInRoutes:
    """ASGI app with the routes of sign-in."""

    def __init__(self, settings: SignInSettings, base: str) -> None:
        self._settings = settings
        self._base = base
        self.place = SignInPlace(settings.place) if settings.place else None
        self._cookie, self._next_cookie = COOKIE, NEXT_COOKIE
        self._cookie_path = base or "/"
        if settings.is_for_site:
            self._cookie, self._next_cookie, self._cookie_path = SITE_COOKIE, SITE_NEXT_COOKIE, "/"
        form = ["GET", "POST"]
        routes = [
            Route(SIGN_IN, self.sign_in, methods=form),
            Route(SIGN_IN + "/{provider}", self.go_to_provider, methods=["GET"]),
            Route(SIGN_OUT, self.sign_out, methods=form),
            Route(INVITE_PATH + "/{secret}", self.accept_invite, methods=form),
            Route(FIRST + "/{secret}", self.accept_invite, methods=form),
        ]
        self.router = Router(place_routes(routes, base))

    def answers(self, path: str) -> bool:
        """Return whether a path, given without the base path, belongs to one of the sign-in routes."""
        return any(path == route or path.startswith(f"{route}/") for route in (SIGN_IN, SIGN_OUT, INVITE_PATH, FIRST))

    async def sign_in(self, request: Request) -> Response:
        """Respond with the sign-in page or, to a POST request with the right name and password, with a redirect and the cookie
        of a new session."""
        if self.place is not None:
            return RedirectResponse(self.sign_in_path, 302, {"cache-control": "no-store"})
        if request.method != "POST":
            return respond_page(self._show_sign_in(TROUBLES.get(request.query_params.get("why", ""), "")))
        if "local" not in self._settings.sources:
            return respond_page(self._show_sign_in(NO_PASSWORDS), 403)
        name, password = await read_form(request)
        address = find_client(request.scope, self._settings)
        try:
            identity = await run_in_threadpool(open_workbench().accounts.check_password, name, password, address)
        except BenchError as error:
            return respond_page(self._show_sign_in(str(error), name), 403)
        if identity is None:
            return respond_page(self._show_sign_in("Wrong name or password.", name), 401)
        return self.begin_session(request, identity)

    async def go_to_provider(self, request: Request) -> Response:
        """Redirect to Streamlit's route that sends the browser to the identity provider."""
        from serving.gate import streamlit_login

        provider = request.path_params["provider"]
        if "oidc" not in self._settings.sources or provider not in streamlit_login.list_providers():
            return PlainTextResponse("This server has no such sign-in provider.\n", 404)
        return RedirectResponse(self._base + streamlit_login.build_login_path(provider), 302)

    async def accept_invite(self, request: Request) -> Response:
        """Respond with the form with which an invited person creates an account. If the request posts the form, create the
        account and a session. Opening the form does not use up the invite."""
        action, secret = request.url.path, request.path_params["secret"]
        if "local" not in self._settings.sources:
            return respond_page(self._show_sign_in(NO_PASSWORDS), 403)
        if request.method != "POST":
            try:
                person = await run_in_threadpool(open_workbench().accounts.find_invited_person, secret)
            except BenchError as error:
                return respond_page(show_useless_invite(str(error), self._base + SIGN_IN), 403)
            return respond_page(show_invite(action, name=person))
        name, password = await read_form(request)
        address = find_client(request.scope, self._settings)
        try:
            identity = await run_in_threadpool(open_workbench().accounts.accept_invite, secret, name, password, address)
        except BenchError as error:
            return respond_page(show_invite(action, str(error), name), 403)
        return self.begin_session(request, identity)

    async def sign_out(self, request: Request) -> Response:
        """End all sessions of the person. Only a link on the app's own pages signs out directly: a link on another site opens a
        page with a button to sign out. A person whom a proxy signs in gets a page that asks them to sign out at the proxy."""
        if "header" in self._settings.sources and request.headers.getlist(self._settings.trusted_header):
            return respond_page(show_proxy_sign_out())
        if request.method != "POST" and request.headers.get("sec-fetch-site") != "same-origin":
            return respond_page(show_sign_out(self._base + SIGN_OUT))
        session = await self.find_session(request)
        if session is not None:
            person = session.person

            def end_sessions() -> None:
                with actor.act_as(person):
                    open_workbench().accounts.revoke_sessions(person)

            await run_in_threadpool(end_sessions)
        if self.place is not None:  # only the other workspace can end the session itself
            return RedirectResponse(self.place.path + SIGN_OUT, 303)
        response = RedirectResponse(self._base + SIGN_IN, 303)
        delete_session(response, self._cookie, self._cookie_path)
        return response

    @property
    def sign_in_path(self) -> str:
        """Path of the sign-in page, which may be on another workspace."""
        return (self.place.path if self.place else self._base) + SIGN_IN

    async def find_session(self, connection: HTTPConnection) -> SignInSession | None:
        """Return the session that the browser's cookie identifies, or None if there is no such session or it has ended. Raises
        BenchError if people sign in at another workspace and that workspace does not answer."""
        cookie = connection.cookies.get(self._cookie, "")
        if self.place is None:
            session = read_session(cookie)
        else:
            session = await self.place.find_session(cookie, connection.headers.get("host", ""))
            if session is not None:
                session = session.limit(open_workbench().accounts.find_not_before(session.person))
        return session if session is not None and self.is_current(session) else None

    def has_cookie(self, connection: HTTPConnection) -> bool:
        """Return whether the browser sends a session cookie; the session may have ended."""
        return self._cookie in connection.cookies

    def is_current(self, session: SignInSession) -> bool:
        """Return whether the session has not ended and the server still allows the method by which the person signed in."""
        if session.source != "token" and session.source not in self._settings.sources:
            return False
        return not session.has_ended(time.time(), open_workbench().accounts.find_not_before(session.person))

    def begin_session(self, request: Request, identity: Identity) -> Response:
        """Create a session for the person, and redirect to the page that the browser requested before sign-in."""
        not_before = open_workbench().accounts.find_not_before(identity.person)
        target = read_next(request.cookies.get(self._next_cookie, ""), self._base, self._settings.workspaces)
        response = RedirectResponse(target, 303)
        set_session(response, SignInSession.begin(identity, time.time(), not_before), self._cookie, self._cookie_path)
        response.delete_cookie(self._next_cookie, path=self._cookie_path, httponly=True, samesite="lax")
        return response

    def send_to_sign_in(self, address: str = "", why: str = "") -> Response:
        """Redirect to the sign-in page. `address` is the page to which the browser is redirected after sign-in; `why` is a key
        of TROUBLES, the messages that the sign-in page can show."""
        response = RedirectResponse(f"{self.sign_in_path}{f'?why={why}' if why else ''}", 302, {"cache-control": "no-store"})
        if address:
            path = self._cookie_path
            response.set_cookie(self._next_cookie, quote(address), NEXT_SECONDS, path=path, httponly=True, samesite="lax")
        return response

    def _show_sign_in(self, trouble: str = "", name: str = "") -> str:
        providers = []
        if self.place is not None:
            providers.append(("your account on this server", self.sign_in_path))
        if "oidc" in self._settings.sources:
            from serving.gate import streamlit_login

            for provider in streamlit_login.list_providers():
                label = "your organisation" if provider == streamlit_login.DEFAULT_PROVIDER else provider
                providers.append((label, f"{self._base}{SIGN_IN}/{quote(provider)}"))
        return show_sign_in(self._base + SIGN_IN, providers, "local" in self._settings.sources, trouble, name)


async def read_form(request: Request) -> tuple[str, str]:
    """Return the name and password in a posted form; a missing field is "". The form needs no CSRF token: browsers send the
    header Origin with every POST request, and the middleware Hosts refuses POST requests from other sites."""
    raw = bytearray()
    async for piece in request.stream():
        raw += piece
        if len(raw) > MAX_FORM_BYTES:
            return "", ""
    fields = parse_qs(raw.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20)
    return fields.get("name", [""])[0], fields.get("password", [""])[0]


def read_next(cookie: str, base: str, workspaces: Sequence[str] = ()) -> str:
    """Return the address from `cookie` to which the browser is redirected after sign-in, if it is a page of this workspace or
    of one of `workspaces`; otherwise return the home page."""
    address, home = unquote(cookie), f"{base}/"
    try:
        parts = urlsplit(address)
    except ValueError:
        return home
    is_plain = address.isprintable() and "\\" not in address and not address.startswith("//")
    bases = (base, *workspaces)
    is_page = any(address.startswith(f"{each}/") for each in bases)
    is_page = is_page and not any(address.startswith(f"{each}/bench/") for each in bases)  # the route for signing out
    is_page = is_page or address == base + FRONT_PATH
    is_ours = is_plain and is_page and not parts.scheme and not parts.netloc
    return quote(address, safe="/?&=%#:;,+@!$'()*~[]") if is_ours else home
