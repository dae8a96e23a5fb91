"""Endpoints that give no text: vectors of texts, and scores of passages. They are agents like others, so that the ledger keeps,
prices and budgets their calls."""
