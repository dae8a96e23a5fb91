"""The site file of deploy/nginx before the real app, below its base path. team.md 1 and 3."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from serving.gate.session_cookie import COOKIE
from serving.monitoring.exposition import CONTENT_TYPE
from tests.app_server import ROOT, Served, started
from tests.deploy.site import NAME, Site, run_nginx
from tests.serving.monitoring.prometheus_text import parse
from workbench import Workbench, actor
from workbench.setup.accounts import Accounts

BASE = "/benchwright"
PASSWORD = "correct horse battery"
HTML = {"accept": "text/html"}
FORGED = "203.0.113.9"


@pytest.fixture(scope="module")
def tokens() -> dict[str, str]:
    """Person -> a token of theirs."""
    return {}


@pytest.fixture(scope="module")
def app(samples: Path, tmp_path_factory: pytest.TempPathFactory, tokens: dict[str, str]) -> Iterator[Served]:
    """Olga is the admin, Ann annotates."""
    folder = tmp_path_factory.mktemp("app")
    path = Path(shutil.copy(samples, folder / "w.duckdb"))
    with Workbench.open(path) as bench:
        accounts = Accounts(bench.database, PasswordHasher(1, 8, 1))
        accounts.accept_invite(accounts.create_first_link(), "Olga", PASSWORD, "")
        accounts.accept_invite(accounts.create_invite("annotator").secret, "Ann", PASSWORD, "")
        for person in ("Olga", "Ann"):
            with actor.act_as(person):
                tokens[person] = bench.access_tokens.create(person, "prometheus").secret
    settings = {
        "BENCHWRIGHT_SIGN_IN": "local",
        "BENCHWRIGHT_TRUSTED_PROXIES": "127.0.0.1",
        "STREAMLIT_SERVER_BASE_URL_PATH": BASE.strip("/"),
        "STREAMLIT_BROWSER_SERVER_ADDRESS": NAME,
    }
    served = started(path, folder / "app.log", env=settings, is_forked=True, base=BASE)
    yield served
    served.stop()
    with Workbench.open(path) as bench:
        addresses = {row.address for row in bench.accounts.list_sign_ins()[0]}
    assert FORGED not in addresses, "a browser does not choose the address in the record of sign-ins"


@pytest.fixture(scope="module")
def site(app: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_nginx(tmp_path_factory.mktemp("nginx"), int(app.url.rpartition(":")[2])) as site:
        yield site


@pytest.fixture
def ann(site: Site) -> Iterator[httpx.Client]:
    """Ann's browser, after she signed in by nginx."""
    with site.open_client() as client:
        form = {"name": "Ann", "password": PASSWORD}
        answer = client.post(f"{BASE}/bench/sign-in", data=form, headers={"x-forwarded-for": FORGED})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{BASE}/"), answer.text
        cookie = answer.headers["set-cookie"]
        assert "; Secure" in cookie and "HttpOnly" in cookie and f"Path={BASE}" in cookie
        client.headers["cookie"] = f"{COOKIE}={client.cookies[COOKIE]}"
        yield client


def open_socket(site: Site, cookie: str = "") -> ClientConnection:
    """The websocket of a tab."""
    import ssl

    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # websockets 17 waits for the socket although TLS holds data that it has read: in TLS 1.3, a response that came with tickets
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return connect(
        f"wss://{NAME}:{site.port}{BASE}/_stcore/stream",
        address=("127.0.0.1", site.port),
        ssl=context,
        origin=site.origin,  # type: ignore[arg-type]
        subprotocols=["streamlit"],  # type: ignore[list-item]
        additional_headers={"cookie": cookie} if cookie else {},
        proxy=None,
        open_timeout=60,
    )


def test_compose_differs_in_the_address_of_the_app_alone() -> None:
    """The file that the site runs with here is that of a machine without compose."""
    here, compose = ((ROOT / "deploy" / "nginx" / name).read_text() for name in ("upstream.conf", "upstream-compose.conf"))
    assert [line for line in compose.splitlines() if line[0] != "#"] == [
        line.replace("127.0.0.1:", "app:") for line in here.splitlines() if line[0] != "#"
    ]


def test_pages_lead_to_sign_in_and_health_needs_none(site: Site) -> None:
    with site.open_client() as client:
        asked = client.get(f"{BASE}/review?item=x", headers=HTML)
        assert (asked.status_code, asked.headers["location"]) == (302, f"{BASE}/bench/sign-in")
        assert client.get(f"{BASE}/bench/health").json()["ok"] is True
        assert client.get(f"{BASE}/bench/health").headers["strict-transport-security"].startswith("max-age=")
        assert client.get("/").headers["location"].endswith(f"{BASE}/")
        assert client.get(BASE).headers["location"].endswith(f"{BASE}/")
    plain = httpx.get(f"http://127.0.0.1:{site.plain_port}{BASE}/", headers={"host": NAME}, trust_env=False)
    assert (plain.status_code, plain.headers["location"]) == (301, f"https://{NAME}{BASE}/")


def test_the_route_of_the_owners_command_line_is_not_passed_on_and_that_of_tokens_is(
    site: Site, app: Served, tokens: dict[str, str]
) -> None:
    headers = {"authorization": f"Bearer {app.token_file.read_text()}"}
    with site.open_client() as client:
        assert client.post("/bench/verb", json={}, headers=headers).status_code == 404
        assert client.post(f"{BASE}/../bench/verb", json={}, headers=headers).status_code == 404
        assert client.post(f"{BASE}/bench/verb", json={}).status_code == 401
        order = {"id": "of Ann", "words": ["runs"], "plain": True}
        answer = client.post(f"{BASE}/bench/command", json=order, headers={"authorization": f"Bearer {tokens['Ann']}"})
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert lines[-1] == {"exit": 1} and "Ann is an annotator here and may not see runs" in lines[0]["err"]


def test_pages_and_the_websocket_work_after_sign_in(site: Site, ann: httpx.Client) -> None:
    page = ann.get(f"{BASE}/review", headers=HTML)
    assert page.status_code == 200
    script = re.search(r'src="(?:\./|/benchwright/)?(static/js/[^"]+)"', page.text)
    assert script and ann.get(f"{BASE}/{script[1]}").status_code == 200
    with open_socket(site, ann.headers["cookie"]) as socket:
        assert socket.subprotocol == "streamlit"
        out = ann.post(f"{BASE}/bench/sign-out")
        assert out.status_code == 303
        with pytest.raises(Exception, match="signed out"):
            socket.recv(timeout=10)
    with pytest.raises(InvalidStatus):
        open_socket(site)


def test_bodies_are_limited_except_uploads(site: Site, ann: httpx.Client) -> None:
    large = b"x" * (10 * 1024 * 1024)
    headers = {"content-type": "application/json", "x-benchwright": "desk"}
    assert ann.post(f"{BASE}/bench/scratch", content=large, headers=headers).status_code == 413
    upload = ann.put(f"{BASE}/_stcore/upload_file/session/file", content=large)
    assert upload.status_code not in (413, 502), "nginx passes it on; the app knows no such session"


def test_a_token_of_an_admin_reads_the_figures(site: Site, app: Served, tokens: dict[str, str]) -> None:
    with site.open_client() as client:
        for person, status in (("Ann", 403), ("Olga", 200)):
            answer = client.get(f"{BASE}/bench/metrics", headers={"authorization": f"Bearer {tokens[person]}"})
            assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == CONTENT_TYPE
    parse(answer.text)
