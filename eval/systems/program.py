"""program: answers by the function `answer` of a user's Python file (setting program=FILE.py).

    answer(question, retrieve, ask) -> str, or {"answer", "contexts"?, "ids"?, "tokens_in"?, "tokens_out"?, "calls"?}

question is a str with the attributes .id .language .domain .query .inputs .given .now .history .bare; retrieve(query, k=5)
returns passages as dicts; ask(text, context=None) asks the run's agent, with the task's answer prompt if a context is given.
contexts is a list of texts, best first.

The system runs the file in several processes, each of which answers one question at a time. The system kills a process and its
children after `timeout` seconds without a message, and restarts a process that ended. Printed output is discarded except for
its end, which error messages quote. The file does not run in a sandbox: run only programs that you trust."""

import ast
import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.agent import Sampling
from core.errors import AgentError, BenchError, CallNotSent
from core.nouns import Message, Prompt
from eval.settings import Setting, Settings, read_whole_number
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, locate_passages, read_answer, read_count
from eval.workflows.child_pool import Child, ChildPool, close_pool

CHILD = Path(__file__).with_name("_program_child.py")
BARE_PROMPT = Prompt(name="program/bare", skill="answer", messages=(Message("user", "$text"),), inputs=("text",))
"""Prompt for ask(text) without a context, which consists only of the text that the user's program gives."""


async def open_program(_questions: Sequence[Question], settings: Settings) -> Settings:
    """Load the user's Python file once before the first question, to check that it can be used."""
    name = settings["program"]
    if not name:
        raise BenchError("The system program runs a Python file: name it with --set program=FILE.py.")
    path = Path(name).resolve()
    try:
        code = path.read_text(encoding="utf-8")
        ast.parse(code)
    except (OSError, SyntaxError, ValueError) as error:
        raise BenchError(f"The program {name} cannot be read: {error}.") from error
    if "answer" not in code:
        raise BenchError(f"The program {name} has no function answer(question, retrieve, ask).")
    pool = ChildPool([str(CHILD), str(path)], f"The program {path}", settings["processes"], settings["timeout"])
    await pool.give_back(await pool.take(), is_healthy=True)
    return {**settings, "pool": pool}


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    pool: ChildPool = settings["pool"]
    began, is_healthy = time.perf_counter(), False
    child = await pool.take()
    waited = time.perf_counter() - began
    try:
        value = await _converse(child, question, tools, settings, pool.limit)
        is_healthy = child.process.returncode is None
    except _Raised as raised:
        is_healthy = True
        raise SystemFailed(f"The program raised {raised}.", stop="crashed") from raised
    except TimeoutError as error:
        raise SystemFailed(f"The program sent no message for {pool.limit:g} seconds and was ended.", stop="timeout") from error
    finally:
        await pool.give_back(child, is_healthy)
    if isinstance(value, str):
        return Answer(value, waited=waited)
    if not isinstance(value, dict) or not isinstance(value.get("answer"), str):
        raise SystemFailed("The program's answer is neither a text nor an object with a text under answer.", stop="unparsed")
    return Answer(
        value["answer"],
        retrieved=locate_passages(value.get("contexts"), value.get("ids"), question, tools),
        waited=waited,
        tokens_in=read_count(value.get("tokens_in")),
        tokens_out=read_count(value.get("tokens_out")),
        calls=read_count(value.get("calls")),
    )


class _Raised(Exception):
    """Raised if the user's program raises an exception; the program's process continues to run."""


async def _converse(child: Child, question: Question, tools: Tools, settings: Settings, limit: float) -> Any:
    """Handle the program's calls of retrieve and ask until it returns its answer to the question."""
    fields = ("query", "language", "domain", "now")
    await child.send(
        {
            "id": question.variant or question.item,
            "question": question.text,
            "inputs": dict(question.inputs),
            "given": list(question.given),
            "bare": question.bare or question.text,
            "history": [one._asdict() for one in question.before],
            **{name: getattr(question, name) for name in fields},
        }
    )
    while True:
        async with asyncio.timeout(limit):
            message = await child.receive()
        if "answer" in message:
            return message["answer"]
        if "error" in message:
            raise _Raised(message["error"])
        try:
            reply = {"value": await _serve_request(message, question, tools, settings)}
        except CallNotSent:
            raise
        except (BenchError, SystemFailed) as error:
            if isinstance(error, AgentError) and error.stops_job:
                raise
            reply = {"error": str(error)}
        await child.send(reply)


async def _serve_request(message: Mapping[str, Any], question: Question, tools: Tools, settings: Settings) -> Any:
    if "retrieve" in message:
        query, k = message["retrieve"]
        if tools.retrieve is None:
            raise BenchError("this run has no retriever: name one with --retriever")
        hits = [(hit.span, float(hit.score)) for hit in tools.retrieve(query, k)]
        return [
            {"document": span.document, "start": span.start, "end": span.end, "text": tools.text(span), "score": score}
            for span, score in hits
        ]
    text, context = message["ask"]
    if tools.ask is None:
        raise BenchError("this run has no agent: name one with --agent")
    if context is not None:
        fills = {**question.fills, "question": text} if question.fills and text != question.text else question.fills
        return await answer_from(replace(question, text=text, inputs={}, fills=fills), tools, context, settings)
    max_tokens = read_whole_number(settings, "max_tokens", question.max_tokens, 1)
    sampling = Sampling(max_tokens=max_tokens, seed=settings.get("seed"))
    return read_answer(await tools.ask(BARE_PROMPT, {"text": text}, sampling))


SYSTEM = SystemAdapter(
    label="Program",
    family="outside",
    settings={
        "program": Setting("", "The file."),
        "timeout": Setting(60, "Seconds after which a program that sends no message is killed.", kind="seconds"),
        "processes": Setting(4, "Number of programs that run at the same time.", 1),
    },
    open=open_program,
    close=close_pool,
    answer=answer,
)
