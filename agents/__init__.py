"""Agents behind the protocol of `core/agent.py`; each file in `agents/kinds/` declares one kind."""
