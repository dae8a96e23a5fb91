"""Measure the quality of variants on a sample with equally many variants of each kind, which two people judge without seeing
each other's judgements. The report gives the results of each person and kind, and how far the two people agree beyond chance.
The judgements neither accept nor discard the variants."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import BenchError
from core.ids import new_id
from core.nouns import Variant
from core.person_name import is_same_person
from core.statistics.agreement import Agreement, cohen
from core.statistics.statistics import Interval, wilson
from store.engine.columns import current_time
from store.engine.database import Database
from store.reviews.rewrites import HUMAN
from store.variants import variant_samples, variants
from store.variants.variant_samples import PEOPLE_PER_SAMPLE, SampleStratum, VariantJudgement, VariantSample
from workbench.annotate.desk.decisions import check_seconds
from workbench.annotate.wordings.variant_sheet import VariantAnswers, VariantSheet, get_variant, load_original, load_sheet
from workbench.roles import check_person_name, requires

DEFAULT_SAMPLE_SIZE, MAX_SAMPLE_SIZE = 100, 5_000
ALL_KINDS = "all"
"""Value that takes the place of the kind of variant in the row for all kinds together."""
MAX_COMMENT_CHARACTERS = 5_000


@dataclass(frozen=True, slots=True)
class QualityAnswer:
    """A person's judgement of one variant: whether it has the intended change, and whether its meaning is still that of the
    question."""

    key: str
    person: str
    sample: str
    variant: str
    applied: bool | None
    """Whether the variant has the intended change. If both answers are None, the person's judgement is withdrawn."""
    kept: bool | None
    comment: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SampleCard:
    """A sample of variants with the progress of each person who judges it."""

    sample: VariantSample
    done: Mapping[str, int]
    """Dict from person to the number of variants that the person has judged."""


@dataclass(frozen=True, slots=True)
class WaitingSample:
    """A sample in which variants are left for a person to judge."""

    id: str
    left: int
    of: int


@dataclass(frozen=True, slots=True)
class PassRate:
    """The judgements of one person on the variants of one kind, as numbers."""

    person: str
    kind: str
    """Kind of the variants; ALL_KINDS in the row for all kinds together."""
    n: int
    passed: int
    """Number of variants for which the person answered yes to both questions."""
    share: Interval
    """Share of the judged variants for which both answers were yes, with its interval."""
    applied: int
    kept: int


@dataclass(frozen=True, slots=True)
class JudgementConflict:
    """A variant of a sample on which the two people disagree."""

    variant: Variant
    original: str
    judgements: Sequence[VariantJudgement]


@dataclass(frozen=True, slots=True)
class SampleReport:
    """The judgements on a sample of variants, counted and compared."""

    card: SampleCard
    rates: Sequence[PassRate]
    kappa: Mapping[str, Agreement]
    """Dict from "passed", "applied" and "kept" to Cohen's kappa between the two people's judgements."""
    conflicts: Sequence[JudgementConflict]


class QualityStage:
    """Methods that draw samples of variants, store people's judgements and report the results."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db, self._clock = database, clock

    @requires("see who did what")
    def count_pool(self) -> dict[str, int]:
        """Return a dict from kind to the number of variants from which a sample can be drawn."""
        return dict(sorted(Counter(kind for _, kind in variant_samples.list_pool(self._db, ())).items()))

    @requires(
        "set the rules of the work", lambda arguments: f"a sample of {arguments.get('size', DEFAULT_SAMPLE_SIZE)} variants"
    )
    def draw(
        self,
        *,
        by: str,
        size: int = DEFAULT_SAMPLE_SIZE,
        kinds: Sequence[str] = (),
        seed: int = 0,
        reviewers: Sequence[str] = (),
    ) -> VariantSample:
        """Draw a sample of `size` variants, with equally many of each kind if possible. The same variants, kinds, size and seed
        give the same sample.

        Raises BenchError if there is nothing to draw, or if the number of named people is neither 0 nor 2."""
        if not 1 <= size <= MAX_SAMPLE_SIZE:
            raise BenchError(f"A sample has 1 to {MAX_SAMPLE_SIZE:,} variants, not {size:,}: choose a number in between.")
        people = list(dict.fromkeys(check_person_name(reviewer) for reviewer in reviewers))
        if len(people) not in (0, PEOPLE_PER_SAMPLE):
            raise BenchError(
                "A sample is judged by two different people: name both, or leave both empty to let the first two people "
                "judge it."
            )
        pool = variant_samples.list_pool(self._db, list(kinds))
        if not pool:
            raise BenchError("There is no variant for the sample: create some on the page Vary first, or choose other kinds.")
        chosen, kind_of = draw_stratified(pool, size, seed), dict(pool)
        available, drawn = Counter(kind_of.values()), Counter(kind_of[variant] for variant in chosen)
        strata = tuple(SampleStratum(kind, available[kind], drawn[kind]) for kind in sorted(available))
        sample = VariantSample(new_id(), size, tuple(kinds), seed, tuple(chosen), strata, tuple(people), by, self._clock())
        variant_samples.add(self._db, sample)
        return sample

    @requires("see who did what")
    def list_samples(self) -> list[SampleCard]:
        """List all quality samples of variants, newest first."""
        return [self._load_card(sample) for sample in variant_samples.list_samples(self._db)]

    def list_waiting(self, person: str) -> list[WaitingSample]:
        """List the samples with variants that this person must still judge."""
        every = variant_samples.list_samples(self._db) if person.strip() else ()
        waiting = [WaitingSample(one.id, len(self._list_left(one, person)), len(one.variants)) for one in every]
        return [sample for sample in waiting if sample.left]

    def find_next(self, sample: str, person: str, after: str | None = None) -> str | None:
        """Return the next variant of the sample after `after` that this person has not judged, or None if none is left. The
        search continues at the beginning when it reaches the end."""
        drawn = variant_samples.get(self._db, sample)
        left, order = self._list_left(drawn, person), drawn.variants
        if after in order:
            place = order.index(after)
            order = (*order[place + 1 :], *order[:place])
        return next((variant for variant in order if variant in left), None)

    def find_previous(self, sample: str, person: str, variant: str | None) -> str | None:
        """Return the variant that this person judged before `variant` in the sample, or None if there is none. If `variant` is
        None or not judged, return the variant that the person judged last."""
        way = [one.variant for one in reversed(variant_samples.load_judgements(self._db, sample)) if one.person == person]
        rest = way[way.index(variant) + 1 :] if variant in way else way
        return rest[0] if rest else None

    def sheet(self, sample: str, variant: str, person: str) -> VariantSheet:
        """Load what the page shows for a variant of the sample. The data contain only this person's own judgement, and no
        decisions or comments by others.

        Raises BenchError if the variant is not in the sample, or if this person may not judge it."""
        self._check(variant_samples.get(self._db, sample), variant, person)
        own = [one for one in variant_samples.load_judgements(self._db, sample) if one.person == person]
        match = next((one for one in own if one.variant == variant), None)
        answers = VariantAnswers(match.applied, match.kept, match.comment) if match else VariantAnswers()
        sheet = load_sheet(self._db, variant, person)
        hidden = replace(sheet, status="drafted", edited_by="", generator="", making=(), scratch=None)
        return replace(hidden, said=answers, sample=sample, has_undo=bool(own))

    @requires("decide on items", lambda arguments: arguments["answer"].variant)
    def judge(self, answer: QualityAnswer) -> bool:
        """Store a person's judgement of a variant; return whether it was stored before. Raises BenchError if the person may not
        judge the variant."""
        if not answer.person.strip() or not answer.key.strip():
            raise BenchError(
                "A judgement without a name or a request key is not stored: enter your name, or load the page again."
            )
        if (answer.applied is None) != (answer.kept is None):
            raise BenchError("Answer both questions on the variant: nothing was stored.")
        if len(answer.comment) > MAX_COMMENT_CHARACTERS or "\0" in answer.comment:
            raise BenchError(f"A comment has at most {MAX_COMMENT_CHARACTERS:,} characters, and no NUL: shorten it.")
        check_seconds(answer.seconds)
        sample = variant_samples.get(self._db, answer.sample)
        self._check(sample, answer.variant, answer.person)
        judgement = VariantJudgement(
            answer.key,
            answer.sample,
            answer.variant,
            answer.person,
            answer.applied,
            answer.kept,
            answer.comment.strip(),
            answer.seconds,
            self._clock(),
        )
        return variant_samples.judge(self._db, judgement, sample)

    @requires("decide on items", "sample")
    def undo(self, sample: str, person: str, key: str) -> str:
        """Withdraw this person's last judgement in the sample; return the id of the variant. Raises BenchError if the person
        has judged no variant."""
        last = self.find_previous(sample, person, None)
        if last is None:
            raise BenchError(
                f"{person or 'A person without a name'} has judged no variant of this sample yet: there is nothing to undo."
            )
        self.judge(QualityAnswer(key, person, sample, last, None, None))
        return last

    @requires("see who did what", "sample")
    def report(self, sample: str, person: str = "") -> SampleReport:
        """Return the results of the sample. Raises BenchError if `person` is still judging the sample."""
        drawn = variant_samples.get(self._db, sample)
        every = variant_samples.load_judgements(self._db, sample)
        people = _list_reviewers(drawn, every)
        if person in {*drawn.reviewers, *(one.person for one in every)} and self._list_left(drawn, person):
            raise BenchError("You judge this sample yourself: its result is shown after you finish.")
        by_id = {variant.id: variant for variant in variants.load_variants(self._db, drawn.variants)}
        both: dict[str, dict[str, VariantJudgement]] = defaultdict(dict)
        for one in every:
            both[one.variant][one.person] = one
        kinds = [*(stratum.kind for stratum in drawn.strata if stratum.drawn), ALL_KINDS]
        return SampleReport(
            self._load_card(drawn),
            [
                _rate(name, kind, [one for one in every if one.person == name and kind in (ALL_KINDS, by_id[one.variant].kind)])
                for name in people
                for kind in kinds
            ],
            {question: _measure_kappa(both, people, question) for question in ("passed", "applied", "kept")},
            [
                JudgementConflict(
                    by_id[id_], load_original(self._db, by_id[id_]).question, [rows[name] for name in sorted(rows)]
                )
                for id_, rows in ((id_, both[id_]) for id_ in drawn.variants)
                if len({(one.applied, one.kept) for one in rows.values()}) > 1
            ],
        )

    def _check(self, sample: VariantSample, variant: str, person: str) -> None:
        if variant not in sample.variants:
            raise BenchError("This variant is not in the sample: go on with the next variant.")
        if not variant_samples.is_for(sample, person, variant_samples.list_people(self._db, sample.id)):
            raise BenchError("Two other people judge this sample: choose another sample.")
        if _is_own(get_variant(self._db, variant), person):
            raise BenchError("This rewrite is your own: somebody else judges it.")

    def _list_left(self, sample: VariantSample, person: str) -> list[str]:
        """List the variants of the sample that this person must still judge, in order; the person's own rewrites are left
        out."""
        if not variant_samples.is_for(sample, person, variant_samples.list_people(self._db, sample.id)):
            return []
        done = {one.variant for one in variant_samples.load_judgements(self._db, sample.id) if one.person == person}
        done |= {variant.id for variant in variants.load_variants(self._db, sample.variants) if _is_own(variant, person)}
        return [variant for variant in sample.variants if variant not in done]

    def _load_card(self, sample: VariantSample) -> SampleCard:
        every = variant_samples.load_judgements(self._db, sample.id)
        counts = Counter(one.person for one in every)
        return SampleCard(sample, {name: counts[name] for name in _list_reviewers(sample, every)})


def _list_reviewers(sample: VariantSample, every: Sequence[VariantJudgement]) -> list[str]:
    return list(sample.reviewers) or list(dict.fromkeys(one.person for one in every))


def _is_own(variant: Variant, person: str) -> bool:
    return variant.kind == HUMAN and is_same_person(variant.generator, person)


def draw_stratified(pool: Sequence[tuple[str, str]], size: int, seed: int) -> list[str]:
    """Draw `size` variants from (variant id, kind) pairs, equally many of each kind if possible, in random order."""
    chance = random.Random(seed)
    strata: dict[str, list[str]] = defaultdict(list)
    for variant, kind in pool:
        strata[kind].append(variant)
    queues = [strata[kind] for kind in sorted(strata)]
    for queue in queues:
        chance.shuffle(queue)
    chance.shuffle(queues)
    turns = [queue[turn] for turn in range(max(map(len, queues), default=0)) for queue in queues if turn < len(queue)]
    chosen = turns[:size]
    chance.shuffle(chosen)
    return chosen


def _rate(person: str, kind: str, judged: Sequence[VariantJudgement]) -> PassRate:
    passed = sum(one.is_pass for one in judged)
    applied, kept = sum(bool(one.applied) for one in judged), sum(bool(one.kept) for one in judged)
    return PassRate(person, kind, len(judged), passed, wilson(passed, len(judged)), applied, kept)


def _measure_kappa(both: Mapping[str, Mapping[str, VariantJudgement]], people: Sequence[str], question: str) -> Agreement:
    """Return Cohen's kappa between the two people's judgements. `question` is "passed", "applied" or "kept"."""
    if len(people) < PEOPLE_PER_SAMPLE:
        missing = "nobody has judged it yet" if not people else f"only {people[0]} has judged it"
        return Agreement(None, None, None, 0, len(people), f"undefined, because {missing}")
    ratings = {
        variant: {name: one.is_pass if question == "passed" else bool(getattr(one, question)) for name, one in row.items()}
        for variant, row in both.items()
    }
    return cohen(ratings, people[0], people[1])
