"""Agents for endpoints that return no text: embedding vectors and passage scores. They implement the agent protocol, so the
ledger stores, prices and budgets their calls."""
