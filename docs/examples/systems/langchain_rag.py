"""A RAG chain of LangChain as a system under test: needs the package langchain-core.

Run it with `benchwright run RELEASE --system program --set program=langchain_rag.py --retriever bm25 --agent AGENT`. Replace
LangChainRetriever with your own retriever, and the step before the last of the chain with your own model."""

from typing import Any

from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

PASSAGES = 5
PROMPT = PromptTemplate.from_template(
    "Answer the question in a few words, from the passages alone.\n\nPassages:\n{context}\n\nQuestion: {question}"
)


class LangChainRetriever(BaseRetriever):
    """The run's retriever as a LangChain retriever."""

    search: Any
    """`retrieve` of the run."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [
            Document(passage["text"], metadata={"document": passage["document"], "score": passage["score"]})
            for passage in self.search(query, k=PASSAGES)
        ]


def answer(question: Any, retrieve: Any, ask: Any) -> dict[str, Any]:
    """Answer a question with a chain of retriever, prompt and model."""
    documents = LangChainRetriever(search=retrieve).invoke(question.query)
    chain = PROMPT | RunnableLambda(lambda prompt: ask(prompt.to_string())) | StrOutputParser()
    context = "\n\n".join(document.page_content for document in documents)
    text = chain.invoke({"context": context, "question": str(question)})
    return {"answer": text, "contexts": [document.page_content for document in documents], "calls": 1}
