"""No tool of a twin's question shows a hidden passage, and a search goes deeper until it has as many as were asked for."""

from dataclasses import replace
from typing import Any

import pytest

from core.nouns import Document, Hit, Span
from core.retrieval.absence import AbsenceTwin, HiddenPassage
from eval.running.hiding import build_twin_question, explain_inapplicable, hide_passages
from eval.running.retrieval import make_tools
from eval.system import Question, Shot, systems

TEXTS = {f"d{n}": f"Passage {n} of the corpus." for n in range(30)}
QUESTION = Question("q", "Who?", "Who?", "en", "question_answering", None, 10, answers=("Ada Quill",))


def twin(*documents: str) -> dict[str, AbsenceTwin]:
    """A twin that hides the first five characters of these documents."""
    return {"q": AbsenceTwin("q", tuple(HiddenPassage(Span(name, 0, 5), "evidence") for name in documents))}


def search(query: str, k: int) -> list[Hit]:
    """All documents in order, each in two passages."""
    spans = [Span(name, start, end) for name in TEXTS for start, end in ((0, 9), (9, 20))]
    return [Hit(span, 1 / (place + 1)) for place, span in enumerate(spans[:k])]


def tools(*hidden: str) -> Any:
    documents = [Document(name, text, name) for name, text in TEXTS.items()]
    return hide_passages(make_tools(documents, {"en": search}, None, None), twin(*hidden))(QUESTION)


def test_a_search_leaves_out_what_overlaps_and_fills_up_from_below() -> None:
    found = [hit.span for hit in tools("d0", "d1").retrieve("Who?", 3)]
    assert found == [Span("d0", 9, 20), Span("d1", 9, 20), Span("d2", 0, 9)]
    assert len(tools(*list(TEXTS)[:25]).retrieve("Who?", 20)) == 20, "more passages are hidden than one step goes deeper"
    assert len(tools(*TEXTS).retrieve("Who?", 100)) == 30, "a search that has no more ends"


def test_texts_and_whole_documents_are_hidden_too() -> None:
    own = tools("d0")
    assert (own.text(Span("d0", 0, 9)), own.text(Span("d0", 9, 20))) == ("", TEXTS["d0"][9:20])
    assert own.document("d0") is None and own.document("d1") is not None and own.functions is None


def test_a_twin_has_no_gold_and_no_example_that_tells_it() -> None:
    shots = (Shot("Who?", ("Quill, Ada built it.",), "x"), Shot("Who?", ("Bert Vane built it.",), "y"))
    asked = build_twin_question(replace(QUESTION, evidence=(Span("d0", 0, 5),), shots=shots))
    assert (asked.answers, asked.evidence, asked.shots) == ((), (), shots[1:]) and asked.item == "q"


@pytest.mark.parametrize(
    ("system", "retriever", "part"),
    [
        ("vanilla", "bm25", ""),
        ("closed_book", None, "no retriever"),
        ("graph", "bm25", "whole corpus"),
        ("pal", None, "functions"),
    ],
)
def test_systems_from_which_nothing_can_be_hidden_are_told_why(system: str, retriever: str | None, part: str) -> None:
    why = explain_inapplicable(systems()[system], retriever)
    assert part in why and bool(why) == bool(part)
