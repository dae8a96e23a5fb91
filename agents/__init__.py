"""The kinds of agent, one file a kind, behind the one protocol of agent.py."""
