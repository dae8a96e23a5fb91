"""Samples of variants that two people judge blind to each other, and what they said. A sample never changes once it is drawn;
of a person's judgements on a variant the last one is their word."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from store.engine.columns import fetch_from, from_json, insert_row, replace_surrogates, to_json
from store.engine.database import Cursor, Database

PEOPLE = 2
"""Who judge a sample."""
_SAMPLE = ("id", "number", "asked", "kinds", "seed", "variants", "strata", "reviewers", "made_by", "made_at")
_JUDGEMENT = ("id", "number", "sample", "variant", "person", "applied", "kept", "comment", "seconds", "made_at")


class SampleStratum(NamedTuple):
    """One kind of a sample."""

    kind: str
    there: int
    """How many could have been drawn."""
    drawn: int


class VariantSample(NamedTuple):
    """A sample as it was drawn."""

    id: str
    asked: int
    """How many were wanted."""
    kinds: tuple[str, ...]
    """The kinds it was drawn from; () = all there were."""
    seed: int
    variants: tuple[str, ...]
    """In the order they are judged."""
    strata: tuple[SampleStratum, ...]
    reviewers: tuple[str, ...]
    """The two named beforehand; () = the first two who judge one."""
    made_by: str
    made_at: str


class VariantJudgement(NamedTuple):
    """One person's word on one variant."""

    id: str
    """The key of the press."""
    sample: str
    variant: str
    person: str
    applied: bool | None
    """Whether the perturbation was applied; None in a row that takes the person's word back."""
    kept: bool | None
    """Whether the meaning was kept; None as above."""
    comment: str = ""
    seconds: float | None = None
    """Active seconds; None when nobody measured them."""
    at: str = ""

    @property
    def is_pass(self) -> bool:
        return bool(self.applied and self.kept)


def list_pool(database: Database, kinds: Sequence[str]) -> list[tuple[str, str]]:
    """(variant, kind) of all that could be drawn, in the order they came: not discarded, of words that are still asked."""
    if not database.has_any("variant"):
        return []
    rows = database.rows(
        """
        SELECT v.id, v.kind
        FROM variant v JOIN state s ON s.item = v.item
        WHERE v.status IN ('drafted', 'accepted') AND v.revision = s.revision AND s.status IN ('drafted', 'accepted')
            AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], v.kind))
        ORDER BY v.number
        """,
        [list(kinds), list(kinds)],
    )
    return [(id_, kind) for id_, kind in rows]


def add(database: Database, sample: VariantSample) -> None:
    """Store a sample."""

    def write(cursor: Cursor) -> None:
        [(number,)] = cursor.execute("SELECT coalesce(max(number), 0) + 1 FROM variant_sample").fetchall()
        insert_row(
            cursor,
            "variant_sample",
            _SAMPLE,
            [
                sample.id,
                number,
                sample.asked,
                to_json(list(sample.kinds)),
                sample.seed,
                to_json(list(sample.variants)),
                to_json([list(one) for one in sample.strata]),
                to_json(list(sample.reviewers)),
                sample.made_by,
                sample.made_at,
            ],
        )

    database.write(write)


def list_samples(database: Database) -> list[VariantSample]:
    """All samples, the newest first."""
    rows = database.rows(f"SELECT {', '.join(_SAMPLE)} FROM variant_sample ORDER BY number DESC")
    return [_sample(row) for row in rows]


def get(database: Database, sample: str) -> VariantSample:
    """Raises BenchError when there is none."""
    rows = database.rows(f"SELECT {', '.join(_SAMPLE)} FROM variant_sample WHERE id = ?", [sample])
    if not rows:
        raise BenchError(f"No sample {sample} in this workspace: choose one on the page Variant quality.")
    return _sample(rows[0])


def judge(database: Database, judgement: VariantJudgement, wanted: VariantSample) -> bool:
    """Store a word on a variant of the sample; whether it had come before. Raises BenchError for a third person."""

    def write(cursor: Cursor) -> bool | BenchError:
        fetch = fetch_from(cursor)
        stored = fetch("SELECT sample, variant, person FROM variant_judgement WHERE id = ?", [judgement.id])
        if stored:
            same = (judgement.sample, judgement.variant, replace_surrogates(judgement.person))
            return True if stored[0] == same else BenchError("This press has the key of another one: load the page again.")
        made = {row[0] for row in fetch("SELECT DISTINCT person FROM variant_judgement WHERE sample = ?", [wanted.id])}
        if not is_for(wanted, replace_surrogates(judgement.person), made):
            return BenchError(f"This sample is judged by {' and '.join(wanted.reviewers or sorted(made))}: nothing was stored.")
        [(number,)] = fetch("SELECT coalesce(max(number), 0) + 1 FROM variant_judgement", [])
        insert_row(cursor, "variant_judgement", _JUDGEMENT, [judgement.id, number, *judgement[1:]])
        return False

    outcome = database.write(write)
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def is_for(sample: VariantSample, person: str, judged: set[str]) -> bool:
    """Whether that person is one of the two who judge it, `judged` being who did so far."""
    if sample.reviewers:
        return person in sample.reviewers
    return bool(person) and (person in judged or len(judged) < PEOPLE)


def load_judgements(database: Database, sample: str) -> list[VariantJudgement]:
    """Everybody's words that stand, in the order they were given."""
    found: dict[tuple[str, str], VariantJudgement] = {}
    columns = ", ".join(name for name in _JUDGEMENT if name != "number")
    rows: list[tuple[Any, ...]] = database.rows(
        f"SELECT {columns} FROM variant_judgement WHERE sample = ? ORDER BY number", [sample]
    )
    for one in (VariantJudgement(*row) for row in rows):
        found.pop((one.variant, one.person), None)
        if one.applied is not None:
            found[one.variant, one.person] = one
    return list(found.values())


def list_people(database: Database, sample: str) -> set[str]:
    """Who ever judged a variant of it, their word taken back since or not."""
    return {row[0] for row in database.rows("SELECT DISTINCT person FROM variant_judgement WHERE sample = ?", [sample])}


def _sample(row: tuple[Any, ...]) -> VariantSample:
    id_, _, asked, kinds, seed, variants, strata, reviewers, made_by, made_at = row
    return VariantSample(
        id_,
        asked,
        tuple(from_json(kinds)),
        seed,
        tuple(from_json(variants)),
        tuple(SampleStratum(*one) for one in from_json(strata)),
        tuple(from_json(reviewers)),
        made_by,
        made_at,
    )
