"""An implicit Chinese question says what another sentence tells of a name, and not the name. All facts are invented."""

import pytest

from core.ids import content_hash
from core.nouns import Document, Span
from core.numbered import Numbered, Sentence, number
from core.offline.chinese.implicit import draft_implicit, gives_away, shortened
from core.offline.chinese.names import names_in
from core.offline.corpus import Corpus
from core.sentences import split_sentences


def document(text: str) -> Document:
    return Document(content_hash(text), text, "栖云新闻", language="zh", published="2031-05-20")


def numbered(told: Document) -> Numbered:
    return number([Sentence(Span(told.id, a, b), told.text[a:b]) for a, b in split_sentences(told.text, "zh")])


QUESTION = "栖云造船公司创立于什么时候？"
FACT = "栖云造船公司成立于2004年3月，总部设在梨江港。"


def test_a_name_gives_way_to_what_another_sentence_says_of_it() -> None:
    told = document(FACT + "栖云造船公司是梨江流域最大的货轮制造企业。")
    found = draft_implicit(QUESTION, "2004年3月", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.question == "梨江流域最大的货轮制造企业创立于什么时候？"
    assert (found.answer, found.evidence, found.referent) == ("2004年3月", (1, 2), "栖云造船公司")


def test_a_deed_becomes_a_description() -> None:
    told = document(FACT + "2030年，栖云造船公司向梨江大学捐赠了1200万元科研经费。")
    found = draft_implicit(QUESTION, "2004年3月", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.question == "2030年向梨江大学捐赠了1200万元科研经费的那家公司创立于什么时候？"


def test_a_sentence_about_the_company_speaks_of_the_company_named_before() -> None:
    told = document(FACT + "该公司于2019年收购了竹山船舶机械厂。")
    found = draft_implicit(QUESTION, "2004年3月", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.question == "于2019年收购了竹山船舶机械厂的那家公司创立于什么时候？"


def test_a_post_stands_for_a_person_whom_nothing_else_describes() -> None:
    told = document("栖云市博物馆馆长林照青于2031年5月18日会见梨江大学考古队。")
    question = "栖云市博物馆馆长林照青于哪一天会见梨江大学考古队？"
    found = draft_implicit(question, "2031年5月18日", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.referent == "林照青"
    assert "林照青" not in found.question
    assert found.question == "栖云市博物馆馆长于哪一天会见梨江大学考古队？"


def test_one_of_several_who_hold_a_post_is_called_one_of_them() -> None:
    told = document("栖云市博物馆副馆长林照青于2031年5月18日会见梨江大学考古队。")
    question = "栖云市博物馆副馆长林照青于哪一天会见梨江大学考古队？"
    found = draft_implicit(question, "2031年5月18日", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.question == "栖云市博物馆的一位副馆长于哪一天会见梨江大学考古队？"


def test_what_was_done_to_a_name_describes_it() -> None:
    told = document("《梨江竹艺保护办法》围绕三个方面提出10条措施。2030年6月，栖云市文化局印发《梨江竹艺保护办法》。")
    question = "《梨江竹艺保护办法》围绕三个方面提出多少条措施？"
    found = draft_implicit(question, "10条", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.question == "栖云市文化局于2030年6月印发的那份文件围绕三个方面提出多少条措施？"


def test_a_measure_with_its_figure_describes_a_company() -> None:
    told = document(FACT + "2030年，栖云造船公司货轮出口额为2.1亿元，高于预期。")
    found = draft_implicit(QUESTION, "2004年3月", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.question == "2030年货轮出口额为2.1亿元的那家公司创立于什么时候？"


def test_who_holds_a_post_is_asked_by_what_the_person_did() -> None:
    told = document("栖云市博物馆馆长林照青出席活动并致辞。林照青于2009年3月加入梨江考古研究所。")
    found = draft_implicit("谁在2031年5月担任栖云市博物馆馆长？", "林照青", numbered(told), Corpus([told]), "")
    assert found is not None
    assert found.question == "于2009年3月加入梨江考古研究所的那位馆长是谁？"
    assert found.evidence == (1, 2)


@pytest.mark.parametrize(
    ("name", "question", "gives"),
    [
        ("栖云造船公司", "栖云造船公司创立于哪一年？", True),
        ("栖云造船公司", "栖云船厂创立于哪一年？", True),
        ("栖云造船公司", "收购了竹山机械厂的那家公司创立于哪一年？", False),
        ("中国竹业协会", "中国最大的竹器厂位于哪里？", False),
    ],
)
def test_a_piece_by_which_a_name_can_be_told_gives_it_away(name: str, question: str, gives: bool) -> None:
    assert gives_away(name, question) is gives


def test_shorter_forms_are_those_in_brackets_and_those_without_the_kind() -> None:
    assert shortened("栖云造船有限公司", "栖云造船有限公司（以下简称“栖船”）成立。") == ("栖船", "栖云造船")
    assert shortened("栖云市", "") == ("栖云",)


def test_a_description_that_fits_another_name_is_refused() -> None:
    told = document(FACT + "栖云造船公司是梨江流域最大的货轮制造企业。")
    other = document("竹山重工公司是梨江流域最大的货轮制造企业。")
    assert draft_implicit(QUESTION, "2004年3月", numbered(told), Corpus([told, other]), "") is None


def test_a_description_that_says_the_name_or_the_answer_is_refused() -> None:
    says_name = document(FACT + "栖云造船公司是栖云造船公司集团最大的企业。")
    assert draft_implicit(QUESTION, "2004年3月", numbered(says_name), Corpus([says_name]), "") is None
    says_answer = document(FACT + "栖云造船公司是2004年3月在梨江港设立的货轮制造企业。")
    assert draft_implicit(QUESTION, "2004年3月", numbered(says_answer), Corpus([says_answer]), "") is None


def test_nothing_is_drafted_when_the_fact_is_not_among_the_sentences() -> None:
    told = document("栖云造船公司是梨江流域最大的货轮制造企业。")
    assert draft_implicit(QUESTION, "2004年3月", numbered(told), Corpus([told]), "") is None


def test_names_are_persons_with_posts_works_and_institutions() -> None:
    found = dict(names_in("2031年5月，栖云市博物馆馆长林照青在哪里介绍电影《竹声》？"))
    assert found["林照青"] == "栖云市博物馆馆长林照青"
    assert "电影《竹声》" in found
