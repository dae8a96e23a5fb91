"""Agents for endpoints that return embedding vectors or passage scores instead of text. These agents implement the agent
protocol, so the ledger of agent calls stores and prices their calls, and counts them against budgets."""
