"""A query engine of LlamaIndex as a system under test: needs the package llama-index-core.

Run it with `benchwright run RELEASE --system program --set program=llama_index_rag.py --retriever bm25 --agent AGENT`. Replace
LlamaIndexRetriever and BenchModel with your own retriever and model."""

from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

PASSAGES = 5


class LlamaIndexRetriever(BaseRetriever):
    """The run's retriever as a LlamaIndex retriever."""

    def __init__(self, search: Any) -> None:
        super().__init__()
        self._search = search

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(node=TextNode(text=passage["text"]), score=passage["score"])
            for passage in self._search(query_bundle.query_str, k=PASSAGES)
        ]


class BenchModel(CustomLLM):
    """The run's agent as a LlamaIndex model."""

    ask: Any
    """`ask` of the run."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=32_000, num_output=512, model_name="benchwright")

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.ask(prompt))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        yield CompletionResponse(text=self.ask(prompt))


def answer(question: Any, retrieve: Any, ask: Any) -> dict[str, Any]:
    """Answer a question with a query engine of retriever and model."""
    engine = RetrieverQueryEngine.from_args(LlamaIndexRetriever(retrieve), llm=BenchModel(ask=ask))
    response = engine.query(str(question))
    contexts = [found.node.get_content() for found in response.source_nodes]
    return {"answer": str(response), "contexts": contexts}
