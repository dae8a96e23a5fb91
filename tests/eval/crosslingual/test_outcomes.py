"""The loss by language is measured over the same pairs, and an answer in the wrong language is no mystery."""

import random
from dataclasses import replace

from core.nouns import Item, Run, Span, System, Trace
from eval.crosslingual.layout import build_page
from eval.crosslingual.outcomes import FOUND, RIGHT, CrossLingualResult, PairSide, compare_languages, read_language_outcome

RUN = Run("r", "r", System("vanilla", {}), "v1", "h", None, {"retriever": "bm25"}, 0)


def pair(name: str, level: int = 1) -> tuple[Item, Item]:
    evidence = (Span(f"doc-{name}", 0, 10),)
    item = Item(name, "explicit_factoid", "Who bought the old mill?", ("Ada Quill",), evidence, level=level)
    twin = replace(item, id=f"{name}-zh", question="谁买下了旧磨坊？", answers=("艾达·奎尔",), language="zh")
    return item, replace(twin, evidence=(Span(f"doc-{name}-zh", 0, 10),))


def side(item: Item, answer: str | None, retrieved: tuple[Span, ...] | None = None, **scores: float) -> PairSide:
    return PairSide(item, Trace("r", item.id, answer=answer, retrieved=retrieved), scores, [item.evidence])


def compare(*sides: tuple[PairSide, PairSide]) -> CrossLingualResult:
    [result] = compare_languages(RUN, sides)
    return result


def outcome(answer: str | None, of: str = "zh") -> str:
    item, twin = pair("mill")
    own, other = (twin, item) if of == "zh" else (item, twin)
    return read_language_outcome(Trace("r", own.id, answer=answer), own, other)


def test_an_english_answer_to_a_chinese_question_is_in_the_wrong_language() -> None:
    assert outcome("艾达·奎尔") == "gold"
    assert outcome("Ada Quill") == "wrong language"
    assert outcome("The mill was bought by 艾达·奎尔 in the end.") == "wrong language"
    assert outcome("It was bought by somebody else.") == "wrong language"
    assert outcome("是宋玉兰买下的。") == "other"


def test_a_chinese_answer_to_an_english_question_is_in_the_wrong_language() -> None:
    assert outcome("Ada Quill", "en") == "gold"
    assert outcome("是宋玉兰买下的旧磨坊。", "en") == "wrong language"
    assert outcome("Bob Marsh, as the ledger says.", "en") == "other"


def test_a_refusal_in_either_language_is_a_refusal() -> None:
    assert outcome("无法根据所给文本回答") == "refused"
    assert outcome("I don't know") == "refused"
    assert outcome("") == "refused"
    assert outcome(None) == "failed"


def test_figures_and_short_names_are_in_no_language() -> None:
    item, twin = pair("mill")
    year, chinese = replace(item, answers=("1902",)), replace(twin, answers=("1902年",))
    assert read_language_outcome(Trace("r", "x", answer="1902"), chinese, year) == "gold"
    assert read_language_outcome(Trace("r", "x", answer="IBM"), chinese, year) == "other"
    metres, chinese = replace(item, answers=("22 minutes", "2.4 m")), replace(twin, answers=("2.4米",))
    assert read_language_outcome(Trace("r", "x", answer="2.4 m"), chinese, metres) == "gold"
    assert read_language_outcome(Trace("r", "x", answer="22 minutes"), chinese, metres) == "wrong language"
    assert read_language_outcome(Trace("r", "x", answer="2.4米"), metres, chinese) == "wrong language"


def test_a_pair_with_a_failed_answer_leaves_both_means() -> None:
    one, other = pair("a"), pair("b")
    result = compare(
        (side(one[0], "Ada Quill", token_f1=1.0), side(one[1], "艾达·奎尔", token_f1=0.5)),
        (side(other[0], "Ada Quill", token_f1=0.0), side(other[1], None)),
    )
    means = {row.metric: row for row in result.means}
    assert (means["token_f1"].first.mean, means["token_f1"].second.mean, means["token_f1"].loss.mean) == (1.0, 0.5, 0.5)
    assert means["token_f1"].loss.n == means[RIGHT].loss.n == 1
    assert result.count(1)["failed"] == 1 and result.right == {"both": 1, "first": 0, "second": 0, "neither": 0}


def test_unpaired_means_would_mislead() -> None:
    """Chinese fails on the hard pairs, so its mean over all answers is the higher one; pair by pair English is better."""
    sides = []
    for number in range(10):
        item, twin = pair(str(number))
        is_hard = number < 5
        english = side(item, "Ada Quill", token_f1=0.2 if is_hard else 0.9)
        chinese = side(twin, None) if is_hard else side(twin, "艾达·奎尔", token_f1=0.8)
        sides.append((english, chinese))
    unpaired = [
        sum(values) / len(values)
        for values in ([one.scores["token_f1"] for one, _ in sides], [o.scores["token_f1"] for _, o in sides if o.scores])
    ]
    [loss] = [row.loss for row in compare(*sides).means if row.metric == "token_f1"]
    assert unpaired[0] < unpaired[1]  # by these, Chinese would be better
    assert loss.mean is not None and round(loss.mean, 9) == 0.1 and loss.n == 5


def test_recall_is_that_of_each_side_and_of_the_better_side_if_all_is_searched() -> None:
    item, twin = pair("mill")
    found = side(item, "Ada Quill", item.evidence), side(twin, "艾达·奎尔", item.evidence)
    values = compare(found).pairs[0].values[FOUND]
    assert values == (1.0, 0.0)
    both = [replace_evidence(one, [item.evidence, twin.evidence]) for one in found]
    assert compare((both[0], both[1])).pairs[0].values[FOUND] == (1.0, 1.0)
    assert compare((side(item, "Ada Quill"), found[1])).pairs[0].values[FOUND] == (None, None)


def replace_evidence(one: PairSide, evidence: list[tuple[Span, ...]]) -> PairSide:
    return one._replace(evidence=evidence)


def test_equal_systems_on_both_sides_have_intervals_that_hold_0() -> None:
    """In 200 simulated runs of 60 pairs whose two answers are right with the same chance, the interval holds 0 in 93 % or
    more."""
    chance = random.Random(13)
    held = 0
    for _ in range(200):
        sides = []
        for number in range(60):
            item, twin = pair(str(number))
            ease = chance.random()
            values = [float(chance.random() < ease) for _ in range(2)]
            sides.append((side(item, "x", m=values[0]), side(twin, "谁", m=values[1])))
        [loss] = [row.loss for row in compare(*sides).means if row.metric == "m"]
        held += loss.low is not None and loss.high is not None and loss.low <= 0 <= loss.high
    assert held >= 186


def test_levels_are_told_apart_and_metrics_that_cut_words_are_marked() -> None:
    sides = []
    for number in range(4):
        item, twin = pair(str(number), level=1 + number % 2)
        sides.append((side(item, "Ada Quill", token_f1=1.0), side(twin, "艾达·奎尔", token_f1=0.5 * (number % 2))))
    page = build_page({"one": [compare(*sides)]})
    tables = {table.title: table for table in page.tables}
    assert [row[2].text for row in tables["Loss by level"].rows] == ["1", "1", "2", "2"]
    assert any("token_f1: each language is cut into words" in note for note in tables["Loss by language"].notes)
    assert "Loss by domain" not in tables
    assert "English – Chinese [95 % interval]" in tables["Loss by language"].columns
    data = page.data["comparisons"][0]["means"]
    assert {row["metric"]: row["by_words"] for row in data} == {RIGHT: False, "token_f1": True}
