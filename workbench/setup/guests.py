"""Check that the role of guest (a person who sees one release and nothing else) is given together with an existing release."""

from core.errors import BenchError
from store.engine.database import Database
from store.releases import releases
from workbench.roles import GUEST, ROLES


def check_role(database: Database, role: str, release: str | None) -> None:
    """Raise BenchError if the role is unknown, if the role is guest and its release is missing or unknown, or if another role
    is given together with a release."""
    if role not in ROLES:
        raise BenchError(f"There is no role {role}: choose among {', '.join(ROLES)}.")
    if role != GUEST:
        if release:
            raise BenchError(f"Only a guest is limited to one release: leave out the release, or choose the role {GUEST}.")
        return
    known = [header.name for header in releases.list_headers(database)]
    if not known:
        raise BenchError("A guest sees one release, but this workspace has no release: freeze one first.")
    if release not in known:
        raise BenchError(f"A guest sees one release: name one of {', '.join(known)}.")
