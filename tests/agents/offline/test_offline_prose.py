"""Running text: what must be refused, what must give the right question and answer, and that a question stands alone."""

import pytest

from agents.offline.corpus import OfflineCorpus
from agents.offline.english.drafter import draft_factoid, options
from agents.offline.english.readings import unmarked
from core.ids import content_hash
from core.nouns import Document, Span
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from core.text.text import split_sentences

TITLE = "Tern Bridge: Builder's Handbook"
FILLER = """# Tern Bridge: Builder's Handbook

This handbook is for builders. It has three parts.

## Cables

Read this part twice. Every reader should be able to splice.

"""


def document(sentence: str, title: str = TITLE) -> Document:
    text = FILLER + sentence
    return Document(content_hash(text), text, title)


def shown(doc: Document) -> NumberedSentences:
    cuts = split_sentences(doc.text, "en")
    return number_sentences([Sentence(Span(doc.id, start, end), doc.text[start:end], doc.title) for start, end in cuts])


def asked(sentence: str, title: str = TITLE) -> list[tuple[str, str]]:
    doc = document(sentence, title)
    return [(o.core, o.asked.answer) for o in options(shown(doc), OfflineCorpus([doc]))]


REFUSED = {
    "a subject that nothing names": "It weighs 42 tonnes and hangs from the northern tower.",
    "we that nobody is": "We tightened the cables of the bridge by 12 millimetres.",
    "nobody knows what that is": "The rope of that year weighed 42 tonnes in all.",
    "a number within a label": "The foreman of gate 6 wrote to the owner of the quarry.",
    "somebody's own words": 'The foreman said "the cable weighs 42 tonnes and will hold".',
    "two numbers that are the ends of one range": "The tower carries between 12 and 14 lamps in winter.",
    "an empty head": "The first took 22 minutes in the winter of the flood.",
    "a possessive without its owner": "Its cable weighs 42 tonnes and hangs in the wind.",
    "a relative clause for a subject": "The cable which was hung in 1911 weighs 42 tonnes.",
    "a question": "Did the northern tower lose 3 tonnes in the year 1911?",
    "a time that only the page knows": "The tower had then 14 lamps in the northern window.",
    "a row of a table": "| Cable | 42 tonnes |",
    "a person found": "The mason cut the name of the emperor Hadrian, found by Amos Reed in 1902.",
}


@pytest.mark.parametrize("why", REFUSED)
def test_refuses(why: str) -> None:
    assert asked(REFUSED[why]) == []


GIVEN = [
    ("The main cable weighs 42 tonnes.", "How many tonnes does the main cable weigh?", "42 tonnes"),
    (
        "The *main* cable stretches by 38 mm in summer.",
        "By how many millimetres does the main cable stretch in summer?",
        "38 mm",
    ),
    ("Peak load on the pier is 38 kN.", "What is the peak load on the pier?", "38 kN"),
    (
        "The toll rose by 12.7 per cent in the second winter.",
        "By what percentage did the toll rise in the second winter?",
        "12.7 per cent",
    ),
    ("The north wall is 1,180 metres in length.", "How long is the north wall?", "1,180 metres"),
    (
        "On 12 May 1931 the last ferry at Tern left the quay.",
        "On what date did the last ferry at Tern leave the quay?",
        "12 May 1931",
    ),
    (
        "Ida Crake, the owner's chief designer, was glad. Dr Ida Crake said so.",
        "Who is described as the owner's chief designer?",
        "Ida Crake",
    ),
    ("The deck is divided into bays of 4 metres.", "Into bays of how many metres is the deck divided?", "4 metres"),
    (
        "By 1950 the plates of the bridge had lost on average 2.3 mm of their old strength.",
        "How many millimetres had the plates of the bridge lost by 1950?",
        "2.3 mm",
    ),
]


@pytest.mark.parametrize(("sentence", "question", "answer"), GIVEN)
def test_asks(sentence: str, question: str, answer: str) -> None:
    found = [
        (q.replace("When did", "On what date did").replace("When was", "In which month and year was"), a)
        for q, a in asked(sentence)
    ]
    assert (question, answer) in found


def test_a_definite_subject_gets_the_document_that_defines_it() -> None:
    doc = document("The main cable weighs 42 tonnes.")
    found = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")
    assert found is not None and "the Tern Bridge handbook" in found.question


def test_what_is_to_be_left_alone_is() -> None:
    doc = document("The main cable weighs 42 tonnes.")
    first = draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", "")
    assert first is not None
    assert draft_factoid(shown(doc), OfflineCorpus([doc]), "seed", first.question) is None


def test_marks_go_and_signs_stay() -> None:
    assert unmarked("**Note.** The `size` of *Tarka* is 5 * 3") == "Note. The size of Tarka is 5 * 3"
    assert unmarked("## 4.1 The staff") == "4.1 The staff"
    assert unmarked("- snake_case_names") == "snake_case_names"


def test_a_company_is_its_we() -> None:
    title = "Tern Works plc: Annual Report for 2023"
    assert ("How many people did Tern Works plc employ on average?", "742 people") in asked(
        "We employed 742 people on average.", title
    )
