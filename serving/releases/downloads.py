"""Route for downloading zipped exports of releases; it streams a file of any size from the disk."""

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from core.errors import BenchError, NotAllowed
from workbench import open_workbench


async def export(request: Request) -> Response:
    """Respond with a zipped export that the page Releases has prepared."""
    try:
        path = open_workbench().release_browser.find_packed_file(request.path_params["file"])
    except BenchError as error:
        return PlainTextResponse(str(error), status_code=403 if isinstance(error, NotAllowed) else 404)
    if not path.is_file():
        return PlainTextResponse("This export is not there any more: prepare it again on the page Releases.", status_code=404)
    return FileResponse(path, filename=path.name, media_type="application/zip")


ROUTES = [Route("/bench/export/{file}", export)]
