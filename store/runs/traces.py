"""Load pages of the traces (answers and failures) of several runs side by side, count traces, and detect when traces change.
SQL does the work, so that large runs are fast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from core.errors import BenchError
from core.nouns import Run, Span, Trace
from store.engine.columns import Timestamp, from_json
from store.engine.database import Database
from store.runs.runs import QuestionKey

TraceOrder = Literal["release", "low", "high", "gain", "loss"]
TraceState = Literal["all", "answered", "failed", "unscored"]
MAX_LISTED_CHARACTERS = 400
"""Maximum number of characters that a list shows of an answer."""
_WHERE = ("level", "domain", "task", "language", "kind")
_STATES: Mapping[TraceState, Sequence[str]] = {
    "all": (),
    "answered": ("answered0",),
    "failed": ("failed",),
    "unscored": ("answered0", "v0 IS NULL"),
}
_ORDER: Mapping[TraceOrder, str] = {
    "release": "item, variant",
    "low": "v0 ASC NULLS LAST, item, variant",
    "high": "v0 DESC NULLS LAST, item, variant",
    "gain": "v0 - v1 DESC NULLS LAST, item, variant",
    "loss": "v0 - v1 ASC NULLS LAST, item, variant",
}


@dataclass(frozen=True, slots=True)
class TraceFilter:
    """Filter and sort order for the questions of some runs. Scores and states are those of the first run, except that "failed"
    selects questions on which any of the runs failed. A score difference is the first run's score minus the second run's
    score."""

    metric: str
    where: Mapping[str, str | None] = field(default_factory=dict)
    """Values that a question's level, domain, task, language or kind must have. The value None selects questions without a
    value."""
    state: TraceState = "all"
    below: float | None = None
    """Limit below which the first run's score must be, or None for no limit."""
    text: str = ""
    """Text that the question or an answer must contain, ignoring case."""
    order: TraceOrder = "release"


class TraceListRow(NamedTuple):
    """One question as a row of the list of traces."""

    item: str
    variant: str | None
    question: str
    level: str | None
    domain: str
    kind: str


class TraceOutcome(NamedTuple):
    """Answer and score of one run for one question, as a list shows them."""

    answer: str | None
    """First characters of the answer, or None if the system failed."""
    characters: int
    stop: str
    value: float | None
    why: str


class AnsweredTrace(NamedTuple):
    """One trace of a run without its texts, with the fields by which samples are drawn."""

    item: str
    variant: str | None
    level: str | None
    domain: str
    task: str
    language: str
    kind: str
    """Kind of the variant that the system was asked, or "original" for the item's own question."""
    is_failed: bool
    is_empty: bool
    """Whether the answer consists only of white space."""


class RunTally(NamedTuple):
    """Numbers of questions, answers, failures and scores of one run."""

    run: str
    asked: int
    answered: int
    failed: int
    scored: int
    """Number of answers that have a score."""
    at: Timestamp


def load_tallies(database: Database, release: str | None = None) -> list[RunTally]:
    """Return the numbers of answers and scores of each run, newest run first."""
    rows = database.rows(
        """
        SELECT r.id, json_array_length(r.asked), coalesce(t.answered, 0), coalesce(t.failed, 0), coalesce(s.scored, 0),
            r.made_at
        FROM run r
        LEFT JOIN (
            SELECT run, count(*) FILTER (WHERE answer IS NOT NULL) AS answered, count(*) FILTER (WHERE answer IS NULL) AS failed
            FROM trace GROUP BY run
        ) t ON t.run = r.id
        LEFT JOIN (
            SELECT run, count(*) AS scored FROM (SELECT DISTINCT run, item, variant FROM score) GROUP BY run
        ) s ON s.run = r.id
        WHERE ?::VARCHAR IS NULL OR r.release = ?
        ORDER BY r.number DESC
        """,
        [release, release],
    )
    return [
        RunTally(run, asked, answered, failed, min(scored, answered), at) for run, asked, answered, failed, scored, at in rows
    ]


def fingerprint(database: Database, run: str) -> str:
    """Return a value that changes whenever a trace or score of the run is stored."""
    ((traces, scores, mixed),) = database.rows(
        """
        SELECT (SELECT count(*) FROM trace WHERE run = ?), count(*), bit_xor(hash(item, variant, metric, version, value, why))
        FROM score WHERE run = ?
        """,
        [run, run],
    )
    return f"{traces}.{scores}.{mixed or 0:x}"


def load_trace_outcomes(database: Database, run: str) -> list[Trace]:
    """Return the traces of the run for reports: without steps and passages, and with only the first 40 characters of each
    answer."""
    names = ("calls", "tokens_in", "tokens_out", "seconds", "stop", "queued", "retrying", "tokens_thinking")
    columns = f"run, item, variant, substr(answer, 1, 40), not_taken, {', '.join(names)}"
    return [
        Trace(
            *(run, item, variant or None, answer),
            **dict(zip(names, values, strict=True)),
            not_taken=tuple(from_json(not_taken) or ()),
        )
        for run, item, variant, answer, not_taken, *values in database.rows(
            f"SELECT {columns} FROM trace WHERE run = ? ORDER BY number", [run]
        )
    ]


def load_not_taken(database: Database, runs: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (distinct messages about the runs' agents, distinct messages about their judges), each about a request parameter
    that an endpoint did not accept."""
    asked = [
        ("trace", "not_taken", "$[*]", "not_taken IS NOT NULL"),
        ("judged", "details", "$..not_taken[*]", "contains(details, '\"not_taken\"')"),
    ]
    not_taken = []
    for table, column, path, where in asked:
        sql = f"""
            WITH told AS (
                SELECT DISTINCT unnest(json_extract_string({column}, '{path}')) AS sentence FROM {table}
                WHERE run IN (SELECT unnest(?::VARCHAR[])) AND {where}
            )
            SELECT sentence FROM told ORDER BY sentence
            """
        not_taken.append([sentence for (sentence,) in database.rows(sql, [list(runs)])])
    return not_taken[0], not_taken[1]


def count_shared_passages(database: Database, run: str) -> int | None:
    """Return the number of original questions with retrieved passages if the run retrieved the same passages in the same order
    for all of them. Return None otherwise, or if there are fewer than two such questions."""
    sql = "SELECT count(*), count(DISTINCT retrieved) FROM trace WHERE run = ? AND retrieved != '[]' AND variant = ''"
    ((questions, different),) = database.rows(sql, [run])
    return questions if different == 1 and questions > 1 else None


def load_price(database: Database, run: str) -> tuple[float | None, int]:
    """Return (cost in US dollars of the LLM calls in the run's traces, number of these calls). The cost is None if any price is
    unknown."""
    ((cost, calls, unknown),) = database.rows(
        """
        WITH steps AS (SELECT unnest(json_extract(steps, '$[*]')) AS step FROM trace WHERE run = ?),
             named AS (SELECT json_extract_string(step, '$[3]') AS call FROM steps)
        SELECT sum(c.price), count(*), count(*) FILTER (WHERE c.price IS NULL)
        FROM named n LEFT JOIN call c ON c.id = n.call
        WHERE n.call IS NOT NULL
        """,
        [run],
    )
    return (None if unknown or not calls else cost), calls


def load_page(
    database: Database, runs: Sequence[Run], wanted: TraceFilter, limit: int, offset: int = 0
) -> tuple[list[TraceListRow], int]:
    """Return (one page of the questions that match the filter, number of all these questions)."""
    sql, params = _build_listing_query(runs, wanted)
    order = _ORDER[wanted.order]
    rows = database.rows(
        f"""
        {sql} SELECT item, variant, question, level, domain, kind, count(*) OVER ()
        FROM found ORDER BY {order} LIMIT ? OFFSET ?
        """,
        [*params, limit, offset],
    )
    page = [TraceListRow(row[0], row[1] or None, *row[2:6]) for row in rows]
    total = int(rows[0][6]) if rows else 0
    if not rows and offset:
        ((total,),) = database.rows(f"{sql} SELECT count(*) FROM found", params)
    return page, int(total)


def find_neighbours(
    database: Database, runs: Sequence[Run], wanted: TraceFilter, question: QuestionKey
) -> tuple[QuestionKey | None, QuestionKey | None, int | None, int]:
    """Return (previous question, next question, position from 1, number of questions) for a question in the filtered list. The
    position is None if the question is not in that list."""
    sql, params = _build_listing_query(runs, wanted)
    rows = database.rows(
        f"""
        {sql}, numbered AS (SELECT item, variant, row_number() OVER (ORDER BY {_ORDER[wanted.order]}) AS n FROM found),
        here AS (SELECT n FROM numbered WHERE item = ? AND variant = ?)
        SELECT item, variant, n, (SELECT n FROM here), (SELECT count(*) FROM found)
        FROM numbered WHERE n BETWEEN (SELECT n FROM here) - 1 AND (SELECT n FROM here) + 1 ORDER BY n
        """,
        [*params, question[0], question[1] or ""],
    )
    if not rows:
        ((total,),) = database.rows(f"{sql} SELECT count(*) FROM found", params)
        return None, None, None, int(total)
    by_place = {n: (item, variant or None) for item, variant, n, *_ in rows}
    place, total = rows[0][3], rows[0][4]
    return by_place.get(place - 1), by_place.get(place + 1), place, total


def load_outcomes(
    database: Database, runs: Sequence[str], questions: Sequence[QuestionKey], metric: str
) -> dict[tuple[str, QuestionKey], TraceOutcome]:
    """Return a dict from (run, question) to the run's answer and score for the question, for the given questions."""
    items = sorted({item for item, _ in questions})
    rows = database.rows(
        """
        WITH latest AS (
            SELECT run, item, variant, last(value ORDER BY version) AS value, last(why ORDER BY version) AS why
            FROM score WHERE metric = ? AND run IN (SELECT unnest(?::VARCHAR[])) AND item IN (SELECT unnest(?::VARCHAR[]))
            GROUP BY run, item, variant
        )
        SELECT t.run, t.item, t.variant, substr(t.answer, 1, ?), coalesce(length(t.answer), 0), t.stop,
            CASE WHEN t.answer IS NOT NULL THEN l.value END, coalesce(l.why, '')
        FROM trace t LEFT JOIN latest l ON l.run = t.run AND l.item = t.item AND l.variant = t.variant
        WHERE t.run IN (SELECT unnest(?::VARCHAR[])) AND t.item IN (SELECT unnest(?::VARCHAR[]))
        """,
        [metric, list(runs), items, MAX_LISTED_CHARACTERS, list(runs), items],
    )
    return {(row[0], (row[1], row[2] or None)): TraceOutcome(*row[3:]) for row in rows}


def list_metrics(database: Database, runs: Sequence[str]) -> list[str]:
    """Return the names of the metrics for which any of the runs has scores."""
    sql = "SELECT DISTINCT metric FROM score WHERE run IN (SELECT unnest(?::VARCHAR[])) ORDER BY metric"
    return [row[0] for row in database.rows(sql, [list(runs)])]


def list_facets(database: Database, runs: Sequence[Run]) -> list[tuple[str | None, str, str]]:
    """Return the distinct (level, domain, language) of the items in the runs' releases."""
    sql = f"""
        {MEMBER}
        SELECT DISTINCT r.level, r.domain, r.language
        FROM member m JOIN revision r ON r.item = m.item AND r.revision = m.revision
        """
    rows = database.rows(sql, [sorted({run.release_hash for run in runs})])
    return [(level, domain, language) for level, domain, language in rows]


def list_answers(database: Database, run: Run) -> list[AnsweredTrace]:
    """Return all traces of the run without texts, sorted by item and variant, each with the kind of its question."""
    rows = database.rows(
        f"""
        {MEMBER}
        SELECT t.item, nullif(t.variant, ''), r.level, r.domain, r.task, r.language, coalesce(v.kind, 'original'),
            t.answer IS NULL, coalesce(trim(t.answer) = '', false)
        FROM trace t
        JOIN member m ON m.item = t.item
        JOIN revision r ON r.item = m.item AND r.revision = m.revision
        LEFT JOIN variant v ON v.id = t.variant
        WHERE t.run = ?
        ORDER BY t.item, t.variant
        """,
        [[run.release_hash], run.id],
    )
    return [AnsweredTrace(*row) for row in rows]


def list_equal_answers(database: Database, run: str, other: str) -> set[tuple[str, str | None]]:
    """Return the questions, as (item, variant), to which both runs gave the same answer, apart from white space around it."""
    sql = """
        SELECT a.item, nullif(a.variant, '')
        FROM trace a JOIN trace b ON b.item = a.item AND b.variant = a.variant
        WHERE a.run = ? AND b.run = ? AND trim(a.answer) = trim(b.answer)
        """
    return {(item, variant) for item, variant in database.rows(sql, [run, other])}


def cut_spans(database: Database, spans: Sequence[Span], max_characters: int) -> dict[Span, tuple[str, str]]:
    """Return a dict from span to (title of its document, first characters of its text). Spans of unknown documents are left
    out."""
    rows = database.rows(
        """
        SELECT s.document, s.first, s.last, d.title, substr(d.text, s.first + 1, least(s.last - s.first, ?))
        FROM (SELECT unnest(?::VARCHAR[]) AS document, unnest(?::INTEGER[]) AS first, unnest(?::INTEGER[]) AS last) s
        JOIN document d ON d.id = s.document
        """,
        [max_characters, [s.document for s in spans], [s.start for s in spans], [s.end for s in spans]],
    )
    return {Span(row[0], row[1], row[2]): (row[3], row[4]) for row in rows}


def find_revision(database: Database, run: Run, item: str) -> int | None:
    """Return the item's revision in the release of the run, or None if the release does not have the item."""
    rows = database.rows(f"{MEMBER} SELECT revision FROM member WHERE item = ?", [[run.release_hash], item])
    return int(rows[0][0]) if rows else None


MEMBER = """
WITH member AS (
    SELECT e.id AS item, max(e.revision) AS revision
    FROM (
        SELECT unnest(from_json(json_extract(manifest, '$.items'), '[{"id":"VARCHAR","revision":"INTEGER"}]')) AS e
        FROM (SELECT any_value(manifest) AS manifest FROM release WHERE hash IN (SELECT unnest(?::VARCHAR[])) GROUP BY hash)
    )
    GROUP BY e.id
)"""
"""SQL table `member`: the items of releases, with their revisions. The query's first parameter is the hashes of these
releases."""


def _build_listing_query(runs: Sequence[Run], wanted: TraceFilter) -> tuple[str, list[Any]]:
    """Return (WITH clause, its parameters); the clause defines the table `found` of the questions that match the filter. The
    columns v0 and v1 are the scores of the first two runs."""
    if not runs:
        raise BenchError("A list of traces needs at least one run: choose a run.")
    ids = [run.id for run in runs]
    first_two = [ids[0], ids[1] if len(ids) > 1 else ids[0]]
    words = wanted.text.strip().lower()
    params: list[Any] = [
        sorted({run.release_hash for run in runs}),
        words,
        *first_two,
        ids,
        *first_two,
        wanted.metric,
        first_two,
    ]
    conditions = ["true", *_STATES[wanted.state]]
    for name, value in wanted.where.items():
        if name not in _WHERE:
            raise BenchError(f"Traces cannot be filtered by {name!r}: use one of {', '.join(_WHERE)}.")
        conditions.append(f"{name} IS NOT DISTINCT FROM ?::VARCHAR")
        params.append(value)
    if wanted.below is not None:
        conditions.append("v0 < ?")
        params.append(wanted.below)
    if words:
        conditions.append("(said OR contains(lower(question), ?))")
        params.append(words)
    return f"{MEMBER}{_NAMED_ANSWERS} SELECT * FROM named WHERE {' AND '.join(conditions)})", params


_NAMED_ANSWERS = """,
asked AS (
    SELECT item, variant, bool_or(contains(lower(coalesce(answer, '')), ?)) AS said, bool_or(answer IS NULL) AS failed,
        coalesce(bool_or(answer IS NOT NULL) FILTER (WHERE run = ?), false) AS answered0,
        coalesce(bool_or(answer IS NOT NULL) FILTER (WHERE run = ?), false) AS answered1
    FROM trace WHERE run IN (SELECT unnest(?::VARCHAR[]))
    GROUP BY item, variant
),
scored AS (
    SELECT item, variant, last(value ORDER BY version) FILTER (WHERE run = ?) AS value0,
        last(value ORDER BY version) FILTER (WHERE run = ?) AS value1
    FROM score WHERE metric = ? AND run IN (SELECT unnest(?::VARCHAR[]))
    GROUP BY item, variant
),
named AS (
    SELECT a.item, a.variant, a.said, a.failed, a.answered0, coalesce(v.text, r.question) AS question, r.level, r.domain,
        r.task, r.language, coalesce(v.kind, 'original') AS kind,
        CASE WHEN a.answered0 THEN s.value0 END AS v0, CASE WHEN a.answered1 THEN s.value1 END AS v1
    FROM asked a
    JOIN member m ON m.item = a.item
    JOIN revision r ON r.item = m.item AND r.revision = m.revision
    LEFT JOIN variant v ON v.id = a.variant
    LEFT JOIN scored s ON s.item = a.item AND s.variant = a.variant
),
found AS ("""
