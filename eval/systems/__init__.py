"""RAG systems; each file declares one as its constant SYSTEM."""
