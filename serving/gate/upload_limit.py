"""Limits how many bytes one person may upload through Streamlit's file upload route, before the server reads the upload."""

from math import ceil, isfinite

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

from workbench import open_workbench
from workbench.release.upload_limits import UploadsExceeded

UPLOAD_PATH = "/_stcore/upload_file/"
NO_LENGTH = "An upload must state its length: send the header Content-Length.\n"


def refuse_upload(path: str, scope: Scope, person: str) -> Response | None:
    """Return the response that refuses an upload above the person's limit or without a Content-Length; None for any other
    request."""
    if not path.startswith(UPLOAD_PATH) or scope["type"] != "http" or scope["method"] != "PUT":
        return None
    length = Headers(scope=scope).get("content-length", "")
    if not length.isdecimal():
        return PlainTextResponse(NO_LENGTH, 411)
    try:
        open_workbench().uploads.limits.receive_file(person, int(length))
    except UploadsExceeded as error:
        headers = {"retry-after": str(ceil(error.wait))} if isfinite(error.wait) else {}
        return PlainTextResponse(f"{error}\n", 429, headers)
    return None
