"""endpoint: sends each question to a RAG system over HTTP, in one request. A reply of more than 16 MB counts as a failure."""

import asyncio
import json
import os
import time
from collections.abc import Sequence
from typing import Any

from agents.openai.openai_troubles import redact
from agents.saved import check_key_name
from core.errors import BenchError
from core.inner_network import InsideNetwork, build_client_options
from eval.settings import Setting, Settings, read_choice
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import date_question_text, join_question_text, locate_passages, read_count

MAX_REPLY_BYTES = 16 * 1024 * 1024
OPENAI = {"answer": "choices.0.message.content", "tokens_in": "usage.prompt_tokens", "tokens_out": "usage.completion_tokens"}
STATUS_STOPS = {401: "refused", 403: "refused", 404: "refused", 408: "timeout", 429: "rate_limit", 504: "timeout"}


def open_client(_questions: Sequence[Question], settings: Settings) -> Settings:
    import httpx2

    check_address(settings)
    url = settings["url"]
    default = "openai" if url.rstrip("/").endswith("/chat/completions") else "json"
    own = {name: value for name, value in settings.items() if value != ""}
    form = read_choice({"form": default, **own}, "form", ("openai", "json"))
    request = own.get("request") or ({} if form == "openai" else {"question": "$question"})
    if not isinstance(request, dict):
        raise BenchError(f"The setting request is {request!r}: give a JSON object.")
    name = settings["key_env"]
    headers = {"Authorization": f"Bearer {os.environ[name]}"} if name else {}
    client = httpx2.AsyncClient(headers=headers, timeout=settings["timeout"], follow_redirects=False, **build_client_options())
    paths = OPENAI if form == "openai" else {"answer": "answer"}
    return {**paths, **own, "form": form, "request": request, "client": client}


def check_address(settings: Settings) -> None:
    """Raise BenchError if the setting url is missing, or if the setting key_env does not name an environment variable that
    contains a key."""
    if not settings["url"].startswith(("http://", "https://")):
        raise BenchError(f"The system endpoint needs --set url=http://..., not {settings['url']!r}.")
    name = settings["key_env"]
    if name:
        check_key_name("key_env", name)
    if name and not os.environ.get(name):
        raise BenchError(f"The environment variable {name} (key_env) is empty: set it to the endpoint's key.")


async def close_client(settings: Settings) -> None:
    await settings["client"].aclose()


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    began = time.perf_counter()
    reply = await _post_body(settings, _build_body(question, settings))
    took = time.perf_counter() - began

    def read(name: str) -> Any:
        return _read_path(reply, settings.get(name))

    text = read("answer")
    if not isinstance(text, str):
        raise SystemFailed(f"The endpoint's reply has no text at {settings['answer']}.", stop="unparsed")
    return Answer(
        text,
        retrieved=locate_passages(read("contexts"), read("ids"), question, tools),
        calls=1,
        seconds=took,
        tokens_in=read_count(read("tokens_in")),
        tokens_out=read_count(read("tokens_out")),
    )


def _build_body(question: Question, settings: Settings) -> Any:
    texts = {
        "$question": join_question_text(question),
        "$query": question.query,
        "$language": question.language,
        "$domain": question.domain,
        "$item": question.item,
        "$now": question.now,
    }

    def fill(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: fill(value) for key, value in part.items()}
        if isinstance(part, list):
            return [fill(value) for value in part]
        return texts.get(part, part) if isinstance(part, str) else part

    body = fill(settings["request"])
    if settings["form"] == "openai":
        model = {"model": settings["model"]} if settings.get("model") else {}
        body = {**model, "messages": [{"role": "user", "content": date_question_text(question)}], **body}
    return body


async def _post_body(settings: Settings, body: Any) -> Any:
    import httpx2

    url, limit = settings["url"], settings["timeout"]
    raw = bytearray()
    try:
        async with asyncio.timeout(limit), settings["client"].stream("POST", url, json=body) as response:
            async for piece in response.aiter_bytes():
                raw += piece
                if len(raw) > MAX_REPLY_BYTES:
                    raise SystemFailed(f"The reply of {url} is larger than {MAX_REPLY_BYTES // 2**20} MB.", stop="too_long")
    except InsideNetwork as error:
        raise SystemFailed(str(error), stop="refused") from error
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise SystemFailed(f"{url} did not answer within {limit:g} seconds.", stop="timeout") from error
    except httpx2.HTTPError as error:
        raise SystemFailed(f"{url} could not be reached: {type(error).__name__}.", stop="connection") from error
    if response.status_code != 200:
        stop = STATUS_STOPS.get(response.status_code, "server" if response.status_code >= 500 else "refused")
        quote = redact(raw.decode("utf-8", "replace"), os.environ.get(settings.get("key_env") or "", ""))[:200]
        raise SystemFailed(f"{url} answered with status {response.status_code}: {quote or 'no body'}.", stop=stop)
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise SystemFailed(f"The reply of {url} is not JSON.", stop="unparsed") from error


def _read_path(value: Any, path: str | None) -> Any:
    """Return the value at a dotted path of names and list indexes in a JSON value, or None if there is none."""
    if not path:
        return None
    for step in path.split("."):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


SYSTEM = SystemAdapter(
    label="HTTP endpoint",
    family="outside",
    settings={
        "url": Setting("", "Address that requests are sent to by POST; required."),
        "timeout": Setting(60, "Maximum seconds to wait for a reply.", kind="seconds"),
        "form": Setting(
            "",
            "openai: chat completions, the question as the user's message; json: any JSON. Empty = openai when the url ends in "
            "/chat/completions, else json.",
        ),
        "request": Setting(
            "",
            "json: the request body, a JSON object in which $question, $query, $language, $domain, $item and $now (the time "
            'of the question) are filled in; empty = {"question": "$question"}. openai: further fields of the body.',
            kind="json",
        ),
        "model": Setting("", "openai: name of the model in the request."),
        "answer": Setting("", "Path to the answer in the reply, such as data.answer or choices.0.message.content."),
        "contexts": Setting("", "Path to the passages, a list of texts or of objects with text, content or page_content."),
        "ids": Setting("", "Path to the document ids of the passages, for an endpoint that reports ids instead of texts."),
        "tokens_in": Setting("", "Path to the number of tokens of the prompt."),
        "tokens_out": Setting("", "Path to the number of tokens of the reply."),
        "key_env": Setting("", "Name of the environment variable with the bearer key; the key itself is never stored."),
    },
    check=check_address,
    open=open_client,
    close=close_client,
    answer=answer,
)
