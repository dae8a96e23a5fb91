"""Drafts for the gates that ask an agent, in both languages, with what the agent will say to each: facts of an invented world,
and patterns of three answers that should count as right or as wrong, near misses among them."""

from typing import NamedTuple

from builders.llm_gates.critic import PASSING_CATEGORY


class Fact(NamedTuple):
    """A question with its answer, and what an agent may say in its stead."""

    question: str
    answer: str
    same: str
    """The same in other words: a judge must tell."""
    near: str
    """Nearly the same words, and wrong: another figure, or another name."""
    other: str
    """Another answer altogether."""
    evidence: tuple[str, str]
    """Two sentences that it takes."""


EN = (
    Fact(
        "In which season did Maud Treskow open the Salt Room?",
        "in the autumn of 1938",
        "during 1938, once summer had ended",
        "in the autumn of 1937",
        "never",
        ("The Salt Room opened in 1938.", "It was autumn when Maud Treskow let people in."),
    ),
    Fact(
        "How many people watched the first night at the Lantern House?",
        "about 1,200 people",
        "some twelve hundred spectators",
        "about 1,300 people",
        "the whole town",
        ("The Lantern House was full.", "It seats 1,200 people."),
    ),
    Fact(
        "Who carved the doors of the Port Ellery guildhall?",
        "Orrin Vale the elder",
        "the older of the two Orrin Vales",
        "Edda Vale the elder",
        "a carpenter",
        ("The guildhall has carved doors.", "They are by Orrin Vale the elder."),
    ),
    Fact(
        "What does the Marrow Bridge rest on?",
        "seven granite piers",
        "piers of granite, seven in number",
        "six granite piers",
        "sand",
        ("The Marrow Bridge is of stone.", "Seven granite piers carry it."),
    ),
    Fact(
        "Why was the Hollin Street pump closed?",
        "its water was found to carry lead",
        "lead had been detected in what it gave",
        "its water was found to carry salt",
        "it froze",
        ("The pump was closed.", "Its water was found to carry lead."),
    ),
    Fact(
        "Which trade had the first director of the Lantern Players learned?",
        "stage carpenter",
        "building scenery",
        "ship carpenter",
        "none",
        ("Maud Treskow led the players first.", "She had trained as a stage carpenter."),
    ),
    Fact(
        "How long is the Tidewater canal?",
        "41.5 kilometres long",
        "a little over forty-one and a half km",
        "41.8 kilometres long",
        "very long",
        ("The Tidewater canal was dug by hand.", "It is 41.5 kilometres long."),
    ),
    Fact(
        "When was the last tram taken out of service in Steen?",
        "on 3 March 1961",
        "the third day of March, 1961",
        "on 5 March 1961",
        "after the war",
        ("Trams ran in Steen for decades.", "The last stopped on 3 March 1961."),
    ),
    Fact(
        "What did the council of Brae give for the old mill?",
        "a meadow and 90 crowns",
        "ninety crowns, and a meadow with it",
        "a meadow and 80 crowns",
        "nothing",
        ("The council of Brae bought the mill.", "It gave a meadow and 90 crowns."),
    ),
    Fact(
        "Which bird does the seal of Aldermoor show?",
        "a grey heron with a fish",
        "a heron, grey, holding its catch",
        "a white heron with a fish",
        "an owl",
        ("Aldermoor has a seal.", "A grey heron with a fish is on it."),
    ),
)
ZH = (
    Fact(
        "云栖湖2016年夏天的透明度是多少米？",
        "1.4米",
        "约一米四",
        "1.5米",
        "很浑浊",
        ("云栖湖在夏天测过。", "2016年的透明度是1.4米。"),
    ),
    Fact(
        "灯笼剧团的首任导演学过什么手艺？",
        "舞台木匠",
        "搭布景的活儿",
        "船坞铁匠",
        "没学过",
        ("首任导演是特雷斯科。", "她学过舞台木匠。"),
    ),
    Fact(
        "石泉市的有轨电车哪一天停运？",
        "1961年3月3日",
        "六一年三月初三号那天",
        "1961年3月5日",
        "战后",
        ("石泉市有过电车。", "1961年3月3日停运。"),
    ),
    Fact(
        "潮汐运河全长多少公里？", "41.5公里", "四十一公里半", "41.8公里", "很长", ("潮汐运河是人工开挖的。", "它全长41.5公里。")
    ),
    Fact(
        "霍林街的水泵为什么关闭？", "水中查出含铅", "检出了铅", "水中查出含盐", "冻住了", ("水泵关闭了。", "因为水中查出含铅。")
    ),
    Fact(
        "埃勒里港市政厅的大门出自谁手？",
        "老奥林·韦尔",
        "两位韦尔中年长的那位",
        "埃达·奎尔",
        "一位木匠",
        ("市政厅有雕花大门。", "出自老奥林·韦尔之手。"),
    ),
    Fact(
        "马罗桥由多少座桥墩支撑？",
        "七座花岗岩桥墩",
        "花岗岩桥墩一共7个",
        "六座花岗岩桥墩",
        "沙地",
        ("马罗桥是石桥。", "七座花岗岩桥墩支撑着它。"),
    ),
    Fact(
        "布雷议会用什么换下旧磨坊？",
        "一片草地和90克朗",
        "九十克朗，另加草地一片",
        "一片草地和80克朗",
        "什么也没给",
        ("议会买下磨坊。", "付出一片草地和90克朗。"),
    ),
    Fact(
        "奥尔德穆尔的印章上是什么鸟？",
        "叼着鱼的灰鹭",
        "灰色的鹭，嘴里有鱼",
        "展翅高飞的白鹰",
        "猫头鹰",
        ("奥尔德穆尔有印章。", "上面是叼着鱼的灰鹭。"),
    ),
    Fact(
        "《北岸舞台》一共印了多少册？",
        "四百册",
        "印数为400本",
        "五百册",
        "不多",
        ("奥克写了《北岸舞台》。", "此书印了四百册。"),
    ),
)
FACTS = {"en": EN, "zh": ZH}
REFUSAL = {"en": "Cannot be answered from the given text", "zh": "无法根据所给文本回答"}
UNKNOWN = {"en": "I do not know", "zh": "我不知道"}


def right(fact: Fact, place: int, language: str) -> tuple[str, str, str]:
    """Three answers of which two at least are right."""
    end = "." if language == "en" else "。"
    other, refusal = fact.other, REFUSAL[language]
    return (
        (fact.answer, fact.answer, fact.answer),
        (fact.answer.upper(), f"{fact.answer}{end}", f" {fact.answer} "),
        (fact.answer, fact.answer, other),
        (fact.answer, refusal, fact.answer),
        (fact.same, fact.same, fact.same),
        (fact.same, fact.answer, fact.near),
        (fact.near, f"“{fact.answer}”", fact.answer),
        (fact.answer, "", fact.same),
        (UNKNOWN[language], fact.answer, fact.same),
        (fact.same, other, f"{fact.answer}!"),
    )[place]


def wrong(fact: Fact, place: int, language: str) -> tuple[str, str, str]:
    """Three answers of which one at most is right."""
    other, refusal = fact.other, REFUSAL[language]
    return (
        (other, other, other),
        (fact.near, fact.near, fact.near),
        (fact.answer, fact.near, other),
        (fact.answer, refusal, refusal),
        (refusal, refusal, refusal),
        (UNKNOWN[language], UNKNOWN[language], fact.answer),
        ("", "", ""),
        (fact.same, fact.near, fact.near),
        (fact.near, "", refusal),
        (fact.answer, other, ""),
    )[place]


CRITIC = {
    "en": (
        ("Who founded the Lantern Players in Port Ellery?", PASSING_CATEGORY),
        ("Which stage carpenter led the first players of Port Ellery?", PASSING_CATEGORY),
        ("In which year did the theatre whose curtain was woven by Edda Vale burn down?", PASSING_CATEGORY),
        ("What does the passage between Brae and Steen cost a cart?", PASSING_CATEGORY),
        ("Why did the author of North Shore Stages leave the navy?", PASSING_CATEGORY),
        ("How many piers does the Marrow Bridge have?", PASSING_CATEGORY),
        ("Who was the second husband of the first director of the Lantern Players?", PASSING_CATEGORY),
        ("Which bird stands on the seal of Aldermoor?", PASSING_CATEGORY),
        ("How deep is the Tidewater canal at Steen?", PASSING_CATEGORY),
        ("What was found in the water of the Hollin Street pump in 1931?", PASSING_CATEGORY),
        ("According to the report, who paid for the bridge?", "refers_to_text"),
        ("What is the main point of the second paragraph?", "refers_to_text"),
        ("Why did he leave the company?", "unnamed_referent"),
        ("How did the two teams settle it?", "unnamed_referent"),
        ("Who won the award last year?", "unclear_time"),
        ("Which tram line is being rebuilt at the moment?", "unclear_time"),
        ("What about the mill?", "vague"),
        ("What is special about Brae?", "vague"),
        ("Who built the mill, and what colour is a heron?", "several_questions"),
        ("The pump was closed.", "not_a_question"),
    ),
    "zh": (
        ("埃勒里港的灯笼剧团由谁创办？", PASSING_CATEGORY),
        ("哪位舞台木匠带领了埃勒里港最早的剧团？", PASSING_CATEGORY),
        ("幕布由埃达·韦尔织成的那座剧院毁于哪一年？", PASSING_CATEGORY),
        ("马罗桥有几座桥墩？", PASSING_CATEGORY),
        ("《北岸舞台》的作者为什么离开海军？", PASSING_CATEGORY),
        ("灯笼剧团首任导演的第二任丈夫是谁？", PASSING_CATEGORY),
        ("奥尔德穆尔的印章上刻着什么鸟？", PASSING_CATEGORY),
        ("潮汐运河在石泉段有多深？", PASSING_CATEGORY),
        ("1931年霍林街水泵的水里查出了什么？", PASSING_CATEGORY),
        ("云栖湖哪一年的透明度最低？", PASSING_CATEGORY),
        ("根据报道，谁为这座桥出资？", "refers_to_text"),
        ("第二段的主旨是什么？", "refers_to_text"),
        ("他为什么离开公司？", "unnamed_referent"),
        ("两队最后怎样解决？", "unnamed_referent"),
        ("去年谁获了奖？", "unclear_time"),
        ("目前正在重建的是哪条电车线？", "unclear_time"),
        ("磨坊怎么样？", "vague"),
        ("布雷有什么特别？", "vague"),
        ("谁建了磨坊，鹭又是什么颜色？", "several_questions"),
        ("水泵关闭了。", "not_a_question"),
    ),
}
