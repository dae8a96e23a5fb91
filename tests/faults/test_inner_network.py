"""On a server on which people sign in, nothing that a person sets makes the server ask the inside of its own network."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from agents.endpoints.embedding import EMBED_PROMPT, EmbeddingAgent
from agents.endpoints.json_endpoint import RequestSettings
from agents.endpoints.reranking import RERANK_PROMPT, RerankAgent
from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from builders.languagetool.checker import Checker, Unverified
from builders.provider import ProviderContext, providers
from core.agent import Sampling
from core.errors import AgentError, BenchError, SearchFailed
from core.inner_network import HOSTS_VARIABLE, check_reachable, is_inside, load_allowed_hosts
from core.nouns import Message, Prompt
from eval.running.retrieval import make_tools
from eval.running.runner import answer_all
from eval.system import Question, systems
from tests.languagetool_server import languagetool
from tests.openai_server import Running, running
from workbench import Workbench

PROMPT = Prompt("answer/small.en", "answer", (Message("user", "Question: $question"),), ("question",))
QUESTION = {"question": "Who bought the old mill?"}
OUTSIDE = "93.184.216.34"
FAST = RequestSettings(backoff=0.01, cool_down=0.01, timeout=20)
REFUSED = "is inside the server's network, so nothing is sent to it"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(endpoint: Running) -> Running:
    endpoint.reset()
    endpoint.script([])
    return endpoint


@pytest.fixture
def sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    monkeypatch.delenv(HOSTS_VARIABLE, raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def resolve(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """resolve("a.example", "1.2.3.4", "10.0.0.1"): the name has the first address, from the second look-up on the next one."""
    real = socket.getaddrinfo

    def resolve_name(name: str, *addresses: str) -> list[str]:
        left = list(addresses)
        asked: list[str] = []

        def look_up(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
            text = host.decode() if isinstance(host, bytes) else host
            if text != name:
                return real(host, port, *args, **kwargs)
            asked.append(left.pop(0) if len(left) > 1 else left[0])
            return real(asked[-1], port, *args, **kwargs)

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    return resolve_name


def openai_agent(url: str) -> OpenAIAgent:
    return OpenAIAgent("m", url, "sk-test-1234567", OpenAISettings(backoff=0.01, cool_down=0.01, timeout=20))


async def ask_openai(url: str) -> Any:
    agent = openai_agent(url)
    try:
        return await agent.ask(PROMPT, QUESTION, Sampling())
    finally:
        await agent.close()


async def ask_streamed(url: str) -> Any:
    agent = openai_agent(url)
    try:
        return await agent.stream(PROMPT, QUESTION, Sampling(), lambda text: None)
    finally:
        await agent.close()


async def list_models(url: str) -> Any:
    agent = openai_agent(url)
    try:
        return await agent.list_models()
    finally:
        await agent.close()


async def ask_embedder(url: str) -> Any:
    return await EmbeddingAgent("m", url, None, FAST).ask(EMBED_PROMPT, {"texts": ["a mill"]}, Sampling())


async def ask_reranker(url: str) -> Any:
    agent = RerankAgent(url.removesuffix("/v1"), settings=FAST)
    return await agent.ask(RERANK_PROMPT, {"query": "mill", "texts": ["a mill"]}, Sampling())


async def ask_system(url: str) -> Any:
    settings = {"url": f"{url}/chat/completions", "model": "m"}
    question = Question("i", "When?", "When?", "en", "explicit_factoid", None, 32)
    tools = make_tools([], {}, None, None)
    [trace] = [t async for t in answer_all([question], systems()["endpoint"], settings, tools, run_id="r")]
    if trace.error:
        raise AgentError(trace.error, kind=trace.stop, attempts=0)
    return trace.answer


ASKS: dict[str, Callable[[str], Awaitable[Any]]] = {
    "agent or judge": ask_openai,
    "streamed": ask_streamed,
    "list of models": list_models,
    "embedder": ask_embedder,
    "reranker": ask_reranker,
    "system": ask_system,
}


@pytest.mark.fault(19)
@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.10",
        "0.0.0.0",
        "10.0.0.7",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.100.100.200",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::10.0.0.7",
        "64:ff9b::10.0.0.7",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "no address",
    ],
)
def test_an_address_that_is_not_on_the_internet_is_inside(address: str) -> None:
    assert is_inside(address)


@pytest.mark.parametrize("address", [OUTSIDE, "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])
def test_an_address_on_the_internet_is_outside(address: str) -> None:
    assert not is_inside(address)


@pytest.mark.fault(19)
@pytest.mark.parametrize("kind", ASKS)
async def test_no_model_inside_the_network_is_asked_unless_it_is_named(
    kind: str, server: Running, sign_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BenchError, match=f"The host 127.0.0.1 {REFUSED}: give another address, or name the host in") as refused:
        await ASKS[kind](server.url)
    assert str(refused.value).count(". ") == 0 and server.count()["requests"] == 0
    monkeypatch.setenv(HOSTS_VARIABLE, "llm.lan, 127.0.0.1:1")
    with pytest.raises(BenchError, match=REFUSED):
        await ASKS[kind](server.url)
    monkeypatch.setenv(HOSTS_VARIABLE, f"llm.lan, {server.root.removeprefix('http://')}")
    assert await ASKS[kind](server.url) is not None
    monkeypatch.delenv(HOSTS_VARIABLE)
    monkeypatch.delenv("BENCHWRIGHT_SIGN_IN")
    assert await ASKS[kind](server.url) is not None, "on one's own machine one's own models are asked"


@pytest.mark.fault(19)
@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]"])
async def test_other_spellings_of_an_address_lead_nowhere_either(host: str, server: Running, sign_in: None) -> None:
    with pytest.raises(BenchError, match=REFUSED):
        await ask_openai(f"http://{host}:{server.root.rpartition(':')[2]}/v1")
    assert server.count()["requests"] == 0


@pytest.mark.fault(19)
@pytest.mark.parametrize("kind", ["agent or judge", "embedder", "system"])
async def test_a_name_that_has_another_address_at_the_connection_gets_no_byte(
    kind: str, sign_in: None, resolve: Callable[..., list[str]]
) -> None:
    asked = resolve("models.example.org", OUTSIDE, "127.0.0.1")
    async with listening() as (port, received):
        with pytest.raises(BenchError, match=f"The host models.example.org {REFUSED}"):
            await ASKS[kind](f"http://models.example.org:{port}/v1")
        await wait_for_end(received)
    assert asked == [OUTSIDE, "127.0.0.1"], "the first look-up is the check's, the second the connection's"
    assert received == [b""], "the connection was closed before anything was sent"


@pytest.mark.fault(19)
async def test_a_name_of_several_addresses_of_which_one_is_inside_is_refused(
    sign_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        return [*real(OUTSIDE, port, *args, **kwargs), *real("10.0.0.7", port, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(BenchError, match=REFUSED):
        await ask_embedder("http://two.example.org/v1")


@pytest.mark.fault(19)
async def test_a_redirect_leads_to_nothing_inside(server: Running, sign_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(f"HTTP/1.1 307 See\r\nLocation: {server.url}/chat/completions\r\nContent-Length: 0\r\n\r\n") as (
        port,
        _,
    ):
        monkeypatch.setenv(HOSTS_VARIABLE, f"127.0.0.1:{port}")
        with pytest.raises(BenchError, match=f"The host 127.0.0.1 {REFUSED}"):
            await ask_openai(f"http://127.0.0.1:{port}/v1")
    assert server.count()["requests"] == 0


async def test_a_proxy_of_the_servers_environment_may_be_inside_and_its_targets_may_not(
    sign_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with listening("HTTP/1.1 400 No\r\nContent-Length: 2\r\n\r\nno") as (port, received):
        for name in ("http_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        with pytest.raises(AgentError, match="answered 400"):
            await ask_embedder(f"http://{OUTSIDE}/v1")
        with pytest.raises(AgentError, match=REFUSED):
            await ask_embedder("http://169.254.169.254/v1")
        await wait_for_end(received)
    assert [sent.split()[1] for sent in received] == [f"http://{OUTSIDE}/v1/embeddings".encode()]


@pytest.mark.fault(19)
async def test_a_search_service_and_a_grammar_checker_inside_are_not_asked(
    server: Running, sign_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"url": f"{server.root}/search?q=$query", "text": "body"}
    with pytest.raises(SearchFailed, match=REFUSED):
        await providers()["http_json"].open(settings, ProviderContext())("mill", 3, frozenset())
    with pytest.raises(Unverified, match=REFUSED):
        Checker(server.root).check("Who did wrote it?", "en")
    assert server.count()["requests"] == 0


@pytest.mark.fault(19)
async def test_a_grammar_checker_whose_name_or_redirect_leads_inside_gets_no_connection(
    sign_in: None, resolve: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = resolve("lt.example.org", OUTSIDE, "127.0.0.1")
    async with listening("HTTP/1.1 302 See\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n") as (
        port,
        received,
    ):
        for _ in range(2):
            with pytest.raises(Unverified, match=f"The host lt.example.org {REFUSED}"):
                await asyncio.to_thread(Checker(f"http://lt.example.org:{port}").check, "Who did wrote it?", "en")
        assert asked == [OUTSIDE, "127.0.0.1", "127.0.0.1"], "the first look-up is the check's, the second the connection's"
        assert received == []
        monkeypatch.setenv(HOSTS_VARIABLE, "lt.example.org")
        with pytest.raises(Unverified, match=REFUSED):
            await asyncio.to_thread(Checker(f"http://lt.example.org:{port}").check, "Who did wrote it?", "en")
    assert [sent.split(b" ")[:2] for sent in received] == [[b"GET", b"/v2/languages"]], "the redirect was not followed"


@pytest.mark.fault(19)
def test_a_grammar_checker_that_is_named_is_asked_and_its_later_requests_are_checked_too(
    sign_in: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with languagetool("well") as address:
        monkeypatch.setenv(HOSTS_VARIABLE, address.removeprefix("http://"))
        checker = Checker(address)
        assert checker.check("Who did wrote it?", "en")
        monkeypatch.delenv(HOSTS_VARIABLE)
        with pytest.raises(Unverified, match=REFUSED):
            checker.check("Who did wrote it?", "en")
        assert checker.is_off


@pytest.mark.fault(19)
def test_an_address_inside_is_refused_where_it_is_saved(sign_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Workbench.open(":memory:")
    record = {"name": "inner", "model": "m", "base_url": "http://169.254.169.254/v1", "key_env": "OURS_API_KEY"}
    with pytest.raises(BenchError, match=REFUSED):
        bench.agent_list.save(record)
    with pytest.raises(BenchError, match=REFUSED):
        bench.grammar_checker.choose("http://10.0.0.7:8010")
    monkeypatch.setenv(HOSTS_VARIABLE, "169.254.169.254, 10.0.0.7")
    assert bench.agent_list.save(record) == "inner"
    bench.grammar_checker.choose("http://10.0.0.7:8010")
    monkeypatch.delenv(HOSTS_VARIABLE)
    assert bench.agents.find_saved("inner") is not None, "what was saved earlier can be read, and is not asked"
    bench.close()


def test_hosts_are_named_with_and_without_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOSTS_VARIABLE, "LLM.lan., 10.0.0.7:8000, fd00::7, [fd00::8]:80,")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gpu.lan/v1")
    assert load_allowed_hosts() == {
        ("llm.lan", None),
        ("10.0.0.7", 8000),
        ("fd00::7", None),
        ("fd00::8", 80),
        ("gpu.lan", 443),
    }


def test_the_endpoint_of_the_servers_own_environment_is_named_by_it(sign_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    check_reachable("http://127.0.0.1:8000/rerank")
    with pytest.raises(BenchError, match=REFUSED):
        check_reachable("http://127.0.0.1:8001/v1")


@pytest.mark.parametrize("entry", ["http://llm.lan", "llm.lan/v1", "*", "*.lan", "10.0.0.0/8", "llm.lan:port", "a@b", "a b"])
def test_what_is_no_host_is_one_sentence(entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOSTS_VARIABLE, entry)
    with pytest.raises(BenchError, match="list hosts with or without ports"):
        load_allowed_hosts()


@asynccontextmanager
async def listening(answer: str = "") -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server on 127.0.0.1 that gives each connection the answer: (its port, the first bytes of each connection)."""
    received: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received.append(await reader.read(65_536))
        writer.write(answer.encode())
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], received


async def wait_for_end(received: list[bytes]) -> None:
    """Wait until the server has seen the end of its first connection."""
    async with asyncio.timeout(30):
        while not received:
            await asyncio.sleep(0.01)
