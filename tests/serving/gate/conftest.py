"""A server on which people sign in: Olga is the admin, Ann and Bo annotate, and three drafts wait."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

import workbench
from serving.routes import ROUTES
from serving.security import MIDDLEWARE
from store.items import items
from workbench import Workbench
from workbench.setup.accounts import Accounts

PASSWORD = "correct horse battery"
ADDRESS = "192.0.2.1"
Browser = Callable[..., TestClient]


@pytest.fixture(scope="module")
def bench(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """The workspace of this process, its passwords hashed quickly."""
    path = tmp_path_factory.mktemp("gate") / "w.duckdb"
    path.write_bytes(samples.read_bytes())
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("BENCHWRIGHT_WORKSPACE", str(path))
        workbench.close_workbench()
        bench = workbench.open_workbench()
        vars(bench)["accounts"] = Accounts(bench.database, PasswordHasher(1, 8, 1))
        sample = items.get(bench.database, bench.reviews.items()[0].id)
        items.add(bench.database, [replace(sample, id=name, status="drafted") for name in ("one", "two", "three")])
        bench.accounts.accept_invite(bench.accounts.create_first_link(), "Olga", PASSWORD, ADDRESS)
        for name in ("Ann", "Bo"):
            bench.accounts.accept_invite(bench.accounts.create_invite("annotator").secret, name, PASSWORD, ADDRESS)
        yield bench
        workbench.close_workbench()


@pytest.fixture
def sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")


@pytest.fixture
def browser(bench: Workbench, sign_in: None) -> Browser:
    """browser("Ann") is signed in as Ann, browser() as nobody; `peer` is the other end of its connection."""

    def open_browser(name: str = "", url: str = "http://localhost", peer: str = "192.0.2.7") -> TestClient:
        routes = [*ROUTES, WebSocketRoute("/_stcore/stream", echo)]
        client = TestClient(Starlette(routes=routes, middleware=MIDDLEWARE), url, client=(peer, 50000), follow_redirects=False)
        if name:
            answer = client.post("/bench/sign-in", data={"name": name, "password": PASSWORD})
            assert answer.status_code == 303, answer.text
        return client

    return open_browser


async def echo(socket: WebSocket) -> None:
    """A websocket that tells its headers and then repeats what it hears."""
    await socket.accept()
    await socket.send_json(dict(socket.headers))
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        pass
