"""Quality of variants: a sample, spread evenly over the kinds, that two people judge without seeing each other's word. What it
comes to is told per person and kind, with what the two agree on beyond chance; it decides about no variant."""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from core.ids import new_id
from core.person_name import is_same_person
from core.statistics.agreement import Agreement, cohen
from core.statistics.statistics import Interval, wilson
from store.engine.columns import current_time
from store.engine.database import Database
from store.variants import variant_samples, variants
from store.variants.variant_samples import PEOPLE_PER_SAMPLE, SampleStratum, VariantJudgement, VariantSample
from workbench.annotate.wordings import variant_sheet
from workbench.roles import check_person_name, requires

SIZE, MOST = 100, 5_000
"""Variants of a sample, unless told otherwise and at most."""
ALL = "all"
"""The row over every kind."""
LONGEST_COMMENT = 5_000


@dataclass(frozen=True, slots=True)
class QualityAnswer:
    """One press: a person's answers to the two questions on one variant of a sample."""

    key: str
    person: str
    sample: str
    variant: str
    applied: bool | None
    """None in both takes the person's word on the variant back."""
    kept: bool | None
    comment: str = ""
    seconds: float | None = None


class QualityStage:
    """Verbs on samples of variants."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db = database
        self._clock = clock

    @requires("see who did what")
    def pool(self) -> dict[str, int]:
        """Kind -> how many variants a sample can be drawn from."""
        found: dict[str, int] = defaultdict(int)
        for _, kind in variant_samples.list_pool(self._db, ()):
            found[kind] += 1
        return dict(sorted(found.items()))

    @requires("set the rules of the work", lambda given: f"a sample of {given.get('size', SIZE)} variants")
    def draw(
        self, *, by: str, size: int = SIZE, kinds: Sequence[str] = (), seed: int = 0, reviewers: Sequence[str] = ()
    ) -> VariantSample:
        """Draw a sample: as many of each kind as there are, as far as that goes; the same variants, kinds, size and seed give
        the same sample. Raises BenchError when there is nothing to draw, or the reviewers are not two."""
        if not 1 <= size <= MOST:
            raise BenchError(f"A sample holds 1 to {MOST:,} variants, not {size:,}: choose a number between.")
        people = list(dict.fromkeys(check_person_name(one) for one in reviewers))
        if len(people) not in (0, PEOPLE_PER_SAMPLE):
            raise BenchError("A sample is judged by two different people: name both, or nobody and the first two are taken.")
        pool = variant_samples.list_pool(self._db, list(kinds))
        if not pool:
            raise BenchError("There is no variant to draw: make some on the page Vary first, or choose other kinds.")
        chosen = stratified(pool, size, seed)
        of = dict(pool)
        strata = tuple(
            SampleStratum(kind, sum(k == kind for k in of.values()), sum(of[v] == kind for v in chosen))
            for kind in sorted(set(of.values()))
        )
        sample = VariantSample(new_id(), size, tuple(kinds), seed, tuple(chosen), strata, tuple(people), by, self._clock())
        variant_samples.add(self._db, sample)
        return sample

    @requires("see who did what")
    def samples(self) -> list[dict[str, Any]]:
        """Every sample, the newest first, with how far each person is."""
        return [self._told(sample) for sample in variant_samples.list_samples(self._db)]

    def waiting(self, person: str) -> list[dict[str, Any]]:
        """The samples that have variants left for this person: {"id", "left", "of"}."""
        found = []
        for sample in variant_samples.list_samples(self._db) if person.strip() else ():
            left = len(self._left(sample, person))
            if left:
                found.append({"id": sample.id, "left": left, "of": len(sample.variants)})
        return found

    def find_next(self, sample: str, person: str, after: str | None = None) -> str | None:
        """The variant of the sample that this person judges next, behind that one or round again; None when none is left."""
        chosen = variant_samples.get(self._db, sample)
        left = self._left(chosen, person)
        if after in chosen.variants:
            at = chosen.variants.index(after)
            turned = [*chosen.variants[at + 1 :], *chosen.variants[:at]]
            return next((one for one in turned if one in left), None)
        return next((one for one in chosen.variants if one in left), None)

    def find_previous(self, sample: str, person: str, variant: str | None) -> str | None:
        """The variant of the sample that this person judged before that one, or last; None when there is none."""
        way = [one.variant for one in reversed(variant_samples.load_judgements(self._db, sample)) if one.person == person]
        rest = way[way.index(variant) + 1 :] if variant in way else way
        return rest[0] if rest else None

    def sheet(self, sample: str, variant: str, person: str) -> dict[str, Any]:
        """What is on the screen: nothing of what anybody decided on the variant or said of it, but for this person's own word.
        Raises BenchError when it is not of the sample, or not this person's to judge."""
        chosen = variant_samples.get(self._db, sample)
        self._check(chosen, variant, person)
        data = variant_sheet.sheet(self._db, variant, person)
        made = [one for one in variant_samples.load_judgements(self._db, sample) if one.person == person]
        mine = next((one for one in made if one.variant == variant), None)
        said = {"applied": mine and mine.applied, "kept": mine and mine.kept, "comment": mine.comment if mine else ""}
        return data | {
            "status": "drafted",
            "edited_by": "",
            "generator": "",
            "making": [],
            "scratch": None,
            "held": None,
            "blocked": "",
            "decided": None,
            "said": said,
            "sample": sample,
            "has_undo": bool(made),
        }

    @requires("decide on items", lambda given: given["word"].variant)
    def judge(self, word: QualityAnswer) -> bool:
        """Store a person's word; whether it had come before. Raises BenchError when it is not theirs to judge."""
        if not word.person.strip() or not word.key.strip():
            raise BenchError("A judgement needs a name and a key of its own: give your name first.")
        if (word.applied is None) != (word.kept is None):
            raise BenchError("Answer both questions before it is stored.")
        if len(word.comment) > LONGEST_COMMENT or "\0" in word.comment:
            raise BenchError(f"A comment has at most {LONGEST_COMMENT:,} characters, and no NUL: shorten it.")
        if word.seconds is not None and not (math.isfinite(word.seconds) and word.seconds >= 0):
            raise BenchError("The active seconds are no number from 0: load the page again.")
        chosen = variant_samples.get(self._db, word.sample)
        self._check(chosen, word.variant, word.person)
        made = VariantJudgement(
            word.key,
            word.sample,
            word.variant,
            word.person,
            word.applied,
            word.kept,
            word.comment.strip(),
            word.seconds,
            self._clock(),
        )
        return variant_samples.judge(self._db, made, chosen)

    @requires("decide on items", "sample")
    def undo(self, sample: str, person: str, key: str) -> str:
        """Take this person's last word of the sample back; returns its variant. Raises BenchError when there is none."""
        last = self.find_previous(sample, person, None)
        if last is None:
            raise BenchError(f"{person or 'Nobody'} has judged nothing of this sample yet.")
        self.judge(QualityAnswer(key, person, sample, last, None, None))
        return last

    @requires("see who did what", "sample")
    def report(self, sample: str, person: str = "") -> dict[str, Any]:
        """{"sample", "rates": a row a person and kind, "kappa": of what, with its interval or why it has none, "conflicts"}.
        Raises BenchError while the person who asks judges it still: their word is to be their own."""
        chosen = variant_samples.get(self._db, sample)
        made = variant_samples.load_judgements(self._db, sample)
        if person in {*chosen.reviewers, *(one.person for one in made)} and self._left(chosen, person):
            raise BenchError("You judge this sample yourself: what it came to is shown once you are through.")
        of = {v.id: v for v in variants.load_variants(self._db, chosen.variants)}
        people = self._people(chosen, made)
        kinds = [one.kind for one in chosen.strata if one.drawn]
        rates = [
            _rate(who, kind, [j for j in made if j.person == who and kind in (ALL, of[j.variant].kind)])
            for who in people
            for kind in [*kinds, ALL]
        ]
        both: dict[str, dict[str, VariantJudgement]] = defaultdict(dict)
        for one in made:
            both[one.variant][one.person] = one
        return {
            "sample": self._told(chosen),
            "rates": rates,
            "kappa": {what: _kappa(both, people, what) for what in ("passed", "applied", "kept")},
            "conflicts": [
                {
                    "variant": v,
                    "kind": of[v].kind,
                    "text": of[v].text,
                    "item": of[v].item,
                    "revision": of[v].revision,
                    "original": variant_sheet.original(self._db, of[v]).question,
                    "said": [
                        {"person": who, "applied": one.applied, "kept": one.kept, "comment": one.comment}
                        for who, one in sorted(both[v].items())
                    ],
                }
                for v in chosen.variants
                if len({(one.applied, one.kept) for one in both[v].values()}) > 1
            ],
        }

    def _check(self, chosen: VariantSample, variant: str, person: str) -> None:
        if variant not in chosen.variants:
            raise BenchError("This variant is not of the sample: go on with the next of it.")
        if not variant_samples.is_for(chosen, person, variant_samples.list_people(self._db, chosen.id)):
            raise BenchError("Two others judge this sample: it is not yours to judge.")
        found = variant_sheet.get(self._db, variant)
        if found.kind == "human" and is_same_person(found.generator, person):
            raise BenchError("This rewrite is your own: somebody else judges it.")

    def _left(self, sample: VariantSample, person: str) -> list[str]:
        """What this person has yet to judge, in the sample's order; one's own rewrites are none."""
        if not variant_samples.is_for(sample, person, variant_samples.list_people(self._db, sample.id)):
            return []
        done = {one.variant for one in variant_samples.load_judgements(self._db, sample.id) if one.person == person}
        own = {
            v.id
            for v in variants.load_variants(self._db, sample.variants)
            if v.kind == "human" and is_same_person(v.generator, person)
        }
        return [one for one in sample.variants if one not in done and one not in own]

    def _told(self, sample: VariantSample) -> dict[str, Any]:
        made = variant_samples.load_judgements(self._db, sample.id)
        return {
            "id": sample.id,
            "asked": sample.asked,
            "drawn": len(sample.variants),
            "seed": sample.seed,
            "kinds": list(sample.kinds),
            "strata": [one._asdict() for one in sample.strata],
            "by": sample.made_by,
            "at": sample.made_at,
            "reviewers": list(sample.reviewers),
            "done": {who: sum(one.person == who for one in made) for who in self._people(sample, made)},
        }

    def _people(self, sample: VariantSample, made: Sequence[VariantJudgement]) -> list[str]:
        return list(sample.reviewers) or list(dict.fromkeys(one.person for one in made))


def stratified(pool: Sequence[tuple[str, str]], size: int, seed: int) -> list[str]:
    """`size` of the (variant, kind) pairs, as many of each kind as there are, in an order in which kinds are mixed; the same
    for the same seed."""
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


def _rate(person: str, kind: str, made: Sequence[VariantJudgement]) -> dict[str, Any]:
    """How many passed, and how many answers to each question were yes."""
    share: Interval = wilson(sum(one.is_pass for one in made), len(made))
    return {
        "person": person,
        "kind": kind,
        "n": len(made),
        "passed": sum(one.is_pass for one in made),
        "rate": share.mean,
        "low": share.low,
        "high": share.high,
        "applied": sum(bool(one.applied) for one in made),
        "kept": sum(bool(one.kept) for one in made),
        "seconds": sum(one.seconds or 0.0 for one in made),
    }


def _kappa(both: dict[str, dict[str, VariantJudgement]], people: Sequence[str], what: str) -> dict[str, Any]:
    """Cohen's kappa of the two on passing, or on one of the questions."""
    if len(people) < PEOPLE_PER_SAMPLE:
        missing = "nobody has judged it yet" if not people else f"only {people[0]} has judged it"
        return Agreement(None, None, None, 0, len(people), f"undefined, because {missing}")._asdict()
    ratings = {
        variant: {who: one.is_pass if what == "passed" else bool(getattr(one, what)) for who, one in row.items()}
        for variant, row in both.items()
    }
    return cohen(ratings, people[0], people[1])._asdict()
