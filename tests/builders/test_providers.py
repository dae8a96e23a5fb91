"""Search providers: the corpus, and a service on this machine that answers as services do, the hostile ones too."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from builders.provider import ProviderContext, providers
from core.errors import BenchError, SearchFailed
from tests.builders.drafts import World

WORLD = World("The mill of Wend burned.", "A railway was opened.", "The mill of Orvel stands.")
HITS = [
    {
        "body": "The <em>mill</em> of Wend &amp; its fire",
        "name": "Fire",
        "href": "http://a.test/1",
        "rank": 7.5,
        "on": "1904-05-04",
    },
    {"body": "文德磨坊失火。", "name": "失火", "href": "http://a.test/2", "rank": 3},
    {"name": "nothing to read"},
]
FIELDS = {"results": "data.items", "text": "body", "title": "name", "link": "href", "published": "on", "score": "rank"}


class Handler(BaseHTTPRequestHandler):
    """Answers by path; keeps what it was asked."""

    asked: list[tuple[str, Any]] = []  # noqa: RUF012 - what the test server was sent

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.asked.append((self.path, dict(self.headers)))
        if path == "/hang":
            stop.wait(5)
        body: bytes = {
            "/ok": json.dumps({"data": {"items": HITS}}).encode(),
            "/list": json.dumps(HITS).encode(),
            "/empty": b"",
            "/none": b'{"data": {"items": []}}',
            "/html": b"<!doctype html><p>Sign in</p>",
            "/cut": b'{"data": {"items": [',
            "/big": b'["' + b"x" * (10 * 2**20) + b'"]',
            "/shape": b'{"data": {"items": "three"}}',
            "/fields": b'{"data": {"items": [{"x": 1}]}}',
            "/nested": b"[" * 100_000,
        }.get(path, b"")
        self.send_response(302 if path == "/moved" else int(path[1:]) if path[1:].isdigit() else 200)
        if path == "/moved":
            self.send_header("Location", "/ok")
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            return

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


stop = threading.Event()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    stop.set()
    server.shutdown()
    server.server_close()
    thread.join()


def http(address, path="/ok", environment=None, **more):
    settings = {"url": f"{address}{path}?q=$query&n=$k", **FIELDS, **more}
    return providers()["http_json"].open(settings, ProviderContext(environment=environment or {}))


def test_providers_are_known_by_file_name():
    assert list(providers()) == ["corpus", "http_json"]


async def test_the_corpus_is_searched_by_words_without_the_documents_left_out():
    find = providers()["corpus"].open({}, ProviderContext(documents=lambda: WORLD.documents))
    first, _, third = WORLD.documents
    assert [one.document.id for one in await find("mill of Wend", 5, frozenset())] == [first.id, third.id]
    assert [one.document.id for one in await find("mill of Wend", 5, frozenset({first.id}))] == [third.id]
    assert await find("zeppelin", 5, frozenset()) == []
    assert await find("磨坊", 5, frozenset()) == []


async def test_a_query_in_another_language_than_every_document_finds_by_the_words_they_share():
    world = World("记者在成都看到一块牌子，上面写着Welcome to Chengdu。", "磨坊失火。", language="zh")
    find = providers()["corpus"].open({}, ProviderContext(documents=lambda: world.documents))
    assert [one.document.id for one in await find("Welcome to Chengdu!", 5, frozenset())] == [world.documents[0].id]


async def test_the_corpus_index_is_kept_until_a_document_comes():
    held, kept = list(WORLD.documents), {}
    means = ProviderContext(documents=lambda: held, kept=kept)
    await providers()["corpus"].open({}, means)("mill", 1, frozenset())
    [before] = kept.values()
    await providers()["corpus"].open({}, means)("mill", 1, frozenset())
    assert [*kept.values()] == [before]
    held += World("Another mill was built, a mill of stone, a mill for all.").documents
    (new,) = await providers()["corpus"].open({}, means)("stone", 1, frozenset())
    assert new.document.id == held[-1].id and [*kept.values()] != [before]


async def test_results_become_documents_with_their_link_as_origin(address):
    first, second = await http(address)("fire at the mill?&x=1", 4, frozenset())
    assert (first.document.text, first.document.title, first.score) == ("The mill of Wend & its fire", "Fire", 7.5)
    assert (first.document.origin, first.document.published, first.document.licence) == ("http://a.test/1", "1904-05-04", None)
    assert (second.document.language, second.score) == ("zh", 3.0)
    assert parse_qs(urlsplit(Handler.asked[-1][0]).query) == {"q": ["fire at the mill?&x=1"], "n": ["4"]}


async def test_the_source_is_left_out_of_what_a_service_gives_and_k_is_kept_to(address):
    first, second = await http(address)("mill", 2, frozenset())
    assert await http(address)("mill", 2, frozenset({first.document.id})) == [second]
    assert await http(address)("mill", 1, frozenset()) == [first]


async def test_a_reply_may_be_the_list_itself_and_results_without_a_score_count_by_rank(address):
    found = await http(address, "/list", results="", score="")("mill", 5, frozenset())
    assert [one.score for one in found] == [1.0, 0.5]


async def test_the_key_comes_from_the_variable_that_the_settings_name(address):
    find = http(address, key_env="SEARCH_API_KEY", key_header="X-Key", key_prefix="", environment={"SEARCH_API_KEY": "s3cret"})
    await find("mill", 1, frozenset())
    assert Handler.asked[-1][1]["X-Key"] == "s3cret"
    await http(address, key_env="SEARCH_API_KEY", environment={"SEARCH_API_KEY": "s3cret"})("mill", 1, frozenset())
    assert Handler.asked[-1][1]["Authorization"] == "Bearer s3cret"
    with pytest.raises(BenchError, match="SEARCH_API_KEY is not set"):
        http(address, key_env="SEARCH_API_KEY")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/empty", "answered with nothing"),
        ("/html", "answered with a web page"),
        ("/cut", "answered with something else"),
        ("/nested", "answered with something else"),
        ("/big", "more than 4 MB"),
        ("/shape", "no list of results at data.items"),
        ("/fields", "no text at body"),
        ("/401", "status 401"),
        ("/500", "status 500"),
        ("/moved", "status 302"),
    ],
)
async def test_a_hostile_answer_is_one_sentence(address, path, sentence):
    with pytest.raises(SearchFailed, match=sentence) as raised:
        await http(address, path)("mill", 5, frozenset())
    assert "\n" not in str(raised.value) and "127.0.0.1" not in str(raised.value)


async def test_no_result_is_no_trouble(address):
    assert await http(address, "/none")("mill", 5, frozenset()) == []


async def test_a_service_that_hangs_or_is_not_there_is_one_sentence(address):
    with pytest.raises(SearchFailed, match=r"within 0\.2 seconds"):
        await http(address, "/hang", timeout=0.2)("mill", 5, frozenset())
    with pytest.raises(SearchFailed, match="cannot be reached"):
        await http("http://127.0.0.1:1")("mill", 5, frozenset())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"url": "ftp://a.test/$query"}, "url"),
        ({"url": "http://a.test/"}, "url"),
        ({"url": "http://$query/"}, "url"),
        ({"url": "http://me:pw@a.test/?q=$query"}, "password"),
        ({"text": ""}, "text"),
        ({"key_env": "PATH"}, "API_KEY"),
        ({"key_header": "X\r\nY"}, "key_header"),
        ({"timeout": 0}, "timeout"),
        ({"url": 5}, "url"),
    ],
)
def test_settings_that_do_not_fit_are_refused(wrong, sentence):
    settings = {"url": "http://a.test/?q=$query", "text": "body", **wrong}
    with pytest.raises(BenchError, match=sentence):
        providers()["http_json"].check(settings)
