"""The token file `<workspace>.token`, from which the command line reads the port of the app that has the workspace open. Only
the file's owner can read it, because everybody who can read it can make the app run verbs. Before the command line sends a
verb, the process at the port must prove that it wrote the file."""

import contextlib
import hmac
import json
import os
import pwd
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class AppToken:
    """Content of a token file: the port at which an app listens, the app's process id, and a secret that everybody who can read
    the file shares with the app."""

    port: int
    token: str
    pid: int

    def __repr__(self) -> str:
        return f"<Token of process {self.pid} at port {self.port}>"

    def proof(self, nonce: str) -> str:
        """Return the HMAC of the random text `nonce`, which only a process that knows the secret can compute."""
        return hmac.new(self.token.encode(), nonce.encode(), "sha256").hexdigest()


def create_token(port: int) -> AppToken:
    """Return a new token for this process, which listens at `port`."""
    return AppToken(port, secrets.token_urlsafe(32), os.getpid())


def token_path(workspace: Path) -> Path:
    """Return the path of a workspace's token file."""
    return workspace.with_name(workspace.name + ".token")


def write(workspace: Path, token: AppToken) -> None:
    """Write the token file next to the workspace file; it replaces an older token file. Other users can never read the file."""
    path = token_path(workspace)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(token)))
    os.replace(part, path)


def read(workspace: Path) -> AppToken | None:
    """Return the token from the token file, or None if the file cannot be read. Also return None if another user could have
    written the file, because the command line sends the key of a model endpoint to the app that the token names."""
    try:
        with token_path(workspace).open(encoding="utf-8") as file:
            stat = os.fstat(file.fileno())
            if stat.st_uid != os.getuid() or stat.st_mode & 0o077:
                return None
            record = json.loads(file.read())
        return AppToken(int(record["port"]), str(record["token"]), int(record["pid"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def find_other_owner(workspace: Path) -> str | None:
    """Return the name of the user who owns the token file, if this is not the user of this process; that user's app has the
    workspace open. Return None if there is no such user, or if the system does not know the user's name."""
    try:
        owner = token_path(workspace).stat().st_uid
        return pwd.getpwuid(owner).pw_name if owner != os.getuid() else None
    except (OSError, KeyError):
        return None


def remove(workspace: Path, token: AppToken) -> None:
    """Remove the token file, unless another app has written its own token there."""
    if read(workspace) == token:
        with contextlib.suppress(FileNotFoundError):
            token_path(workspace).unlink()
