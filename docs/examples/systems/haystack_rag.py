"""A pipeline of Haystack as a system under test: needs the package haystack-ai.

Run it with `benchwright run RELEASE --system program --set program=haystack_rag.py --retriever bm25 --agent AGENT`. Replace
HaystackRetriever and BenchGenerator with your own components."""

import os
from typing import Any

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder

PASSAGES = 5
PROMPT = """Answer the question in a few words, from the passages alone.

Passages:
{% for document in documents %}{{ document.content }}

{% endfor %}Question: {{ question }}"""


@component
class HaystackRetriever:
    """The run's retriever as a component of Haystack."""

    def __init__(self, search: Any) -> None:
        self._search = search

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        found = self._search(query, k=PASSAGES)
        return {"documents": [Document(content=passage["text"], score=passage["score"]) for passage in found]}


@component
class BenchGenerator:
    """The run's agent as a component of Haystack."""

    def __init__(self, ask: Any) -> None:
        self._ask = ask

    @component.output_types(replies=list[str])
    def run(self, prompt: str) -> dict[str, list[str]]:
        return {"replies": [self._ask(prompt)]}


def answer(question: Any, retrieve: Any, ask: Any) -> dict[str, Any]:
    """Answer a question with a pipeline of retriever, prompt and model."""
    pipeline = Pipeline()
    pipeline.add_component("retriever", HaystackRetriever(retrieve))
    pipeline.add_component("prompt", PromptBuilder(PROMPT, required_variables=["documents", "question"]))
    pipeline.add_component("model", BenchGenerator(ask))
    pipeline.connect("retriever.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "model.prompt")
    inputs = {"retriever": {"query": question.query}, "prompt": {"question": str(question)}}
    result = pipeline.run(inputs, include_outputs_from={"retriever"})
    contexts = [document.content for document in result["retriever"]["documents"]]
    return {"answer": result["model"]["replies"][0], "contexts": contexts, "calls": 1}
