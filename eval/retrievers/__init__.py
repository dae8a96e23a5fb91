"""One retriever a file, its constant RETRIEVER."""
