"""Store random samples of variants, and the judgements of two people on each sample. The two people do not see each other's
judgements. A sample never changes. If a person judges a variant several times, the last judgement counts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from store.engine.columns import Timestamp, decode_json, fetch_from, insert_row, replace_surrogates
from store.engine.database import Cursor, Database

PEOPLE_PER_SAMPLE = 2
_SAMPLE = "id, asked, kinds, seed, variants, strata, reviewers, made_by, made_at"
_JUDGEMENT = "id, sample, variant, person, applied, kept, comment, seconds, made_at"


class SampleStratum(NamedTuple):
    """For one kind of variants, how many could be drawn and how many were drawn for a sample."""

    kind: str
    there: int
    """Number of variants of the kind that could be drawn."""
    drawn: int


class VariantSample(NamedTuple):
    """A random sample of variants whose quality two people judge."""

    id: str
    asked: int
    """Number of variants that a person requested for the sample."""
    kinds: tuple[str, ...]
    """Kinds of variants from which the sample was drawn; empty if from all kinds."""
    seed: int
    variants: tuple[str, ...]
    """Ids of the drawn variants, in the order in which people are to judge them."""
    strata: tuple[SampleStratum, ...]
    reviewers: tuple[str, ...]
    """Names of the two people who judge the sample; empty if these are the first two people who judge a variant."""
    made_by: str
    made_at: Timestamp


class VariantJudgement(NamedTuple):
    """One person's judgement on one variant of a sample: whether the variant shows the intended change, and whether it has the
    meaning of the question."""

    id: str
    """Key that the click on the judgement sends, so that one click is stored only once."""
    sample: str
    variant: str
    person: str
    applied: bool | None
    """Whether the variant really shows the change that its kind names; None if the row withdraws a judgement."""
    kept: bool | None
    """Whether the variant means the same as the question; None if the row withdraws a judgement."""
    comment: str = ""
    seconds: float | None = None
    """Active seconds that the judgement took, or None if not measured."""
    at: Timestamp = ""

    @property
    def is_pass(self) -> bool:
        return bool(self.applied and self.kept)


def list_pool(database: Database, kinds: Sequence[str]) -> list[tuple[str, str]]:
    """Return (variant, kind) for all variants that a sample can draw, in the order in which they were added. Variants that are
    discarded, or that belong to an earlier text of the question, cannot be drawn."""
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
    """Store a sample of variants."""
    database.write(lambda cursor: insert_row(cursor, "variant_sample", _SAMPLE, sample, is_numbered=True))


def list_samples(database: Database) -> list[VariantSample]:
    """Return all samples of variants, newest first."""
    rows = database.rows(f"SELECT {_SAMPLE} FROM variant_sample ORDER BY number DESC")
    return [_sample_from_row(row) for row in rows]


def get(database: Database, sample: str) -> VariantSample:
    """Return the sample of variants with the given id. Raises BenchError if no sample has the id."""
    rows = database.rows(f"SELECT {_SAMPLE} FROM variant_sample WHERE id = ?", [sample])
    if not rows:
        raise BenchError(f"No sample {sample} in this workspace: choose one on the page Variant quality.")
    return _sample_from_row(rows[0])


def judge(database: Database, judgement: VariantJudgement, wanted: VariantSample) -> bool:
    """Store a judgement on a variant of the sample; return whether this judgement was already stored. Raises BenchError if two
    other people already judge the sample."""

    def write(cursor: Cursor) -> bool | BenchError:
        fetch = fetch_from(cursor)
        stored = fetch("SELECT sample, variant, person FROM variant_judgement WHERE id = ?", [judgement.id])
        if stored:
            same = (judgement.sample, judgement.variant, replace_surrogates(judgement.person))
            return (
                True
                if stored[0] == same
                else BenchError("This judgement has the same key as another judgement: load the page again.")
            )
        judges = {row[0] for row in fetch("SELECT DISTINCT person FROM variant_judgement WHERE sample = ?", [wanted.id])}
        if not is_for(wanted, replace_surrogates(judgement.person), judges):
            return BenchError(f"Only {' and '.join(wanted.reviewers or sorted(judges))} judge this sample: nothing was stored.")
        insert_row(cursor, "variant_judgement", _JUDGEMENT, judgement, is_numbered=True)
        return False

    return database.write_or_raise(write)


def is_for(sample: VariantSample, person: str, judged: set[str]) -> bool:
    """Check whether the person is one of the two people who judge the sample, or can still become one. `judged` has the names
    of the people who have judged variants of the sample so far."""
    if sample.reviewers:
        return person in sample.reviewers
    return bool(person) and (person in judged or len(judged) < PEOPLE_PER_SAMPLE)


def load_judgements(database: Database, sample: str) -> list[VariantJudgement]:
    """Return each person's last judgement on each variant of the sample, in the order in which they were stored; withdrawn
    judgements are left out."""
    judgements: dict[tuple[str, str], VariantJudgement] = {}
    for row in database.rows(f"SELECT {_JUDGEMENT} FROM variant_judgement WHERE sample = ? ORDER BY number", [sample]):
        judgement = VariantJudgement(*row)
        judgements.pop((judgement.variant, judgement.person), None)
        if judgement.applied is not None:
            judgements[judgement.variant, judgement.person] = judgement
    return list(judgements.values())


def list_people(database: Database, sample: str) -> set[str]:
    """Return all people who ever judged a variant of the sample, including people whose judgements were withdrawn."""
    return {row[0] for row in database.rows("SELECT DISTINCT person FROM variant_judgement WHERE sample = ?", [sample])}


def _sample_from_row(row: tuple[Any, ...]) -> VariantSample:
    id_, asked, kinds, seed, variants, strata, reviewers, *rest = decode_json(row, 2, 4, 5, 6)
    strata = tuple(SampleStratum(*stratum) for stratum in strata)
    return VariantSample(id_, asked, tuple(kinds), seed, tuple(variants), strata, tuple(reviewers), *rest)
