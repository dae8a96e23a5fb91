"""Declares the offline agent kind, which drafts, answers and judges by extraction rules without a language model."""

from agents.kind import AgentKind, AgentOrder
from core.agent import Agent


def make(order: AgentOrder) -> Agent:
    from agents.offline.agent import OfflineAgent
    from agents.offline.corpus import OfflineCorpus

    return OfflineAgent(OfflineCorpus(order.documents()) if order.documents is not None else None)


KIND = AgentKind(
    label="offline (no LLM)",
    about="Drafts, answers and judges by rules: no language model, no key, no network. Its results are marked offline.",
    make=make,
    needs_no_model=True,
)
