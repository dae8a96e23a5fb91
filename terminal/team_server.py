"""Asks a team's server to run a verb for this command line, as the person of an access token, and prints the verb's output as
it arrives."""

import ipaddress
import json
import os
import secrets
import ssl
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from core.errors import BenchError
from terminal.local_session import handle_ctrl_c
from terminal.remote import print_lines
from terminal.session import Session
from terminal.silence import watch_silence

SERVER_VARIABLE = "BENCHWRIGHT_SERVER"
TOKEN_VARIABLE = "BENCHWRIGHT_TOKEN"
SILENCE_SECONDS, SILENCE_NOTICE_SECONDS = 60.0, 30.0
"""Maximum seconds without a line from the server, which sends a line at least every 20 seconds, and seconds after which a
message reports the wait."""
STOP_SECONDS = 5.0
"""Maximum seconds to wait for the server's answer to Ctrl-C."""
GONE = "The connection to the server ended before the command did: results so far are stored. Run the same command again."


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of a team's server."""

    is_https: bool
    host: str
    port: int | None
    base: str
    """Base path of the app on the server, for example /team/bench."""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' * self.is_https}://{host}{f':{self.port}' if self.port else ''}{self.base}"


def find_server(options: Namespace) -> ServerAddress | None:
    """Return the server that --server names or, without --server and --workspace, the one in the environment variable
    BENCHWRIGHT_SERVER. Return None if no server is named: the command then runs without a server. Raises BenchError if the
    address is not valid, or if both options are given."""
    if options.server is not None and options.workspace is not None:
        raise BenchError("A server has its own workspace: give --server or --workspace, not both.")
    named = options.server if options.server is not None else os.environ.get(SERVER_VARIABLE)
    return parse_address(named) if named and options.workspace is None else None


def parse_address(address: str) -> ServerAddress:
    """Parse the address of a server. Raises BenchError if the address is not valid, or if it uses http for another machine,
    because others on the network could then read the access token."""
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    has_more = parts.query or parts.fragment or parts.username is not None
    if parts.scheme not in ("http", "https") or not host or has_more:
        raise BenchError(f"{address!r} is not a valid server address: give one such as https://bench.example.org/team/bench.")
    if parts.scheme == "http" and not is_this_machine(host):
        raise BenchError(f"{address} would send the access token unencrypted: give the address with https.")
    return ServerAddress(parts.scheme == "https", host, port, parts.path.rstrip("/"))


def is_this_machine(host: str) -> bool:
    """Return whether a host name or address is a loopback address of this machine, such as the local end of an SSH tunnel."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def run_on_server(server: ServerAddress, words: Sequence[str], here: Session) -> int:
    """Let the server run the verb, and return the verb's exit code. Raises BenchError if the server does not run it."""
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token.isascii() or not token.isprintable() or not token:
        raise BenchError(
            f"{server} runs verbs only with an access token: set {TOKEN_VARIABLE} to your token (page People, Your access)."
        )
    order = {"id": secrets.token_hex(16), "words": list(words), "plain": here.is_plain}

    def stop() -> None:
        try:
            response = send_order(server, token, "/bench/command/stop", {"id": order["id"]}, STOP_SECONDS)
            is_stopping = response.status == 200 and bool(json.loads(response.read())["stopping"])
        except (OSError, HTTPException, ValueError, KeyError, TypeError):
            is_stopping = False
        if not is_stopping:
            raise KeyboardInterrupt

    waiting = f"{server} does not answer; waiting for up to {SILENCE_SECONDS:.0f} seconds. Ctrl-C ends the wait."
    with handle_ctrl_c(stop), watch_silence(here.say, waiting, SILENCE_NOTICE_SECONDS) as note_answer:
        try:
            response = send_order(server, token, "/bench/command", order)
        except (OSError, HTTPException) as error:
            if isinstance(error, ssl.SSLCertVerificationError):
                raise BenchError(
                    f"This machine does not trust the certificate of {server} ({error.verify_message}): name the certificate "
                    "of its authority, or the server's own, in the variable SSL_CERT_FILE."
                ) from error
            raise BenchError(f"{server} does not answer: {error}. Check the address and the network.") from error
        if response.status != 200:
            raise BenchError(explain_refusal(server, response))
        try:
            return print_lines(response, here, note_answer)
        except BrokenPipeError:
            raise
        except (OSError, HTTPException, ValueError) as error:
            raise BenchError(GONE) from error


def send_order(server: ServerAddress, token: str, path: str, order: Any, timeout: float = SILENCE_SECONDS) -> HTTPResponse:
    """Send the command to the server and return the response before its body is read."""
    connect = HTTPSConnection if server.is_https else HTTPConnection
    connection = connect(server.host, server.port, timeout=timeout)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request("POST", server.base + path, json.dumps(order), headers)
    return connection.getresponse()


def explain_refusal(server: ServerAddress, response: HTTPResponse) -> str:
    """Return a message that says why the server did not run the command, from the server's response."""
    try:
        message = str(json.loads(response.read())["message"])
        unknown = f"{server} does not know this token: it was revoked, has expired, or is of another workspace."
        return unknown if response.status == 401 else message
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return f"No Benchwright answers at {server} (status {response.status}): give the address with its base path."
