"""Store and load runs, their traces and scores. A stored answer is never replaced; a stored failure is replaced by a later
trace (answer or failure) of the same question. If an answer is scored again with the same version of a metric, the new score
replaces the old one."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import finite_or_none
from core.nouns import Run, Score, Span, Step, System, Trace
from store.engine.columns import (
    Timestamp,
    build_in_condition,
    current_time,
    decode_json,
    from_json,
    insert_row,
    insert_rows,
    spans_from_json,
    to_json,
)
from store.engine.database import Cursor, Database

QuestionKey = tuple[str, str | None]
"""(item id, variant id or None), which identifies a question of a run."""

_TRACE = (
    "run, item, variant, answer, retrieved, steps, calls, tokens_in, tokens_out, seconds, stop, error, queued, retrying, "
    "tokens_thinking, not_taken"
)
_SCORE = "run, item, variant, metric, version, value, why"
_JUDGED = "run, item, variant, metric, version, details"
_KEY = "(run, item, variant, metric, version)"
RUN_COLUMNS = "id, identity, system, settings, release, release_hash, agent, config, repetition, offline"


class CreatedRun(NamedTuple):
    """A stored run, and whether this call of `create` stored it or it was there before."""

    run: Run
    is_new: bool


class JudgeVerdicts(NamedTuple):
    """The single verdicts of a judge on one trace, as JSON values."""

    run: str
    item: str
    variant: str | None
    metric: str
    version: str
    details: Any


def create(database: Database, run: Run, asked: Sequence[QuestionKey] = ()) -> CreatedRun:
    """Store the run with its questions, or return the stored run with the same identity."""

    def write(cursor: Cursor) -> CreatedRun:
        rows = cursor.execute(f"SELECT {RUN_COLUMNS} FROM run WHERE id = ?", [run.id]).fetchall()
        if rows:
            return CreatedRun(run_from_row(rows[0]), False)
        place = (run.id, run.identity, run.system.name, run.system.settings, run.release, run.release_hash, run.agent)
        row = (*place, run.config, run.repetition, run.offline, list(asked), current_time())
        insert_row(cursor, "run", f"{RUN_COLUMNS}, asked, made_at", row, is_numbered=True)
        return CreatedRun(run, True)

    created = database.write(write)
    if created.run.identity != run.identity:
        raise BenchError(
            f"The id {run.id} already belongs to a run with another configuration, whose hash begins with the same characters: "
            "change a setting."
        )
    return created


def get(database: Database, name: str) -> Run:
    """Return the run with the given id, which may be abbreviated to its first six or more characters. Raises BenchError unless
    exactly one run matches."""
    rows = database.rows(f"SELECT {RUN_COLUMNS} FROM run WHERE id = ?", [name])
    if not rows and len(name) >= 6:
        rows = database.rows(f"SELECT {RUN_COLUMNS} FROM run WHERE starts_with(id, ?)", [name])
    if len(rows) != 1:
        if rows:
            raise BenchError(f"{len(rows)} run ids begin with {name}: give more characters.")
        last = ", ".join(row[0] for row in database.rows("SELECT id FROM run ORDER BY number DESC LIMIT 5")) or "none yet"
        raise BenchError(f"No run {name.strip() or repr('')} in this workspace; the latest runs are: {last}.")
    return run_from_row(rows[0])


def load_start_time(database: Database, run: str) -> Timestamp:
    """Return the time when the run was first stored, or "" if there is no such run."""
    rows = database.rows("SELECT made_at FROM run WHERE id = ?", [run])
    return rows[0][0] if rows else ""


def list_runs(database: Database, release: str | None = None) -> list[Run]:
    """Return all runs, or only those on the given release, oldest first."""
    sql = f"SELECT {RUN_COLUMNS} FROM run WHERE ?::VARCHAR IS NULL OR release = ? ORDER BY number"
    rows = database.rows(sql, [release, release])
    return [run_from_row(row) for row in rows]


def load_questions(database: Database, run: str) -> list[QuestionKey]:
    """Return the keys of the run's questions as (item, variant or None), in order."""
    rows = database.rows("SELECT asked FROM run WHERE id = ?", [run])
    return [(item, variant) for item, variant in from_json(rows[0][0])] if rows else []


def add_traces(database: Database, traces: Sequence[Trace]) -> None:
    """Store traces. A stored trace with an answer is not replaced. A stored trace without an answer is replaced, and its scores
    and judgements are deleted."""
    database.write(lambda cursor: insert_traces(cursor, traces))


def insert_traces(cursor: Cursor, traces: Sequence[Trace]) -> None:
    """Store traces like `add_traces`, within the caller's transaction."""
    new: dict[tuple[str, str, str], Trace] = {}
    for trace in traces:
        new.setdefault((trace.run, trace.item, trace.variant or ""), trace)
    failed: list[tuple[str, str, str]] = []
    condition, params = build_in_condition("item", [item for _, item, _ in new])
    sql = f"SELECT run, item, variant, answer IS NULL FROM trace WHERE {condition}"
    for run, item, variant, has_failed in cursor.execute(sql, params).fetchall():  # faster than ON CONFLICT DO NOTHING
        key = (run, item, variant)
        if not has_failed:
            new.pop(key, None)
        elif key in new:
            failed.append(key)
    for table, key in product(("score", "judged", "trace"), failed):
        cursor.execute(f"DELETE FROM {table} WHERE run = ? AND item = ? AND variant = ?", list(key))
    rows = (
        (
            *(*key, t.answer, t.retrieved, [_encode_step(step) for step in t.steps], t.calls),
            *(t.tokens_in, t.tokens_out, t.seconds, t.stop, t.error, t.queued, t.retrying, t.tokens_thinking),
            list(t.not_taken) or None,
        )
        for key, t in new.items()
    )
    insert_rows(cursor, "trace", _TRACE, rows, conflict=None, is_numbered=True)


def load_traces(database: Database, run: str) -> list[Trace]:
    """Return the traces of a run, in the order in which they were stored."""
    return [trace_from_row(row) for row in database.rows(f"SELECT {_TRACE} FROM trace WHERE run = ? ORDER BY number", [run])]


def find_trace(database: Database, run: str, question: QuestionKey) -> Trace | None:
    """Return the complete trace of the question, or None if the run has no trace of it."""
    item, variant = question
    rows = database.rows(f"SELECT {_TRACE} FROM trace WHERE run = ? AND item = ? AND variant = ?", [run, item, variant or ""])
    return trace_from_row(rows[0]) if rows else None


def insert_scores(cursor: Cursor, scores: Sequence[Score]) -> None:
    """Store scores within the caller's transaction, replacing stored scores of the same trace, metric and version. A value that
    is NaN or infinite is stored as None."""
    latest = {}
    for s in scores:
        value = finite_or_none(s.value)
        why = s.why or ("" if s.value == value else "not a finite number")
        latest[s.run, s.item, s.variant or "", s.metric, s.version] = (value, why)
    replaced = f"{_KEY} DO UPDATE SET value = excluded.value, why = excluded.why"
    insert_rows(cursor, "score", _SCORE, ((*key, *value) for key, value in latest.items()), replaced)


def load_scores(database: Database, run: str, question: QuestionKey | None = None) -> list[Score]:
    """Return the scores of a run, or of one of its questions, sorted by item, variant, metric and version."""
    where, params = _build_filter(run, question)
    rows = database.rows(f"SELECT {_SCORE} FROM score WHERE {where} ORDER BY item, variant, metric, version", params)
    return [Score(run, item, variant or None, *rest) for run, item, variant, *rest in rows]


def load_newest_scores(database: Database, run: str) -> list[Score]:
    """Return the scores as `load_scores` does, but for each trace and metric only the score by the metric's newest version."""
    return list({(one.item, one.variant, one.metric): one for one in load_scores(database, run)}.values())


def load_values(database: Database, run: str, metric: str) -> dict[QuestionKey, float]:
    """Return a dict from question to the run's score by the newest version of one metric; questions without a value are left
    out."""
    rows = database.rows(
        "SELECT item, variant, value FROM score WHERE run = ? AND metric = ? AND value IS NOT NULL ORDER BY version",
        [run, metric],
    )
    return {(item, variant or None): value for item, variant, value in rows}


def insert_judgements(cursor: Cursor, judgements: Sequence[JudgeVerdicts]) -> None:
    """Store verdicts of judges. New verdicts replace a judge's earlier verdicts on the same trace with the same metric and
    version."""
    latest = {(j.run, j.item, j.variant or "", j.metric, j.version): to_json(j.details) for j in judgements}
    replaced = f"{_KEY} DO UPDATE SET details = excluded.details"
    insert_rows(cursor, "judged", _JUDGED, ((*key, value) for key, value in latest.items()), replaced)


def load_judgements(database: Database, run: str, question: QuestionKey | None = None) -> list[JudgeVerdicts]:
    """Return the verdicts of judges on the traces of a run, or on one of its questions, sorted by item, variant, metric and
    version."""
    where, params = _build_filter(run, question)
    rows = database.rows(f"SELECT {_JUDGED} FROM judged WHERE {where} ORDER BY item, variant, metric, version", params)
    return [JudgeVerdicts(r[0], r[1], r[2] or None, r[3], r[4], from_json(r[5])) for r in rows]


def load_newest_judgements(database: Database, run: str) -> list[JudgeVerdicts]:
    """Return the verdicts as `load_judgements` does, but for each trace and metric only those by the metric's newest
    version."""
    newest = {(one.item, one.variant, one.metric): one for one in load_judgements(database, run)}
    return list(newest.values())


def _build_filter(run: str, question: QuestionKey | None) -> tuple[str, list[str]]:
    if question is None:
        return "run = ?", [run]
    return "run = ? AND item = ? AND variant = ?", [run, question[0], question[1] or ""]


def _encode_step(step: Step) -> list[Any]:
    details = [step.scores, step.about] if step.scores or step.about else []
    return [step.kind, step.text, step.spans, step.call, step.seconds, *details]


def step_from_values(values: Sequence[Any]) -> Step:
    """Build a step of a trace from its stored values; in older traces, the values for scores and `about` are missing."""
    kind, text, spans, call, seconds, scores, about = [*values, (), {}][:7]
    return Step(kind, text, tuple(Span(*triple) for triple in spans), call, seconds, tuple(scores), about)


def trace_from_row(row: Sequence[Any]) -> Trace:
    run, item, variant, answer, retrieved, steps, *rest, not_taken = row
    passages = None if retrieved is None else spans_from_json(retrieved)
    rest.append(tuple(from_json(not_taken) or ()))
    return Trace(run, item, variant or None, answer, passages, tuple(map(step_from_values, from_json(steps))), *rest)


def run_from_row(row: tuple[Any, ...]) -> Run:
    """Build a run from a database row with the columns RUN_COLUMNS."""
    id_, identity, system, settings, release, release_hash, agent, config, repetition, offline = decode_json(row, 3, 7, 9)
    return Run(
        id_, identity, System(system, settings), release, release_hash, agent, config, repetition, offline=tuple(offline)
    )
