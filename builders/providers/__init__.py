"""Search providers. Each file declares one provider as its constant PROVIDER."""
