"""Who a request acts for: the name that the browser remembers, until the request itself names somebody. Without that a route of
ours would act as the owner of the file."""

from urllib.parse import unquote

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from workbench import acting, opened

COOKIE = "benchwright_person"
OURS = "/bench/"


def spell_person(person: str) -> str:
    """The name as it is written in the workspace."""
    return opened().people.spelled(person) if person.strip() else ""


class ActorMiddleware:
    """Sets it for everything under /bench/; a verb for the command line is worked in a thread of its own, as the owner."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and OURS in scope["path"]:
            acting.name(spell_person(unquote(HTTPConnection(scope).cookies.get(COOKIE, ""))))
        await self.app(scope, receive, send)
