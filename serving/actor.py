"""Sets the person for whom a request acts: the name that the browser remembers, until the request names another. Without it our
routes would act as the owner of the file."""

from urllib.parse import unquote

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from workbench import actor, open_workbench

COOKIE = "benchwright_person"
OURS = "/bench/"


def spell_person(person: str) -> str:
    """The name as the workspace spells it."""
    return open_workbench().people.spell_name(person) if person.strip() else ""


class ActorMiddleware:
    """Middleware for all paths under /bench/; a verb for the command line runs as the owner, in a thread of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and OURS in scope["path"]:
            actor.set_name(spell_person(unquote(HTTPConnection(scope).cookies.get(COOKIE, ""))))
        await self.app(scope, receive, send)
