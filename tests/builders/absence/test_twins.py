"""A twin hides all that proves an item's answer, and an item whose evidence cannot be taken out gets none."""

import pytest

from builders.absence.answer_search import find_answers, list_terms, list_wanted_terms
from builders.absence.twins import draw_items, make_twins
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from core.retrieval.absence import AbsenceTwin

MILL = "The old mill of Orvel was bought by Ada Quill in 1902, a year after the great fire had burnt down its roof and wheel."
FILLER = [f"Notes on the village number {n}: the weather was fair, and the rye was brought in late." for n in range(8)]


def document(text: str, title: str = "", language: str = "en") -> Document:
    return Document(content_hash(text), text, title, language=language)


def item(answer: str, evidence: Document | None, question: str = "Who bought the mill?", **fields: object) -> Item:
    spans = (Span(evidence.id, 0, len(evidence.text)),) if evidence else ()
    return Item("q", "question_answering", question, (answer,), evidence=spans, status="accepted", **fields)  # type: ignore[arg-type]


def reasons(twin: AbsenceTwin) -> dict[str, str]:
    return {passage.span.document: passage.why for passage in twin.hidden}


def test_evidence_its_copy_under_another_title_and_other_mentions_of_the_answer_are_hidden() -> None:
    mill = document(MILL, "Mill")
    copy = document("Reprinted by courtesy of the archive. " + MILL.replace("Ada Quill", "A. Q."), "Another title")
    mention = document("In her memoirs Quill, Ada, tells of rye bread and long winters.", "Memoirs")
    namesake = document("Ada Lovelace wrote of engines.", "Engines")
    corpus = [mill, copy, mention, namesake, *map(document, FILLER)]
    made = make_twins([item("Ada Quill", mill)], corpus)
    assert made.obstacles == {}
    assert reasons(made.twins[0]) == {mill.id: "evidence", copy.id: "near copy", mention.id: "answer"}


def test_the_search_finds_an_answer_whose_date_is_written_in_another_way() -> None:
    mill = document("The mill was sold on 22 June 1902 to a lady from the coast.")
    other = document("The register of the mill says: sold, 22/06/1902.")
    made = make_twins([item("22 June 1902", mill, "When was the mill sold?")], [mill, other, *map(document, FILLER)])
    assert reasons(made.twins[0]) == {mill.id: "evidence", other.id: "found by search"}


def test_a_paraphrase_without_shared_words_is_missed() -> None:
    mill = document(MILL)
    paraphrase = document("A woman of that family acquired the grinding house at the turn of the century.")
    made = make_twins([item("Ada Quill", mill)], [mill, paraphrase, *map(document, FILLER)])
    assert paraphrase.id not in reasons(made.twins[0])


def test_an_answer_that_a_cut_between_passages_goes_through_is_found() -> None:
    mill = document(MILL)
    long = document(" ".join(f"word{n}" for n in range(150)) + " Ada Quill " + " ".join(f"other{n}" for n in range(150)))
    made = make_twins([item("Ada Quill", mill)], [mill, long, *map(document, FILLER)])
    assert reasons(made.twins[0])[long.id] == "answer"


def test_chinese_answers_are_found_by_pairs_of_characters() -> None:
    mill = document("1902年，奥韦尔的老磨坊被阿达·奎尔女士买下，前一年的大火烧毁了屋顶。", language="zh")
    mention = document("阿達·奎爾女士后来写了一本回忆录。", language="zh")
    other = document("村里的天气很好，黑麦收得晚。", language="zh")
    filler = [document(f"第{n}号村庄笔记：天气晴朗。", language="zh") for n in range(4)]
    made = make_twins([item("阿达·奎尔女士", mill, "谁买下了磨坊？", language="zh")], [mill, mention, other, *filler])
    assert reasons(made.twins[0]) == {mill.id: "evidence", mention.id: "answer"}


def test_a_number_with_its_unit_is_found_in_chinese_and_not_within_another_number() -> None:
    passages = ["共有7处山洪", "共有17处山洪", "涨了77个点", "涨了177个点"]
    found = find_answers([*list_wanted_terms("7处", "zh"), *list_wanted_terms("77%", "zh")], map(list_terms, passages))
    assert found == [[0], [2]]


@pytest.mark.parametrize(
    ("answer", "fields", "why"),
    [
        ("yes", {}, "general answer"),
        ("5", {}, "general answer"),
        ("I do not know.", {}, "unanswerable"),
        ("invalid question", {}, "unanswerable"),
        ("Ada Quill", {"inputs": {"text": MILL}}, "own text"),
        ("village", {}, "too much to hide"),
    ],
)
def test_an_item_whose_evidence_cannot_be_taken_out_gets_no_twin(answer: str, fields: dict[str, object], why: str) -> None:
    mill = document(MILL)
    made = make_twins([item(answer, mill, **fields)], [mill, *map(document, FILLER)], most=4)
    assert made.twins == [] and made.obstacles == {"q": why}


def test_every_answer_must_be_searchable_and_two_digits_are() -> None:
    mill, other = document("The mill had thirty-five wheels."), document("The list says: 35 of them.")
    corpus = [mill, other, *map(document, FILLER)]
    both = Item("q", "question_answering", "How many?", ("thirty-five", "35"), (Span(mill.id, 0, 9),), status="accepted")
    assert reasons(make_twins([both], corpus).twins[0]) == {mill.id: "evidence", other.id: "answer"}
    short = Item("q", "question_answering", "How many?", ("thirty-five", "5"), (Span(mill.id, 0, 9),), status="accepted")
    assert make_twins([short], corpus).obstacles == {"q": "general answer"}


def test_an_item_of_which_the_corpus_has_nothing_gets_no_twin() -> None:
    assert make_twins([item("Ada Quill", None)], list(map(document, FILLER))).obstacles == {"q": "nothing to hide"}


def test_enough_of_a_long_answer_is_four_of_five_terms_and_all_of_a_short_one() -> None:
    long, short = list_wanted_terms("roof wheel barn stable fence", "en"), list_wanted_terms("roof wheel barn", "en")
    passages = ["The roof, wheel, barn and stable burnt.", "The roof, wheel and moat burnt."]
    assert find_answers([*long, *short], map(list_terms, passages)) == [[0], [0]]
    assert find_answers([*long, *short], [list_terms("roof wheel barn")]) == [[], [0]]


def test_the_same_seed_draws_the_same_items_and_a_share_of_0_is_refused() -> None:
    members = [Item(str(n), "question_answering", "?", ("a",)) for n in range(50)]
    assert draw_items(members, 0.2, 13) == draw_items(members[::-1], 0.2, 13)[::-1]
    assert len(draw_items(members, 0.2, 13)) == 10 and draw_items(members, 0.2, 13) != draw_items(members, 0.2, 14)
    with pytest.raises(BenchError, match="share of absence twins is 0"):
        draw_items(members, 0.0, 13)
    with pytest.raises(BenchError, match="allow 1 or more"):
        make_twins(members, [], most=0)
