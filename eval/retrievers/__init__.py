"""Retrievers. Each file declares one retriever as its constant RETRIEVER."""
