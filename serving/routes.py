"""All routes of the app under /bench/, collected from the modules of this package."""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core.errors import BenchError
from serving import (
    adjudication,
    comments,
    desk,
    front_page,
    own_answers,
    page_view,
    rewrites,
    variants,
    verbs,
)
from serving.assistant import mcp_route
from serving.monitoring import metrics_route
from serving.releases import boards, downloads
from workbench import open_workbench
from workbench.setup.sign_in_settings import is_sign_in_on


async def health(request: Request) -> JSONResponse:
    """Respond with status 200 if the workspace is open and readable, else with status 503 and the reason. On a server with
    sign-in, the response names no file and the reason is general, because everybody can read them."""
    try:
        bench = await asyncio.to_thread(open_workbench)
        await asyncio.to_thread(bench.database.check_readable)
    except BenchError as error:
        message = "The workspace cannot be opened: `cli.py doctor` on the server says why." if is_sign_in_on() else str(error)
        return JSONResponse({"ok": False, "message": message}, status_code=503)
    if is_sign_in_on():
        return JSONResponse({"ok": True})
    return JSONResponse({"ok": True, "workspace": bench.database.path.name if bench.database.path else ":memory:"})


ROUTES = [
    Route("/bench/health", health),
    *metrics_route.ROUTES,
    *mcp_route.ROUTES,
    *front_page.ROUTES,
    *downloads.ROUTES,
    *boards.ROUTES,
    *verbs.ROUTES,
    *desk.ROUTES,
    *adjudication.ROUTES,
    *comments.ROUTES,
    *own_answers.ROUTES,
    *rewrites.ROUTES,
    *variants.ROUTES,
    *page_view.ROUTES,
]
