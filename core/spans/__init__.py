"""Reads traces of RAG applications (spans that follow the OpenInference convention) from files that other tools wrote."""
