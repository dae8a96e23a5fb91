"""Measure how a run answered the conversations of its release: the scores by the number of the turn, and the outcomes of whole
conversations (goals). Intervals resample conversations, and conversations with evidence in the same documents together, because
the turns of one conversation are not independent. Failed turns count in no mean, and conversations with a failed turn in no
rate; both are counted apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from core.nouns import Item, Run, Score, Trace
from core.quality.conversations import count_without_standalone, group_turns, read_turn
from core.statistics.clusters import clusters
from core.statistics.statistics import Interval, bootstrap, bootstrap_many
from eval.conversations.user import USER_LEFT, is_learnt, list_messages

Rate = Literal["reached", "learnt", "turns", "left"]
RATES: Mapping[Rate, str] = {
    "reached": "Goal reached",
    "learnt": "Share of facts learnt",
    "turns": "Turns used",
    "left": "Left in impatience",
}
"""A dict from the name of a value of whole conversations to its label. Turns used is a mean number, the others are shares."""
_RATE_NAMES: tuple[Rate, ...] = get_args(Rate)


class TurnScore(NamedTuple):
    """The mean of one metric over all turns with the same number."""

    metric: str
    turn: int
    score: Interval
    failed: int
    """Number of these turns that have no answer."""
    unscored: int
    """Number of these turns with an answer, but without a value of the metric."""


class ConversationOutcome(NamedTuple):
    """The outcome of one conversation in one run."""

    conversation: str
    items: tuple[str, ...]
    turns: int
    """Number of the conversation's turns in the release."""
    used: int
    """Number of questions that the system was asked; a simulated user may ask several times in one turn."""
    right: int
    """Number of turns whose answer is right: the metric is at least the threshold or, with a simulated user, the fact is
    learnt."""
    has_left: bool
    """Whether the simulated user left before the last turn."""
    failed: int
    """Number of turns on which the system failed."""
    open: int
    """Number of turns that are not asked yet, or whose answer has no value of the metric."""


@dataclass(frozen=True, slots=True)
class ConversationResult:
    """The outcomes of a run's conversations."""

    run: Run
    metric: str
    """Full name of the metric that decides whether an answer is right."""
    threshold: float
    has_user: bool
    """Whether a simulated user asked."""
    turns: Sequence[TurnScore]
    outcomes: Sequence[ConversationOutcome]
    rates: Mapping[Rate, Interval]
    without_standalone: int = 0
    """Number of follow-ups that the run's history should ask in their standalone form, and that have none."""

    @property
    def failed(self) -> int:
        """Return the number of conversations with a turn on which the system failed, which count in no rate."""
        return sum(outcome.failed > 0 for outcome in self.outcomes)

    @property
    def open(self) -> int:
        """Return the number of other conversations that are not decided yet, which count in no rate."""
        return sum(outcome.open > 0 and not outcome.failed for outcome in self.outcomes)


def measure_run(
    run: Run,
    items: Sequence[Item],
    traces: Mapping[str, Trace],
    scores: Sequence[Score],
    metrics: Sequence[str],
    metric: str,
    threshold: float,
    seed: int = 13,
) -> ConversationResult:
    """Return the outcomes of a run. `items` are the items that the run asked; `traces` is a dict from item to the trace of its
    own question; `scores` are the scores of the run; `metrics` are the full names of the metrics to show by turn."""
    groups = group_turns(items)
    has_user = bool(run.config["settings"].get("user"))
    values = {(score.item, score.metric): score.value for score in scores if score.variant is None}
    together = _cluster(groups)
    outcomes = [_judge(name, group, traces, values, metric, threshold, has_user) for name, group in groups.items()]
    turns = [row for name in metrics for row in _average_turns(groups, traces, values, name, together, seed)]
    bare = count_without_standalone(items) if run.config["settings"].get("history") == "standalone" else 0
    rates = _measure_rates(outcomes, together, seed)
    return ConversationResult(run, metric, threshold, has_user, turns, outcomes, rates, bare)


def _cluster(groups: Mapping[str, Sequence[Item]]) -> Mapping[str, str]:
    """Return a dict from conversation to its cluster: conversations with evidence in the same document are one cluster."""
    return clusters({name: [span.document for item in group for span in item.evidence] for name, group in groups.items()}).of


def _average_turns(
    groups: Mapping[str, Sequence[Item]],
    traces: Mapping[str, Trace],
    values: Mapping[tuple[str, str], float | None],
    metric: str,
    together: Mapping[str, str],
    seed: int,
) -> list[TurnScore]:
    by_turn: dict[int, list[tuple[str, Item]]] = {}
    for name, group in groups.items():
        for item in group:
            turn = read_turn(item.labels)
            if turn and item.id in traces:
                by_turn.setdefault(turn.number, []).append((name, item))
    rows = []
    for number in sorted(by_turn):
        answered = [(name, item) for name, item in by_turn[number] if traces[item.id].answer is not None]
        column = [values.get((item.id, metric)) for _, item in answered]
        interval = bootstrap(column, [together[name] for name, _ in answered], seed=seed)
        rows.append(TurnScore(metric, number, interval, len(by_turn[number]) - len(answered), column.count(None)))
    return rows


def _judge(
    name: str,
    group: Sequence[Item],
    traces: Mapping[str, Trace],
    values: Mapping[tuple[str, str], float | None],
    metric: str,
    threshold: float,
    has_user: bool,
) -> ConversationOutcome:
    used = right = failed = 0
    turn = read_turn(group[0].labels)
    total = turn.of if turn else len(group)
    open_ = total - len(group)  # turns that a run on a sample did not ask
    has_left, said = False, list[str]()
    for item in group:
        trace = traces.get(item.id)
        if trace is None:
            open_ += 1
            continue
        messages = list_messages(trace)
        said += [message.question for message in messages]
        used += len(messages) or (trace.answer is not None)
        if trace.stop == USER_LEFT:
            has_left = True
        elif trace.answer is None:
            failed += 1
        elif has_user:
            right += is_learnt(trace.answer, item.answers, said)
        elif (value := values.get((item.id, metric))) is None:
            open_ += 1
        else:
            right += value >= threshold
    return ConversationOutcome(name, tuple(item.id for item in group), total, used, right, has_left, failed, open_)


def _measure_rates(outcomes: Sequence[ConversationOutcome], together: Mapping[str, str], seed: int) -> dict[Rate, Interval]:
    import numpy as np

    counted = [outcome for outcome in outcomes if not outcome.failed and not outcome.open]
    rows: list[list[Any]] = [
        [float(one.right == one.turns), one.right / one.turns, float(one.used), float(one.has_left)] for one in counted
    ]
    if not rows:
        return dict.fromkeys(_RATE_NAMES, Interval(None, None, None, 0, "no conversation is decided"))
    table = np.array(rows, np.float64)
    found = bootstrap_many(table, [together[one.conversation] for one in counted], seed=seed)
    return dict(zip(_RATE_NAMES, found, strict=True))
