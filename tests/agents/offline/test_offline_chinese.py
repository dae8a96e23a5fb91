"""The Chinese drafter asks what a reader without the article can follow, and asks nothing of sentences that cannot be followed.
The town of 栖云 and everything in it are invented."""

import sys

import pytest

from agents.offline.chinese.drafter import draft_factoid, is_ambiguous
from agents.offline.corpus import OfflineCorpus
from agents.offline.factoid import Factoid
from core.ids import content_hash
from core.nouns import Document, Span
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from core.text.sentences import split_sentences

PUBLISHED = "2031-05-20"


def document(text: str, published: str | None = PUBLISHED) -> Document:
    return Document(content_hash(text), text, "栖云新闻", language="zh", published=published)


def numbered(*documents: Document) -> NumberedSentences:
    return number_sentences(
        [
            Sentence(Span(d.id, start, end), d.text[start:end], d.title)
            for d in documents
            for start, end in split_sentences(d.text, "zh")
        ]
    )


def draft(text: str, published: str | None = PUBLISHED, avoid: str = "") -> Factoid | None:
    told = document(text, published)
    return draft_factoid(numbered(told), OfflineCorpus([told]), "seed", avoid)


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("栖云市图书馆新馆的建筑面积为3.2万平方米。", "栖云市图书馆新馆的建筑面积为多少平方米？", "3.2万平方米"),
        (
            "2030年，栖云造船公司向梨江大学捐赠了1200万元科研经费。",
            "2030年，栖云造船公司向梨江大学捐赠了多少元科研经费？",
            "1200万元",
        ),
        (
            "栖云造船公司2030年货轮出口额同比增长12.5%，员工人数持平。",
            "栖云造船公司2030年货轮出口额比上年同期增长百分之多少？",
            "12.5%",
        ),
        ("栖云造船公司成立于2004年3月。", "栖云造船公司创立于什么时候？", "2004年3月"),
        ("栖云剧院将推出以“江上灯火”为主题的夏季演出。", "栖云剧院将推出以什么为主题的夏季演出？", "江上灯火"),
        ("栖云市博物馆馆长林照青表示，新展厅将于秋天开放。", "谁在2031年5月担任栖云市博物馆馆长？", "林照青"),
        (
            "栖云市“清风行动”涉及餐饮、住宿和交通三个领域。",
            "栖云市“清风行动”涉及哪三个领域？",
            "餐饮、住宿和交通",
        ),
        ("2030年，栖云市货轮出口额位居全国第三。", "2030年，栖云市货轮出口额位居全国第几？", "三"),
    ],
)
def test_asks_in_place_of_the_answer(sentence: str, question: str, answer: str) -> None:
    found = draft(sentence)
    assert found is not None
    assert (found.question, found.answer, found.evidence) == (question, answer, (1,))


@pytest.mark.parametrize(
    "sentence",
    [
        "新华网栖云5月20日电（记者 林照青）",
        "他在栖云市出生，1998年进入梨江造船公司工作。",
        "双方在栖云市签署了总额为3亿元的合作协议。",
        "该项目总投资为12亿元，由梨江建设公司承建。",
        "此次展览共展出竹器210件。",
        "其中，栖云造船公司出口额为2.1亿元。",
        "栖云市最高气温将达到28至33摄氏度。",
        "图为2031年栖云剧院的新舞台，面积为300平方米。",
        "责任编辑：林照青 栖云日报2031年5月20日第3版。",
        "2031年，栖云市计划种植银杏3000棵、香樟2000棵、垂柳5000棵。",
        "林照青说：“栖云市我们今年卖出了200件竹器。”",
        "一、加强梨江大桥的日常养护工作，投入资金200万元。",
        "昨晚，梨江号货轮载着300吨竹材离港。",
        "关注栖云图书馆微信公众号，2031年前100名读者可获得竹签。",
        "会议指出，要投入300万元保护梨江。",
        "截至5月20日。",
    ],
)
def test_refuses_what_cannot_be_followed_without_the_article(sentence: str) -> None:
    assert draft(sentence) is None


def test_the_day_of_publication_completes_a_date() -> None:
    found = draft("第六届梨江竹艺节于18日在栖云市文化广场开幕。")
    assert found is not None
    assert found.question == "第六届梨江竹艺节于2031年5月18日在哪里开幕？"


def test_a_relative_time_is_refused_without_a_day_of_publication() -> None:
    assert draft("今年，栖云造船公司向梨江大学捐赠了1200万元科研经费。", published=None) is None


def test_what_happens_once_needs_no_time() -> None:
    found = draft("第六届梨江竹艺节昨晚在栖云市文化广场开幕。", published=None)
    assert found is not None
    assert found.question == "第六届梨江竹艺节在哪里开幕？"


@pytest.mark.parametrize("glued", ["栖云造船官网资料显示，", "公开资料显示，", "\u200b\u200b", "\ufeff"])
def test_what_is_glued_before_a_sentence_is_no_part_of_the_question(glued: str) -> None:
    found = draft(glued + "栖云造船公司成立于2004年3月。")
    assert found is not None
    assert found.question == "栖云造船公司创立于什么时候？"


def test_a_figure_told_up_to_now_gets_the_month_of_publication() -> None:
    found = draft("栖云市图书馆已累计接待梨江大学读者3.2万人次。")
    assert found is not None
    assert found.question == "截至2031年5月，栖云市图书馆已累计接待梨江大学读者多少人次？"


def test_a_person_named_alone_is_asked_about_with_the_post() -> None:
    found = draft("栖云市博物馆馆长林照青出席活动。林照青于2009年3月加入梨江考古研究所，从事竹简修复。")
    assert found is not None
    assert found.question.startswith("栖云市博物馆馆长林照青于")
    assert found.answer == "2009年3月"


def test_the_answer_stands_word_for_word_in_its_evidence() -> None:
    told = document("栖云造船公司（简称栖船）成立于2004年3月。栖云市图书馆新馆的建筑面积为3.2万平方米。")
    sentences = numbered(told)
    found = draft_factoid(sentences, OfflineCorpus([told]), "seed", "")
    assert found is not None
    assert found.answer in sentences.sentences[found.evidence[0] - 1].text


def test_another_answer_in_another_document_makes_a_question_ambiguous() -> None:
    one = document("2030年，栖云造船公司向梨江大学捐赠了1200万元科研经费。")
    other = document("据回忆，2030年，栖云造船公司向梨江大学捐赠了900万元科研经费。")
    asked = Factoid("2030年，栖云造船公司向梨江大学捐赠了多少元科研经费？", "1200万元", (1,))
    assert is_ambiguous(asked, numbered(one), OfflineCorpus([one, other]))
    assert not is_ambiguous(asked, numbered(one), OfflineCorpus([one]))
    assert draft_factoid(numbered(one), OfflineCorpus([one, other]), "seed", "") is None


def test_a_question_already_asked_is_not_asked_again() -> None:
    text = "栖云造船公司成立于2004年3月。"
    first = draft(text)
    assert first is not None
    assert draft(text, avoid=first.question) is None


def test_the_same_sentences_give_the_same_question() -> None:
    text = "栖云造船公司成立于2004年3月。栖云市图书馆新馆的建筑面积为3.2万平方米。"
    assert draft(text) == draft(text)


def test_jieba_is_imported_by_the_first_draft_only() -> None:
    import subprocess

    code = "import agents.offline.chinese.drafter, sys; sys.exit('jieba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_tagger_leaves_jiebas_own_cache_in_the_shared_folder_alone(tmp_path, monkeypatch) -> None:
    """jieba unpacks what it finds there, whoever put it there."""
    import subprocess

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "jieba.cache").write_bytes(b"not a dictionary")
    code = "from core.text.chinese_names import _tagger; print(*(p.word for p in _tagger()[0]('梨江大桥通车了')))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "大桥" in done.stdout and done.stderr == ""
    assert (tmp_path / "jieba.cache").read_bytes() == b"not a dictionary"
