"""Evaluate RAG systems: from a release's questions to traces, scores and reports. Import it as 'from eval.x import y', because
`eval` is also a built-in."""
