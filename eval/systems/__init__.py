"""RAG systems. Each file declares one system as its constant SYSTEM."""
