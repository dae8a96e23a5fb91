"""The server that a command line names, and whether the token may be sent there."""

from argparse import Namespace

import pytest

from core.errors import BenchError
from terminal.team_server import ServerAddress, find_server, parse_address


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


@pytest.mark.parametrize(
    "address", ["bench.example.org", "ftp://x", "https://", "https://x:y", "https://a@b", "https://x?y", " "]
)
def test_what_is_no_address_is_one_sentence(address: str) -> None:
    with pytest.raises(BenchError, match="is not a valid server address"):
        parse_address(address)
