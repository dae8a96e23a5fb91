"""How long answers took, and what that was measured under: a run for throughput asks as many questions at once as its agent
takes, a latency probe a few at once on a sample, each call made anew. Service time, the wait for a free place and what
failed attempts cost are kept apart."""

from collections.abc import Mapping
from typing import Any

from eval.reports.results import RunResult

MODES = ("throughput", "probe")
"""Values of the setting mode."""
PROBE_QUESTIONS = 50
"""Questions of a probe, unless told otherwise."""
AT_ONCE = 1
"""Questions in hand at once in a probe, unless told otherwise."""
SAMPLE_INDEX = 1_000_000
"""Added to which sample of a request a probe asks for: its calls are none that the ledger has from elsewhere."""


def is_probe(settings: Mapping[str, Any]) -> bool:
    return settings.get("mode") == "probe"


def describe_window(result: RunResult) -> str:
    """What the seconds of a run were measured under, in words."""
    settings = result.run.system.settings
    if is_probe(settings):
        return f"probe, {settings.get('concurrency', AT_ONCE)} at once"
    if not result.windows:
        return "window unknown"
    low, high = min(result.windows), max(result.windows)
    return f"under load, window {low}" + (f" to {high}" if high != low else "")


def measure_latency(result: RunResult) -> dict[str, Any]:
    """{"mode", "measured", "n", "mean", "p50", "p90", "queued", "retrying"}: service seconds of its answers, and the
    mean seconds that they waited beside it. None = nobody measured it."""
    import numpy as np

    answered = [trace for trace in result.traces if trace.answer is not None]
    took = [trace.seconds for trace in answered if trace.seconds is not None]
    p50, p90 = (float(one) for one in np.quantile(took, (0.5, 0.9))) if took else (None, None)
    mode = MODES[1] if is_probe(result.run.system.settings) else MODES[0]
    return {
        "mode": mode,
        "measured": describe_window(result),
        "n": len(took),
        "mean": float(np.mean(took)) if took else None,
        "p50": p50,
        "p90": p90,
        "queued": _mean([t.queued for t in answered]),
        "retrying": _mean([t.retrying for t in answered]),
    }


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
