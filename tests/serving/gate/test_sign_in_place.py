"""One workspace at which people sign in for the others of a server. team.md 3."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from core.errors import BenchError
from serving.front_page import MEMBERSHIP
from serving.gate.session_cookie import COOKIE, SITE_COOKIE
from serving.gate.settings import load_sign_in_settings
from serving.gate.sign_in_place import ASK_SECONDS, GRACE_SECONDS, PAUSE_SECONDS, SignInPlace
from serving.gate.sign_in_routes import SITE_NEXT_COOKIE, read_next
from tests.serving.gate.conftest import PASSWORD, Browser
from workbench import Workbench
from workbench.setup.sign_in_settings import FRONT_PATH

HTML = {"accept": "text/html"}
ANN = {"ok": True, "person": "Ann", "name": "Ann A.", "began_at": 5.0}


class OtherWorkspace:
    """A server in the place of the other workspace, with one answer for everybody."""

    status, answer = 200, dict(ANN)

    def __init__(self) -> None:
        self.asked: list[str] = []

    @asynccontextmanager
    async def listen(self, port: int = 0) -> AsyncIterator[int]:
        server = await asyncio.start_server(self._reply, "127.0.0.1", port)
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def _reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
        body = json.dumps(self.answer)
        writer.write(f"HTTP/1.1 {self.status} X\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()


async def test_a_cookie_is_asked_about_once_in_five_seconds_and_a_session_that_ended_there_ends_here() -> None:
    now, other = [0.0], OtherWorkspace()
    async with other.listen() as port:
        place = SignInPlace(f"http://127.0.0.1:{port}/benchwright", lambda: now[0])
        assert place.path == "/benchwright"
        for _ in range(3):
            session = await place.find_session("abc.def", "bench.example.org")
            assert session is not None and (session.person, session.source) == ("workspace:Ann", "workspace")
            assert (session.name, session.began_at) == ("Ann A.", 5.0)
        [asked] = other.asked
        assert asked.startswith(f"GET /benchwright{MEMBERSHIP} ") and f"cookie: {SITE_COOKIE}=abc.def\r\n" in asked
        assert "host: bench.example.org\r\n" in asked
        other.status = 401
        now[0] += ASK_SECONDS
        assert await place.find_session("abc.def", "bench.example.org") is None
        assert len(other.asked) == 2


@pytest.mark.parametrize("cookie", ["", "a b", "a\r\nx: y", "a;b=c", "x" * 5000])
async def test_a_cookie_that_nobody_signed_is_not_passed_on(cookie: str) -> None:
    assert await SignInPlace("http://127.0.0.1:9/benchwright").find_session(cookie, "x") is None


async def test_while_the_other_workspace_is_silent_its_last_answer_holds_for_a_minute() -> None:
    now, other = [0.0], OtherWorkspace()
    async with other.listen() as port:
        place = SignInPlace(f"http://127.0.0.1:{port}/benchwright", lambda: now[0])
        assert await place.find_session("known", "x")
    now[0] += GRACE_SECONDS - 1
    assert await place.find_session("known", "x"), "it restarts"
    with pytest.raises(BenchError, match="does not answer"):
        await place.find_session("unknown", "x")
    now[0] += 2
    with pytest.raises(BenchError, match="does not answer"):
        await place.find_session("known", "x")
    now[0] += PAUSE_SECONDS
    async with other.listen(port):
        assert await place.find_session("known", "x")


@pytest.mark.parametrize("answer", [{}, {**ANN, "person": ""}, {**ANN, "person": 7}, {**ANN, "began_at": "x"}, []])
async def test_an_answer_of_another_form_signs_nobody_in(answer: object) -> None:
    other = OtherWorkspace()
    other.answer = answer  # type: ignore[assignment]
    async with other.listen() as port:
        with pytest.raises(BenchError, match="does not answer"):
            await SignInPlace(f"http://127.0.0.1:{port}/benchwright").find_session("abc", "x")


def test_the_settings_are_set_together(monkeypatch: pytest.MonkeyPatch) -> None:
    for sign_in, place in (("workspace", ""), ("local", "http://127.0.0.1:8501/a"), ("workspace,local", "http://h/a")):
        monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", sign_in)
        monkeypatch.setenv("BENCHWRIGHT_SIGN_IN_AT", place)
        with pytest.raises(BenchError, match="set both variables or neither"):
            load_sign_in_settings()
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "workspace")
    for place in ("127.0.0.1:8501", "http://h/a?x", "http://h/a b", "http://me@h/a"):
        monkeypatch.setenv("BENCHWRIGHT_SIGN_IN_AT", place)
        with pytest.raises(BenchError, match="BENCHWRIGHT_SIGN_IN_AT is"):
            load_sign_in_settings()
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN_AT", "http://127.0.0.1:8501/benchwright/")
    assert load_sign_in_settings().place == "http://127.0.0.1:8501/benchwright"
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACES", "/benchwright, law")
    with pytest.raises(BenchError, match="has 'law'"):
        load_sign_in_settings()
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACES", "/benchwright, /law/")
    assert load_sign_in_settings().workspaces == ("/benchwright", "/law")


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/law/review?item=x", "/law/review?item=x"),
        ("/arts/", "/arts/"),
        ("/arts/bench/workspaces", "/arts/bench/workspaces"),
        ("/law/bench/sign-out", "/arts/"),
        ("/arts/bench/sign-out", "/arts/"),
        ("/lawyer/", "/arts/"),
        ("/other/", "/arts/"),
        ("//law/x", "/arts/"),
        ("https://law/law/", "/arts/"),
    ],
)
def test_sign_in_leads_to_pages_of_the_named_workspaces_alone(address: str, leads_to: str) -> None:
    assert read_next(address, "/arts", ("/arts", "/law")) == leads_to


def test_a_session_for_the_site_has_its_own_cookie_at_the_root(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACES", "/law")
    client = browser()
    asked = client.get(FRONT_PATH, headers=HTML)
    assert (asked.status_code, asked.headers["location"]) == (302, "/bench/sign-in")
    assert f"{SITE_NEXT_COOKIE}=" in asked.headers["set-cookie"]
    answer = client.post("/bench/sign-in", data={"name": "Ann", "password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, FRONT_PATH)
    [cookie] = [value for value in answer.headers.get_list("set-cookie") if value.startswith(SITE_COOKIE)]
    assert "Path=/;" in cookie and "HttpOnly" in cookie and COOKIE not in client.cookies
    page = client.get(FRONT_PATH, headers=HTML)
    assert page.status_code == 200 and '["/law"]' in page.text and "Signed in as Ann" in page.text
    assert client.post("/bench/sign-out").status_code == 303
    assert client.get(MEMBERSHIP).status_code == 401


def test_membership_names_the_person_and_the_role_to_that_person_alone(bench: Workbench, browser: Browser) -> None:
    nobody = browser().get(MEMBERSHIP)
    assert (nobody.status_code, nobody.json()["sign_in"]) == (401, "/bench/sign-in") and "workspace" not in nobody.json()
    answer = browser("Ann").get(MEMBERSHIP).json()
    assert (answer["person"], answer["role"], answer["workspace"]) == ("Ann", "annotator", "w")
    assert answer["began_at"] > bench.accounts.find_not_before("Ann")
