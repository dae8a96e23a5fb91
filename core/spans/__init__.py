"""Spans of RAG applications after OpenInference, from files of other tools."""
