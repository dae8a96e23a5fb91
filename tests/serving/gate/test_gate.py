"""Who acts on a server on which people sign in. team.md 1; rows 45 to 54 of the faults."""

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from core.errors import NotAllowed
from serving import verbs
from serving.gate.session_cookie import COOKIE, sign_session
from serving.gate.sign_in_routes import read_next
from store.items import items
from store.reviews import reviews
from tests.serving.gate.conftest import ADDRESS, PASSWORD, Browser
from tests.serving.test_desk_routes import OURS, body
from workbench import Workbench, actor
from workbench.release import upload_limits
from workbench.release.upload_limits import UploadLimits
from workbench.setup.sign_in_session import SESSION_HEADER, SignInSession, decode_session, is_tab_of_other, remember_tab

HTML = {"accept": "text/html,*/*"}
STREAM = "ws://localhost/_stcore/stream"


@pytest.mark.fault(24)
def test_nothing_is_answered_without_a_session_but_health_and_sign_in(browser: Browser) -> None:
    client = browser()
    for path in (
        "/bench/history/one",
        "/bench/export/x.zip",
        "/static/js/x.js",
        "/_stcore/health",
        "/media/x",
        "/bench/nowhere",
    ):
        answer = client.get(path, headers=HTML)
        assert answer.status_code == 401 and "Sign in first" in answer.text, path
    for path in ("/bench/decide", "/_stcore/upload_file/a/b", "/review"):
        assert client.post(path, json={}, headers=OURS).status_code == 401, path
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect(STREAM):
        pass
    assert refused.value.code == 4401
    assert client.get("/bench/health").json() == {"ok": True}, "the name of the file is nobody's business"
    assert client.get("/bench/sign-in").status_code == 200


def test_without_sign_in_the_gate_changes_nothing(bench: Workbench, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BENCHWRIGHT_SIGN_IN")
    client = browser()
    assert client.get("/bench/history/one?person=Ann").status_code == 200
    with client.websocket_connect(STREAM) as socket:
        assert SESSION_HEADER not in socket.receive_json()
    assert client.get("/bench/sign-in").status_code == 404


def test_the_deep_link_survives_sign_in(browser: Browser) -> None:
    client = browser()
    asked = client.get("/review?item=a%26b&view=x", headers=HTML)
    assert (asked.status_code, asked.headers["location"]) == (302, "/bench/sign-in")
    answer = client.post("/bench/sign-in", data={"name": "Ann", "password": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/review?item=a%26b&view=x")


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example/x",
        "https://evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/bench/sign-out",
        "/a\nb",
        "",
        "/team",
        "//[x",
    ],
)
def test_sign_in_leads_to_no_other_site(address: str) -> None:
    assert read_next(address, "") in ("/", "/team") and read_next(address, "/team/bench") == "/team/bench/"


@pytest.mark.fault(22)
def test_the_signed_in_person_acts_whatever_the_browser_says(bench: Workbench, browser: Browser) -> None:
    client = browser("Ann")
    client.cookies.set("benchwright_person", "Olga")
    answer = client.post("/bench/decide", json=body(items.get(bench.database, "one"), person="Olga"), headers=OURS)
    assert answer.status_code == 200, answer.text
    [review] = reviews.load_reviews(bench.database, ["one"])
    assert review.person == "Ann"
    bench.reviews.holds.hold("two", "Bo")
    assert client.get("/bench/history/two?person=Bo").status_code == 403, "Bo's item is not read by naming Bo"
    assert client.get("/bench/claims/two?revision=1&person=Olga").status_code == 403


def test_the_cookie_is_for_this_server_alone_and_secure_behind_tls(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    form = {"name": "Ann", "password": PASSWORD}
    plain = browser().post("/bench/sign-in", data=form).headers["set-cookie"]
    assert "HttpOnly" in plain and "SameSite=lax" in plain and "Max-Age=2592000" in plain and "Secure" not in plain
    assert "; Secure" in browser(url="https://localhost").post("/bench/sign-in", data=form).headers["set-cookie"]
    forwarded = {"x-forwarded-proto": "https"}
    assert "Secure" not in browser().post("/bench/sign-in", data=form, headers=forwarded).headers["set-cookie"]
    monkeypatch.setenv("BENCHWRIGHT_TRUSTED_PROXIES", "192.0.2.0/24")
    assert "; Secure" in browser().post("/bench/sign-in", data=form, headers=forwarded).headers["set-cookie"]


@pytest.mark.fault(45)
def test_a_cookie_that_was_changed_or_signed_elsewhere_or_is_old_opens_nothing(
    bench: Workbench, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser("Ann")
    cookie, now, last = client.cookies[COOKIE], time.time(), bench.accounts.find_not_before("Ann")
    assert client.get("/bench/claims/three?revision=1").status_code == 200
    old = sign_session(SignInSession("Ann", "Ann", "local", 1_000_000.0, last))
    off = sign_session(SignInSession("github:7", "Ann", "oidc", now))
    earlier = sign_session(SignInSession("Ann", "Ann", "local", now, last - 1.0))
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("BENCHWRIGHT_COOKIE_SECRET", "x" * 40)
        foreign = sign_session(SignInSession("Ann", "Ann", "local", now, last))
    for changed in (cookie[:-2] + "xx", "", "x", cookie.partition(".")[0], old, off, earlier, foreign):
        stolen = {"cookie": f"{COOKIE}={changed}"}
        assert browser().get("/bench/claims/three?revision=1", headers=stolen).status_code == 401, changed
    copy = {"cookie": f"{COOKIE}={cookie}"}
    assert browser().get("/bench/claims/three?revision=1", headers=copy).status_code == 200
    assert client.post("/bench/sign-out").status_code == 303
    assert browser().get("/bench/claims/three?revision=1", headers=copy).status_code == 401, (
        "a stolen one ends with the session"
    )
    secret = Path(str(bench.database.path) + ".cookie-secret")
    assert secret.stat().st_mode & 0o777 == 0o600


@pytest.mark.fault(52)
def test_a_session_of_one_workspace_opens_no_other_even_with_one_secret(
    bench: Workbench, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_COOKIE_SECRET", "x" * 40)
    session = SignInSession("Ann", "Ann", "local", time.time(), bench.accounts.find_not_before("Ann"))
    here = sign_session(session)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "other.duckdb"))
        there = sign_session(session)
    for cookie, status in ((here, 200), (there, 401)):
        answer = browser().get("/bench/claims/three?revision=1", headers={"cookie": f"{COOKIE}={cookie}"})
        assert answer.status_code == status


@pytest.mark.fault(46)
def test_a_revoked_person_is_out_at_the_next_request_and_the_open_socket_closes(bench: Workbench, browser: Browser) -> None:
    client, other = browser("Ann"), browser("Bo")
    with client.websocket_connect(STREAM) as socket, other.websocket_connect(STREAM) as others:
        others.receive_json()
        session = decode_session(socket.receive_json()[SESSION_HEADER])
        assert (session.person, session.source) == ("Ann", "local")
        socket.send_text("hello")
        assert socket.receive_text() == "hello"
        bench.accounts.revoke_sessions("Ann")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()  # nothing is sent: the gate closes it by itself
        assert closed.value.code == 4401
        others.send_text("still here")
        assert others.receive_text() == "still here"
    assert client.get("/bench/claims/three?revision=1").status_code == 401
    assert client.post("/bench/hold", json={"item": "three", "person": "Ann"}, headers=OURS).status_code == 401
    assert browser("Ann").get("/bench/claims/three?revision=1").status_code == 200, "who signs in again is in"


@pytest.mark.fault(46)
def test_sign_out_ends_every_session_of_the_person_and_no_link_elsewhere_does(browser: Browser) -> None:
    first, second = browser("Ann"), browser("Ann")
    assert "<button>" in first.get("/bench/sign-out", headers={"sec-fetch-site": "cross-site"}).text
    assert second.get("/bench/claims/three?revision=1").status_code == 200
    answer = first.get("/bench/sign-out", headers={"sec-fetch-site": "same-origin"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/bench/sign-in")
    for client in (first, second):
        assert client.get("/bench/claims/three?revision=1").status_code == 401


@pytest.mark.fault(48)
def test_an_invite_is_used_once_and_a_look_does_not_use_it(bench: Workbench, browser: Browser) -> None:
    path = f"/bench/invite/{bench.accounts.create_invite('lead').secret}"
    client, form = browser(), {"name": "Lea", "password": PASSWORD}
    assert client.get(path).status_code == 200 and client.get(path).status_code == 200
    short = client.post(path, data=form | {"password": "short"})
    assert short.status_code == 403 and "at least 10" in short.text
    assert client.post(path, data=form).status_code == 303
    assert client.get("/bench/history/two").status_code == 200, "a lead opens what Bo holds"
    used = browser().get(path)
    assert used.status_code == 403 and "used already" in used.text and "<form" not in used.text
    again = browser().post(path, data=form | {"name": "Mallory"})
    assert again.status_code == 403 and "used already" in again.text
    guessed = browser().post("/bench/first/guessed", data=form | {"name": "Mallory"})
    assert guessed.status_code == 403 and "no such invite" in guessed.text


def test_an_invite_for_one_name_gives_it_and_an_ended_session_is_told(bench: Workbench, browser: Browser) -> None:
    client = browser()
    path = f"/bench/invite/{bench.accounts.create_invite('lead', person='Lou').secret}"
    assert 'value="Lou"' in client.get(path).text
    assert client.post(path, data={"name": "Lou", "password": PASSWORD}).status_code == 303
    bench.accounts.revoke_sessions("Lou")
    ended = client.get("/", headers={"accept": "text/html"})
    assert ended.headers["location"] == "/bench/sign-in?why=ended"
    assert "Your session has ended" in client.get(ended.headers["location"]).text


def test_a_wrong_password_is_one_sentence_and_many_are_slowed(browser: Browser) -> None:
    client = browser(peer="192.0.2.66")
    form = {"name": "<b>Bo", "password": "wrong wrong wrong"}
    answers = [client.post("/bench/sign-in", data=form) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [403] * 2
    assert "Wrong name or password." in answers[0].text and "&lt;b&gt;Bo" in answers[0].text and "<b>" not in answers[0].text
    assert "Too many attempts" in answers[-1].text
    assert client.post("/bench/sign-in", content=b"x" * 100_000).status_code in (401, 403)


@pytest.mark.fault(49)
def test_a_token_acts_as_its_person_until_it_is_revoked(bench: Workbench, browser: Browser) -> None:
    token, client = bench.access_tokens.create("Bo", "nightly"), browser()
    bearer = {"authorization": f"Bearer {token.secret}"}
    answer = client.post("/bench/hold", json={"item": "three", "person": "Olga"}, headers=OURS | bearer)
    assert answer.status_code == 200 and bench.reviews.holds.find_other("three", "Olga").by == "Bo"  # type: ignore[union-attr]
    for guess in ("bw_guessed", "", token.secret[:-1], token.row.id):
        assert client.get("/bench/history/three", headers={"authorization": f"Bearer {guess}"}).status_code == 401
    assert client.get("/", headers=bearer | HTML).status_code == 302, "a token opens routes, not pages"
    refused = client.get("/", headers=bearer)
    assert refused.status_code == 401 and refused.text.startswith("A token opens no pages")
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(STREAM, headers=bearer):
        pass
    bench.access_tokens.revoke(token.row.id)
    assert client.get("/bench/history/three", headers=bearer).status_code == 401
    signed_in = browser("Bo")
    assert signed_in.get("/bench/history/three", headers=bearer).status_code == 401, "a bad token is not made good by a cookie"


@pytest.mark.fault(49)
def test_a_verb_of_a_token_is_stopped_by_its_person_alone(
    bench: Workbench, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = []
    running = SimpleNamespace(person="Bo", stop=lambda: stopped.append("Bo") or True)
    monkeypatch.setitem(verbs.RUNNING_VERBS, "order", running)
    bearer = {
        name: {"authorization": f"Bearer {bench.access_tokens.create(name, 'ci').secret}"} for name in ("Ann", "Bo", "Olga")
    }
    for name, stops in (("Ann", False), ("Olga", False), ("Bo", True)):
        answer = browser().post("/bench/command/stop", json={"id": "order"}, headers=bearer[name])
        assert answer.json() == {"stopping": stops}, name
    taken = browser().post("/bench/command", json={"id": "order", "words": ["items"], "plain": True}, headers=bearer["Ann"])
    assert taken.status_code == 409 and stopped == ["Bo"]
    too_long = browser().post("/bench/command", content=b" " * (verbs.MAX_ORDER_BYTES + 1), headers=bearer["Ann"])
    assert too_long.status_code == 422


@pytest.mark.fault(49)
def test_a_command_that_cannot_be_parsed_writes_one_line_into_the_log(
    bench: Workbench, browser: Browser, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    bearer = {"authorization": f"Bearer {bench.access_tokens.create('Ann', 'ci').secret}"}
    for words in (["items", "--odd\nroot: signed in"], ["brew\x1b[2J"], ["--version"], ["items", "--help"]):
        order = {"id": "odd", "words": words, "plain": True}
        said = [json.loads(line) for line in browser().post("/bench/command", json=order, headers=bearer).text.splitlines()]
        assert said[-1] == {"exit": 2} and "does not know this command" in said[0]["err"]
    told = [record.getMessage() for record in caplog.records if record.name.endswith("running_verb")]
    assert len(told) == 4 and all(line.isprintable() and line.startswith("A command of 'Ann'") for line in told)
    assert capsys.readouterr().out == "", "the parser prints nothing on the server"


@pytest.mark.fault(47)
def test_a_header_is_believed_from_named_proxies_alone(
    bench: Workbench, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "header")
    monkeypatch.setenv("BENCHWRIGHT_TRUSTED_HEADER", "X-Forwarded-User")
    monkeypatch.setenv("BENCHWRIGHT_TRUSTED_PROXIES", "10.0.0.7, fd00::/8")
    named = {"x-forwarded-user": "zoë@example.org".encode()}
    for peer in ("10.0.0.8", "127.0.0.1", "192.0.2.7"):
        assert browser(peer=peer).get("/bench/claims/two?revision=1", headers=named).status_code == 401, peer
    behind = browser(peer="10.0.0.7")
    with behind.websocket_connect(STREAM, headers=named) as socket:
        session = decode_session(socket.receive_json()[SESSION_HEADER])
    assert (session.person, session.name) == ("header:zoë@example.org", "zoë@example.org")
    assert bench.people.role("header:zoë@example.org") == "annotator"
    assert behind.get("/bench/claims/one?revision=1").status_code == 401, "the proxy names nobody"
    twice = [("x-forwarded-user", "a"), ("x-forwarded-user", "b")]
    assert behind.get("/bench/claims/one?revision=1", headers=twice).status_code == 401  # type: ignore[arg-type]
    assert browser(peer="::ffff:10.0.0.7").get("/bench/health").status_code == 200


@pytest.mark.fault(46)
def test_a_person_of_a_proxy_whose_sessions_were_ended_is_refused_until_a_lead_lets_them_in(
    bench: Workbench, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "header")
    monkeypatch.setenv("BENCHWRIGHT_TRUSTED_HEADER", "X-Forwarded-User")
    monkeypatch.setenv("BENCHWRIGHT_TRUSTED_PROXIES", "10.0.0.7")
    named, person, path = {"x-forwarded-user": "mia"}, "header:mia", "/static/x"  # 404 = let in
    behind = browser(peer="10.0.0.7")
    assert behind.get(path, headers=named).status_code == 404
    with behind.websocket_connect(STREAM, headers=named) as socket:
        socket.receive_json()
        bench.accounts.revoke_sessions(person)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
    assert closed.value.code == 4401
    for _ in range(2):
        answer = behind.get(path, headers=named | HTML)
        assert answer.status_code == 403
        assert "The sessions of header:mia were ended: a lead can let header:mia in again on the page People." in answer.text
        with pytest.raises(WebSocketDisconnect), behind.websocket_connect(STREAM, headers=named):
            pass
    assert behind.get(path, headers={"x-forwarded-user": "another"}).status_code == 404
    with actor.act_as("Ann"), pytest.raises(NotAllowed):
        bench.accounts.let_in(person)
    bench.accounts.let_in(person)
    assert behind.get(path, headers=named).status_code == 404
    bench.people.remove(person)
    assert "work here has ended" in behind.get(path, headers=named).text
    bench.people.bring_back(person)
    assert behind.get(path, headers=named).status_code == 404
    out = behind.get("/bench/sign-out", headers=named | {"sec-fetch-site": "same-origin"})
    assert out.status_code == 200 and "sign out there" in out.text
    assert behind.get(path, headers=named).status_code == 404, "the proxy signs in, and the proxy signs out"


@pytest.mark.fault(47)
def test_a_browser_cannot_write_the_gates_own_header(browser: Browser) -> None:
    forged = {SESSION_HEADER: json.dumps({"person": "Olga", "name": "Olga", "source": "local", "began_at": 9e9})}
    with browser("Bo").websocket_connect(STREAM, headers=forged) as socket:
        assert decode_session(socket.receive_json()[SESSION_HEADER]).person == "Bo"
    with pytest.raises(WebSocketDisconnect), browser().websocket_connect(STREAM, headers=forged):
        pass


def test_a_tab_does_not_go_on_with_another_persons_state(browser: Browser) -> None:
    remember_tab("tab-1", "Olga")
    with browser("Bo").websocket_connect(STREAM, subprotocols=["streamlit", "x", "tab-1"]) as socket:
        assert "tab-1" not in socket.receive_json()["sec-websocket-protocol"]
    with browser("Olga").websocket_connect(STREAM, subprotocols=["streamlit", "x", "tab-1"]) as socket:
        assert "tab-1" in socket.receive_json()["sec-websocket-protocol"]
    assert not is_tab_of_other("never seen", "Bo")


@pytest.mark.parametrize("name", ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"])
def test_verbs_of_a_command_line_do_not_come_through_a_proxy(browser: Browser, name: str) -> None:
    near = browser(peer="127.0.0.1")
    assert near.get("/bench/verb?nonce=0123456789abcdef").text.startswith(
        '{"message":"This address answers only a command line that can read'
    ), "it asks"
    answer = near.get("/bench/verb?nonce=0123456789abcdef", headers={name: "127.0.0.1"})
    assert answer.status_code == 403 and "on the server's own machine" in answer.text
    far = browser("Olga", peer=ADDRESS).post("/bench/verb", json={})
    assert far.status_code == 403 and "on the server's own machine" in far.text


def test_what_one_person_sends_is_refused_before_it_is_read(
    bench: Workbench, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench.uploads, "limits", UploadLimits(lambda: 1000.0))
    monkeypatch.setattr(upload_limits, "RECEIVED_BYTES_PER_HOUR", 2**30)
    ann, path = browser("Ann"), "/_stcore/upload_file/session/file"

    def put(size: object) -> Any:
        return ann.put(path, content=b"", headers={"content-length": str(size)})

    assert put(600 * 2**20).status_code == 404, "it reaches Streamlit, which is not here"
    refused = put(500 * 2**20)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "3600")
    assert (
        refused.text == "One person may upload 1 GB within an hour, and this would be more: wait 60 minutes, then try again.\n"
    )
    assert put(400 * 2**20).status_code == 404 and put(2 * 2**30).status_code == 429
    assert browser("Bo").put(path, content=b"x").status_code == 404
    assert ann.put(path, content=iter([b"x"])).status_code == 411


@pytest.mark.fault(51)
def test_under_a_name_that_was_turned_to_this_machine_nobody_signs_in(browser: Browser) -> None:
    rebound = browser(url="http://rebound.example")
    assert rebound.get("/bench/sign-in").status_code == 403
    form = {"name": "Ann", "password": PASSWORD}
    assert rebound.post("/bench/sign-in", data=form, headers={"origin": "http://rebound.example"}).status_code == 403


@pytest.mark.fault(50)
def test_a_page_elsewhere_posts_nothing_and_signs_nobody_in(browser: Browser) -> None:
    evil = {"origin": "http://evil.example"}
    form = {"name": "Ann", "password": PASSWORD}
    assert browser().post("/bench/sign-in", data=form, headers=evil).status_code == 403
    client = browser("Ann")
    assert client.post("/bench/sign-out", headers=evil).status_code == 403
    assert client.post("/bench/hold", json={"item": "one", "person": "Ann"}, headers=OURS | evil).status_code == 403
    bare = client.post("/bench/hold", content='{"item": "one", "person": "Ann"}', headers={"content-type": "text/plain"})
    assert bare.status_code == 403, "a form of another site cannot send our header"
