"""Runs, their traces and scores in and out. A trace is stored once; a score of the same metric version is replaced."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import finite_or_none
from core.nouns import Run, Score, Span, Step, System, Trace
from store.engine.columns import current_time, from_json, insert_rows, spans_from_json, spans_to_json, to_json
from store.engine.database import Cursor, Database

QuestionKey = tuple[str, str | None]
"""Item id, variant id or None: one question of a run."""

_TRACE = {
    "run": "VARCHAR",
    "item": "VARCHAR",
    "variant": "VARCHAR",
    "number": "INTEGER",
    "answer": "VARCHAR",
    "retrieved": "VARCHAR",
    "steps": "VARCHAR",
    "calls": "INTEGER",
    "tokens_in": "BIGINT",
    "tokens_out": "BIGINT",
    "seconds": "DOUBLE",
    "stop": "VARCHAR",
    "error": "VARCHAR",
    "queued": "DOUBLE",
    "retrying": "DOUBLE",
}
_SCORE = {
    "run": "VARCHAR",
    "item": "VARCHAR",
    "variant": "VARCHAR",
    "metric": "VARCHAR",
    "version": "VARCHAR",
    "value": "DOUBLE",
    "why": "VARCHAR",
}
_JUDGED = dict.fromkeys(("run", "item", "variant", "metric", "version", "details"), "VARCHAR")
RUN_COLUMNS = "id, identity, system, settings, release, release_hash, agent, config, repetition, offline"


class CreatedRun(NamedTuple):
    """A run that is in the store."""

    run: Run
    is_new: bool


class JudgeVerdicts(NamedTuple):
    """A judge's single verdicts on one trace, as JSON values."""

    run: str
    item: str
    variant: str | None
    metric: str
    version: str
    details: Any


def create(database: Database, run: Run, asked: Sequence[QuestionKey] = ()) -> CreatedRun:
    """Store the run with the questions it is to answer, or find the stored one of the same identity."""

    def write(cursor: Cursor) -> CreatedRun:
        rows = cursor.execute(f"SELECT {RUN_COLUMNS} FROM run WHERE id = ?", [run.id]).fetchall()
        if rows:
            return CreatedRun(run_from_row(rows[0]), False)
        cursor.execute(
            f"""
            INSERT INTO run (number, {RUN_COLUMNS}, asked, made_at)
            SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            FROM run
            """,
            [
                run.id,
                run.identity,
                run.system.name,
                to_json(dict(run.system.settings)),
                run.release,
                run.release_hash,
                run.agent,
                to_json(dict(run.config)),
                run.repetition,
                to_json(list(run.offline)),
                to_json([list(pair) for pair in asked]),
                current_time(),
            ],
        )
        return CreatedRun(run, True)

    created = database.write(write)
    if created.run.identity != run.identity:
        raise BenchError(f"The run {run.id} stands for another configuration: its first 16 digits are the same by chance.")
    return created


def get(database: Database, name: str) -> Run:
    """The run of that id, or of an id that begins so (six digits or more); raises BenchError when it is not exactly one."""
    rows = database.rows(f"SELECT {RUN_COLUMNS} FROM run WHERE id = ?", [name])
    if not rows and len(name) >= 6:
        rows = database.rows(f"SELECT {RUN_COLUMNS} FROM run WHERE starts_with(id, ?)", [name])
    if len(rows) != 1:
        if rows:
            raise BenchError(f"{len(rows)} runs begin with {name}: give more digits.")
        last = ", ".join(row[0] for row in database.rows("SELECT id FROM run ORDER BY number DESC LIMIT 5")) or "none yet"
        raise BenchError(f"No run {name} in this workspace; the last ones are: {last}.")
    return run_from_row(rows[0])


def load_start_time(database: Database, run: str) -> str:
    """When that run was first stored; UTC, ISO format."""
    return str(database.rows("SELECT made_at FROM run WHERE id = ?", [run])[0][0])


def list_runs(database: Database, release: str | None = None) -> list[Run]:
    """All runs, or those on a release, oldest first."""
    sql = f"SELECT {RUN_COLUMNS} FROM run WHERE ?::VARCHAR IS NULL OR release = ? ORDER BY number"
    rows = database.rows(sql, [release, release])
    return [run_from_row(row) for row in rows]


def load_questions(database: Database, run: str) -> list[QuestionKey]:
    """The questions that the run is to answer, in order."""
    rows = database.rows("SELECT asked FROM run WHERE id = ?", [run])
    return [(item, variant) for item, variant in from_json(rows[0][0])] if rows else []


def list_unanswered(database: Database, run: str, questions: Iterable[QuestionKey] | None = None) -> list[QuestionKey]:
    """Those of the questions (else: of all that the run is to answer) that have no trace yet, in order."""
    done = {(item, variant or None) for item, variant in database.rows("SELECT item, variant FROM trace WHERE run = ?", [run])}
    return [one for one in (load_questions(database, run) if questions is None else questions) if tuple(one) not in done]


def add_traces(database: Database, traces: Sequence[Trace]) -> None:
    """Store traces; one that is there stays."""
    database.write(lambda cursor: insert_traces(cursor, traces))


def insert_traces(cursor: Cursor, traces: Sequence[Trace]) -> None:
    """As add_traces, within a transaction of the caller's."""
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM trace").fetchall()[0]
    insert_rows(
        cursor,
        "trace",
        _TRACE,
        (
            (
                t.run,
                t.item,
                t.variant or "",
                number,
                t.answer,
                None if t.retrieved is None else spans_to_json(t.retrieved),
                to_json([_step_values(step) for step in t.steps]),
                t.calls,
                t.tokens_in,
                t.tokens_out,
                t.seconds,
                t.stop,
                t.error,
                t.queued,
                t.retrying,
            )
            for number, t in enumerate(traces, last + 1)
        ),
    )


def load_traces(database: Database, run: str) -> list[Trace]:
    """The traces of a run, in the order they came."""
    rows = database.rows(
        """
        SELECT run, item, variant, answer, retrieved, steps, calls, tokens_in, tokens_out, seconds, stop, error, queued,
            retrying
        FROM trace
        WHERE run = ?
        ORDER BY number
        """,
        [run],
    )
    return [
        Trace(
            r[0],
            r[1],
            r[2] or None,
            r[3],
            None if r[4] is None else spans_from_json(r[4]),
            tuple(step_from_values(values) for values in from_json(r[5])),
            *r[6:],
        )
        for r in rows
    ]


def add_scores(database: Database, scores: Sequence[Score]) -> None:
    """Store scores; one of the same trace, metric and version is replaced."""
    database.write(lambda cursor: insert_scores(cursor, scores))


def insert_scores(cursor: Cursor, scores: Sequence[Score]) -> None:
    """As add_scores, within a transaction of the caller's. NaN and infinities are no values: they are stored as None."""
    latest = {
        (s.run, s.item, s.variant or "", s.metric, s.version): (
            finite_or_none(s.value),
            s.why or ("" if s.value == finite_or_none(s.value) else "not a finite number"),
        )
        for s in scores
    }
    replaced = "(run, item, variant, metric, version) DO UPDATE SET value = excluded.value, why = excluded.why"
    insert_rows(cursor, "score", _SCORE, ((*key, *value) for key, value in latest.items()), replaced)


def load_scores(database: Database, run: str) -> list[Score]:
    """The scores of a run, by item and metric."""
    rows = database.rows(
        """
        SELECT run, item, variant, metric, version, value, why
        FROM score
        WHERE run = ?
        ORDER BY item, variant, metric, version
        """,
        [run],
    )
    return [Score(r[0], r[1], r[2] or None, *r[3:]) for r in rows]


def insert_judgements(cursor: Cursor, judgements: Sequence[JudgeVerdicts]) -> None:
    """Store what a judge said beside the scores made of it; the same again is replaced."""
    latest = {(j.run, j.item, j.variant or "", j.metric, j.version): to_json(j.details) for j in judgements}
    replaced = "(run, item, variant, metric, version) DO UPDATE SET details = excluded.details"
    insert_rows(cursor, "judged", _JUDGED, ((*key, value) for key, value in latest.items()), replaced)


def load_judgements(database: Database, run: str) -> list[JudgeVerdicts]:
    """What judges said on the traces of a run."""
    rows = database.rows(f"SELECT {', '.join(_JUDGED)} FROM judged WHERE run = ? ORDER BY item, variant, metric", [run])
    return [JudgeVerdicts(r[0], r[1], r[2] or None, r[3], r[4], from_json(r[5])) for r in rows]


def _step_values(step: Step) -> list[Any]:
    spans = [[s.document, s.start, s.end] for s in step.spans]
    more = [list(step.scores), dict(step.about)] if step.scores or step.about else []
    return [step.kind, step.text, spans, step.call, step.seconds, *more]


def step_from_values(values: Sequence[Any]) -> Step:
    """A step as it is stored: scores and more stand in its row only where it has them."""
    kind, text, spans, call, seconds, scores, about = [*values, (), {}][:7]
    return Step(kind, text, tuple(Span(*triple) for triple in spans), call, seconds, tuple(scores), about)


def run_from_row(row: tuple[Any, ...]) -> Run:
    return Run(
        id=row[0],
        identity=row[1],
        system=System(row[2], from_json(row[3])),
        release=row[4],
        release_hash=row[5],
        agent=row[6],
        config=from_json(row[7]),
        repetition=row[8],
        offline=tuple(from_json(row[9])),
    )
