"""Declares the agent kind that returns the replies of a file one after another, for tests and demonstrations."""

from pathlib import Path

from agents.kind import AgentKind, AgentOrder
from core.agent import Agent


def make(order: AgentOrder) -> Agent:
    from agents.scripted.scripted import ScriptedAgent

    return ScriptedAgent.from_file(Path(order.what))


KIND = AgentKind(
    label="Replies from a file", make=make, takes="FILE.jsonl", takes_label="File of replies (.jsonl)", takes_path=True
)
