"""A sentence-transformers folder is used as its authors mean it: queries, documents and similarities equal the library's, and
whatever changes a vector is part of its identity."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.devices import Placement
from core.errors import BenchError
from core.model_uses import collect_model_uses
from core.nouns import Span
from core.retrieval.embedding_options import EmbeddingOptions, Side, read_embedding_options
from core.retrieval.embeddings import embedder, encode_unit_rows, score_texts
from core.retrieval.packed_layers import pack_linear_layers
from core.retrieval.search import DenseIndex
from core.retrieval.sentence_model import make_sample_inputs
from core.retrieval.vector_similarity import compare_rows, prepare_rows
from tests.eval.tiny_model import tiny_model, tiny_sentence_model

TEXTS = ["the mill of orvel", "a tower", "who paid for the bridge?", "rain", "the ferry sails at noon, in winter"]
QUERIES = ["who bought the mill?", "when does the ferry sail?"]
SEARCH_PROMPTS = {"query": "query: ", "document": "document: "}
STATED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "cosine, normalised": {"similarity": "cosine", "is_normalised": True},
    "cosine, not normalised": {"similarity": "cosine"},
    "dot": {"similarity": "dot"},
    "euclidean": {"similarity": "euclidean"},
    "manhattan": {"similarity": "manhattan"},
    "query and document": {"prompts": SEARCH_PROMPTS},
    "query alone": {"prompts": {"query": "find this: "}, "similarity": "dot"},
    "default prompt": {"prompts": {**SEARCH_PROMPTS, "sts": "alike: "}, "default_prompt": "sts", "is_normalised": True},
    "first token": {"pooling": "cls", "prompts": SEARCH_PROMPTS},
    "last token": {"pooling": "lasttoken", "prompts": SEARCH_PROMPTS},
    "pooled without the prompt": {"prompts": SEARCH_PROMPTS, "includes_prompt": False},
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("sentence models")
    return {name: tiny_sentence_model(place / f"m{n}", **stated) for n, (name, stated) in enumerate(STATED.items())}


def load_theirs(folder: Path, **options: Any) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True, **options)


@pytest.mark.parametrize("name", STATED)
def test_each_side_and_the_similarity_equal_the_librarys(folders: dict[str, Path], name: str) -> None:
    theirs, ours = load_theirs(folders[name]), embedder(str(folders[name]))
    assert ours.similarity == theirs.similarity_fn_name
    queries, documents = theirs.encode_query(QUERIES), theirs.encode_document(TEXTS)
    assert np.abs(ours.encode(QUERIES, "query") - queries).max() < 1e-5
    assert np.abs(ours.encode(TEXTS, "document") - documents).max() < 1e-5
    expected = theirs.similarity(queries, documents).numpy()
    rows = [
        prepare_rows(vectors, ours.similarity) for vectors in (ours.encode(QUERIES, "query"), ours.encode(TEXTS, "document"))
    ]
    assert np.abs(compare_rows(*rows, ours.similarity) - expected).max() < 1e-5 * max(1.0, np.abs(expected).max())
    assert np.argsort(-score_texts(ours, QUERIES[0], TEXTS)).tolist() == np.argsort(-expected[0]).tolist()
    index = DenseIndex([Span("d", n, n + 1) for n in range(len(TEXTS))], TEXTS, ours)
    assert [hit.span.start for hit in index.search(QUERIES[1], 5)] == np.argsort(-expected[1]).tolist()


def test_texts_compared_with_their_like_take_the_prompt_that_the_authors_name_as_default(folders: dict[str, Path]) -> None:
    for name in ("default prompt", "nothing", "cosine, normalised"):
        expected = load_theirs(folders[name]).encode(TEXTS)
        assert np.abs(embedder(str(folders[name])).encode(TEXTS) - expected).max() < 1e-5
    plain = embedder(str(folders["query and document"]))
    assert np.array_equal(plain.encode(TEXTS), plain.encode(TEXTS, "document")), "the folder names no default"


def test_a_passage_prompt_is_the_documents(tmp_path: Path) -> None:
    """sentence-transformers 6.2 says so of encode_document and overlooks it, as it adds an empty prompt named document."""
    folder = tiny_sentence_model(tmp_path / "m", prompts={"query": "query: ", "passage": "passage: "})
    theirs = load_theirs(folder)
    assert theirs.prompts.pop("document") == ""
    assert np.abs(embedder(str(folder)).encode(TEXTS, "document") - theirs.encode_document(TEXTS)).max() < 1e-5


@pytest.mark.parametrize("side", ["query", "document"])
def test_prompts_set_by_hand_equal_the_librarys_and_none_leaves_them_out(folders: dict[str, Path], side: Side) -> None:
    options = EmbeddingOptions(prompt_query="ask: ", prompt_document="told: ")
    prompt = {"query": "ask: ", "document": "told: "}[side]
    for name in ("nothing", "query and document", "pooled without the prompt"):
        expected = load_theirs(folders[name]).encode(TEXTS, prompt=prompt)
        assert np.abs(embedder(str(folders[name]), options=options).encode(TEXTS, side) - expected).max() < 1e-5
    bare = embedder(str(folders["query and document"]), options=EmbeddingOptions(prompt_query="", prompt_document=""))
    assert np.abs(bare.encode(TEXTS, side) - load_theirs(folders["nothing"]).encode(TEXTS)).max() < 1e-5


@pytest.mark.parametrize("name", ["cosine, normalised", "dot", "query and document"])
def test_truncated_vectors_equal_the_librarys(folders: dict[str, Path], name: str) -> None:
    theirs = load_theirs(folders[name], truncate_dim=12)
    ours = embedder(str(folders[name]), options=EmbeddingOptions(truncate_dim=12))
    queries, documents = theirs.encode_query(QUERIES), theirs.encode_document(TEXTS)
    assert ours.encode(QUERIES, "query").shape == (2, 12)
    assert np.abs(ours.encode(TEXTS, "document") - documents).max() < 1e-5
    expected = theirs.similarity(queries, documents).numpy()[0]
    assert np.abs(score_texts(ours, QUERIES[0], TEXTS) - expected).max() < 1e-5 * max(1.0, np.abs(expected).max())


def test_similarity_set_by_hand_decides(folders: dict[str, Path]) -> None:
    ours = embedder(str(folders["nothing"]), options=EmbeddingOptions(similarity="dot"))
    theirs = load_theirs(folders["nothing"], similarity_fn_name="dot")
    expected = theirs.similarity(theirs.encode_query(QUERIES), theirs.encode_document(TEXTS)).numpy()[0]
    assert ours.similarity == "dot" and score_texts(ours, QUERIES[0], TEXTS) == pytest.approx(expected, rel=1e-5)


def test_cosines_are_those_of_the_librarys_vectors_whatever_its_similarity(folders: dict[str, Path]) -> None:
    from sentence_transformers.util import cos_sim

    for name in ("dot", "euclidean"):
        rows = encode_unit_rows(embedder(str(folders[name])), TEXTS)
        assert np.abs(rows @ rows.T - cos_sim(*[load_theirs(folders[name]).encode(TEXTS)] * 2).numpy()).max() < 1e-5


def test_everything_that_changes_a_vector_is_part_of_its_identity(folders: dict[str, Path]) -> None:
    folder = str(folders["query and document"])
    plain = embedder(folder)
    assert plain.vector_key("query") != plain.vector_key("document") == plain.vector_key("text")
    changed = {
        "prompt_query": EmbeddingOptions(prompt_query="ask: "),
        "prompt_document": EmbeddingOptions(prompt_document="told: "),
        "truncate_dim": EmbeddingOptions(truncate_dim=8),
        "dtype": EmbeddingOptions(dtype="float16"),
        "similarity": EmbeddingOptions(similarity="dot"),
    }
    models = {name: embedder(folder, options=options) for name, options in changed.items()}
    identities = {plain.identity, *(model.identity for model in models.values())}
    assert len(identities) == len(models) + 1 and None not in identities
    keys = {name: (model.vector_key("query"), model.vector_key("document")) for name, model in models.items()}
    own = (plain.vector_key("query"), plain.vector_key("document"))
    assert keys["prompt_query"][0] != own[0] and keys["prompt_query"][1] == own[1], "documents are not encoded again"
    assert keys["prompt_document"][0] == own[0] and keys["prompt_document"][1] != own[1]
    assert keys["similarity"] == own, "another similarity of the same vectors"
    assert not {*own} & {*keys["truncate_dim"], *keys["dtype"]}
    assert embedder(folder, options=EmbeddingOptions(device="cpu")).identity == plain.identity


def test_the_vectors_of_a_plain_normalised_model_keep_their_old_identity() -> None:
    """Workspaces of earlier releases keep what they embedded."""
    from core.ids import content_hash
    from core.retrieval.model_folders import digests
    from core.retrieval.sentence_model import SentenceModel

    model = embedder("minilm")
    assert isinstance(model, SentenceModel)
    old = content_hash({"files": digests(model._folder), "precision": "float32", "encoding": 1})
    assert model.identity == old == model.vector_key("query") == model.vector_key("document")


def test_a_prompt_takes_its_tokens_from_the_text(folders: dict[str, Path]) -> None:
    plain, prompted = embedder(str(folders["nothing"])), embedder(str(folders["query and document"]))
    assert plain.max_tokens is not None and prompted.max_tokens is not None
    assert plain.max_tokens - prompted.max_tokens == prompted.count_tokens("document: ")
    assert prompted.encode(["a" * prompted.max_tokens], "document").shape == (1, 32)
    with pytest.raises(BenchError, match=r"Text 1 of 1 has \d+ tokens with its prompt, and .* set chunk_tokens to at most"):
        prompted.encode(["a" * (prompted.max_tokens + 1)], "document")
    with pytest.raises(BenchError, match=r"use a shorter query, or an embedding model that reads longer ones\.$"):
        prompted.encode(["a" * (plain.max_tokens + 1)], "query")
    with pytest.raises(BenchError, match="leaves no room for a text"):
        embedder(str(folders["nothing"]), options=EmbeddingOptions(prompt_query="word " * 40))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_is_near_and_noted(folders: dict[str, Path], dtype: str) -> None:
    import torch

    if dtype == "bfloat16" and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        pytest.skip("this processor has no bfloat16")
    folder = str(folders["query and document"])
    with collect_model_uses() as uses:
        half = encode_unit_rows(embedder(folder, options=EmbeddingOptions(device="cpu", dtype=dtype)), TEXTS, "query")
    assert np.einsum("ij,ij->i", half, encode_unit_rows(embedder(folder), TEXTS, "query")).min() > 0.97
    facts = {"similarity": "cosine", "prompt_query": "query: ", "prompt_document": "document: "}
    assert uses == {("embedding", folder): {**Placement("cpu", dtype)._asdict(), **facts}}


def test_packed_layers_give_the_librarys_vectors_and_others_are_left_alone(
    folders: dict[str, Path],
) -> None:
    import torch

    theirs = load_theirs(folders["dot"])
    before = torch.from_numpy(theirs.encode(TEXTS))
    layers = [layer for layer in theirs.modules() if type(layer) is torch.nn.Linear]

    def compute() -> Any:
        return theirs(make_sample_inputs())["sentence_embedding"]

    if torch.backends.mkldnn.is_available():
        assert pack_linear_layers(theirs, compute) == len(layers) > 0
        assert torch.allclose(torch.from_numpy(theirs.encode(TEXTS)), before, atol=1e-5)
    other = load_theirs(folders["dot"])
    wrong = iter((torch.zeros(1), torch.ones(1)))
    assert pack_linear_layers(other, lambda: next(wrong)) == 0, "the output would change"
    assert torch.allclose(torch.from_numpy(other.encode(TEXTS)), before, atol=1e-6)

    def compute_once() -> Any:
        if seen:
            raise RuntimeError("a layer is used in another way")
        seen.append(1)
        return torch.zeros(1)

    seen: list[int] = []
    assert pack_linear_layers(other, compute_once) == 0
    assert torch.allclose(torch.from_numpy(other.encode(TEXTS)), before, atol=1e-6)


def test_an_accelerator_that_is_absent_is_one_sentence(folders: dict[str, Path]) -> None:
    with pytest.raises(BenchError, match=r"device is cuda:97, and torch finds .* here: set device=auto or cpu") as error:
        embedder(str(folders["nothing"]), options=EmbeddingOptions(device="cuda:97"))
    assert "\n" not in str(error.value)


def test_a_folder_without_a_tokenizer_is_one_sentence(folders: dict[str, Path], tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(folders["nothing"], copy)
    for file in copy.glob("tokenizer*"):
        file.unlink()
    (copy / "vocab.txt").unlink(missing_ok=True)
    with pytest.raises(BenchError, match=f"The embedding model in {copy} cannot be loaded .it has no tokenizer") as error:
        embedder(str(copy))
    assert "\n" not in str(error.value)


def test_a_default_prompt_that_is_not_there_is_one_sentence(folders: dict[str, Path], tmp_path: Path) -> None:
    import shutil

    shutil.copytree(folders["nothing"], tmp_path / "copy")
    stated = tmp_path / "copy" / "config_sentence_transformers.json"
    stated.write_text(json.dumps(json.loads(stated.read_text()) | {"default_prompt_name": "nowhere"}))
    with pytest.raises(BenchError, match=r"cannot be loaded .*'nowhere' not found"):
        embedder(str(tmp_path / "copy"))


def test_a_folder_of_transformers_alone_is_pooled_by_its_mean(tmp_path: Path) -> None:
    folder = tiny_model(tmp_path / "plain")
    assert np.abs(embedder(str(folder)).encode(TEXTS, "query") - load_theirs(folder).encode_query(TEXTS)).max() < 1e-5


def test_static_vectors_are_the_librarys(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tiny_model(tmp_path / "inner") / "tokenizer.json"))
    folder = tmp_path / "static"
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=16)], prompts={"query": "ask: "}).save(str(folder))
    ours, theirs = embedder(str(folder)), load_theirs(folder)
    assert ours.max_tokens is None
    assert np.abs(ours.encode(TEXTS, "query") - theirs.encode_query(TEXTS)).max() < 1e-5
    assert np.abs(ours.encode(TEXTS, "document") - theirs.encode_document(TEXTS)).max() < 1e-5


def test_a_decoder_that_pads_on_the_left_gives_the_librarys_vectors(tmp_path: Path) -> None:
    """As the decoders do that are used as embedding models: last token, instruction before the query."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Normalize, Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from transformers import AutoTokenizer, Qwen2Config, Qwen2Model

    inner = tiny_model(tmp_path / "inner")
    tokenizer = AutoTokenizer.from_pretrained(str(inner), padding_side="left")
    torch.manual_seed(3)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    Qwen2Model(Qwen2Config(vocab_size=len(tokenizer), num_key_value_heads=2, **sizes)).save_pretrained(str(inner))
    tokenizer.save_pretrained(str(inner))
    modules: list[Any] = [Transformer(str(inner)), Pooling(32, pooling_mode="lasttoken"), Normalize()]
    prompts = {"query": "instruct: find the passage. query: "}
    SentenceTransformer(modules=modules, device="cpu", prompts=prompts).save(str(tmp_path / "decoder"))
    ours, theirs = embedder(str(tmp_path / "decoder")), load_theirs(tmp_path / "decoder")
    assert np.abs(ours.encode(QUERIES, "query") - theirs.encode_query(QUERIES)).max() < 1e-5
    assert np.abs(ours.encode(TEXTS, "document") - theirs.encode_document(TEXTS)).max() < 1e-5


def test_settings_are_read_as_options() -> None:
    read = read_embedding_options
    assert read({}) == read({"prompt_query": "", "truncate_dim": 0, "similarity": "auto"}) == EmbeddingOptions()
    assert read({"prompt_query": "none", "prompt_document": "p: "}) == EmbeddingOptions(prompt_query="", prompt_document="p: ")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"prompt_query": 3}, "prompt_query is 3: set it to a text, or to none"),
        ({"truncate_dim": -1}, "truncate_dim is -1: set it to a whole number"),
        ({"truncate_dim": 2.5}, "truncate_dim is 2.5"),
        ({"similarity": "jaccard"}, "similarity is 'jaccard': set it to one of auto, cosine, dot, euclidean, manhattan"),
        ({"device": "gpu"}, "device is 'gpu'"),
        ({"dtype": "int8"}, "dtype is 'int8'"),
    ],
)
def test_a_setting_that_does_not_fit_is_one_sentence(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(BenchError, match=words):
        read_embedding_options(settings)
