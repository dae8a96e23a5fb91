"""The gate of a real server: what cookies, tokens, headers, links and guesses come to on real sockets. Rows 45 to 52 and 55 of
the faults."""

import http.client
import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from argon2 import PasswordHasher
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import cli
from serving.gate.session_cookie import COOKIE
from store.items import items
from tests.app_server import Served, started
from tests.as_process import terminal
from tests.conftest import Said
from tests.serving.gate.conftest import PASSWORD
from workbench import Workbench
from workbench.setup.accounts import Accounts
from workbench.setup.sign_in_session import SESSION_HEADER, SignInSession, encode_session

SECRET = "one secret for both servers " * 2
CLAIMS = "/bench/claims/one?revision=1"
"""A route that answers whoever is signed in."""
FORM = {"content-type": "application/x-www-form-urlencoded"}
ELSEWHERE = "127.0.0.2"


class Got(NamedTuple):
    """One answer."""

    status: int
    text: str
    cookie: str
    """The session that it set."""


@pytest.fixture(scope="module")
def apps(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """Two workspaces on one machine, whose servers have one secret. Olga is the admin of both, Ann and Bo annotate."""
    servers = []
    for name in ("first", "second"):
        folder = tmp_path_factory.mktemp(name)
        path = Path(shutil.copy(samples, folder / "w.duckdb"))
        with Workbench.open(path) as bench:
            sample = items.get(bench.database, bench.reviews.items()[0].id)
            items.add(bench.database, [replace(sample, id="one", status="drafted")])
            accounts = Accounts(bench.database, PasswordHasher(1, 8, 1))
            accounts.accept_invite(accounts.create_first_link(), "Olga", PASSWORD, "")
            for person in ("Ann", "Bo"):
                accounts.accept_invite(accounts.create_invite("annotator").secret, person, PASSWORD, "")
        environment = {"BENCHWRIGHT_SIGN_IN": "local", "BENCHWRIGHT_COOKIE_SECRET": SECRET}
        servers.append(started(path, folder / "app.log", env=environment, is_forked=True))
    yield servers[0], servers[1]
    for served in servers:
        served.stop()
        assert "Traceback" not in served.log.read_text()


@pytest.fixture(scope="module")
def app(apps: tuple[Served, Served]) -> Served:
    return apps[0]


def ask(
    app: Served,
    path: str,
    headers: dict[str, str] | None = None,
    form: dict[str, str] | None = None,
    source: str = "127.0.0.1",
    body: str = "",
) -> Got:
    """One request from that address: a POST if there is a form or a body."""
    port = urlsplit(app.url).port
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    try:
        said = urlencode(form) if form is not None else body
        kind = FORM if form is not None else {}
        line.request("POST" if said else "GET", path, said or None, kind | (headers or {}))
        answer = line.getresponse()
        cookies: SimpleCookie = SimpleCookie()
        for value in answer.headers.get_all("set-cookie", []):
            cookies.load(value)
        cookie = cookies[COOKIE].value if COOKIE in cookies else ""
        return Got(answer.status, answer.read().decode(errors="replace"), cookie)
    finally:
        line.close()


def sign_in(app: Served, name: str) -> dict[str, str]:
    """The headers of that person's browser."""
    got = ask(app, "/bench/sign-in", form={"name": name, "password": PASSWORD})
    assert got.status == 303 and got.cookie, got
    return {"cookie": f"{COOKIE}={got.cookie}"}


def open_socket(app: Served, headers: dict[str, str]) -> ClientConnection:
    """The websocket of a tab."""
    return connect(
        app.url.replace("http:", "ws:") + "/_stcore/stream",
        origin=app.url,  # type: ignore[arg-type]
        subprotocols=["streamlit"],  # type: ignore[list-item]
        additional_headers=headers,
        proxy=None,
        open_timeout=60,
    )


def order(app: Served, *words: str) -> None:
    """A verb of the command line on the server."""
    done = terminal(*words, "--workspace", app.workspace, cwd=app.workspace.parent)
    assert done.returncode == 0, done.stderr


@pytest.mark.fault(45, 46)
def test_a_stolen_cookie_ends_with_the_session_and_a_changed_one_opens_no_socket(app: Served) -> None:
    headers = sign_in(app, "Ann")
    cookie = headers["cookie"]
    assert ask(app, CLAIMS, headers, source=ELSEWHERE).status == 200, "a copy is as good, until the session ends"
    for changed in (cookie[:-3] + "xxx", cookie.rpartition(".")[0], f"{COOKIE}="):
        assert ask(app, CLAIMS, {"cookie": changed}).status == 401
        with pytest.raises(InvalidStatus):
            open_socket(app, {"cookie": changed})
    with open_socket(app, headers) as socket:
        order(app, "people", "sign-out", "Ann")
        with pytest.raises(ConnectionClosed, match="signed out"):
            while True:
                socket.recv(timeout=30)
    assert ask(app, CLAIMS, headers, source=ELSEWHERE).status == 401
    with pytest.raises(InvalidStatus):
        open_socket(app, headers)
    assert ask(app, CLAIMS, sign_in(app, "Ann")).status == 200


@pytest.mark.fault(47)
def test_no_header_of_a_browser_names_a_person_on_a_real_socket(app: Served) -> None:
    forged = {SESSION_HEADER: encode_session(SignInSession("Olga", "Olga", "local", 4e9)), "x-forwarded-user": "Olga"}
    assert ask(app, CLAIMS, forged).status == 401
    with pytest.raises(InvalidStatus):
        open_socket(app, forged)
    bo = sign_in(app, "Bo")
    figures = ask(app, "/bench/metrics", {**bo, **forged})
    assert figures.status == 403 and "Bo" in figures.text, "Bo asked, who is no admin"


@pytest.mark.fault(48)
def test_a_link_that_ten_use_at_the_same_moment_lets_one_in(app: Served) -> None:
    made = terminal(
        "people", "invite", "annotator", "--address", app.url, "--workspace", app.workspace, cwd=app.workspace.parent
    )
    [path] = [urlsplit(word).path for word in made.stdout.split() if "/bench/invite/" in word]
    got: list[Got] = []
    together = threading.Barrier(10)

    def accept(number: int) -> None:
        together.wait(60)
        got.append(ask(app, path, form={"name": f"Guest {number}", "password": PASSWORD}, source=f"127.0.0.{10 + number}"))

    guests = [threading.Thread(target=accept, args=(number,)) for number in range(10)]
    for guest in guests:
        guest.start()
    for guest in guests:
        guest.join(60)
    assert sorted(one.status for one in got) == [303] + [403] * 9, got
    [session] = [one.cookie for one in got if one.cookie]
    assert ask(app, CLAIMS, {"cookie": f"{COOKIE}={session}"}).status == 200
    assert ask(app, "/bench/invite/guessed", form={"name": "Mallory", "password": PASSWORD}).status == 403


@pytest.mark.fault(49)
def test_a_token_opens_routes_and_no_socket_until_it_is_revoked(app: Served) -> None:
    made = terminal(
        "tokens", "create", "nightly", "--as", "Bo", "--json", "--workspace", app.workspace, cwd=app.workspace.parent
    )
    token = json.loads(made.stdout)
    secret = token["secret"]
    bearer = {"authorization": f"Bearer {secret}"}
    assert ask(app, CLAIMS, bearer, source=ELSEWHERE).status == 200
    with pytest.raises(InvalidStatus):
        open_socket(app, bearer)
    for guess in ("bw_guessed", secret[:-1], ""):
        assert ask(app, CLAIMS, {"authorization": f"Bearer {guess}"}).status == 401
    order(app, "tokens", "revoke", token["id"])
    assert ask(app, CLAIMS, bearer).status == 401
    assert ask(app, CLAIMS, bearer | sign_in(app, "Bo")).status == 401, "a cookie does not make it good"
    assert secret not in app.log.read_text()


@pytest.mark.fault(50, 51)
def test_pages_elsewhere_and_turned_names_reach_nothing_with_a_good_cookie(app: Served) -> None:
    ann = sign_in(app, "Ann")
    ours = {"content-type": "application/json", "x-benchwright": "desk"}
    form = {"name": "Ann", "password": PASSWORD}
    for foreign in ({"origin": "http://evil.example"}, {"host": "rebound.example"}, {"origin": "null"}):
        assert ask(app, "/bench/hold", ann | ours | foreign, body='{"item": "one", "person": "Ann"}').status == 403
        assert ask(app, "/bench/sign-in", foreign, form).status == 403
        assert ask(app, "/bench/sign-out", ann | foreign, form).status == 403
    assert ask(app, CLAIMS, ann | {"host": "rebound.example"}).status == 403
    assert ask(app, "/bench/hold", ann | {"content-type": "text/plain"}, body="{}").status == 403
    for foreign in ("http://evil.example", "null"):
        with pytest.raises(InvalidStatus):
            connect(app.url.replace("http:", "ws:") + "/_stcore/stream", origin=foreign, additional_headers=ann, proxy=None)  # type: ignore[arg-type]
    assert ask(app, CLAIMS, ann).status == 200, "nobody was signed out"


@pytest.mark.fault(52)
def test_a_session_of_one_server_opens_no_page_route_or_socket_of_the_other(apps: tuple[Served, Served]) -> None:
    first, second = apps
    ann = sign_in(first, "Ann")
    assert ask(first, CLAIMS, ann).status == 200
    assert ask(second, CLAIMS, ann).status == 401, "browsers send the cookies of one port to the other"
    assert ask(second, "/review", ann | {"accept": "text/html"}).status == 302
    with pytest.raises(InvalidStatus):
        open_socket(second, ann)
    assert ask(second, CLAIMS, sign_in(second, "Ann")).status == 200


@pytest.mark.fault(55)
def test_guesses_are_counted_by_the_address_of_the_socket_whatever_a_header_says(app: Served) -> None:
    wrong = {"name": "Bo", "password": "wrong wrong wrong"}
    got = [ask(app, "/bench/sign-in", {"x-forwarded-for": f"198.51.100.{number}"}, wrong, "127.0.0.66") for number in range(7)]
    assert [one.status for one in got] == [401] * 5 + [403] * 2
    assert "Too many attempts" in got[-1].text and not any(one.cookie for one in got)
    right = {"name": "Bo", "password": PASSWORD}
    assert ask(app, "/bench/sign-in", form=right, source="127.0.0.66").status == 403, "not even the right one counts now"
    assert ask(app, "/bench/sign-in", form=right, source="127.0.0.67").status == 303, "Bo, elsewhere, is not locked out"
    assert PASSWORD not in app.log.read_text() and "wrong wrong" not in app.log.read_text()


@pytest.mark.fault(49)
def test_a_command_line_with_a_token_works_as_its_person_and_reaches_no_files(
    app: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = {}
    for person in ("Olga", "Bo"):
        made = terminal("tokens", "create", "ci", "--as", person, "--json", "--workspace", app.workspace, cwd=tmp_path)
        secrets[person] = json.loads(made.stdout)["secret"]
    here = terminal("items", "--json", "--workspace", app.workspace, cwd=tmp_path)
    named = {"BENCHWRIGHT_SERVER": app.url, "BENCHWRIGHT_TOKEN": secrets["Bo"]}
    there = terminal("items", "--json", cwd=tmp_path, environment=named)
    assert (there.returncode, there.stdout, there.stderr) == (0, here.stdout, here.stderr)

    def work(person: str, *words: object) -> Said:
        monkeypatch.setenv("BENCHWRIGHT_SERVER", app.url)
        monkeypatch.setenv("BENCHWRIGHT_TOKEN", secrets.get(person, person))
        capsys.readouterr()
        code = cli.main(list(map(str, words)))
        return Said(code, *capsys.readouterr())

    assert work("Bo", "decide", "one", "discard", "--as", "bo", "--reason", "a test").code == 0
    listed = terminal("reviews", "--json", "--workspace", app.workspace, cwd=tmp_path)
    assert [(row["item"], row["person"]) for row in json.loads(listed.stdout)][-1] == ("one", "Bo")
    for words, why in (
        (("decide", "one", "accept", "--as", "Ann"), "The access token belongs to Bo"),
        (("runs",), "Bo is an annotator here and may not see runs"),
        (("people", "role", "Bo", "admin"), "may not give roles"),
    ):
        refused = work("Bo", *words)
        assert (refused.code, refused.out) == (1, "") and why in refused.err, refused
    predictions = tmp_path / "p.jsonl"
    predictions.write_text("{}")
    for words in (
        ("add", tmp_path),
        ("import", tmp_path, "--format", "jsonl"),
        ("export", "v1", "--format", "jsonl", tmp_path / "out"),
        ("backup", tmp_path / "copy.duckdb"),
        ("score", predictions, "--metrics", "exact_match"),
        ("tables", predictions),
        ("draft", "--task", "template_question", "--count", 1, "--set", f"template={tmp_path}/t.json"),
        ("run", "working", "--system", "program", "--set", f"program={tmp_path}/p.py"),
        ("run", "working", "--system", "vanilla", "--agent", f"scripted:{predictions}"),
        ("export-run", "r", "--format", "trec", tmp_path / "trec"),
    ):
        refused = work("Olga", *words)
        assert refused.code == 1 and "reads and writes no files" in refused.err, refused
    assert list(tmp_path.iterdir()) == [predictions]
    assert "cannot open another app" in work("Olga", "app").err
    wanted = ("--task", "explicit_factoid", "--domain", "humanities", "--agent", "offline", "--count", 1)
    drafted = work("Olga", "draft", *wanted)
    assert drafted.code == 0 and "1 of 1 drafted" in drafted.err, drafted

    assert "does not know this token" in work("bw_guessed", "items").err
    assert "set BENCHWRIGHT_TOKEN" in work("", "items").err
    assert "give the address with its base path" in work("Bo", "items", "--server", f"{app.url}/elsewhere").err
    assert "does not answer" in work("Bo", "items", "--server", "http://127.0.0.1:1").err
    assert work("", "jobs", "--json", "--workspace", app.workspace).code == 0, "a workspace that is named is worked here"
    order = json.dumps({"id": "x" * 16, "words": ["items"], "plain": True})
    ours = {"content-type": "application/json"}
    assert ask(app, "/bench/command", ours | sign_in(app, "Bo"), body=order).status == 403, "a browser's session works no verbs"
    assert ask(app, "/bench/command", ours, body=order).status == 401
    assert not any(secret in app.log.read_text() for secret in secrets.values())
