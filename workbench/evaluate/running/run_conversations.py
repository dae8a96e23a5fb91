"""Ask the conversations of a release in a run: the settings, what each turn needs from the turns before, and the simulated
user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from core.agent import Sampling
from core.as_json import Json
from core.errors import BenchError
from core.nouns import Item, Trace
from core.quality.conversations import count_without_standalone, read_turn
from eval.conversations.history import (
    HISTORIES,
    NEEDS_OWN_ANSWERS,
    History,
    Reword,
    add_history,
    find_turn,
    list_earlier,
    list_gold_exchanges,
    list_own_exchanges,
    rewrite_first,
)
from eval.conversations.user import (
    DEFAULT_PATIENCE,
    GOAL,
    PLAYED,
    USER_PROMPT,
    NextMove,
    UserState,
    follow_rules,
    play_user,
    read_state,
    talk_as_user,
)
from eval.settings import read_choice, read_text, read_whole_number
from eval.system import Question, SystemAdapter
from prompts.prompt import load
from store.releases.releases import ReleaseMembers
from workbench.evaluate.running.questions import PlacedQuestion, build_question
from workbench.setup.agents import BoundAgent

SETTINGS = ("history", "user", "patience", "user_agent")
"""Names of the settings of runs on conversations. They are part of a run's identity only if the release has conversations."""


USERS = ("", GOAL, PLAYED)
"""Values of the setting `user`: nobody asks again, a user by rules, a user that an agent plays."""


def name_user_agent(settings: Mapping[str, Any], agent: str | None) -> str | None:
    """Return the name of the agent that plays the simulated user, by default the run's `agent`; None if none does."""
    return str(settings.get("user_agent") or agent or "") or None if settings.get("user") == PLAYED else None


def check_settings(own: Mapping[str, Any], has_agent: bool) -> None:
    """Check the settings of a run that concern conversations. Raises BenchError if they do not fit together."""
    history, user = read_choice(own, "history", HISTORIES), read_choice(own, "user", USERS)
    if read_text(own, "user_agent") and user != PLAYED:
        raise BenchError(f"--user-agent names the agent that plays the user: give --user {PLAYED} too, or leave it out.")
    if user == PLAYED and not (has_agent or own.get("user_agent")):
        raise BenchError(f"With --user {PLAYED} an agent plays the user: name one with --user-agent.")
    read_whole_number(own, "patience", DEFAULT_PATIENCE, 1)
    if user and history != "own":
        raise BenchError(
            f"A simulated user hears the system's own answers: leave out history={history}, or leave out user={user}."
        )
    if history == "rewrite" and not has_agent:
        raise BenchError("With history=rewrite an agent rewrites each follow-up: name one with --agent.")


@dataclass(frozen=True, slots=True)
class RunConversations:
    """The conversations of a run."""

    history: History
    patience: int | None
    """Patience of the simulated user, or None without a simulated user."""
    items: Mapping[str, Item]
    earlier: Mapping[str, Sequence[Item]]
    """A dict from each item that is a follow-up to the items of the turns before, in order."""
    reword: Reword
    user_agent: BoundAgent | None = None
    """The agent that plays the simulated user; None = the user follows rules."""

    @property
    def has_user(self) -> bool:
        """Return whether a simulated user asks the turns."""
        return self.patience is not None

    @property
    def settings(self) -> dict[str, Json]:
        """Return the settings that can change an answer; none if the release has no conversation."""
        if not any(read_turn(item.labels) for item in self.items.values()):
            return {}
        if not self.has_user:
            return {"history": self.history}
        if self.user_agent is None:
            return {"history": self.history, "user": GOAL, "patience": self.patience}
        words: list[Json] = [load(USER_PROMPT, name).identity for name in sorted({one.language for one in self.items.values()})]
        player: dict[str, Json] = {"user_agent": self.user_agent.name, "user_prompts": words}
        return {"history": self.history, "user": PLAYED, "patience": self.patience, **player}

    @property
    def without_standalone(self) -> int:
        """Return the number of follow-ups that are to be asked in their standalone form, and that have none."""
        return count_without_standalone(self.items.values()) if self.history == "standalone" else 0

    def adapt(self, adapter: SystemAdapter) -> SystemAdapter:
        """Return the system so that it asks the run's agent to rewrite follow-ups, if the run is set so."""
        return rewrite_first(adapter, self.reword) if self.history == "rewrite" and self.earlier else adapter

    def add_user(self, adapter: SystemAdapter, states: Mapping[str, UserState], repetition: int = 0) -> SystemAdapter:
        """Return the system so that a simulated user asks it the turns of one round; `states` is a dict from item to what the
        user has heard before. In each repetition, an agent that plays the user is asked anew."""
        if self.patience is None:
            return adapter
        move: NextMove = follow_rules
        if self.user_agent is not None:
            move = play_user(self.user_agent.ask, self.patience, Sampling(0.0, max_tokens=256, index=repetition))
        return talk_as_user(adapter, self.items, self.earlier, lambda one: states[one.item], self.patience, self.reword, move)

    def read_state(self, question: Question, traces: Mapping[str, Trace]) -> UserState | None:
        """Return what the simulated user has heard before the question, or None if an earlier turn is not asked yet."""
        return read_state(self.earlier.get(question.item, ()), traces)

    def place(self, question: Question, traces: Mapping[str, Trace]) -> Question | None:
        """Return the question as the system gets it after the turns before, or None if the system has no answer to one of them,
        so that the question cannot be asked. `traces` is a dict from item to trace."""
        earlier = self.earlier.get(question.item)
        if not earlier:
            return question
        before = list_own_exchanges(earlier, traces) if self.history in NEEDS_OWN_ANSWERS else list_gold_exchanges(earlier)
        return None if before is None else add_history(question, before, self.history, self.reword)

    def add_later_turns(self, missing: Sequence[Question], asked: Sequence[Question]) -> list[Question]:
        """Return the missing questions and, if a simulated user talks, all later turns of their conversations, because the user
        may say something else in them. `asked` are all questions."""
        if not self.has_user:
            return list(missing)
        first: dict[str, int] = {}
        for question in missing:
            if turn := find_turn(question):
                first[turn.conversation] = min(turn.number, first.get(turn.conversation, turn.number))
        lacking = {(question.item, question.variant) for question in missing}

        def is_later(question: Question) -> bool:
            turn = find_turn(question)
            return turn is not None and turn.number > first.get(turn.conversation, turn.of)

        return [question for question in asked if (question.item, question.variant) in lacking or is_later(question)]


def plan_conversations(
    content: ReleaseMembers,
    placed: Sequence[PlacedQuestion],
    own: Mapping[str, Any],
    is_divided: bool,
    user_agent: BoundAgent | None = None,
) -> RunConversations:
    """Return the plan for the conversations of a run with the settings `own`. Raises BenchError if a sample or a shard
    (`is_divided`) would divide a conversation whose turns must be asked in order, or if variants cannot be asked."""
    history = cast(History, read_choice(own, "history", HISTORIES))
    is_user = bool(read_choice(own, "user", USERS))
    items = {place.item.id: place.item for place in placed}
    earlier = list_earlier(content.items)
    follow_ups = [place for place in placed if place.item.id in earlier]
    if is_divided and follow_ups and (is_user or history in NEEDS_OWN_ANSWERS):
        raise BenchError(
            f"The release has conversations, whose turns a sample or a shard would divide: with history={history} leave out "
            "--sample and --shard, or give --set history=gold, standalone or none."
        )
    if history == "standalone" and any(place.variant for place in follow_ups):
        raise BenchError(
            "With history=standalone a follow-up is asked in its standalone form, which has no variants: leave out --variants."
        )
    query = str(own.get("query", ""))

    def reword(question: Question, text: str) -> Question:
        built = build_question(replace(items[question.item], question=text), None, query)
        kept = {name: getattr(question, name) for name in ("variant", "kind", "shots", "answers", "evidence")}
        return replace(built, **kept)

    patience = read_whole_number(own, "patience", DEFAULT_PATIENCE, 1) if is_user else None
    return RunConversations(history, patience, items, earlier, reword, user_agent)
