"""Report the latency of answers and how it was measured: a throughput run asks as many questions at once as its agent allows; a
latency probe asks only a few at once, uses a sample of the questions, and never reuses stored replies. Service time, the wait
for a free slot and the cost of failed attempts are reported separately."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from eval.reports.results import RunResult
from eval.settings import Settings

MODES = ("throughput", "probe")
"""Values of a run's setting `mode`: throughput or probe."""
PROBE_QUESTIONS = 50
"""Number of questions that a latency probe asks by default."""
DEFAULT_PROBE_WIDTH = 1
"""Number of questions that a latency probe asks at the same time by default."""
SAMPLE_INDEX = 1_000_000
"""Number added to the sample index of each call in a latency probe, so that the ledger has no stored reply for the call."""


def is_probe(settings: Settings) -> bool:
    return settings.get("mode") == "probe"


def describe_window(result: RunResult) -> str:
    """Return how a run's seconds were measured, e.g. "probe, 1 at once" or "under load, window 8"."""
    settings = result.run.system.settings
    if is_probe(settings):
        return f"probe, {settings.get('concurrency', DEFAULT_PROBE_WIDTH)} at once"
    if not result.windows:
        return "window unknown"
    low, high = min(result.windows), max(result.windows)
    return f"under load, window {low}" + (f" to {high}" if high != low else "")


def measure_latency(result: RunResult) -> dict[str, Any]:
    """Return the latency of a run's answers as a dict; None = not measured. "n", "mean", "p50" and "p90" describe the service
    time in seconds; "queued" and "retrying" are the mean seconds spent waiting for a free slot and on failed attempts;
    "tokens_out" and "tokens_thinking" are the mean numbers of tokens per answer; "mode" and "measured" say how the seconds were
    measured."""
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
