"""RAG systems under test: each file defines one system as its constant SYSTEM."""
