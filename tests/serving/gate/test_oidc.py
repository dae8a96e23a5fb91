"""Sign-in by OpenID Connect at real providers, and what a real server answers without it. Fails when the internals of Streamlit
that serving/gate/streamlit_login.py uses have moved."""

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from oidc_provider_mock import User, run_server_in_thread

from serving.gate.session_cookie import COOKIE, read_session
from tests.app_server import Served, free_port, started
from tests.serving.test_hosts import UPGRADE, asked

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:authlib", "ignore:authlib.jose")
HTML = {"accept": "text/html"}
USERS = [User(sub="ann-7", claims={"name": "Ann Other", "email": "ann@example.org"})]


@pytest.fixture(scope="module")
def app(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An app with four providers: one is down, one has a clock that is a minute behind, and one that is an hour behind."""
    folder, port = tmp_path_factory.mktemp("oidc"), free_port()
    path = Path(shutil.copy(samples, folder / "w.duckdb"))
    with ExitStack() as stack:
        ports = {"down": free_port()}
        for name, lifetime in (("work", 3600), ("minute", -60), ("hour", -3600)):
            lasting = timedelta(seconds=lifetime)
            server = stack.enter_context(run_server_in_thread(access_token_max_age=lasting, user_claims=USERS))
            ports[name] = server.server_port
        settings = [f'[auth]\nredirect_uri = "http://localhost:{port}/oauth2callback"\ncookie_secret = "{"s" * 40}"\n']
        for name, at in ports.items():
            metadata = f"http://localhost:{at}/.well-known/openid-configuration"
            settings.append(f'[auth.{name}]\nclient_id = "c"\nclient_secret = "s"\nserver_metadata_url = "{metadata}"\n')
        (folder / "secrets.toml").write_text("\n".join(settings))
        environment = {
            "BENCHWRIGHT_SIGN_IN": "oidc,header",
            "BENCHWRIGHT_TRUSTED_HEADER": "X-User",
            "BENCHWRIGHT_TRUSTED_PROXIES": "192.0.2.1",
            "STREAMLIT_SECRETS_FILES": str(folder / "secrets.toml"),
            "no_proxy": "localhost",
        }
        served = started(path, folder / "app.log", port, environment, is_forked=True)
        yield replace(served, url=f"http://localhost:{port}")
        served.stop()


def go_to_provider(app: Served, client: httpx.Client, provider: str) -> httpx.Response:
    """Ask for a page, choose the provider, and authorize as Ann there; the answer of the callback."""
    asked_page = client.get("/review?item=x", headers=HTML)
    assert asked_page.headers["location"] == "/bench/sign-in"
    assert f'href="/bench/sign-in/{provider}"' in client.get("/bench/sign-in").text
    login = client.get(f"/bench/sign-in/{provider}")
    authorize = client.get(login.headers["location"])
    if "/oauth2/authorize" not in authorize.headers["location"]:
        return authorize
    back = client.post(authorize.headers["location"], data={"sub": "ann-7"})
    return client.get(back.headers["location"])


def test_a_person_of_a_provider_is_known_by_its_sub_and_goes_on_where_they_asked(
    app: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(app.workspace))
    with httpx.Client(base_url=app.url) as client:
        done = go_to_provider(app, client, "work")
        assert (done.status_code, done.headers["location"]) == (303, "/review?item=x")
        session = read_session(client.cookies[COOKIE])
        assert session is not None and (session.person, session.name) == ("work:ann-7", "Ann Other")
        assert COOKIE in client.cookies and not any("streamlit_user" in name for name in client.cookies), list(client.cookies)
        assert client.get("/review?item=x", headers=HTML).status_code == 200
        out = client.post("/bench/sign-out", headers={"origin": app.url})
        assert out.headers["location"] == "/bench/sign-in"
        assert client.get("/", headers=HTML).headers["location"] == "/bench/sign-in", "nothing signs in again by itself"


def test_a_callback_that_comes_again_or_was_made_up_signs_nobody_in(app: Served) -> None:
    with httpx.Client(base_url=app.url) as client:
        made_up = client.get("/oauth2callback?code=x&state=y")
        assert made_up.headers["location"] == "/bench/sign-in?why=provider" and COOKIE not in client.cookies
        assert "did not sign you in" in client.get("/bench/sign-in?why=provider").text
        assert client.get("/auth/login?provider=work").headers["location"] == "/bench/sign-in?why=down", "not one of our links"
        assert client.get("/bench/sign-in/nobody").status_code == 404


@pytest.mark.fault(53)
def test_a_provider_that_is_down_is_one_sentence(app: Served) -> None:
    with httpx.Client(base_url=app.url) as client:
        answer = go_to_provider(app, client, "down")
        assert answer.headers["location"] == "/bench/sign-in?why=down"
        assert "The provider does not answer" in client.get(answer.headers["location"]).text
        assert go_to_provider(app, client, "work").headers["location"] == "/review?item=x", "another provider works"


@pytest.mark.fault(54)
def test_a_clock_that_differs_by_a_minute_is_no_trouble_and_by_an_hour_a_sentence(app: Served) -> None:
    with httpx.Client(base_url=app.url) as client:
        assert go_to_provider(app, client, "minute").headers["location"] == "/review?item=x"
    with httpx.Client(base_url=app.url) as client:
        assert go_to_provider(app, client, "hour").headers["location"] == "/bench/sign-in?why=provider"
        assert COOKIE not in client.cookies


@pytest.mark.fault(24)
def test_a_real_server_answers_nothing_of_streamlit_without_a_session(app: Served) -> None:
    with httpx.Client(base_url=app.url) as client:
        go_to_provider(app, client, "work")
        [script, *_] = re.findall(r'src="\./(static/js/[^"]+)"', client.get("/", headers=HTML).text)
        assert client.get(f"/{script}").status_code == 200
    host = {"host": app.url.partition("://")[2]}
    for path in (f"/{script}", "/_stcore/health", "/_stcore/host-config", "/favicon.png", "/_stcore/agent/openapi.json"):
        assert asked(app, "GET", path, host)[0] == 401, path
    assert asked(app, "GET", "/_stcore/stream", {**host, "origin": app.url, **UPGRADE})[0] == 403


@pytest.mark.fault(47)
def test_a_process_of_this_machine_cannot_pass_for_a_proxy(app: Served) -> None:
    """uvicorn would put the address in X-Forwarded-For in the place of 127.0.0.1."""
    forged = {"host": app.url.partition("://")[2], "x-user": "olga", "x-forwarded-for": "192.0.2.1"}
    assert asked(app, "GET", "/bench/history/x", forged)[0] == 401
