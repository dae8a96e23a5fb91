"""What tests read from a trace of a workflow: its searches, and the output of its model."""

from core.nouns import Trace


def count_searches(trace: Trace) -> int | None:
    """Return the number of searches that were carried out; None if the system failed, because the number is then unknown."""
    return None if trace.answer is None else sum(step.kind == "retrieve" for step in trace.steps)


def find_raw_output(trace: Trace) -> str | None:
    """Return the model's full output that the trace records, or None if the system failed."""
    written = [step.text for step in trace.steps if step.kind == "output"]
    return None if trace.answer is None else written[-1] if written else trace.answer
