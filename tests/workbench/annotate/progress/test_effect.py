"""The effect of drafts on people: simulated people who copy the draft, ignore it or are slow by chance, and cases without an
answer."""

import math

import numpy as np
import pytest

from core.statistics.statistics import Interval
from store.queue.assistance import DRAFT, NONE, REVEAL, Assistance, AssistanceRule, AssistedDecision
from workbench.annotate.progress.effect import DraftEffect, EffectReport, measure_effects

RULE = AssistanceRule(0.25, 3, 0.25)
DRAFTED = "the bridge of Orvel"


def decide(
    person: str, item: str, answer: str, arm: Assistance | None = None, rule: AssistanceRule = RULE, **fields: object
) -> AssistedDecision:
    arm = arm or rule.draw(item)
    is_same = answer == DRAFTED
    start = AssistedDecision(person, item, "offline", "1", "en", arm, rule, True, is_same, 10.0, DRAFTED, answer)
    return start._replace(**fields)


def measure(decisions: list[AssistedDecision]) -> DraftEffect:
    return measure_effects(decisions, resamples=500).effects[0]


def find(effect: DraftEffect, measure_: str, arm: Assistance, *, is_effect: bool = False) -> Interval:
    [row] = [row for row in effect.rows if row.measure == measure_]
    return (row.effects if is_effect else row.arms)[arm]


def simulate(copies: bool, people: int = 6, each: int = 60) -> list[AssistedDecision]:
    """People whose answers share half of the draft's words by themselves, and who copy the draft when they see it, or not."""
    generator = np.random.default_rng(7)
    decisions = []
    for person in range(people):
        for number in range(each):
            item = f"{person}-{number}"
            own = DRAFTED if generator.random() < 0.2 else f"bridge {generator.integers(99)}"
            decisions.append(decide(f"p{person}", item, DRAFTED if copies and RULE.draw(item) == DRAFT else own))
    return decisions


def test_people_who_copy_drafts_are_anchored_by_one() -> None:
    effect = measure(simulate(copies=True))
    assert effect.anchoring[DRAFT].mean == 1.0
    other = effect.anchoring[REVEAL]
    assert other.low is not None and other.high is not None and other.low < 0 < other.high, "they were not shown it in time"
    kept = find(effect, "as drafted", NONE, is_effect=True)
    assert find(effect, "as drafted", DRAFT).mean == 1.0 and kept.high is not None and kept.high < -0.5


def test_the_interval_of_people_who_ignore_drafts_holds_zero() -> None:
    effect = measure(simulate(copies=False))
    for value in (effect.anchoring[DRAFT], find(effect, "like the draft", NONE, is_effect=True)):
        assert value.low is not None and value.high is not None and value.low < 0 < value.high
        assert abs(float(value.mean or 0)) < 0.15


def test_a_slow_person_who_has_one_arm_by_chance_is_no_effect() -> None:
    decisions = []
    for person in range(4):
        items = [f"{person}.{number}" for number in range(400)]
        drawn = [item for item in items if RULE.draw(item) in (DRAFT, NONE)]
        if person == 3:
            drawn = [item for item in drawn if RULE.draw(item) == NONE]  # slow, and only ever without a draft
        decisions += [decide(f"p{person}", item, "x", seconds=90.0 if person == 3 else 10.0) for item in drawn[:30]]
    ratio = find(measure(decisions), "seconds", NONE, is_effect=True)
    assert ratio.mean is not None and ratio.mean > 1.3
    assert ratio.low is not None and ratio.low < 1, "three others were as fast without a draft: the interval holds no effect"


def test_the_figures_are_those_computed_by_hand() -> None:
    drawn = {arm: [f"i{n}" for n in range(400) if RULE.draw(f"i{n}") == arm][:10] for arm in (DRAFT, REVEAL, NONE)}
    decisions = [decide("Ada" if n % 2 else "Bo", item, DRAFTED, seconds=4.0) for n, item in enumerate(drawn[DRAFT])]
    decisions += [
        decide("Ada" if n % 2 else "Bo", item, "bridge Orvel" if n < 8 else "", seconds=16.0, is_accepted=n < 8)
        for n, item in enumerate(drawn[NONE])
    ]
    effect = measure(decisions)
    assert effect.decisions == {DRAFT: 10, REVEAL: 0, NONE: 10} and effect.people == {DRAFT: 2, REVEAL: 0, NONE: 2}
    assert find(effect, "seconds", NONE, is_effect=True).mean == pytest.approx(4.0)
    assert find(effect, "seconds", DRAFT).mean == pytest.approx(4.0) and effect.median_seconds[NONE] == 16.0
    shares = [find(effect, name, NONE).mean for name in ("as drafted", "edited", "discarded")]
    assert shares == pytest.approx([0.0, 0.8, 0.2])
    assert find(effect, "discarded", NONE, is_effect=True).mean == pytest.approx(0.2)
    like = find(effect, "like the draft", NONE)
    assert (like.mean, like.n) == (None, 8) and "too few: 8 of the 10" in like.why, "discards have no answer"
    assert effect.anchoring[DRAFT].mean is None and find(effect, "as drafted", REVEAL).why.startswith("too few: 0")


def test_answers_of_other_people_and_the_adjudicated_one_are_compared() -> None:
    drawn = [f"i{n}" for n in range(100) if RULE.draw(f"i{n}") == NONE][:10]
    decisions = [
        decide(person, item, "red boat", others=("red bridge",), adjudicated="boat") for item in drawn for person in "AB"
    ]
    effect = measure(decisions)
    assert find(effect, "like other people's", NONE).mean == pytest.approx(0.5)
    assert find(effect, "like the adjudicated", NONE).mean == pytest.approx(2 / 3)


def test_an_arm_of_one_person_has_a_mean_and_no_interval() -> None:
    drawn = [f"i{n}" for n in range(200) if RULE.draw(f"i{n}") != REVEAL]
    effect = measure([decide("Ada", item, DRAFTED) for item in drawn])
    value = find(effect, "as drafted", NONE, is_effect=True)
    assert (value.mean, value.low, value.high, value.why) == (0.0, None, None, "no interval: 1 of the 3 people that are needed")


def test_only_first_decisions_that_the_last_rule_drew_are_compared() -> None:
    drawn = [f"i{n}" for n in range(60) if RULE.draw(f"i{n}") == DRAFT]
    old = [decide("Ada", item, DRAFTED, rule=AssistanceRule(0.5, 9)) for item in drawn[:3]]
    again = [decide("Ada", drawn[3], DRAFTED, is_first=False)]
    seen = [decide("Ada", next(f"i{n}" for n in range(60) if RULE.draw(f"i{n}") == NONE), DRAFTED, DRAFT)]
    report = measure_effects([*old, *again, *seen, decide("Bo", drawn[4], DRAFTED)], resamples=100)
    assert (report.other_rules, report.seen_before, report.rule) == (3, 2, RULE)
    assert [(one.group, one.name) for one in report.effects] == [("all", ""), ("agent", "offline"), ("level", "1")]
    assert sum(report.effects[0].decisions.values()) == 1


def test_no_decision_under_a_rule_is_no_report() -> None:
    assert measure_effects([]) == EffectReport(None, 0, 0, 13, [])


def test_drafts_that_unassisted_answers_equal_have_no_anchoring() -> None:
    drawn = [f"i{n}" for n in range(200)]
    effect = measure([decide(person, item, DRAFTED) for item in drawn for person in "AB"])
    assert effect.anchoring[DRAFT].mean is None and "already are the draft's" in effect.anchoring[DRAFT].why


def test_an_item_that_several_people_answer_is_no_independent_evidence_of_each() -> None:
    generator = np.random.default_rng(5)
    alone, shared = [], []
    for number in range(120):
        pace = math.exp(generator.normal(2, 1))
        for person in range(8):
            shared.append(decide(f"p{person}", f"s{number}", "x", seconds=pace * math.exp(generator.normal(0, 0.1))))
            own = math.exp(generator.normal(2, 1))
            alone.append(decide(f"p{person}", f"{person}/{number}", "x", seconds=own * math.exp(generator.normal(0, 0.1))))
    widths = []
    for decisions in (alone, shared):
        value = find(measure(decisions), "seconds", NONE, is_effect=True)
        assert value.low is not None and value.high is not None
        widths.append(math.log(value.high / value.low))
    assert widths[1] > 1.5 * widths[0]
