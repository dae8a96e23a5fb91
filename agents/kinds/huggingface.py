"""A local model in this process."""

from agents.kind import TEMPERATURE, AgentKind, AgentOrder
from core.agent import Agent


def make(order: AgentOrder) -> Agent:
    from agents.huggingface.huggingface import HuggingFaceAgent

    return HuggingFaceAgent(order.what, **order.values)


KIND = AgentKind(
    label="Local model folder",
    make=make,
    takes="FOLDER_OR_NAME",
    takes_label="Folder or model name",
    takes_path=True,
    settings=(TEMPERATURE,),
    has_model=True,
)
