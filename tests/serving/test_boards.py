"""The routes of sealed boards: predictions come in with a token or a cookie, and nothing of a single item goes out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import jobs
import workbench
from serving.releases import boards
from serving.routes import ROUTES
from serving.security import MIDDLEWARE
from store.releases import seals
from workbench import Workbench
from workbench.release.upload_limits import UploadLimits
from workbench.setup.accounts import Accounts

ADDRESS = "192.0.2.1"


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    bench.releases.freeze("v1", sealed=True)
    bench.releases.freeze("plain")
    yield bench
    jobs.stop(bench)
    workbench.close_workbench()


def client(person: str = "", token: str = "", peer: str = "192.0.2.7") -> TestClient:
    app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    cookies = {"benchwright_person": person} if person else {}
    return TestClient(app, "http://localhost", headers=headers, cookies=cookies, client=(peer, 50000))


def predict(bench: Workbench, **changed: Any) -> bytes:
    _, content = bench.releases.get("v1")
    seal = seals.find(bench.database, bench.release_browser.find_header("v1").hash)
    assert seal is not None
    public = seal.public_ids
    lines = [{"id": public[item.id], "prediction": item.answers[0]} | changed for item in content.items]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def wait_for_jobs(bench: Workbench) -> None:
    for job in bench.upkeep.jobs():
        jobs.start(bench).submit(job.id).result()


def test_a_submission_is_on_record_at_once_and_scored_by_a_job(bench: Workbench) -> None:
    raw = predict(bench)
    answer = client("Zoe").post("/bench/board/v1?system=mine", content=raw)
    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert (said["ok"], said["submission"], said["left"], said["already"]) == (True, 2, 1, False)
    wait_for_jobs(bench)
    board = client("Zoe").get("/bench/board/v1").json()
    (line,) = board["submissions"]
    assert (line["person"], line["system"], line["hash"]) == ("Zoe", "mine", said["receipt"])
    assert (line["scores"]["exact_match"]["mean"], line["scores"]["exact_match"]["n"]) == (1.0, 40)
    ids = [json.loads(one)["id"] for one in raw.splitlines()]
    assert not [id_ for id_ in ids if id_ in json.dumps(board)]


@pytest.mark.parametrize(
    ("release", "system", "person", "raw", "message"),
    [
        ("v1", "mine", "", None, "A submission needs a name"),
        ("v1", "", "Zoe", None, "A system needs a name"),
        ("v1", "mine", "Zoe", b"", "The file has no predictions"),
        ("v1", "mine", "Zoe", b"{]", "Line 1 of The file"),
        ("plain", "mine", "Zoe", None, "The release plain is not sealed"),
        ("other", "mine", "Zoe", None, "No release other"),
    ],
)
@pytest.mark.fault(65)
def test_a_faulty_request_gets_one_sentence(
    bench: Workbench, release: str, system: str, person: str, raw: bytes | None, message: str
) -> None:
    body = predict(bench) if raw is None else raw
    answer = client(person).post(f"/bench/board/{release}?system={system}", content=body)
    assert answer.status_code == 422 and message in answer.json()["message"], answer.text
    assert bench.sealed_boards.view("v1").entries == 1


@pytest.mark.fault(65)
def test_a_body_above_the_limit_and_a_page_of_another_site_are_refused(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = predict(bench)
    assert client("Zoe").post("/bench/board/v1?system=x", content=raw, headers={"origin": "http://e.test"}).status_code == 403
    monkeypatch.setattr(boards, "MAX_FILE_BYTES", 100)
    assert client("Zoe").post("/bench/board/v1?system=x", content=raw).status_code == 413
    assert bench.sealed_boards.view("v1").entries == 1


@pytest.mark.fault(65)
def test_on_a_server_a_guest_submits_with_a_token_in_nobodys_name_but_the_own(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from argon2 import PasswordHasher

    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    vars(bench)["accounts"] = Accounts(bench.database, PasswordHasher(1, 8, 1))
    bench.accounts.accept_invite(bench.accounts.create_first_link(), "Olga", "correct horse battery", ADDRESS)
    for name, role, release in (("Gus", "guest", "v1"), ("Pia", "guest", "plain"), ("Ann", "annotator", None)):
        invite = bench.accounts.create_invite(role, release=release) if release else bench.accounts.create_invite(role)
        bench.accounts.accept_invite(invite.secret, name, "correct horse battery", ADDRESS)
    tokens = {name: bench.access_tokens.create(name, "script").secret for name in ("Gus", "Pia", "Ann")}
    raw = predict(bench)
    assert client("Gus").post("/bench/board/v1?system=mine", content=raw).status_code == 401, "a cookie is no sign-in"
    answer = client(token=tokens["Gus"]).post("/bench/board/v1?system=mine&person=Olga", content=raw)
    assert answer.status_code == 200, answer.text
    monkeypatch.setattr(bench.sealed_boards, "limits", UploadLimits(lambda: 1000.0))
    faulty = [client(token=tokens["Gus"]).post("/bench/board/v1?system=mine", content=b"{]") for _ in range(11)]
    assert [one.status_code for one in faulty] == [422] * 10 + [429], "refused submissions count too"
    assert "10 uploads within a minute" in faulty[-1].json()["message"] and faulty[-1].headers["retry-after"] == "60"
    wait_for_jobs(bench)
    (line,) = client(token=tokens["Gus"]).get("/bench/board/v1").json()["submissions"]
    assert (line["person"], line["scores"]["exact_match"]["mean"]) == ("Gus", 1.0)
    for name in ("Pia", "Ann"):
        refused = client(token=tokens[name]).post("/bench/board/v1?system=mine", content=raw)
        assert refused.status_code == 403, refused.text
        assert client(token=tokens[name]).get("/bench/board/v1").status_code == 403
