"""Agents for endpoints that return embedding vectors or passage scores instead of text. They implement the agent protocol, so
the ledger of agent calls stores, prices and budgets their calls too."""
