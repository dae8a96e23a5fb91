"""Show how runs answer conversations, by turn and as a whole. The package eval/conversations computes the results, only from
stored answers and scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run
from core.quality.conversations import ConversationTurn, Exchange, group_turns, read_turn
from eval.conversations.layout import NOTES, build_page
from eval.conversations.outcomes import ConversationResult, measure_run
from eval.conversations.user import list_messages
from eval.metric import metrics, split_name
from eval.page import Page
from eval.reports.renderer import renderers
from eval.reports.run_names import name_runs
from store.runs import runs, traces
from workbench.background_cache import RunningWork
from workbench.evaluate.results.tables_of_runs import RunTableStage
from workbench.roles import requires

__all__ = ["DEFAULT_METRIC", "DEFAULT_THRESHOLD", "NOTES", "ConversationStage", "HeardTurn"]

DEFAULT_METRIC, DEFAULT_THRESHOLD = "in_accuracy", 1.0


@dataclass(frozen=True, slots=True)
class HeardTurn:
    """One turn of a conversation in a run, with what was said before and in the turn."""

    turn: ConversationTurn
    history: str
    """What the system got of the turns before: the run's setting `history`."""
    said: Sequence[tuple[int, Exchange]]
    """(number of the turn, question with the answer of the run) for each question, oldest first."""
    rewritten: str
    """The question as the run's agent rewrote it; "" if it did not."""


class ConversationStage(RunTableStage[Run]):
    """Methods with which the app and the command line show the outcomes of conversations."""

    NAME, SUBJECT = "conversations", "The table on conversations"

    @requires("see runs", "ids")
    def report(
        self, ids: Sequence[str], form: str = "table", metric: str = DEFAULT_METRIC, threshold: float = DEFAULT_THRESHOLD
    ) -> str:
        """Return the tables about the runs' conversations as text in one of the formats of reports. An answer is right if the
        metric is at least the threshold. Raises BenchError if no release of the runs has conversations, or if a run has no
        score of the metric."""
        return pick(renderers(), form, "format").render(self._build(self._load_runs(ids), metric, threshold))

    @requires("see runs", "ids")
    def page(self, ids: Sequence[str], metric: str = DEFAULT_METRIC, threshold: float = DEFAULT_THRESHOLD) -> RunningWork[Page]:
        """Return the tables about the runs' conversations; they are computed in the background. Raises BenchError if no release
        of the runs has conversations."""
        chosen = self._load_runs(ids)
        state = tuple((name, traces.fingerprint(self._db, name)) for name in self._list_traced(chosen))
        return self._cache.get((self.NAME, metric, threshold, *state), lambda: self._build(chosen, metric, threshold))

    @requires("see runs", "run")
    def load_turn(self, run: str, item: str) -> HeardTurn | None:
        """Return what was said in a run's conversation up to this item's question, or None if the item is not part of one."""
        chosen = runs.get(self._db, run)
        content = self._releases.members(chosen.release, chosen.release_hash)
        groups = group_turns(content.items).values()
        group = next((group for group in groups if any(one.id == item for one in group)), None)
        if group is None:
            return None
        said: list[tuple[int, Exchange]] = []
        for one in group:
            turn = read_turn(one.labels)
            trace = runs.find_trace(self._db, chosen.id, (one.id, None))
            if turn is None or trace is None:
                continue
            messages = list_messages(trace) or [Exchange(one.question, trace.answer or "")]
            said += [(turn.number, message) for message in messages]
            if one.id == item:
                rewritten = next((step.text for step in trace.steps if "rewritten" in step.about), "")
                return HeardTurn(turn, str(chosen.config["settings"].get("history", "")), said, rewritten)
        return None

    def _choose(self, every: Sequence[Run]) -> Sequence[Run]:
        return every

    def _list_traced(self, chosen: Sequence[Run]) -> list[str]:
        return [run.id for run in chosen]

    def _build(self, chosen: Sequence[Run], metric: str = DEFAULT_METRIC, threshold: float = DEFAULT_THRESHOLD) -> Page:
        results = [(name, self._measure(run, metric, threshold)) for name, run in zip(name_runs(chosen), chosen, strict=True)]
        found = [(name, result) for name, result in results if result is not None]
        if not found:
            named = ", ".join(dict.fromkeys(run.release for run in chosen))
            raise BenchError(f"The release {named} has no conversations of these runs' questions: import or draft some first.")
        return build_page([result for _, result in found], [name for name, _ in found])

    def _measure(self, run: Run, metric: str, threshold: float) -> ConversationResult | None:
        """Return the outcomes of the run's conversations, or None if its release has none of its questions."""
        content = self._releases.members(run.release, run.release_hash)
        asked = self._load_asked(run)
        turns = [item for item in content.items if item.id in asked and read_turn(item.labels)]
        if not turns:
            return None
        scores = runs.load_scores(self._db, run.id)
        names = list(dict.fromkeys(score.metric for score in scores))
        if metric not in names and not run.config["settings"].get("user"):
            known = ", ".join(_list_shown(names)) or "none yet"
            raise BenchError(f"Run {run.id} has no scores of {metric!r}: name another metric, of {known}.")
        shown = list(dict.fromkeys([*([metric] if metric in names else []), *_list_shown(names)]))
        own = self._load_answers(run)
        return measure_run(run, turns, own, scores, shown, metric, threshold)


def _list_shown(names: Sequence[str]) -> list[str]:
    """Return those of the full names that the table by turn shows: the main values of metrics whose scale has both ends, so not
    costs. Of a metric of retrieval, the main value is that among most passages, such as "@5"."""
    shown: dict[str, str] = {}
    deepest: dict[str, int] = {}
    for name in names:
        split = split_name(name)
        metric = metrics().get(split.metric)
        is_cut = split.part[:1] == "@" and split.part[1:].isdecimal()
        if metric is None or metric.low is None or metric.high is None or not (is_cut or split.part in ("", metric.headline)):
            continue
        depth = int(split.part[1:]) if is_cut else 0
        if depth >= deepest.get(split.base, 0):
            deepest[split.base], shown[split.base] = depth, name
    return list(shown.values())
