"""Levels 3 and 4 of the offline agent in English: claims from several places, each cited, each with its subject named."""

from itertools import pairwise

from core.ids import content_hash
from core.nouns import Document, Span
from core.numbered import Numbered, Sentence, number
from core.offline.corpus import Corpus
from core.offline.english.rationale import draft_explicit_rationale, draft_implicit_rationale
from core.text import split_sentences

LIFE = (
    "Anna Velmont\nAnna Velmont was a Norwegian engineer who drew bridges and sluices.\n"
    "She moved to Bergen in 1850 because the railway company wanted her bridges.\nShe liked the rain and the harbour there.\n"
    "In 1861 she was appointed head of the works despite the protests of the guild.\n"
    "Her brother came to live with her for a year.\n"
    "She resigned in 1870 as a result of the collapse of the Harl Bridge.\n"
    "She painted small pictures of the sea and of ships.\n"
    "She died in Oslo in 1888 after a long illness that nobody could name.\n\n"
)  # fmt: skip


def document(text: str) -> Document:
    return Document(content_hash(text), text, "test")


def shown(doc: Document) -> Numbered:
    cuts = split_sentences(doc.text, "en")
    return number([Sentence(Span(doc.id, start, end), doc.text[start:end], doc.title) for start, end in cuts])


def test_reasons_from_three_places_make_a_question() -> None:
    doc = document(LIFE)
    draft = draft_explicit_rationale(shown(doc), Corpus([doc]), "s", "")
    assert draft is not None and "Anna Velmont" in draft.question and draft.theme == ""
    places = [claim.evidence[0] for claim in draft.claims]
    assert len(places) >= 3 and places == sorted(places) and all(b - a >= 2 for a, b in pairwise(places))


def test_claims_name_whom_their_sentence_calls_she() -> None:
    doc = document(LIFE)
    draft = draft_explicit_rationale(shown(doc), Corpus([doc]), "s", "")
    assert draft is not None
    claims = {claim.evidence[0]: claim.claim for claim in draft.claims}
    assert claims[3] == "Anna Velmont moved to Bergen in 1850 because the railway company wanted her bridges."
    assert claims[5].startswith("In 1861 Anna Velmont was appointed head of the works")


def test_a_dated_chain_makes_a_frame_with_a_theme() -> None:
    doc = document(LIFE)
    draft = draft_implicit_rationale(shown(doc), Corpus([doc]), "s", "")
    assert draft is not None and draft.theme == "the career of Anna Velmont"
    assert "1850" in draft.question and "1888" in draft.question
    assert [claim.evidence for claim in draft.claims] == [(3,), (5,), (7,), (9,)]


def test_nothing_when_one_place_alone_gives_a_reason() -> None:
    doc = document("Anna Velmont\nAnna Velmont was an engineer.\nShe moved to Bergen because of the rain in the east.\n\n")
    assert draft_explicit_rationale(shown(doc), Corpus([doc]), "s", "") is None
    assert draft_implicit_rationale(shown(doc), Corpus([doc]), "s", "") is None


def test_what_was_asked_before_is_left_alone() -> None:
    doc = document(LIFE)
    first = draft_explicit_rationale(shown(doc), Corpus([doc]), "s", "")
    assert first is not None
    assert draft_explicit_rationale(shown(doc), Corpus([doc]), "s", f"Leave alone:\n- {first.question}\n") is None
