"""Latency of answers, and how it was measured: a throughput run asks as many questions at once as its agent allows; a latency
probe asks a few at once on a sample, with new calls only. Service time, waiting for a free place and the cost of failed
attempts are reported separately."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from eval.reports.results import RunResult
from eval.settings import Settings

MODES = ("throughput", "probe")
"""Values of the setting mode."""
PROBE_QUESTIONS = 50
"""Default number of a probe's questions."""
DEFAULT_PROBE_WIDTH = 1
"""Default number of concurrent questions of a probe."""
SAMPLE_INDEX = 1_000_000
"""Offset of the sample index in a probe, so that the ledger has no stored calls for it."""


def is_probe(settings: Settings) -> bool:
    return settings.get("mode") == "probe"


def describe_window(result: RunResult) -> str:
    """Describe how the seconds of a run were measured."""
    settings = result.run.system.settings
    if is_probe(settings):
        return f"probe, {settings.get('concurrency', DEFAULT_PROBE_WIDTH)} at once"
    if not result.windows:
        return "window unknown"
    low, high = min(result.windows), max(result.windows)
    return f"under load, window {low}" + (f" to {high}" if high != low else "")


def measure_latency(result: RunResult) -> dict[str, Any]:
    """Return the latency of the answers; None = not measured. {"mode", "measured", "n", "mean", "p50", "p90"} describe the
    service time, {"queued", "retrying"} are mean seconds of waiting, {"tokens_out", "tokens_thinking"} mean tokens per
    answer."""
    answered = [trace for trace in result.traces if trace.answer is not None]
    took = [trace.seconds for trace in answered if trace.seconds is not None]
    p50, p90 = (float(quantile) for quantile in np.quantile(took, (0.5, 0.9))) if took else (None, None)
    return {
        "mode": MODES[is_probe(result.run.system.settings)],
        "measured": describe_window(result),
        "n": len(took),
        "mean": _average([trace.seconds for trace in answered]),
        "p50": p50,
        "p90": p90,
        "queued": _average([trace.queued for trace in answered]),
        "retrying": _average([trace.retrying for trace in answered]),
        "tokens_out": _average([trace.tokens_out for trace in answered]),
        "tokens_thinking": _average([trace.tokens_thinking for trace in answered]),
    }


def _average(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return float(np.mean(numbers)) if numbers else None
