"""Level 2 of the offline agent in English: the name is hidden, its description is cited and fits one thing."""

from core.ids import content_hash
from core.nouns import Document, Span
from core.numbered import Numbered, Sentence, number
from core.offline.corpus import Corpus
from core.offline.english.descriptions import hides, without
from core.offline.english.drafter import draft_implicit
from core.text import split_sentences

FILMS = (
    "Salt Road\nSalt Road is a 1931 Norwegian drama film directed by Anna Velmont and starring Karl Harl.\n\n"
    "Anna Velmont\nAnna Velmont was a Norwegian film director.\nShe moved to Bergen in 1850.\n\n"
)


def document(text: str) -> Document:
    return Document(content_hash(text), text, "test")


def shown(doc: Document) -> Numbered:
    cuts = split_sentences(doc.text, "en")
    return number([Sentence(Span(doc.id, start, end), doc.text[start:end], doc.title) for start, end in cuts])


def test_a_person_is_described_by_the_film_she_directed() -> None:
    doc = document(FILMS)
    draft = draft_implicit("In which year did Anna Velmont move to Bergen?", "1850", shown(doc), Corpus([doc]), "s", "")
    assert draft is not None
    assert draft.question == 'In which year did the director of the 1931 film "Salt Road" move to Bergen?'
    assert (draft.answer, draft.evidence, draft.referent) == ("1850", (2, 4, 5), "Anna Velmont")


def test_a_film_is_described_without_the_answer() -> None:
    doc = document(FILMS)
    draft = draft_implicit('Who directed the 1931 film "Salt Road"?', "Anna Velmont", shown(doc), Corpus([doc]), "s", "")
    assert draft is not None
    assert draft.question == "Who directed the 1931 Norwegian drama film starring Karl Harl?"
    assert draft.evidence == (2,)


def test_a_description_that_fits_two_things_is_not_used() -> None:
    doc = document(FILMS + "Pan Nine\nPan Nine is a 1931 Norwegian drama film starring Karl Harl.\n\n")
    assert draft_implicit('Who directed the 1931 film "Salt Road"?', "Anna Velmont", shown(doc), Corpus([doc]), "s", "") is None


def test_nothing_when_no_sentence_describes_the_name() -> None:
    doc = document("Anna Velmont\nAnna Velmont was a Norwegian film director.\nShe moved to Bergen in 1850.\n\n")
    assert draft_implicit("In which year did Anna Velmont move to Bergen?", "1850", shown(doc), Corpus([doc]), "s", "") is None


def test_nothing_when_the_fact_is_not_shown() -> None:
    doc = document(FILMS)
    assert draft_implicit("In which year did Anna Velmont move to Bergen?", "1860", shown(doc), Corpus([doc]), "s", "") is None


def test_the_rejected_question_is_never_given_again() -> None:
    doc = document(FILMS)
    given = (shown(doc), Corpus([doc]), "s")
    asked = "In which year did Anna Velmont move to Bergen?"
    first = draft_implicit(asked, "1850", *given, "")
    assert first is not None
    second = draft_implicit(asked, "1850", *given, first.question)
    assert second is None or second.question != first.question


def test_a_telling_part_of_a_name_gives_it_away() -> None:
    assert not hides("the brother of Karl Velmont", "Anna Velmont")
    assert not hides("the films of anna velmont", "Anna Velmont")
    assert hides('the director of the film "Salt Road"', "Anna Velmont")


def test_the_answer_is_taken_out_of_a_description() -> None:
    phrase = "1931 film directed by Anna Velmont and starring Karl Harl"
    assert without("Anna Velmont", phrase) == "1931 film starring Karl Harl"
    assert without("1940", phrase) == phrase
