"""Retrievers: each file defines one search method as its constant RETRIEVER."""
