"""Search providers: each file defines one as its constant PROVIDER."""
