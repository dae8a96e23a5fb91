"""The site file of deploy/nginx at work: real nginx with TLS on free loopback ports, before a running app."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.app_server import ROOT, free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
NAME = "bench.example.org"
"""The server's name in the site file."""
BENCHWRIGHT = "    ~^/benchwright/ benchwright;"
"""The line of the site file for one workspace."""
START_SECONDS = 20.0


class Site(NamedTuple):
    """nginx at work."""

    port: int
    """TLS."""
    plain_port: int

    @property
    def origin(self) -> str:
        return f"https://{NAME}:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        """The Host and the Origin that a browser would send."""
        return {"host": f"{NAME}:{self.port}", "origin": self.origin}

    def open_client(self) -> httpx.Client:
        """A browser that has come by the server's name."""
        return httpx.Client(base_url=f"https://127.0.0.1:{self.port}", headers=self.headers, verify=False, trust_env=False)


def change(text: str, changes: Sequence[tuple[str, str]]) -> str:
    """The text with each change, which must be needed."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def run_nginx(folder: Path, app_port: int, others: Mapping[str, int] | None = None) -> Iterator[Site]:
    """nginx with the files of deploy/nginx, in which only addresses and the certificate's path are changed. `others` = base
    path -> port of more workspaces, added as the docs say."""
    if NGINX is None:
        pytest.skip("nginx is not on PATH: apt-get install nginx runs the site file of deploy/nginx for real")
    site = Site(free_port(), free_port())
    make_certificate(folder)
    nginx = ROOT / "deploy" / "nginx"
    upstream = change((nginx / "upstream.conf").read_text(), [("127.0.0.1:8501", f"127.0.0.1:{app_port}")])
    lines = []
    for name, port in (others or {}).items():
        upstream += upstream.replace("upstream benchwright {", f"upstream {name} {{").replace(f":{app_port}", f":{port}")
        lines += [(BENCHWRIGHT, f"{BENCHWRIGHT}\n    ~^/{name}/ {name};")]
    if others:
        lines += [("{ return 302 /benchwright/; }", "{ return 302 /benchwright/bench/workspaces; }")]
    lines += [
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{site.plain_port};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{site.port} ssl;"),
        ("/etc/nginx/tls", str(folder)),
    ]
    server = change((nginx / "benchwright.conf").read_text(), lines)
    user = "user root;\n" if os.geteuid() == 0 else ""
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    main = f"{user}daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log {folder}/access.log;\n{paths}"
    (folder / "nginx.conf").write_text(f"{main}{upstream}{server}}}\n")
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        wait_until_it_answers(site, process)
        yield site
    finally:
        process.terminate()
        process.wait(30)


def wait_until_it_answers(site: Site, process: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        assert process.poll() is None, process.stderr and process.stderr.read()
        try:
            httpx.get(f"http://127.0.0.1:{site.plain_port}/", trust_env=False)
            return
        except httpx.TransportError:
            assert time.monotonic() < until, "nginx does not answer"
            time.sleep(0.05)


def make_certificate(folder: Path) -> None:
    """A certificate of the server's name that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
    builder = builder.not_valid_after(now + timedelta(days=1))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
    certificate = builder.sign(key, hashes.SHA256())
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    kinds = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "privkey.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *kinds))
