"""Evaluate RAG systems: from a release's questions to traces, scores and reports. Import from this package as `from eval.x
import y`, because the name `eval` alone is a Python built-in."""
