"""Retrievers; each file declares one as its constant RETRIEVER."""
