"""Say what moved because of an erratum: each system's score and rank before and after, and why the score changed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Run
from core.statistics.statistics import Interval, bootstrap
from eval.page import DASH, Cell, Page, Record, count, figure, interval_cell, tabulate, words
from eval.reports.leaderboard import average_all, rank_values

NOTES = (
    "Before: the score on the corrected release. After: the score on the erratum, from the same answers, on the questions that "
    "were not withdrawn and need not be asked again.",
    "Corrections: the mean difference, after minus before, on the n questions that have both scores, with its 95 % interval. "
    "Left out: the change because questions were withdrawn, or wait to be asked again. Both add up to after minus before if "
    "every question with a score after has one before.",
    "Only the items' own questions count, without variants. Ranks are those within this table; equal scores share one.",
)


class MovedRun(NamedTuple):
    """A run on a release, and the run on its erratum with the same answers."""

    before: Run
    after: Run
    old: Mapping[str, float]
    """A dict from item to its score on the corrected release; items without a score are left out."""
    new: Mapping[str, float]
    ask_again: int
    """Number of questions that the system has to be asked again, and has not been."""
    unanswered: int
    """Number of questions to which the earlier run has no answer either."""


class Move(NamedTuple):
    """What moved for one system, by one metric."""

    run: MovedRun
    before: float | None
    n_before: int
    after: float | None
    n_after: int
    rank_before: float | None
    rank_after: float | None
    corrections: Interval
    """Mean difference, after minus before, on the questions with both scores."""
    left_out: float | None
    """Mean before on the questions with both scores, minus the mean before on all; None if either is undefined."""


def compute_moves(runs: Sequence[MovedRun], clusters: Mapping[str, str]) -> list[Move]:
    """Return the moves of the runs by one metric, of which higher is better, in the order of the runs. `clusters` maps each
    item to its cluster; items of one cluster are resampled together."""
    means = [(average_all(list(run.old.values())), average_all(list(run.new.values()))) for run in runs]
    ranks = [rank_values(dict(enumerate(side))) for side in zip(*means, strict=True)]
    moves = []
    for number, (run, (before, after)) in enumerate(zip(runs, means, strict=True)):
        both = sorted(run.old.keys() & run.new.keys())
        kept = average_all([run.old[item] for item in both])
        moves.append(
            Move(
                run,
                before,
                len(run.old),
                after,
                len(run.new),
                ranks[0][number],
                ranks[1][number],
                bootstrap([run.new[item] - run.old[item] for item in both], [clusters[item] for item in both]),
                None if kept is None or before is None else kept - before,
            )
        )
    return moves


def build_moves_page(
    title: str, names: Sequence[str], moves: Mapping[str, Sequence[Move]], sentence: str, data: Mapping[str, Any]
) -> Page:
    """Return the page with a table for each metric in `moves`; `names` are the runs' names in their order."""
    rows = {
        metric: [_build_row(name, move) for name, move in zip(names, own, strict=True) if move.n_before or move.n_after]
        for metric, own in moves.items()
    }
    tables = [tabulate(f"{metric}: what moved", own) for metric, own in rows.items() if own]
    first = next(iter(moves.values()), [])
    notes = [f"{sentence[:1].upper()}{sentence[1:]}", *NOTES]
    if missing := [metric for metric, own in rows.items() if not own]:
        notes.append(f"No answer has a score by {', '.join(missing)}.")
    for name, move in zip(names, first, strict=False):
        if move.run.ask_again:
            notes.append(
                f"{name}: changed questions that need asking again, and are in no score of the erratum: {move.run.ask_again}."
            )
        if move.run.unanswered:
            notes.append(f"{name}: {move.run.unanswered} questions have no answer, as before.")
    records = {metric: [_encode_move(move) for move in own] for metric, own in moves.items()}
    return Page(title, tables, notes=notes, data={**data, "moves": records})


def _build_row(name: str, move: Move) -> Record:
    return {
        "Run": words(name),
        "Before": figure(move.before),
        "n before": count(move.n_before),
        "After": figure(move.after),
        "n after": count(move.n_after),
        "Corrections [95 % interval]": interval_cell(move.corrections),
        "n": count(move.corrections.n),
        "Left out": figure(move.left_out),
        "Rank before": _rank_cell(move.rank_before),
        "Rank after": _rank_cell(move.rank_after),
        "Ask again": count(move.run.ask_again),
    }


def _rank_cell(rank: float | None) -> Cell:
    return Cell(DASH) if rank is None else Cell(f"{rank:g}", rank)


def _encode_move(move: Move) -> dict[str, Any]:
    return {
        "before_run": move.run.before.id,
        "after_run": move.run.after.id,
        "system": move.run.after.system.name,
        "before": move.before,
        "n_before": move.n_before,
        "after": move.after,
        "n_after": move.n_after,
        "rank_before": move.rank_before,
        "rank_after": move.rank_after,
        "corrections": move.corrections.record(),
        "left_out": move.left_out,
        "ask_again": move.run.ask_again,
        "unanswered": move.run.unanswered,
    }
