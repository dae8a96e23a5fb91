"""The server that a command line names, and whether the token may be sent there."""

import ssl
import subprocess
from argparse import Namespace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from core.errors import BenchError
from terminal.local_session import LocalSession
from terminal.team_server import ServerAddress, find_server, parse_address, run_on_server


def test_the_option_precedes_the_environment_and_a_named_workspace_is_worked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BENCHWRIGHT_SERVER", raising=False)
    assert find_server(Namespace(server=None, workspace=None)) is None
    monkeypatch.setenv("BENCHWRIGHT_SERVER", "https://bench.example.org/team/bench/")
    found = find_server(Namespace(server=None, workspace=None))
    assert found == ServerAddress(True, "bench.example.org", None, "/team/bench")
    assert str(found) == "https://bench.example.org/team/bench"
    assert str(find_server(Namespace(server="http://[::1]:8501", workspace=None))) == "http://[::1]:8501"
    assert find_server(Namespace(server=None, workspace="w.duckdb")) is None
    with pytest.raises(BenchError, match="not both"):
        find_server(Namespace(server="http://localhost:8501", workspace="w.duckdb"))


@pytest.mark.fault(49)
@pytest.mark.parametrize("address", ["http://bench.example.org", "http://10.0.0.7:8501", "http://127.0.0.1.example.org"])
def test_a_token_is_not_sent_unencrypted_to_another_machine(address: str) -> None:
    with pytest.raises(BenchError, match="unencrypted: give the address with https"):
        parse_address(address)


def test_a_certificate_that_is_not_trusted_is_told_with_the_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("cert.pem", "key.pem")}
    words = [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
    ]
    command = ["openssl", *words, "-out", files["cert.pem"], "-keyout", files["key.pem"]]
    subprocess.run(command, check=True, capture_output=True)
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["cert.pem"], files["key.pem"])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    monkeypatch.setattr(server, "handle_error", lambda *_: None)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("BENCHWRIGHT_TOKEN", "bw_x")
    try:
        with pytest.raises(
            BenchError, match=r"does not trust the certificate of https://localhost.* the variable SSL_CERT_FILE"
        ):
            run_on_server(ServerAddress(True, "localhost", server.server_port, ""), ["items"], LocalSession())
        monkeypatch.setenv("SSL_CERT_FILE", str(files["cert.pem"]))
        with pytest.raises(BenchError, match="No Benchwright answers at"):
            run_on_server(ServerAddress(True, "localhost", server.server_port, ""), ["items"], LocalSession())
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    "address", ["bench.example.org", "ftp://x", "https://", "https://x:y", "https://a@b", "https://x?y", " "]
)
def test_what_is_no_address_is_one_sentence(address: str) -> None:
    with pytest.raises(BenchError, match="is not a valid server address"):
        parse_address(address)
