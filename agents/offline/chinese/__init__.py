"""Chinese part of the offline agent: it parses sentences, builds questions about them, and chooses the best question."""
