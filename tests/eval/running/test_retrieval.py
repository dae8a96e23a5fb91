"""What systems search: every document of the question's language, cut into chunks; languages that cannot be answered are left
out with a reason, never answered badly."""

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document
from eval.retriever import retrievers
from eval.running.retrieval import make_tools, prepare_retrieval, prepare_search
from eval.system import Question

MILL = "The mill by the river was sold in 1911. The buyer was Ada Quill. She paid nine hundred crowns."
COURT = "The court sat in the old hall. It freed the miller after two days. Nobody appealed."
ZH = "大桥于一八九〇年建成，全长三百米。桥梁由磨坊主人出资修建。法院在六月开庭，判决磨坊主人无罪。"


def document(text: str, language: str = "en") -> Document:
    return Document(content_hash(text), text, text[:10], language=language)


def question(language: str = "en") -> Question:
    return Question("i", "q", "q", language, "explicit_factoid", None, 8)


DOCUMENTS = [document(MILL), document(COURT), document(ZH, "zh")]


@pytest.mark.parametrize(
    ("language", "query", "found"), [("en", "Who was the buyer of the mill?", MILL), ("zh", "大桥哪年建成？", ZH)]
)
def test_bm25_finds_the_right_document_in_either_language(language: str, query: str, found: str) -> None:
    search, chunks = prepare_search(DOCUMENTS, language, retrievers()["bm25"], {"chunk_tokens": 16})
    hits = search(query, 2)
    assert hits[0].span.document == content_hash(found) and chunks >= len(hits)
    assert hits[0].score >= hits[-1].score


def test_dense_leaves_chinese_out_with_a_reason_and_answers_the_rest() -> None:
    asked = [question(), question("zh"), question("zh")]
    prepared = prepare_retrieval(DOCUMENTS, asked, retrievers()["dense"], {})
    assert list(prepared.searches) == ["en"]
    (left_out,) = prepared.not_run
    assert (left_out["language"], left_out["n"]) == ("zh", 2)
    assert "lexical_vectors" in left_out["why"] and "bm25" in left_out["why"]
    assert prepared.searches["en"]("Ada Quill bought it", 1)[0].span.document == content_hash(MILL)


def test_dense_refuses_when_no_language_remains() -> None:
    with pytest.raises(BenchError, match=r"minilm does not know .* lexical_vectors"):
        prepare_retrieval(DOCUMENTS, [question("zh")], retrievers()["dense"], {})


def test_chunks_longer_than_the_models_input_are_refused() -> None:
    long = document(" ".join(f"The miller counted sack number {n} at dawn." for n in range(200)))
    with pytest.raises(BenchError, match="set chunk_tokens"):
        prepare_retrieval([long], [question()], retrievers()["dense"], {"chunk_tokens": 400})
    _, chunks = prepare_search([long], "en", retrievers()["dense"], {})
    assert chunks > 5


def test_lexical_vectors_search_chinese() -> None:
    others = [document(f"第{n}号仓库里存放着许多粮食和木材。", "zh") for n in range(8)]
    prepared = prepare_retrieval(
        [*DOCUMENTS, *others], [question("zh")], retrievers()["dense"], {"embedding_model": "lexical_vectors"}
    )
    assert prepared.searches["zh"]("大桥全长多少米", 1)[0].span.document == content_hash(ZH)


def test_settings_and_missing_documents_are_named() -> None:
    with pytest.raises(BenchError, match="chunk_tokens is 'big'"):
        prepare_search(DOCUMENTS, "en", retrievers()["bm25"], {"chunk_tokens": "big"})
    with pytest.raises(BenchError, match="an overlap must be smaller"):
        prepare_search(DOCUMENTS, "en", retrievers()["bm25"], {"chunk_tokens": 8, "chunk_overlap": 8})
    with pytest.raises(BenchError, match="There is no document in zh"):
        prepare_search(DOCUMENTS[:2], "zh", retrievers()["bm25"], {})


def test_a_passage_is_located_in_the_given_documents_first_and_keeps_its_rank_when_it_stands_nowhere() -> None:
    twice = document(f"Again: {COURT}")
    tools = make_tools([*DOCUMENTS, twice], {}, None, None)(question())
    assert tools.locate("Nobody appealed.", [twice.id]).document == twice.id
    whole = tools.locate(COURT, [])
    assert (whole.document, whole.start, whole.end) == (content_hash(COURT), 0, len(COURT))
    nowhere = tools.locate("It never rained.", [])
    assert nowhere.document == content_hash("It never rained.") and tools.text(nowhere) == ""
