"""Write two texts of the review page: the person's progress, above the item, and the earlier decision on the item."""

from store.reviews.own_decisions import QueueProgress
from workbench.annotate.controls.qualification import QualificationState
from workbench.annotate.desk.desk_data import DeskData, OwnDecision


def describe_progress(progress: QueueProgress, has_name: bool) -> str:
    """Return a line that says how many items the person decided today and how many are left, for the review page."""
    parts = [f"{progress.today:,} decided today"] if has_name else []
    parts.append(f"{progress.left:,} left")
    parts += [f"{progress.held:,} more held by others"] if progress.held else []
    parts += [f"{progress.of_document:,} more from this document"] if progress.of_document else []
    return ", ".join(parts)


def describe_qualification(state: QualificationState) -> str:
    """Return a text about the person's progress in the current qualification round."""
    number = f", round {state.round}" if state.round > 1 else ""
    return f"Qualification{number}: {state.done} of {state.n} done, {state.passing} right needed to pass"


def describe_control_rate(every: int) -> str:
    """Return a text that says how many items of the queue are control items; "" if none are."""
    if not every:
        return ""
    return f"One item in {every:,} is a control item with a known answer. See your results under Progress, My week."


def describe_decision(data: DeskData) -> str:
    """Return a text about the earlier decision on the item, for the review page; "" if the item is a draft that waits for this
    person."""
    status, own = data.item.status, data.decision
    if own and own.words:
        return f"Your opinion: {_describe_own(own)}. {_describe_missing(own.missing)}"
    if data.is_disputed:
        return "All opinions on this item are in, and they differ: somebody decides between them."
    if own:
        return f"You {_describe_own(own)} this item. Deciding again is a new decision; the old one stays on record."
    return "" if status == "drafted" else f"This item is {status} already. What you decide now counts from now on."


def _describe_own(own: OwnDecision) -> str:
    reason = f" ({own.reason})" if own.reason else ""
    return f"{'accepted' if own.decision == 'accept' else 'discarded'}{reason}"


def _describe_missing(missing: int) -> str:
    if not missing:
        return "All opinions are in, and they differ: somebody decides between them."
    return f"The item waits for {missing} more {'opinion' if missing == 1 else 'opinions'}; until then you can change yours."
