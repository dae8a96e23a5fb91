"""Declares the agent kind that returns replies to the sample prompts, recorded during development."""

from agents.kind import AgentKind, AgentOrder
from core.agent import Agent


def make(order: AgentOrder) -> Agent:
    from agents.recorded.recorded import RecordedAgent

    return RecordedAgent(order.recordings)


KIND = AgentKind(
    label="recorded (no call made)",
    badge="recorded, no call made",
    about="Returns the replies that were written during development for the sample prompts. No call is made.",
    make=make,
)
