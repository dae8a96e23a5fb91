"""The cable takes connections for as long as it is plugged in, whatever befell earlier ones."""

import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.browser.cable import Cable


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def cable() -> Iterator[Cable]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        cable = Cable(server.server_address[1])
        yield cable
        cable.close()
        server.shutdown()
        thread.join()


def answer(cable: Cable) -> bytes:
    with urllib.request.urlopen(cable.url, timeout=20) as got:
        return bytes(got.read())


def test_a_connection_that_breaks_while_it_is_made_leaves_the_next_ones_whole(
    cable: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer(cable) == b"ok"
    set_option = socket.socket.setsockopt

    def pulled(end: socket.socket, *given: int) -> None:
        if given == (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1):
            monkeypatch.undo()
            cable.pull()
        set_option(end, *given)

    monkeypatch.setattr(socket.socket, "setsockopt", pulled)
    with socket.create_connection(("127.0.0.1", cable.port), timeout=20) as near:
        assert near.recv(1) == b""
    with pytest.raises(OSError):
        answer(cable)
    cable.plug()
    assert answer(cable) == b"ok"
