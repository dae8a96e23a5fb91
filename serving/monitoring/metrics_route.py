"""Route from which Prometheus reads metrics of the server. A person needs the permission to see the metrics; a script sends an
access token. The metrics contain no names of people."""

import os
import time
from collections.abc import Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.errors import BenchError, NotAllowed
from serving.monitoring.exposition import CONTENT_TYPE, MetricFamily, Sample, format_families
from serving.monitoring.traffic import TRAFFIC
from workbench import open_workbench
from workbench.upkeep.server_figures import WorkspaceFigures

METRICS = "/bench/metrics"
STATM = Path("/proc/self/statm")
"""File in which Linux reports the memory of this process, in pages."""
STARTED = time.time()


async def metrics(request: Request) -> Response:
    """Respond with the metrics for Prometheus; with status 403 if the person lacks the permission, and with 503 if the
    workspace cannot be read."""
    try:
        figures = await run_in_threadpool(load_figures)
    except BenchError as error:
        return PlainTextResponse(f"{error}\n", 403 if isinstance(error, NotAllowed) else 503, {"cache-control": "no-store"})
    families = [*list_process_families(), *TRAFFIC.list_families(), *list_workspace_families(figures)]
    headers = {"content-type": CONTENT_TYPE, "cache-control": "no-store"}
    return Response(format_families(families), headers=headers)


def load_figures() -> WorkspaceFigures:
    """Return the measurements of the open workspace, such as the number of decisions and the cost of calls."""
    return open_workbench().server_figures.load()


def list_process_families() -> list[MetricFamily]:
    """Return the CPU time and memory of this process as Prometheus metrics with their standard names."""
    families = [
        MetricFamily("process_cpu_seconds_total", "counter", "CPU seconds of this process.", [Sample(time.process_time())]),
        MetricFamily("process_start_time_seconds", "gauge", "When the app started, seconds since 1970.", [Sample(STARTED)]),
    ]
    if STATM.exists():
        resident = int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        families.append(
            MetricFamily("process_resident_memory_bytes", "gauge", "Resident memory of this process.", [Sample(resident)])
        )
    return families


def list_workspace_families(figures: WorkspaceFigures) -> list[MetricFamily]:
    """Return the measurements of the workspace as Prometheus metrics; leave out unknown values."""
    calls = {"answered": figures.calls.answered, "failed": figures.calls.failed}
    files = {"database": figures.database_bytes, "log": figures.log_bytes}
    return [
        gauge("items", "Items, by status.", figures.items, "status"),
        gauge("jobs", "Jobs, by state.", figures.jobs, "state"),
        gauge("decisions_today", "Decisions to accept or discard since midnight UTC.", {"": figures.decisions_today}),
        total("model_calls", "Calls to models in the ledger.", calls, "result"),
        total("model_cost_usd", "US dollars that the calls with a known price cost.", {"": figures.calls.cost_usd}),
        total("model_calls_without_price", "Answered calls whose price is unknown.", {"": figures.calls.without_price}),
        gauge("workspace_bytes", "Size of the workspace: its database, and the log beside it.", files, "file"),
        gauge("disk_free_bytes", "Free space on the disk of the workspace.", {"": figures.free_bytes}),
        gauge(
            "last_backup_timestamp_seconds",
            "When the workspace was last backed up, seconds since 1970.",
            {"": figures.last_backup},
        ),
        gauge(
            "measured_timestamp_seconds",
            "When the figures of the workspace were measured, seconds since 1970.",
            {"": figures.measured_at},
        ),
        gauge("measuring_seconds", "Seconds that measuring the figures of the workspace took.", {"": figures.seconds}),
    ]


def gauge(name: str, about: str, values: Mapping[str, float | None], label: str = "") -> MetricFamily:
    """Return a Prometheus gauge (a metric that may rise and fall) with one sample for each value of the label, or with a single
    sample without a label."""
    return MetricFamily(f"benchwright_{name}", "gauge", about, list_samples(values, label))


def total(name: str, about: str, values: Mapping[str, float], label: str = "") -> MetricFamily:
    """Return a Prometheus counter (a metric that only grows), with samples as in `gauge`."""
    return MetricFamily(f"benchwright_{name}_total", "counter", about, list_samples(values, label))


def list_samples(values: Mapping[str, float | None], label: str) -> list[Sample]:
    """Return one sample for each known value. Each key of `values` is a value of the label; without a label, `values` has one
    entry."""
    return [Sample(value, {label: key} if label else {}) for key, value in values.items() if value is not None]


ROUTES = [Route(METRICS, metrics)]
