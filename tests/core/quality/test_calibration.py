"""How a gate did against people, worked by hand."""

import pytest

from core.quality.calibration import FlaggedDrafts, calibrate_gate, calibration_record
from core.quality.people_report import DecidedDrafts, list_shortfalls, people_report


def test_precision_recall_and_kappa_of_a_table_worked_by_hand():
    found = calibrate_gate(
        [
            FlaggedDrafts(True, "discarded", 20),
            FlaggedDrafts(True, "accepted", 5),
            FlaggedDrafts(False, "discarded", 10),
            FlaggedDrafts(False, "accepted", 15),
        ]
    )
    assert (found.precision.mean, found.precision.n) == (0.8, 25)
    assert (found.recall.mean, found.recall.n) == (pytest.approx(2 / 3), 30)
    assert found.kappa.value == pytest.approx(0.4)  # the table of Cohen's kappa in most textbooks
    assert found.kappa.units == 50 and found.kappa.low < 0.4 < found.kappa.high


def test_edited_drafts_stand_apart():
    without = calibrate_gate([FlaggedDrafts(True, "discarded", 4), FlaggedDrafts(False, "accepted", 4)])
    found = calibrate_gate(
        [
            FlaggedDrafts(True, "discarded", 4),
            FlaggedDrafts(False, "accepted", 4),
            FlaggedDrafts(True, "edited", 9),
            FlaggedDrafts(False, "edited", 3),
        ]
    )
    assert (found.flagged["edited"], found.passed["edited"]) == (9, 3)
    assert (found.precision, found.recall, found.kappa) == (without.precision, without.recall, without.kappa)


def test_what_is_undefined_says_why():
    told = calibration_record(calibrate_gate([FlaggedDrafts(False, "accepted", 3)]))
    assert told["precision"]["why"] == "undefined, because the gate flagged no draft"
    assert told["recall"]["why"] == "undefined, because no draft was discarded"
    assert told["kappa"]["value"] is None and told["kappa"]["why"].startswith("undefined, because gate and people gave one")
    assert calibration_record(calibrate_gate([FlaggedDrafts(True, "edited", 1)]))["kappa"]["why"].startswith(
        "undefined, because nobody accepted"
    )


def test_a_release_is_reported_by_stratum_and_falls_short_in_words():
    agreed = {f"i{n}": {"Ada": "accept", "Bob": "accept" if n % 2 else "discard"} for n in range(4)}
    told = people_report(
        [DecidedDrafts(("t", "law", "en"), 60, 40, 30, agreed), DecidedDrafts(("t", "law", "zh"), 2, 0, 0, {})], 30, 30
    )
    english, chinese = told["strata"]
    assert (english["rate"], english["twice"], english["measure"]) == (0.75, 4, "Cohen's kappa")
    assert list_shortfalls(english) == [
        "fewer than 50 decided",
        "accepted below 90%",
        "fewer than 20% by two raters",
        "agreement below 0.6",
    ]
    assert chinese["rate"] is None and chinese["why"] == "undefined, because no unit was labelled by two people"
    assert list_shortfalls(chinese) == ["fewer than 2 decided"]
    assert (told["whole"]["decided"], told["reviewed"]) == (40, 30)


def test_a_whole_sample_by_two_who_agree_falls_short_of_nothing():
    ratings = {f"i{n}": dict.fromkeys(("Ada", "Bob"), "discard" if n < 4 else "accept") for n in range(40)}
    (line,) = people_report([DecidedDrafts(("t", "law", "en"), 60, 60, 56, ratings)], 56, 56)["strata"]
    assert line["kappa"] == 1.0 and list_shortfalls(line) == []
