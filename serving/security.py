"""Adds security headers to every response: pages load nothing from other sites, browsers do not guess content types, and no
other site can show the app in a frame."""

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.actor import ActorMiddleware
from serving.gate.gate import SignInGate
from serving.gate.sign_in_routes import FIRST, SIGN_IN, SIGN_OUT
from serving.hosts import Hosts
from serving.monitoring.traffic import TrafficMiddleware
from serving.quiet import Quiet
from serving.routes import ROUTES
from workbench.setup.sign_in_settings import INVITE_PATH

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",  # Streamlit's scripts and this project's components need both
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws: wss:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "object-src 'none'",
    )
)
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}


class Headers:
    """Middleware that adds the security headers to every HTTP response; it does not change websockets."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                others = [pair for pair in message["headers"] if pair[0].lower() not in HEADERS]
                message["headers"] = [*others, *HEADERS.items()]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


PATHS = [*(route.path for route in ROUTES), SIGN_IN, SIGN_OUT, FIRST, INVITE_PATH]
"""Addresses of the routes that this project adds to Streamlit's."""
MIDDLEWARE = [
    Middleware(TrafficMiddleware, paths=PATHS),
    Middleware(Headers),
    Middleware(Hosts),
    Middleware(SignInGate),
    Middleware(Quiet),
    Middleware(ActorMiddleware),
]
