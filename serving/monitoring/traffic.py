"""Counts requests and websockets, including refused ones. The labels of the counts are the beginnings of known addresses, never
text that a browser sends. Therefore the number of labels is limited, and no label contains the secret of a link."""

import time
from collections import Counter
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.base_path import find_base, is_for_command_line, strip_base
from serving.monitoring.exposition import Histogram, MetricFamily, Sample

BOUNDS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.3, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds in seconds of the histogram of response times; 0.15 and 0.3 are the goals for showing the next item at the
review desk."""
STREAMLIT_PATHS = (
    *(f"/_stcore/{name}" for name in ("health", "host-config", "metrics", "stream", "upload_file")),
    *("/_stcore", "/auth", "/component", "/media", "/oauth2callback", "/static"),
)
PAGE, OTHER, OUTSIDE, SEARCH = "page", "other", "outside", "search"
"""Labels for counting requests: a page, an unknown address of the app, an address outside the base path, and a search of
Streamlit's script for its server."""
SEARCHED = ("/_stcore/health", "/_stcore/host-config")
"""Ends of the addresses at which Streamlit's script searches for its server. On the page /people, the script first asks below
/people, where nothing is, so that the answer has status 404."""
MAX_LABEL_PARTS = 3
"""Number of parts of an address from which the label for counting it is made."""


class Traffic:
    """Counts of requests since the start of the process. Only the event loop reads and changes the counts."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str]] = Counter()
        """Dict from (route, status) to the number of requests."""
        self.seconds: dict[str, Histogram] = {}
        """Dict from route to a histogram of the seconds until the response starts."""
        self.websockets: Counter[str] = Counter()
        """Dict from outcome (accepted or refused) to the number of websockets."""
        self.open_websockets = 0

    def count_request(self, route: str, status: str, seconds: float) -> None:
        """Count one request; `status` is "none" if the connection ended before the response began."""
        self.requests[route, status] += 1
        self.seconds.setdefault(route, Histogram(BOUNDS_SECONDS)).observe(seconds)

    def list_families(self) -> list[MetricFamily]:
        """Return the counts of requests and websockets as Prometheus metrics."""
        requests = [Sample(n, {"route": route, "status": status}) for (route, status), n in sorted(self.requests.items())]
        seconds = [sample for route, one in sorted(self.seconds.items()) for sample in one.list_samples({"route": route})]
        websockets = [Sample(self.websockets[end], {"result": end}) for end in ("accepted", "refused")]
        return [
            MetricFamily("benchwright_requests_total", "counter", "HTTP requests, by route and status.", requests),
            MetricFamily("benchwright_request_seconds", "histogram", "Seconds until an answer began, by route.", seconds),
            MetricFamily("benchwright_websockets_total", "counter", "Websockets that browsers asked for.", websockets),
            MetricFamily(
                "benchwright_open_websockets", "gauge", "Open websockets: one per tab.", [Sample(self.open_websockets)]
            ),
        ]


TRAFFIC = Traffic()
"""Counts of all requests to this process, for Prometheus."""


class TrafficMiddleware:
    """The outermost middleware, which counts every request in TRAFFIC."""

    def __init__(self, app: ASGIApp, paths: Iterable[str]) -> None:
        """Wrap `app`; `paths` are the paths of the app's own routes."""
        self.app = app
        self._base = find_base()
        self._known = frozenset(path.partition("/{")[0] for path in (*paths, *STREAMLIT_PATHS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._count_request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._count_websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _count_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, route, status = time.perf_counter(), self.name_route(scope["path"]), "none"
        seconds: float | None = None

        async def send_counted(message: Message) -> None:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = str(message["status"]), time.perf_counter() - began
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            TRAFFIC.count_request(route, status, time.perf_counter() - began if seconds is None else seconds)

    async def _count_websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_accepted = False

        async def send_counted(message: Message) -> None:
            nonlocal is_accepted
            if message["type"] == "websocket.accept":
                is_accepted = True
                TRAFFIC.websockets["accepted"] += 1
                TRAFFIC.open_websockets += 1
            await send(message)

        try:
            await self.app(scope, receive, send_counted)
        finally:
            if is_accepted:
                TRAFFIC.open_websockets -= 1
            else:
                TRAFFIC.websockets["refused"] += 1

    def name_route(self, path: str) -> str:
        """Return the label for counting requests to an address: the beginning of the address that names a route of the app or
        of Streamlit, or else PAGE, OTHER, OUTSIDE or SEARCH."""
        below = path if is_for_command_line(path) else strip_base(path, self._base)
        if below is None:
            return OUTSIDE
        parts = below.split("/", MAX_LABEL_PARTS + 1)[1:]
        for depth in range(MAX_LABEL_PARTS, 0, -1):
            if (beginning := "/" + "/".join(parts[:depth])) in self._known:
                return beginning
        if parts[0] == "bench":
            return OTHER
        return SEARCH if below.endswith(SEARCHED) else PAGE
