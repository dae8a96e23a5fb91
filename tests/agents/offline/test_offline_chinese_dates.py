"""Times in Chinese sentences are put in full by the day of publication, or the sentence is refused."""

from datetime import date

import pytest

from agents.offline.chinese.dates import in_year, published_on, write_out_dates

PUBLISHED = date(2031, 5, 20)


@pytest.mark.parametrize(
    ("said", "full"),
    [
        ("今年，栖云市种了竹子", "2031年，栖云市种了竹子"),
        ("去年栖云市种了竹子", "2030年栖云市种了竹子"),
        ("5月18日，竹艺节开幕", "2031年5月18日，竹艺节开幕"),
        ("18日，竹艺节开幕", "2031年5月18日，竹艺节开幕"),
        ("28日，竹艺节开幕", "2031年4月28日，竹艺节开幕"),
        ("9月3日，竹艺节闭幕", "2031年9月3日，竹艺节闭幕"),
        ("上半年，栖云市种了竹子", "2031年上半年，栖云市种了竹子"),
        ("今年4月，栖云市种了竹子", "2031年4月，栖云市种了竹子"),
        ("目前，栖云市已种竹300亩", "截至2031年5月，栖云市已种竹300亩"),
        ("近日，栖云市种了竹子", "2031年5月，栖云市种了竹子"),
        ("2029年3月1日，竹艺节开幕", "2029年3月1日，竹艺节开幕"),
        ("截至5月18日，栖云市种竹300亩", "截至2031年5月18日，栖云市种竹300亩"),
    ],
)
def test_times_are_put_in_full(said: str, full: str) -> None:
    assert write_out_dates(said, PUBLISHED) == full


def test_a_december_day_in_a_january_text_belongs_to_the_year_before() -> None:
    assert write_out_dates("12月28日，竹艺节闭幕", date(2031, 1, 4)) == "2030年12月28日，竹艺节闭幕"


@pytest.mark.parametrize(
    "said", ["同日，竹艺节开幕", "昨天，竹艺节开幕", "此前竹艺节已闭幕", "近年来栖云市种了竹子", "下周竹艺节开幕"]
)
def test_what_the_day_of_publication_cannot_settle_is_refused(said: str) -> None:
    assert write_out_dates(said, PUBLISHED) is None


@pytest.mark.parametrize(
    "said", ["今年，栖云市种了竹子", "5月18日，竹艺节开幕", "18日，竹艺节开幕", "截至5月18日，栖云市种竹300亩"]
)
def test_without_a_day_of_publication_an_unfinished_date_is_refused(said: str) -> None:
    assert write_out_dates(said, None) is None


def test_a_full_date_needs_no_day_of_publication() -> None:
    assert write_out_dates("2029年3月1日，竹艺节开幕", None) == "2029年3月1日，竹艺节开幕"


def test_near_the_beginning_of_a_month_recently_is_refused() -> None:
    assert write_out_dates("近日，栖云市种了竹子", date(2031, 5, 3)) is None


def test_a_bare_day_after_another_year_is_refused() -> None:
    assert write_out_dates("2029年竹艺节的奖杯，18日运抵栖云市", PUBLISHED) is None


def test_the_stamp_at_the_head_of_a_text_is_the_day_of_publication() -> None:
    assert published_on(None, "2031-05-20 08:30，正文：竹艺节") == PUBLISHED
    assert published_on("2031-05-21", "2031-05-20，竹艺节") == date(2031, 5, 21)
    assert published_on(None, "05-20 08:30，竹艺节") is None
    assert published_on("2031-13-40", "竹艺节") is None


def test_the_year_goes_into_the_question_when_the_answer_lacks_it() -> None:
    assert in_year("5月18日", PUBLISHED) == "2031年的哪一天"
    assert in_year("2031年5月18日", PUBLISHED) == "哪一天"
