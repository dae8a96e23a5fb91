"""Middleware that identifies the person for whom each request acts. With sign-in off, it does nothing. With sign-in on, it
refuses requests of people who have not signed in, except requests for the health check, the sign-in routes and Streamlit's
OpenID Connect routes, and those of a command line on this machine."""

import time
from collections.abc import Mapping, Sequence
from functools import cached_property

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import BenchError, NotAllowed
from serving.actor import SESSION_KEY
from serving.assistant.mcp_route import MCP
from serving.base_path import find_base, is_for_command_line, strip_base
from serving.front_page import MEMBERSHIP
from serving.gate.addresses import find_client, find_peer, is_from_this_machine, is_over_tls
from serving.gate.settings import SignInSettings, load_sign_in_settings
from serving.gate.sign_in_routes import SIGN_OUT, SignInRoutes
from serving.gate.sign_in_view import respond_page, show_refusal
from serving.gate.sockets import CLOSE_CODE, OpenSockets
from serving.gate.upload_limit import refuse_upload
from serving.monitoring.metrics_route import METRICS
from workbench import open_workbench
from workbench.setup.access.access_tokens import TokenScope
from workbench.setup.access.sign_in_record import Identity
from workbench.setup.accounts import PROXY_PREFIX
from workbench.setup.sign_in_session import SESSION_HEADER, SignInSession, encode_session, is_tab_of_other
from workbench.setup.sign_in_settings import FRONT_PATH

HEALTH = "/bench/health"
NO_PAGES = ("/bench/", "/_stcore/", "/static/", "/media/", "/component/", "/app/static/", "/auth/", "/oauth2callback")
"""Beginnings of addresses that are not pages. A person who has not signed in gets status 401 at these addresses, not the
sign-in page."""
SCOPES: Mapping[str, TokenScope] = {METRICS: "metrics", MCP: "mcp"}
"""Dict from address to the scope of access tokens that reach this address and nothing else."""
SIGN_IN_FIRST = "Sign in first: open the app in this browser, or send a token as Bearer."
NO_TOKEN_FOR_PAGES = "A token opens no pages: use it for addresses that begin with /bench/, or with cli.py."
NOT_A_MEMBER = "You may not enter this workspace: ask one of its admins."
NOT_FOR_PROXIES = "This address answers only a command line on the server's own machine.\n"


class SignInGate:
    """Middleware for sign-in. The middleware stores the session of a request in the ASGI scope under SESSION_KEY and, for a
    websocket, also in the header SESSION_HEADER."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._base = find_base()
        self._sockets = OpenSockets()

    @cached_property
    def _settings(self) -> SignInSettings:
        return load_sign_in_settings()  # loaded only now, because start.py first reports faulty settings

    @cached_property
    def _routes(self) -> SignInRoutes:
        return SignInRoutes(self._settings, self._base)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or not self._settings.sources:
            return await self.app(scope, receive, send)
        scope = {**scope, "headers": self._remove_forged(scope)}
        if is_over_tls(scope, self._settings):
            send = mark_cookies_secure(send)
        try:
            await self._answer(scope, receive, send)
        except BenchError as error:  # nobody can sign in while the workspace cannot be opened
            await refuse(scope, receive, send, PlainTextResponse(f"{error}\n", 503))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = strip_base(scope["path"], self._base) or ""
        if is_for_command_line(scope["path"]):
            # The route for the command line checks its own token: behind a local proxy all requests come from this machine, so
            # addresses prove little.
            if not is_from_this_machine(scope):
                return await refuse(scope, receive, send, PlainTextResponse(NOT_FOR_PROXIES, 403))
            return await self.app(scope, receive, send)
        if scope["type"] == "http":
            if path == HEALTH:
                return await self.app(scope, receive, send)
            if self._routes.answers(path):
                return await self._routes.router(scope, receive, send)
            if "oidc" in self._settings.sources and await self._answer_oidc(path, scope, receive, send):
                return None
        try:
            session = await self._identify(path, scope)
        except NotAllowed as error:
            return await refuse(scope, receive, send, self._respond_forbidden(path, str(error)))
        if session is None:
            return await refuse(scope, receive, send, self._respond_unknown(path, scope))
        if refusal := refuse_upload(path, scope, session.person):
            return await refuse(scope, receive, send, refusal)
        scope[SESSION_KEY] = session
        if scope["type"] == "http":
            return await self.app(scope, receive, send)
        headers = MutableHeaders(scope=scope)
        headers[SESSION_HEADER] = encode_session(session)  # replaces a header of the same name that the browser sent
        protocols = headers.get("sec-websocket-protocol", "").split(",")
        if len(protocols) > 2 and is_tab_of_other(protocols[2].strip(), session.person):
            # otherwise the tab would keep the state of another person
            headers["sec-websocket-protocol"] = ",".join(protocols[:2])

        async def has_ended() -> bool:
            if not self._routes.is_current(session):
                return True
            try:
                return session.source == "workspace" and await self._routes.find_session(HTTPConnection(scope)) is None
            except BenchError:  # the other workspace has not answered for a minute
                return True

        await self._sockets.guard(self.app, has_ended, scope, receive, send)

    def _remove_forged(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the headers of a request. If the request does not come from a trusted proxy, leave out the header in which a
        proxy names the person."""
        if self._settings.is_trusted(find_peer(scope)):
            return list(scope["headers"])
        return [pair for pair in scope["headers"] if pair[0].decode("latin-1").lower() != self._settings.trusted_header]

    async def _identify(self, path: str, scope: Scope) -> SignInSession | None:
        """Return the session of a request, found by the request's access token, a trusted proxy's header, or the cookie; None
        if there is no session. Raises NotAllowed if the route is outside the token's scope, if the person whom a proxy names
        may not enter, or if a person who signed in at another workspace may not enter this one."""
        accounts, headers, now = open_workbench().accounts, Headers(scope=scope), time.time()
        address = find_client(scope, self._settings)
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and path.startswith("/bench/"):
            wanted = SCOPES.get(path, "all")
            identity = await run_in_threadpool(open_workbench().access_tokens.identify, secret, address, wanted)
            return SignInSession.begin(identity, now, 0.0) if identity else None
        named = headers.getlist(self._settings.trusted_header) if "header" in self._settings.sources else []
        if len(named) == 1 and (name := decode_name(named[0])):
            try:
                identity = await run_in_threadpool(accounts.join, Identity(f"{PROXY_PREFIX}{name}", name, "header"), address)
            except BenchError as error:
                raise NotAllowed(str(error)) from error
            return SignInSession.begin(identity, now, accounts.find_not_before(identity.person))
        session = await self._routes.find_session(HTTPConnection(scope))
        if session is not None and session.source == "workspace":
            if path == MEMBERSHIP and not accounts.is_member(session.person):
                # a front page asks every workspace about its person, so this refusal is not an attempt to sign in
                raise NotAllowed(NOT_A_MEMBER)
            try:
                await run_in_threadpool(accounts.join, Identity(session.person, session.name, "workspace"), address)
            except BenchError as error:
                raise NotAllowed(str(error)) from error
        return session

    def _respond_forbidden(self, path: str, why: str) -> Response:
        if path.startswith("/bench/"):
            return JSONResponse({"ok": False, "message": why}, 403, {"cache-control": "no-store"})
        place = self._routes.place
        return respond_page(show_refusal(why, self._base + SIGN_OUT, place.path + FRONT_PATH if place else ""), 403)

    def _respond_unknown(self, path: str, scope: Scope) -> Response:
        """Return the response to a request of a person who has not signed in: a redirect to the sign-in page if a browser
        requests a page, else a message with status 401."""
        is_page = path == FRONT_PATH or (path and not f"{path}/".startswith(NO_PAGES))
        is_html = "text/html" in Headers(scope=scope).get("accept", "")
        if scope["type"] == "http" and scope["method"] == "GET" and is_page and is_html:
            query = scope["query_string"].decode("latin-1")
            address = f"{scope['path']}?{query}" if query else scope["path"]
            return self._routes.send_to_sign_in(address, "ended" if self._routes.has_cookie(HTTPConnection(scope)) else "")
        headers = {"www-authenticate": "Bearer", "cache-control": "no-store"}
        if path.startswith("/bench/"):
            sign_in = self._routes.sign_in_path
            return JSONResponse({"ok": False, "message": SIGN_IN_FIRST, "sign_in": sign_in}, 401, headers)
        has_token = Headers(scope=scope).get("authorization", "").lower().startswith("bearer ")
        return PlainTextResponse(f"{NO_TOKEN_FOR_PAGES if has_token else SIGN_IN_FIRST}\n", 401, headers)

    async def _answer_oidc(self, path: str, scope: Scope, receive: Receive, send: Send) -> bool:
        """If the request is for one of Streamlit's OpenID Connect routes, run the route and return True. The gate turns
        Streamlit's sign-in cookie into a session of its own and does not send that cookie to the browser, where it would
        outlive the session."""
        from serving.gate import streamlit_login

        if path not in (streamlit_login.LOGIN_PATH, streamlit_login.CALLBACK_PATH) or scope["method"] != "GET":
            return False
        messages: list[Message] = []

        async def keep_message(message: Message) -> None:
            messages.append(message)

        await self.app(scope, receive, keep_message)
        request = Request(scope)
        set_cookie = [value.decode("latin-1") for name, value in messages[0]["headers"] if name.lower() == b"set-cookie"]
        if path == streamlit_login.LOGIN_PATH:
            if messages[0]["status"] == 302 and not self._leads_home(messages[0]["headers"]):
                for message in messages:
                    await send(message)
                return True
            response = self._routes.send_to_sign_in(why="down")
        else:
            response = await self._complete_login(request, streamlit_login.read_identity(set_cookie))
        for header in set_cookie:
            if not streamlit_login.is_login_cookie(header):
                response.raw_headers.append((b"set-cookie", header.encode("latin-1")))
        await response(scope, receive, send)
        return True

    def _leads_home(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        """Return whether a response redirects to the home page, as Streamlit does if a sign-in could not begin."""
        return any(name.lower() == b"location" and value.decode() == f"{self._base}/" for name, value in headers)

    async def _complete_login(self, request: Request, identity: Identity | None) -> Response:
        accounts, address = open_workbench().accounts, find_client(request.scope, self._settings)
        if identity is None:
            await run_in_threadpool(accounts.record_refusal, "sign in by oidc", address)
            return self._routes.send_to_sign_in(why="provider")
        try:
            identity = await run_in_threadpool(accounts.join, identity, address)
        except BenchError as error:
            return PlainTextResponse(f"{error}\n", 403)
        return self._routes.begin_session(request, identity)


def decode_name(value: str) -> str:
    """Return the person's name from the value of a header, which proxies encode in UTF-8."""
    try:
        return value.encode("latin-1").decode("utf-8").strip()
    except UnicodeDecodeError:
        return value.strip()


def mark_cookies_secure(send: Send) -> Send:
    """Wrap `send` so that every cookie is marked Secure. Streamlit does not mark its cookies, and a browser that connected with
    https would also send unmarked cookies over http."""

    async def send_secure(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.accept"):
            headers = [
                (name, value + b"; Secure")
                if name.lower() == b"set-cookie" and b"; secure" not in value.lower()
                else (name, value)
                for name, value in message.get("headers", [])
            ]
            message = {**message, "headers": headers}
        await send(message)

    return send_secure


async def refuse(scope: Scope, receive: Receive, send: Send, response: Response) -> None:
    """Refuse a request: send `response` or, for a websocket, close the connection before it is accepted."""
    if scope["type"] == "websocket":
        return await send({"type": "websocket.close", "code": CLOSE_CODE, "reason": "sign in first"})
    await response(scope, receive, send)
