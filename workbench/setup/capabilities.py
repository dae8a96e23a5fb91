"""Find out which parameters and abilities an agent's endpoint supports, with a few small calls (probes) that the ledger
records. The doctor shows the results in the first table about an agent."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace

from agents.openai.probes import REFUSED, Probe, describe_profile
from core.agent import Agent, Completion
from core.errors import AgentError, BenchError
from store.ledger.calls import Ledger
from store.ledger.ledgered_agent import LedgeredAgent
from workbench.setup.doctor_check import DoctorCheck


class CapabilityCheck(DoctorCheck):
    """What is known about one parameter or ability of the agent's endpoint; `ok` is true even if the endpoint refuses the
    parameter."""

    __slots__ = ()

    @property
    def is_refused(self) -> bool:
        """Return whether the endpoint refuses the parameter, so that calls leave it out."""
        return self.message.startswith(REFUSED)


def list_probes(agent: Agent) -> Sequence[Probe]:
    """Return the probes (small requests) that show what the agent supports; empty if the agent has no model."""
    make = getattr(agent, "list_probes", None)
    return make() if make else ()


def price_probes(agent: Agent) -> float | None:
    """Return the highest possible cost of the probes in US dollars, or None if the cost is unknown. Thinking tokens are not
    counted if their number is unknown."""
    prices = [agent.worst_price(probe.prompt, {}, probe.sampling) for probe in list_probes(agent)]
    known = [price for price in prices if price is not None]
    return sum(known) if len(known) == len(prices) else None


async def try_parameters(agent: Agent, ledger: Ledger) -> Completion | None:
    """Send the probes one after the other, so that the agent's profile lists what the endpoint accepts. Return the first reply,
    or None if the agent has no model. Raises BenchError if the first probe gets no answer."""
    first = None
    with getattr(agent, "relearn_profile", nullcontext)():
        for number, probe in enumerate(list_probes(agent)):
            ledgered = LedgeredAgent(agent, ledger, on_text=_drop_text if probe.is_streamed else None)
            index = time.time_ns() // 1_000_000  # a new sample, for which the ledger has no answer
            with suppress(AgentError) if number else nullcontext():
                completion = await ledgered.ask(probe.prompt, {}, replace(probe.sampling, index=index))
                first = first or completion
    return first


def list_capabilities(agent: Agent) -> dict[str, str]:
    """Return a dict from label to description of the abilities that are known to be supported. If the agent has no model,
    return what the agent gives besides text."""
    profile, describe = getattr(agent, "profile", None), getattr(agent, "describe_capabilities", None)
    if profile is not None:
        return describe_profile(profile)
    if describe is not None:
        return dict(describe())
    gives = sorted(getattr(agent, "gives", ()))
    window = {"context window": f"{agent.context:,} tokens"} if agent.context else {}
    return {"endpoint": "none is asked", "also returns": ", ".join(gives) or "nothing", **window}


def check_capabilities(agent: Agent, ledger: Ledger, say: Callable[[str], None]) -> list[DoctorCheck]:
    """Return one check for the agent, one for each ability, and one for the tokens and seconds of a call. If the agent does not
    answer, return only the check for the agent itself."""
    number, price = len(list_probes(agent)), price_probes(agent)
    if number:
        cost = "price unknown" if price is None else f"at most {price:.4f} USD without its thinking" if price else "free"
        many = f"{number} small requests" if number > 1 else "a small request"
        say(f"Sending {many} to {agent.name} to learn what it accepts ({cost}) ...")

    async def try_all() -> Completion | None:
        try:
            return await try_parameters(agent, ledger)
        finally:
            await LedgeredAgent(agent, ledger).close()

    try:
        first = asyncio.run(try_all())
    except BenchError as error:
        return [DoctorCheck("agent", False, str(error))]
    checks = [CapabilityCheck(label, True, words) for label, words in list_capabilities(agent).items()]
    if first is None:
        return [DoctorCheck("agent", True, agent.name), *checks]
    url = getattr(agent, "shown_url", "")
    where = f"{agent.name} at {url}" if url else agent.name
    answers = DoctorCheck("agent", True, f"{where} answers; the next rows say what it accepts")
    return [answers, *checks, DoctorCheck("one call", True, _describe_call(first))]


def _describe_call(completion: Completion) -> str:
    counts = [
        (completion.tokens_in, "tokens in"),
        (completion.tokens_out, "out"),
        (completion.tokens_thinking, "of them thinking"),
    ]
    tokens = ", ".join(f"{count:,} {words}" for count, words in counts if count is not None) or "tokens not counted"
    price = "price unknown" if completion.price is None else f"{completion.price:.6f} USD" if completion.price else "free"
    requests = f", {completion.attempts} requests until it was accepted" if completion.attempts > 1 else ""
    return f"{completion.seconds:.2f} s, {tokens}, {price}{requests}"


def _drop_text(prompt: object, text: str) -> None:
    """Ignore a streamed text; the probe for streaming only needs some function that receives it."""
