"""Lay out the outcomes of conversations as a page of tables and as JSON."""

from collections.abc import Sequence
from typing import Any

from eval.conversations.outcomes import RATES, ConversationResult
from eval.conversations.user import GOAL, PLAYED
from eval.metric import metrics, split_name
from eval.page import Page, Record, interval_cell, tabulate

USERS = {GOAL: "by rules", PLAYED: "by an agent"}
"""Dict from the setting `user` to what plays the simulated user."""
NOTES = (
    "The turns of a conversation are asked in order. The setting history says what the system gets of the turns before: own "
    "answers, gold answers, a question that the agent rewrites, the standalone question, or none.",
    "A failed turn counts in no mean. A conversation with a failed turn, or with a turn without an answer or score, counts in "
    "no rate; the columns Failed and Open count these conversations.",
    "Intervals resample conversations with evidence in the same documents together, because the turns of one conversation are "
    "not independent. An interval from equal values has no width, although other conversations may give other values.",
)


def build_page(results: Sequence[ConversationResult], names: Sequence[str]) -> Page:
    """Return the page of tables about runs on conversations; `names` are the runs' names in the same order."""
    named = list(zip(names, results, strict=True))
    tables = [
        tabulate("Whole conversations", [_build_row(name, result) for name, result in named], _note_rights(named)),
        tabulate("Scores by turn", [row for name, result in named for row in _list_turns(name, result)]),
    ]
    return Page("Conversations", tables, notes=NOTES, data={"runs": [encode_result(result) for result in results]})


def _list_turns(name: str, result: ConversationResult) -> list[Record]:
    history = result.run.config["settings"].get("history")
    return [
        {
            "Run": name,
            "History": history,
            "Metric": row.metric,
            "Turn": row.turn,
            "n": row.score.n,
            "Failed": row.failed,
            "Unscored": row.unscored,
            "Mean [95 % interval]": interval_cell(row.score),
        }
        for row in result.turns
    ]


def _build_row(name: str, result: ConversationResult) -> Record:
    rates = result.rates
    left = {} if not result.has_user else {RATES["left"]: interval_cell(rates["left"])}
    return {
        "Run": name,
        "History": result.run.config["settings"].get("history"),
        "User": USERS.get(str(result.run.config["settings"].get("user") or ""), "none"),
        "n": rates["reached"].n,
        "Failed": result.failed,
        "Open": result.open,
        RATES["reached"]: interval_cell(rates["reached"]),
        RATES["learnt"]: interval_cell(rates["learnt"]),
        RATES["turns"]: interval_cell(rates["turns"], 2),
        RATES["left"]: left.get(RATES["left"]),
    }


def _note_rights(named: Sequence[tuple[str, ConversationResult]]) -> list[str]:
    """Return sentences that say when a turn of each run counts as right."""
    return [f"{name}: {note}" for name, result in named for note in _note_result(result)]


def _note_result(result: ConversationResult) -> list[str]:
    """Return sentences about one run: when a turn counts as right, a threshold that no score can reach, and follow-ups that
    were asked as they are for want of a standalone question."""
    notes = [
        "a fact is learnt if the answer contains a gold answer that the user has not said, or equals one."
        if result.has_user
        else f"a turn is right, and its fact learnt, if {result.metric} is at least {result.threshold:g}."
    ]
    metric = metrics().get(split_name(result.metric).metric)
    highest = metric.high if metric else None
    if not result.has_user and highest is not None and result.threshold > highest:
        notes.append(
            f"no turn can be right, because {result.metric} is at most {highest:g}: give a --threshold up to {highest:g}."
        )
    if result.without_standalone:
        asked = "follow-up has" if result.without_standalone == 1 else "follow-ups have"
        notes.append(
            f"{result.without_standalone} {asked} no standalone question; the system got the question as it is, alone."
        )
    return notes


def encode_result(result: ConversationResult) -> dict[str, Any]:
    """Return the outcomes of a run as JSON values."""
    return {
        "run": result.run.id,
        "system": result.run.system.name,
        "release": result.run.release,
        "settings": {name: result.run.config["settings"].get(name) for name in ("history", "user", "patience")},
        "metric": result.metric,
        "threshold": result.threshold,
        "failed": result.failed,
        "open": result.open,
        "without_standalone": result.without_standalone,
        "notes": _note_result(result),
        "rates": {rate: one.record() for rate, one in result.rates.items()},
        "turns": [
            {"metric": row.metric, "turn": row.turn, "failed": row.failed, "unscored": row.unscored, **row.score.record()}
            for row in result.turns
        ],
        "conversations": [{**outcome._asdict(), "items": list(outcome.items)} for outcome in result.outcomes],
    }
