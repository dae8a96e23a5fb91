"""Agents that complete prompts, behind the protocol in `core/agent.py`; each file in `agents/kinds/` declares one kind of
agent."""
