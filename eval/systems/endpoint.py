"""endpoint: a RAG system behind HTTP. Settings:

url           where to POST; required
form          openai: chat completions, the question as the user's message; json: any JSON. Default: openai when the url ends in
              /chat/completions, else json
request       json: the body, an object; the texts $question, $query, $language, $domain, $item, $now (when it is asked)
              anywhere in it are filled. Default {"question": "$question"}. openai: further fields of the body
model         openai: the model to name
answer        where the answer stands in the reply, a path such as data.answer or choices.0.message.content
contexts      path to the passages, a list of texts or of objects with text, content or page_content
ids           path to the passages' document ids, where it tells those instead
tokens_in, tokens_out    paths to the usage
key_env       name of the environment variable that holds the bearer key; the key itself is never stored
timeout       seconds; default 60. A reply of more than 16 MB is a failure"""

import asyncio
import json
import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from agents.saved import KEY_NAME
from core.errors import BenchError
from eval.running.settings import read_choice, read_seconds, read_text
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import date_question_text, join_question_text, locate_passages, read_count

MAX_REPLY_BYTES = 16 * 1024 * 1024
"""Bytes of a reply."""
OPENAI = {"answer": "choices.0.message.content", "tokens_in": "usage.prompt_tokens", "tokens_out": "usage.completion_tokens"}
OPTIONAL = ("form", "request", "model", "answer", "contexts", "ids", "tokens_in", "tokens_out", "key_env")
STATUS_STOPS = {401: "refused", 403: "refused", 404: "refused", 408: "timeout", 429: "rate_limit", 504: "timeout"}


def open_client(_questions: Sequence[Question], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    import httpx2

    url = read_text(settings, "url")
    if not url.startswith(("http://", "https://")):
        raise BenchError(f"The system endpoint needs --set url=http://..., not {url!r}.")
    default = "openai" if url.rstrip("/").endswith("/chat/completions") else "json"
    own = {k: v for k, v in settings.items() if v != ""}
    form = read_choice({"form": default, **own}, "form", ("openai", "json"))
    request = own.get("request") or ({} if form == "openai" else {"question": "$question"})
    if not isinstance(request, dict):
        raise BenchError(f"The setting request is {request!r}: give a JSON object.")
    name = read_text(settings, "key_env")
    if name and not KEY_NAME.fullmatch(name):
        raise BenchError(f"The setting key_env is {name!r}: name a variable that holds a key, named like MY_API_KEY.")
    if name and not os.environ.get(name):
        raise BenchError(f"The environment variable {name} (key_env) is empty: set it to the endpoint's key.")
    headers = {"Authorization": f"Bearer {os.environ[name]}"} if name else {}
    paths = OPENAI if form == "openai" else {"answer": "answer"}
    client = httpx2.AsyncClient(headers=headers, timeout=read_seconds(settings, "timeout", 60.0), follow_redirects=False)
    return {**paths, **own, "form": form, "request": request, "client": client}


async def close_client(settings: Mapping[str, Any]) -> None:
    await settings["client"].aclose()


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    began = time.perf_counter()
    reply = await _post_body(settings, _body(question, settings))
    took = time.perf_counter() - began
    found = _read_path(reply, settings["answer"])
    if not isinstance(found, str):
        raise SystemFailed(f"The endpoint's reply holds no text at {settings['answer']}.", stop="unparsed")
    return Answer(
        found,
        retrieved=locate_passages(
            _read_path(reply, settings.get("contexts")), _read_path(reply, settings.get("ids")), question, tools
        ),
        calls=1,
        seconds=took,
        tokens_in=read_count(_read_path(reply, settings.get("tokens_in"))),
        tokens_out=read_count(_read_path(reply, settings.get("tokens_out"))),
    )


def _body(question: Question, settings: Mapping[str, Any]) -> Any:
    body = _fill_body(settings["request"], question)
    if settings["form"] == "openai":
        model = {"model": settings["model"]} if settings.get("model") else {}
        body = {**model, "messages": [{"role": "user", "content": date_question_text(question)}], **body}
    return body


def _fill_body(part: Any, question: Question) -> Any:
    if isinstance(part, dict):
        return {key: _fill_body(value, question) for key, value in part.items()}
    if isinstance(part, list):
        return [_fill_body(value, question) for value in part]
    words = {
        "$question": join_question_text(question),
        "$query": question.query,
        "$language": question.language,
        "$domain": question.domain,
        "$item": question.item,
        "$now": question.now,
    }
    return words.get(part, part) if isinstance(part, str) else part


async def _post_body(settings: Mapping[str, Any], body: Any) -> Any:
    import httpx2

    url, limit = settings["url"], read_seconds(settings, "timeout", 60.0)
    raw = bytearray()
    try:
        async with asyncio.timeout(limit), settings["client"].stream("POST", url, json=body) as response:
            async for piece in response.aiter_bytes():
                raw += piece
                if len(raw) > MAX_REPLY_BYTES:
                    raise SystemFailed(f"The reply of {url} is larger than {MAX_REPLY_BYTES // 2**20} MB.", stop="too_long")
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise SystemFailed(f"{url} did not answer within {limit:g} seconds.", stop="timeout") from error
    except httpx2.HTTPError as error:
        raise SystemFailed(f"{url} could not be reached: {type(error).__name__}.", stop="connection") from error
    if response.status_code != 200:
        stop = STATUS_STOPS.get(response.status_code, "server" if response.status_code >= 500 else "refused")
        words, key = raw.decode("utf-8", "replace"), os.environ.get(settings.get("key_env") or "")
        shown = " ".join((words.replace(key, "[key]") if key else words).split())[:200]
        raise SystemFailed(f"{url} answered with status {response.status_code}: {shown or 'no body'}.", stop=stop)
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise SystemFailed(f"The reply of {url} is not JSON.", stop="unparsed") from error


def _read_path(value: Any, path: str | None) -> Any:
    """What stands at a dotted path of names and list positions; None when nothing does."""
    for step in path.split(".") if path else ("",):
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value if path else None


SYSTEM = SystemAdapter(
    label="HTTP endpoint",
    family="outside",
    settings={"url": "", "timeout": 60, **dict.fromkeys(OPTIONAL, "")},
    open=open_client,
    close=close_client,
    answer=answer,
)
