"""One RAG system a file, its constant SYSTEM."""
