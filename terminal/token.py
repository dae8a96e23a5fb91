"""The file by which a command line finds the app that holds a workspace: `<workspace>.token`, for its owner alone. Whoever
can read it may have the app work verbs; who answers at its port proves first that it wrote it."""

import contextlib
import hmac
import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class AppToken:
    """Where an app listens, and the secret that it shares with who may read its workspace."""

    port: int
    token: str
    pid: int

    def __repr__(self) -> str:
        return f"<Token of process {self.pid} at port {self.port}>"

    def proof(self, nonce: str) -> str:
        """What only who knows the secret can answer to a random text."""
        return hmac.new(self.token.encode(), nonce.encode(), "sha256").hexdigest()


def create_token(port: int) -> AppToken:
    """A token of this process."""
    return AppToken(port, secrets.token_urlsafe(32), os.getpid())


def token_path(workspace: Path) -> Path:
    """The file's name."""
    return workspace.with_name(workspace.name + ".token")


def write(workspace: Path, token: AppToken) -> None:
    """Put it beside the workspace, in the place of any older one; nobody else can read it at any moment."""
    path = token_path(workspace)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(token)))
    os.replace(part, path)


def read(workspace: Path) -> AppToken | None:
    """The token beside the workspace; None when there is none that can be read, or when others could have written it: it would
    lead an endpoint's key to them."""
    try:
        with token_path(workspace).open(encoding="utf-8") as file:
            about = os.fstat(file.fileno())
            if about.st_uid != os.getuid() or about.st_mode & 0o077:
                return None
            found = json.loads(file.read())
        return AppToken(int(found["port"]), str(found["token"]), int(found["pid"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def remove(workspace: Path, token: AppToken) -> None:
    """Take it away, unless another app wrote its own meanwhile."""
    if read(workspace) == token:
        with contextlib.suppress(FileNotFoundError):
            token_path(workspace).unlink()
