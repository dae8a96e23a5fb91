"""Small hand-made windows: what must be refused, and what must give the right question and answer."""

import pytest

from agents.offline.corpus import OfflineCorpus
from agents.offline.english.drafter import draft_factoid, options
from core.ids import content_hash
from core.nouns import Document, Span
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from core.text.text import split_sentences


def document(text: str) -> Document:
    return Document(content_hash(text), text, "test")


def shown(doc: Document) -> NumberedSentences:
    cuts = split_sentences(doc.text, doc.language)
    return number_sentences([Sentence(Span(doc.id, start, end), doc.text[start:end], doc.title) for start, end in cuts])


def asked(text: str) -> set[tuple[str, str]]:
    """(answer, family) of every question that the text allows."""
    doc = document(text)
    return {(o.asked.answer, o.asked.family) for o in options(shown(doc), OfflineCorpus([doc]))}


REFUSED = {
    "a pronoun nobody explains": "He was appointed director of the Velmont Opera in 1931.",
    "It that stands for nothing": "Velmont\nVelmont is a town.\nIt was announced in 1931 that the Velmont Opera would close.",
    "a film that only its paragraph knows": "The film was released in Norway in 1931.",
    "words lost from the sentence": "Velmont Opera\nVelmont Opera is a house.\nIt was seen in the series  and in Oslo in 1931.",
    "unbalanced quotation marks": 'Anna Velmont wrote "The Long Road in 1931.',
    "a range of years": "Velmont Opera was rebuilt in 1931–33.",
    "two dates in one clause": "Velmont Opera was opened in 1931 and in 1950.",
    "a vague part of a decade": "Velmont Opera was founded in the early 1930s.",
    "a sentence without a verb": "The Velmont Opera in 1931, with all its boxes and its great red curtain.",
    "a subject with a relative clause": "The man who built the Velmont Opera was born in 1931.",
    "a heading": "# Velmont Opera opened in 1931\n\nNobody knew.",
    "another person of the family": "Anna Velmont\nAnna Velmont was a singer.\nKarl Velmont was born in Oslo in 1931.",
    "It after a sentence about something else": (
        "March of Salt\nMarch of Salt is a 1931 film.\nIt won nothing.\nA sequel called Salt Again followed.\n"
        "It was released in Norway in 1950."
    ),
    "relative time": "Velmont Opera was founded today.",
}


@pytest.mark.parametrize("why", REFUSED)
def test_refuses(why: str) -> None:
    found = {pair for pair in asked(REFUSED[why]) if pair[1] not in ("birth", "released", "nationality")}
    assert found == set()


GIVEN = [
    ("Karl Harl (born 3 May 1951) is a Danish painter.", "Danish", "nationality"),
    ("Karl Harl (born 3 May 1951) is a Danish painter.", "3 May 1951", "born"),
    ("Karl Harl was a retired Danish painter who lived in Bergen.", "Danish", "nationality"),
    ("Ida Crake was the second director of the Velmont Opera.", "Ida Crake", "reversed"),
    ("The second director of the Velmont Opera was Ida Crake.", "Ida Crake", "reversed"),
    ("The Velmont Opera was opened by the mayor in 1931.", "1931", "when"),
    ("Anna Velmont directed the Velmont Opera from 1931 to 1940.", "from 1931 to 1940", "period"),
    ("In 1931, Anna Velmont left the Velmont Opera.", "1931", "when"),
    ("The Velmont Opera has 1,200 seats in all.", "1,200 seats", "quantity"),
]


@pytest.mark.parametrize(("text", "answer", "family"), GIVEN)
def test_gives_the_right_answer(text: str, answer: str, family: str) -> None:
    assert (answer, family) in asked(text)


def test_the_question_reads_as_a_person_would_ask() -> None:
    doc = document("Karl Harl (born 3 May 1951) is a Danish painter.")
    draft = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")
    assert draft is not None
    forms = ("When was {} born?", "What is the date of birth of {}?", "What is the nationality of {}?")
    assert draft.question in {form.format("Karl Harl") for form in forms} | {"Of what nationality is the painter Karl Harl?"}


def test_a_pronoun_brings_the_sentence_that_names_it_into_the_evidence() -> None:
    doc = document("Karl Harl was a Danish painter. He moved to Bergen in 1850.")
    found = [o for o in options(shown(doc), OfflineCorpus([doc])) if o.asked.answer == "1850"]
    assert [o.evidence for o in found] == [(1, 2)] and "Karl Harl" in found[0].question


def test_a_document_is_not_named_where_its_title_tells_the_answer() -> None:
    text = "Ida Crake was the second director of the Velmont Opera."
    doc = Document(content_hash(text), text, "Ida Crake")
    draft = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")
    assert draft is not None
    assert (draft.question, draft.answer) == ("Who was the second director of the Velmont Opera?", "Ida Crake")


def test_two_sentences_that_answer_alike_are_ambiguous() -> None:
    text = "The Velmont Cup was won by Karl Harl in 1931.\n\nThe Velmont Cup was won by Karl Harl in 1935."
    doc = document(text)
    draft = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")
    assert draft is None or draft.answer not in ("1931", "1935")


def test_the_same_window_gives_the_same_draft() -> None:
    doc = document("\n\n".join(text for text, _, _ in GIVEN))
    first = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")
    assert first is not None and first == draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")


def test_the_rejected_question_is_never_given_again() -> None:
    doc = document("\n\n".join(text for text, _, _ in GIVEN))
    first = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")
    assert first is not None
    second = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", first.question)
    assert second is None or second.question != first.question


def test_works_without_the_document_behind_the_sentences() -> None:
    doc = document("Ida Crake was the second director of the Velmont Opera.")
    sentences = shown(doc)
    draft = draft_factoid(sentences, OfflineCorpus.of(sentences, "en"), "seed", "")
    assert draft is not None and draft.answer == "Ida Crake"
