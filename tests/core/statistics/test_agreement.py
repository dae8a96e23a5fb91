"""Agreement against published values, against kept libraries, and where it is undefined."""

import random
import tracemalloc
from collections.abc import Sequence

import pytest
from nltk.metrics import masi_distance as nltk_masi_distance
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score

from core.nouns import Span
from core.statistics.agreement import MASI, Distance, alpha, cohen, fleiss, masi_distance, ordinal
from core.statistics.text_agreement import compare_texts, span_jaccard

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example C: four observers, twelve units, gaps.
OBSERVERS = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}
# Fleiss, "Measuring nominal scale agreement among many raters" (1971), table 1: 30 patients, six psychiatrists each, five
# diagnoses; kappa = .430.
PATIENTS = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 00501 30012 51000 02040 10203 "
    "00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
# Cohen, "A coefficient of agreement for nominal scales" (1960), the worked example: 200 patients, two judges; kappa = .492.
JUDGES = ((88, 10, 2), (14, 40, 6), (18, 10, 12))


def observed() -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for person, labels in OBSERVERS.items():
        for unit, label in enumerate(labels.split()):
            if label != ".":
                rows.setdefault(str(unit), {})[person] = label
    return rows


def rated(counts: Sequence[Sequence[int]]) -> dict[str, dict[str, int]]:
    return {
        str(unit): {str(n): label for n, label in enumerate(c for c, times in enumerate(row) for _ in range(times))}
        for unit, row in enumerate(counts)
    }


@pytest.mark.fault(42)
def test_alpha_of_krippendorffs_example() -> None:
    found = alpha(observed())
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert (found.units, found.people) == (11, 4)
    assert found.low is not None and found.high is not None and found.low < 0.743 < found.high


def test_ordinal_alpha_of_krippendorffs_example() -> None:
    numbered = {unit: {person: int(label) for person, label in row.items()} for unit, row in observed().items()}
    assert alpha(numbered, ordinal(numbered)).value == pytest.approx(0.815, abs=5e-4)
    assert alpha({}, ordinal({})).value is None


@pytest.mark.fault(42)
def test_fleiss_of_his_own_example() -> None:
    assert fleiss(rated([[int(n) for n in row] for row in PATIENTS.split()])).value == pytest.approx(0.430, abs=5e-4)


@pytest.mark.fault(42)
def test_cohen_of_his_own_example() -> None:
    pairs = [(a, b) for a, row in enumerate(JUDGES) for b, times in enumerate(row) for _ in range(times)]
    found = cohen({str(n): {"a": x, "b": y} for n, (x, y) in enumerate(pairs)}, "a", "b")
    assert (found.value, found.units) == (pytest.approx(0.492, abs=5e-4), 200)
    assert found.low is not None and found.high is not None and 0.38 < found.low < 0.492 < found.high < 0.60


def test_random_ratings_agree_with_kept_libraries() -> None:
    chance = random.Random(3)
    for _ in range(20):
        rows = {str(u): {p: chance.choice("xyz") for p in "abc" if chance.random() < 0.8} for u in range(30)}
        triples = [(p, u, v) for u, row in rows.items() if len(row) > 1 for p, v in row.items()]
        assert alpha(rows, resamples=10).value == pytest.approx(AnnotationTask(triples).alpha())
        both = [(row["a"], row["b"]) for row in rows.values() if {"a", "b"} <= row.keys()]
        assert cohen(rows, "a", "b", resamples=10).value == pytest.approx(cohen_kappa_score(*zip(*both, strict=True)))


def test_alpha_with_any_distance_agrees_with_a_kept_library() -> None:
    chance = random.Random(4)
    interval = Distance(lambda a, b: float(a - b) ** 2, lambda label: (None,))  # type: ignore[operator]
    for _ in range(10):
        sets = {
            str(u): {p: frozenset(chance.sample("vwxyz", chance.randint(0, 3))) for p in "abc" if chance.random() < 0.8}
            for u in range(20)
        }
        for distance, rows in ((MASI, sets), (interval, {u: {p: len(s) for p, s in row.items()} for u, row in sets.items()})):
            triples = [(p, u, v) for u, row in rows.items() if len(row) > 1 for p, v in row.items()]
            assert alpha(rows, distance, resamples=10).value == pytest.approx(AnnotationTask(triples, distance.of).alpha())


def test_masi_is_a_kept_librarys_but_for_its_rounded_thirds() -> None:
    sets = [frozenset(letters) for letters in ("a", "ab", "bc", "abc", "d")]
    for one in sets:
        for other in sets:
            assert masi_distance(one, other) == pytest.approx(nltk_masi_distance(one, other), abs=0.005)


def test_masi_tells_nested_from_overlapping_sets() -> None:
    a, ab, bc, c = frozenset("a"), frozenset("ab"), frozenset("bc"), frozenset("c")
    assert masi_distance(ab, ab) == 0.0
    assert masi_distance(a, ab) == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert masi_distance(ab, bc) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert masi_distance(a, c) == 1.0
    assert masi_distance(frozenset(), frozenset()) == 0.0


def test_alpha_with_masi_rewards_partly_equal_evidence() -> None:
    sets = {"1": {"a": frozenset("xy"), "b": frozenset("x")}, "2": {"a": frozenset("z"), "b": frozenset("z")}}
    assert (alpha(sets, MASI).value or 0) > (alpha(sets).value or 0)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({}, "no unit was labelled by two people"),
        ({"1": {"a": "x"}, "2": {"b": "x"}}, "no unit was labelled by two people"),
        ({"1": {"a": "x", "b": "x"}, "2": {"a": "x", "b": "x"}}, "one and the same label"),
    ],
)
@pytest.mark.fault(42)
def test_thin_data_is_undefined_and_says_why(rows: dict[str, dict[str, str]], why: str) -> None:
    for found in (alpha(rows), fleiss(rows)):
        assert found.value is None and found.low is None
        assert found.why.startswith("undefined, because") and why in found.why


def test_uneven_ratings_are_for_alpha_not_for_fleiss() -> None:
    rows = {"1": {"a": "x", "b": "y", "c": "x"}, "2": {"a": "y", "b": "y"}}
    assert "use alpha instead" in fleiss(rows).why
    assert alpha(rows).value is not None


@pytest.mark.fault(42)
def test_two_people_without_a_common_unit_have_no_kappa() -> None:
    assert "a and b labelled no unit in common" in cohen({"1": {"a": "x"}, "2": {"b": "x"}}, "a", "b").why


@pytest.mark.fault(42)
def test_one_unit_has_a_value_and_no_interval() -> None:
    found = alpha({"1": {"a": "x", "b": "y"}})
    assert found.value == pytest.approx(0.0) and found.low is None


def test_evidence_overlaps_by_characters_once_however_it_is_cut() -> None:
    assert span_jaccard([Span("d", 0, 10)], [Span("d", 5, 15)]) == pytest.approx(5 / 15)
    assert span_jaccard([Span("d", 0, 6), Span("d", 4, 10)], [Span("d", 0, 10)]) == 1.0
    assert span_jaccard([Span("d", 0, 5)], [Span("e", 0, 5)]) == 0.0
    assert span_jaccard([], [Span("d", 0, 5)]) == 0.0
    assert span_jaccard([], []) is None


def test_likeness_stands_beside_that_of_random_pairs() -> None:
    def same(a: str, b: str) -> float:
        return float(a == b)

    found = compare_texts({str(n): {"a": f"t{n}", "b": f"t{n}"} for n in range(10)}, same)
    assert (found.observed.mean, found.chance.mean) == (1.0, 0.0)
    alone = compare_texts({"1": {"a": "x", "b": "y"}}, same)
    assert alone.chance.mean is None
    assert compare_texts({"1": {"a": "x"}}, same).observed.mean is None


def test_the_same_seed_gives_the_same_interval() -> None:
    assert alpha(observed(), seed=5) == alpha(observed(), seed=5)


def test_one_unit_with_texts_beside_empty_ones_has_no_chance() -> None:
    assert compare_texts({"1": {"a": "x", "b": "y"}, "2": {}}, lambda a, b: 0.0).chance.mean is None


def test_intervals_of_many_units_are_drawn_in_pieces() -> None:
    chance = random.Random(1)
    rows = {str(n): {"a": frozenset(((n, chance.random() < 0.5),)), "b": frozenset(((n, True),))} for n in range(20_000)}
    tracemalloc.start()
    found = alpha(rows, MASI, resamples=1_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.value == pytest.approx(0.5, abs=0.02) and found.high is not None
    assert peak < 200_000_000, "a thousand draws of 20,000 units and 30,000 labels at once would take 400 MB"
