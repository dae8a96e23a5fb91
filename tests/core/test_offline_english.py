"""Small hand-made windows: what must be refused, and what must give the right question and answer."""

import pytest

from core.ids import content_hash
from core.nouns import Document, Span
from core.numbered import Numbered, Sentence, number
from core.offline.corpus import Corpus
from core.offline.english.drafter import draft_factoid, options
from core.text import split_sentences


def document(text: str) -> Document:
    return Document(content_hash(text), text, "test")


def shown(doc: Document) -> Numbered:
    cuts = split_sentences(doc.text, doc.language)
    return number([Sentence(Span(doc.id, start, end), doc.text[start:end], doc.title) for start, end in cuts])


def asked(text: str) -> set[tuple[str, str]]:
    """(answer, family) of every question that the text allows."""
    doc = document(text)
    return {(o.asked.answer, o.asked.family) for o in options(shown(doc), Corpus([doc]))}


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
    "a heading": "Velmont Opera opened in 1931\n",
    "another person of the family": "Anna Velmont\nAnna Velmont was a singer.\nKarl Velmont was born in Oslo in 1931.",
    "a lord of whom there were many": "Lord Velmont married Anna Harl in 1931.",
    "It after a sentence about something else": (
        "March of Salt\nMarch of Salt is a 1931 film.\nIt won nothing.\nA sequel called Salt Again followed.\n"
        "It was released in Norway in 1950."
    ),
    "relative time": "Velmont Opera was founded today.",
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_refuses(why: str) -> None:
    found = {pair for pair in asked(REFUSED[why]) if pair[1] not in ("birth", "released", "nationality")}
    assert found == set()


GIVEN = [
    ("Salt Road\nSalt Road is a 1931 Norse film directed by Anna Velmont and starring Karl Harl.", "Anna Velmont", "director"),
    ("Salt Road\nSalt Road is a 1931 film.\nIt is based on the novel \"The Pan\" by Ida Crake.", "Ida Crake", "based_author"),
    ("Karl Harl\nKarl Harl ( 3 May 1801 – 9 June 1870) was a Danish painter.", "3 May 1801", "birth"),
    ("Karl Harl\nKarl Harl ( 3 May 1801 – 9 June 1870) was a Danish painter.", "9 June 1870", "death"),
    ("Karl Harl\nKarl Harl was a Danish painter.\nHe was born in Odense.", "Odense", "birthplace"),
    ("Karl Harl\nKarl Harl was a Danish painter.\nHe married Ida Crake in 1831.", "Ida Crake", "marriage"),
    ("Karl Harl\nKarl Harl was a Danish painter.\nHarl moved to Bergen in 1850.", "1850", "when"),
    ("Tarn\nTarn is a village in Odda District, Norway.", "Odda", "district"),
    ("Velmont Works\nVelmont Works is a company founded by Ida Crake in 1901.", "Ida Crake", "founder"),
    ("Karl Harl was the first mayor of Velmont.", "Karl Harl", "reversed"),
    ("Karl Harl\nKarl Harl was a Danish painter.\nHe painted 42 portraits for the Velmont Bank.", "42", "how_many"),
    ("Velmont Hall was demolished by the Harl Brothers between 1924 and 1936.", "between 1924 and 1936", "period"),
    ("Karl Harl\nKarl Harl was a Danish painter.\nHe was succeeded by Jens Bruun.", "Jens Bruun", "succeeded"),
    ("Long Salt\nLong Salt is the second album by the band Pan Nine, released in 1999.", "Pan Nine", "artist"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "answer", "family"), GIVEN)
def test_gives_the_right_answer(text: str, answer: str, family: str) -> None:
    assert (answer, family) in asked(text)


def test_the_question_reads_as_a_person_would_ask() -> None:
    doc = document("Salt Road\nSalt Road is a 1931 Norwegian film.\nIt was shot in Bergen.\n\n")
    draft = draft_factoid(shown(doc), Corpus([doc]), "seed", "")
    assert draft is not None
    films = ('the 1931 film "Salt Road"', 'the film "Salt Road"')
    forms = ("Where was {} filmed?", "Where was {} shot?", "In which place was {} shot?")
    assert draft.question in {form.format(film) for form in forms for film in films}
    assert draft.answer == "Bergen"


def test_a_pronoun_brings_the_sentence_that_names_it_into_the_evidence() -> None:
    doc = document("Karl Harl\nKarl Harl was a Danish painter.\nHe moved to Bergen in 1850.\n\n")
    found = [o for o in options(shown(doc), Corpus([doc])) if o.asked.answer == "1850"]
    assert [o.evidence for o in found] == [(2, 3)]


def test_a_name_that_two_things_bear_is_not_asked_about() -> None:
    text = "Karl Harl\nKarl Harl was a painter.\nHe was born in Odense.\n\nKarl Harl (rower)\nKarl Harl was a rower.\n\n"
    doc = document(text)
    assert draft_factoid(number(shown(doc).sentences[:3]), Corpus([doc]), "seed", "") is None


def test_two_sentences_that_answer_alike_are_ambiguous() -> None:
    text = "The Velmont Cup was won by Karl Harl in 1931.\n\nThe Velmont Cup was won by Karl Harl in 1935."
    doc = document(text)
    draft = draft_factoid(shown(doc), Corpus([doc]), "seed", "")
    assert draft is None or draft.answer not in ("1931", "1935")


def test_the_same_window_gives_the_same_draft() -> None:
    doc = document("\n\n".join(text for text, _, _ in GIVEN))
    first = draft_factoid(shown(doc), Corpus([doc]), "seed", "")
    assert first is not None and first == draft_factoid(shown(doc), Corpus([doc]), "seed", "")


def test_the_rejected_question_is_never_given_again() -> None:
    doc = document("\n\n".join(text for text, _, _ in GIVEN))
    first = draft_factoid(shown(doc), Corpus([doc]), "seed", "")
    assert first is not None
    second = draft_factoid(shown(doc), Corpus([doc]), "seed", first.question)
    assert second is None or second.question != first.question


def test_works_without_the_document_behind_the_sentences() -> None:
    doc = document("Salt Road\nSalt Road is a 1931 Norwegian film directed by Anna Velmont.")
    sentences = shown(doc)
    draft = draft_factoid(sentences, Corpus.of(sentences, "en"), "seed", "")
    assert draft is not None and draft.answer == "Anna Velmont"
