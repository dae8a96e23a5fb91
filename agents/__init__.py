"""Agents that complete prompts. Agents implement the protocol in `core/agent.py`; each file in `agents/kinds/` declares one
kind of agent."""
