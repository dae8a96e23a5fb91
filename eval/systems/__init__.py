"""RAG systems under test: each file defines one as its constant SYSTEM."""
