"""Declares the agent kind for a local Hugging Face model that runs in this process."""

from agents.huggingface.chat_text import PLAIN
from agents.kind import TEMPERATURE, THINKING_TOKENS, AgentKind, AgentOrder, AgentSetting
from core.agent import Agent
from core.devices import AUTO, DEVICE_HELP, DTYPE_HELP, DTYPES, check_placement


def check_device(value: str) -> None:
    """Check that the value is the name of a device such as cpu or cuda:0. Raises BenchError if it is not."""
    check_placement(value, AUTO)


def make(order: AgentOrder) -> Agent:
    from agents.huggingface.huggingface import HuggingFaceAgent

    return HuggingFaceAgent(order.what, **order.values)


KIND = AgentKind(
    label="Local model folder",
    make=make,
    takes="FOLDER_OR_NAME",
    takes_label="Folder or model name",
    takes_path=True,
    settings=(
        TEMPERATURE,
        AgentSetting("device", "Device", "auto", check_text=check_device, help=DEVICE_HELP),
        AgentSetting(
            "dtype",
            "Number format",
            "auto",
            choices={name: name for name in DTYPES},
            changes_answers=True,
            help=DTYPE_HELP,
        ),
        AgentSetting(
            "template",
            "Chat template",
            "auto",
            choices={"auto": "the model's own", PLAIN: "none: paragraphs"},
            changes_answers=True,
            help="Choose this for a base model without a chat template: it reads the messages as paragraphs.",
        ),
        THINKING_TOKENS,
        AgentSetting(
            "extra",
            "Variables of the chat template, JSON",
            "none",
            is_object=True,
            changes_answers=True,
            help='Such as {"enable_thinking": false}, or in vLLM\'s form {"chat_template_kwargs": {"enable_thinking": false}}',
        ),
    ),
    has_model=True,
)
