"""Reads traces of RAG applications (spans after the OpenInference convention) from files that other tools wrote."""
