"""A Chinese sentence that leaves its name, place or time to the sentences before it is put in full, or left alone. All facts
are invented."""

import pytest

from core.offline.chinese.carried import carried


@pytest.mark.parametrize(
    ("before", "said", "full", "back"),
    [
        (
            "栖云造船公司成立于2004年3月。",
            "该公司于2019年收购了竹山船舶机械厂。",
            "栖云造船公司于2019年收购了竹山船舶机械厂。",
            1,
        ),
        ("栖云市博物馆馆长林照青出席活动。", "他于2009年3月加入梨江考古研究所。", "林照青于2009年3月加入梨江考古研究所。", 1),
        (
            "上半年，杭州社会消费品零售总额3725亿元，同比增长8.7%。",
            "其中，餐饮收入649亿元，同比增长18.0%。",
            "上半年，杭州餐饮收入649亿元，同比增长18.0%。",
            1,
        ),
    ],
)
def test_what_was_said_above_is_put_back(before: str, said: str, full: str, back: int) -> None:
    found = carried([before], said, before + said)
    assert found is not None
    assert (found.text, found.back) == (full, back)


def test_the_whole_city_is_the_one_that_the_document_is_about() -> None:
    text = "杭州市今年新建竹器工坊12家。杭州还修缮了三座旧桥。"
    found = carried([text], "上半年全市实现竹器产值6748万元，增长9.3%。", text)
    assert found is not None
    assert found.text == "上半年杭州全市实现竹器产值6748万元，增长9.3%。"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("杭州市新建竹器工坊12家，南京市新建10家。杭州与南京还修缮了旧桥。", "上半年全市实现竹器产值6748万元，增长9.3%。"),
        ("林照青馆长与市民座谈。", "该公司于2019年收购了竹山船舶机械厂。"),
        ("有学生在校园里养了一只猫。", "其中，餐饮收入649亿元，同比增长18.0%。"),
        ("上半年，浙江义乌进出口总值2689.7亿元。", "栖云造船公司2030年货轮出口额同比增长12.5%。"),
    ],
)
def test_what_cannot_be_told_is_left_alone(before: str, said: str) -> None:
    assert carried([before], said, before) is None
