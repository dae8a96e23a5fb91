"""Search a web service that answers GET requests with JSON. Settings:

url         address with $query, and with $k if the service takes a number of results; both are URL-encoded; required
results     path to the list of results, such as data.items; empty = the reply itself is the list
text        path to a result's text; required. title, link, published, score: paths to other fields; empty = not available
key_env     name of the environment variable that holds the key (ends in API_KEY); the key itself is never stored or shown
key_header  header that carries the key, preceded by key_prefix and a space
timeout     maximum seconds for one whole reply

The provider follows no redirects and reads at most 4 MB. Search results are converted to Documents, with the result's link as
the origin and without a licence."""

import json
import re
from asyncio import timeout
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any
from urllib.parse import quote, urlsplit

from builders.provider import Provider, ProviderContext
from builders.task import FindDocuments, FoundDocument
from core.errors import BenchError, SearchFailed
from core.ids import content_hash
from core.inner_network import InsideNetwork, build_client_options
from core.nouns import Document
from core.text.text import detect_language

MAX_REPLY_BYTES = 4 * 2**20
"""Maximum size in bytes of the search service's reply."""
MAX_TEXT_CHARACTERS = 200_000
"""Maximum length in characters of the text of one search result."""
DEFAULTS = {
    "url": None,
    "results": "",
    "text": None,
    "title": "",
    "link": "",
    "published": "",
    "score": "",
    "key_env": "",
    "key_header": "Authorization",
    "key_prefix": "Bearer",
    "timeout": 20,
}
KEY_NAME = re.compile(r"(?:[A-Z][A-Z0-9_]*_)?API_KEY")
HEADER = re.compile(r"[A-Za-z0-9-]{1,60}")
NAME = "The search provider http_json"


def check(settings: Mapping[str, Any]) -> None:
    """Raise BenchError if a setting of the search service is invalid."""
    for name in DEFAULTS:
        if name != "timeout" and not isinstance(settings.get(name) or "", str):
            raise BenchError(f"{NAME}: {name} must be a string.")
    url = settings.get("url") or ""
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and "$" not in parts.netloc and (parts.port is None or parts.port > 0)
    except ValueError:
        has_host = False
    if "@" in url.partition("?")[0]:
        raise BenchError(
            f"{NAME}: url contains a user name or password: put the key in an environment variable and name it in key_env."
        )
    if not url.startswith(("http://", "https://")) or not has_host or "$query" not in url or re.search(r"[\s#]", url):
        raise BenchError(f"{NAME}: url must be like https://host/search?q=$query&n=$k, and contain $query.")
    if not settings.get("text"):
        raise BenchError(f"{NAME}: text must be the JSON path to a result's text, such as body or _source.content.")
    if settings.get("key_env") and not KEY_NAME.fullmatch(settings["key_env"]):
        raise BenchError(
            f"{NAME}: key_env must be the name of an environment variable, in capitals and ending in API_KEY, not the key."
        )
    if not HEADER.fullmatch(settings.get("key_header") or "Authorization"):
        raise BenchError(f"{NAME}: key_header is not a valid header name.")
    wait = settings.get("timeout", DEFAULTS["timeout"])
    if isinstance(wait, bool) or not isinstance(wait, int | float) or not 0 < wait <= 600:
        raise BenchError(f"{NAME}: timeout must be above 0 and at most 600 seconds.")


def open_(settings: Mapping[str, Any], means: ProviderContext) -> FindDocuments:
    own = {**DEFAULTS, **{name: value for name, value in settings.items() if value is not None}}
    check(own)
    headers = {"Accept": "application/json"}
    if name := str(own["key_env"]):
        if not means.environment.get(name):
            raise BenchError(f"{NAME}: the environment variable {name} is not set on the server: set it to the service's key.")
        headers[str(own["key_header"]) or "Authorization"] = f"{own['key_prefix']} {means.environment[name]}".strip()

    async def find(query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
        url = str(own["url"]).replace("$query", quote(query, safe="")).replace("$k", str(k))
        documents = [
            _parse_result(result, own, rank) for rank, result in enumerate(_results(await _fetch_json(url, headers, own), own))
        ]
        there = [document for document in documents if document is not None and document.document.id not in without]
        return list({hit.document.id: hit for hit in reversed(there)}.values())[::-1][:k]

    return find


async def _fetch_json(url: str, headers: Mapping[str, str], settings: Mapping[str, Any]) -> Any:
    """Return the parsed JSON of the search service's reply. Raises SearchFailed if the service gives no usable reply."""
    import httpx2

    body = bytearray()
    try:
        async with (
            timeout(settings["timeout"]),
            httpx2.AsyncClient(
                headers=headers,
                timeout=settings["timeout"],
                follow_redirects=False,
                trust_env=False,
                **build_client_options(),
            ) as client,
            client.stream("GET", url) as reply,
        ):
            if reply.status_code != 200:
                raise SearchFailed(f"{NAME} answered with status {reply.status_code}: check its url and key.")
            async for piece in reply.aiter_bytes():
                body += piece
                if len(body) > MAX_REPLY_BYTES:
                    raise SearchFailed(
                        f"{NAME} answered with more than {MAX_REPLY_BYTES // 2**20} MB: ask it for fewer results."
                    )
    except InsideNetwork as error:
        raise SearchFailed(str(error)) from error
    except (TimeoutError, httpx2.TimeoutException) as error:
        late = f"{NAME} did not answer within {settings['timeout']:g} seconds: try again, or raise timeout."
        raise SearchFailed(late) from error
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise SearchFailed(f"{NAME} cannot be reached ({type(error).__name__}): check its url.") from error
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        body_kind = "a web page" if body.lstrip()[:1] == b"<" else "nothing" if not body.strip() else "something else"
        raise SearchFailed(f"{NAME} answered with {body_kind} where JSON is expected: check its url.") from error


def _results(reply: Any, settings: Mapping[str, Any]) -> Sequence[Any]:
    results = read_path(reply, str(settings["results"]))
    if not isinstance(results, list):
        where = f"at {settings['results']}" if settings["results"] else "as its whole reply"
        raise SearchFailed(f"{NAME} has no list of results {where}: check the setting results.")
    if results and not any(isinstance(read_path(result, str(settings["text"])), str) for result in results):
        raise SearchFailed(f"{NAME} has no text at {settings['text']} in any of its results: check the setting text.")
    return results


def _parse_result(result: Any, settings: Mapping[str, Any], rank: int) -> FoundDocument | None:
    """Return the document that one search result describes, or None if the result has no text."""
    named = [name for name in ("text", "title", "link", "published") if settings[name]]
    said = {name: read_path(result, str(settings[name])) for name in named}
    plain = {name: _strip_marks(value) for name, value in said.items() if isinstance(value, str)}
    text = plain.get("text", "")[:MAX_TEXT_CHARACTERS]
    if not text:
        return None
    score = read_path(result, str(settings["score"])) if settings["score"] else None
    value = float(score) if isinstance(score, int | float) and not isinstance(score, bool) else 1.0 / (1 + rank)
    document = Document(
        content_hash(text),
        text,
        " ".join(plain.get("title", "").split())[:300] or text[:60].split("\n")[0],
        language=detect_language(text),
        origin=plain.get("link", "")[:500] or "search provider http_json",
        published=plain.get("published", "")[:40] or None,
    )
    return FoundDocument(document, value)


def read_path(value: Any, path: str) -> Any:
    """Return the part of a JSON value at a path such as data.0.text; for the path "", return the whole value; if the path does
    not exist, return None."""
    for part in path.split(".") if path else ():
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def _strip_marks(text: str) -> str:
    """Return the text without the markup that search services put around matching words, and without control characters."""
    text = unescape(re.sub(r"</?(?:em|b|strong|mark|span)\b[^>]{0,100}>", "", text))
    return "".join(sign for sign in text if sign in "\n\t" or sign.isprintable() or sign.isspace()).strip()


PROVIDER = Provider(label="A search service that answers in JSON", settings=DEFAULTS, check=check, open=open_)
