"""A page at another name, or of another site, neither reads the app nor changes anything in it."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from streamlit import config

from serving.hosts import explain_wrong_host, is_ours, is_same
from tests.app_server import Served

UPGRADE = {
    "connection": "Upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": "streamlit",
}


@pytest.fixture
def configured() -> Iterator[None]:
    """An app that listens to the whole network, behind a name."""
    before = config.get_option("server.address"), config.get_option("browser.serverAddress")
    config.set_option("server.address", "0.0.0.0")
    config.set_option("browser.serverAddress", "bench.example.org")
    yield
    config.set_option("server.address", before[0])
    config.set_option("browser.serverAddress", before[1])


def test_the_refusal_names_the_address_that_is_configured(configured: None) -> None:
    assert "open it at bench.example.org, or" in explain_wrong_host()
    assert "--browser.serverAddress (the variable STREAMLIT_BROWSER_SERVER_ADDRESS)" in explain_wrong_host()
    config.set_option("browser.serverAddress", None)
    assert "open it at localhost, or" in explain_wrong_host()


def asked(app: Served, method: str, path: str, headers: dict[str, str]) -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", urlsplit(app.url).port, timeout=60)
    try:
        line.request(method, path, None if method == "GET" else b"{}", headers)
        answer = line.getresponse()
        return answer.status, "" if answer.status == 101 else answer.read(500).decode(errors="replace")
    finally:
        line.close()


@pytest.mark.fault(2)
def test_a_name_that_was_turned_to_this_machine_gets_no_answer(app: Served) -> None:
    port = urlsplit(app.url).port
    evil, ours = f"rebound.example:{port}", f"localhost:{port}"
    for path in ("/", "/review", "/_stcore/health", "/_stcore/host-config", "/bench/health", "/bench/verb", "/static/x.js"):
        status, said = asked(app, "GET", path, {"host": evil})
        assert status == 403 and "does not answer to this host name" in said, path
    for path in ("/bench/decide", "/bench/scratch", "/_stcore/upload_file/a/b", "/bench/nowhere"):
        assert asked(app, "POST", path, {"host": evil, "origin": f"http://{evil}", "x-benchwright": "desk"})[0] == 403
        status, said = asked(app, "POST", path, {"host": ours, "origin": f"http://{evil}", "x-benchwright": "desk"})
        assert status == 403 and "open the app itself" in said
        assert "open the app itself" not in asked(app, "POST", path, {"host": ours, "origin": f"http://{ours}"})[1]
    assert asked(app, "GET", "/bench/health", {"host": ours})[0] == 200
    other = f"localhost:{(port or 0) + 1}"
    for host, origin, status in (
        (evil, f"http://{evil}", 403),
        (ours, f"http://{evil}", 403),
        (ours, "null", 403),
        (ours, f"http://{other}", 403),
        (ours, f"http://{ours}", 101),
    ):
        assert asked(app, "GET", "/_stcore/stream", {"host": host, "origin": origin, **UPGRADE})[0] == status, (host, origin)


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost", True),
        ("LOCALHOST:8501", True),
        ("bench.localhost:1", True),
        ("127.0.0.1:8501", True),
        ("127.9.9.9", True),
        ("[::1]:8501", True),
        ("localhost.:8501", True),
        ("", False),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("10.0.0.5:8501", False),
        ("evil@localhost", False),
        ("[::1", False),
        ("a:b", False),
        ("localhost/evil", False),
        ("localhost?evil", False),
        ("localhost#evil", False),
        ("bench.example.org", False),
    ],
)
def test_loopback_names_are_ours(host: str, ours: bool) -> None:
    assert is_ours(host) is ours


def test_what_is_configured_is_ours_too(configured: None) -> None:
    assert is_ours("Bench.Example.org:443") and is_ours("10.0.0.5:8501") and not is_ours("evil.example")
    assert is_same("https://bench.example.org", "localhost:8501"), "a proxy asks with a host of its own"
    assert not is_same("http://[", "localhost:8501")
    assert not is_same("https://evil.example", "localhost:8501") and not is_same("file://bench.example.org", "localhost:8501")
