"""Manage access tokens, with which scripts act on behalf of a person. The secret of a token is returned only once, when the
token is created; only its SHA-256 is stored."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from core.errors import BenchError, NotAllowed
from core.ids import new_id
from store.engine.database import Database
from store.people import access_tokens, accounts, people
from store.people.access_tokens import AccessTokenRow
from workbench import actor
from workbench.roles import MAX_NAME_CHARACTERS, check_own_access, explain_refusal, list_missing_permissions, record_act
from workbench.setup.access.access_secrets import SecretState, find_end, find_secret_state, format_time, hash_secret
from workbench.setup.access.sign_in_record import Identity, SignInRecord

__all__ = ["AccessTokenRow", "AccessTokens", "Token", "TokenScope"]

TokenScope = Literal["all", "metrics", "mcp"]
SCOPE_WORDS: Mapping[str, str] = {
    "metrics": "can only read the metrics of the server",
    "mcp": "can only use the tools of assistants",
}
"""Dict from a token's scope to what a script can do with the token; the words follow the token's name in a sentence."""
TOKEN_SCOPES: tuple[TokenScope, ...] = get_args(TokenScope)
"""What a script can do with a token: "all" = everything that the token's person may do, "metrics" = only read the server's
metrics, "mcp" = only use the tools for AI assistants."""
TOKEN_DAYS = 90
TOKEN_PREFIX = "bw_"
"""Beginning of every token, by which scanners for leaked secrets recognise it."""
USE_INTERVAL_SECONDS = 60.0
"""Minimum number of seconds between two updates of the time at which a token was last used."""
FIGURES_PERMISSION = "see figures of the server"
"""Permission that a person needs for a token with the scope "metrics"."""


@dataclass(frozen=True, slots=True)
class Token:
    """A new access token with its secret."""

    row: AccessTokenRow
    secret: str

    def __repr__(self) -> str:
        return f"<Token {self.row.id}>"


class AccessTokens:
    """Methods that create, list, check and revoke access tokens."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        """Create the stage; `clock` returns seconds since 1970."""
        self._db, self._clock = database, clock
        self._sign_ins = SignInRecord(database, clock)

    def create(
        self, person: str, name: str, *, days: int = TOKEN_DAYS, by: str | None = None, scope: TokenScope = "all"
    ) -> Token:
        """Create a token with which a script acts as `person` within the scope `scope`. A token for another person requires the
        permission to manage accounts. Raises BenchError if the person has no account, or if the scope is unknown or not
        possible for the person."""
        person = check_own_access(self._db, person)
        if scope not in TOKEN_SCOPES:
            raise BenchError(f"There is no scope {scope}: choose among {', '.join(TOKEN_SCOPES)}.")
        if scope == "metrics" and FIGURES_PERMISSION in list_missing_permissions(people.load_status(self._db, person)):
            raise BenchError(
                f"{person} may not {FIGURES_PERMISSION}, so the token would give access to nothing: choose an admin."
            )
        name = " ".join(name.split())[:MAX_NAME_CHARACTERS]
        if not name:
            raise BenchError("A token needs a name, which says what the token is for.")
        if not accounts.has_account(self._db.rows, person):
            raise BenchError(f"{person} has no account: invite {person} first.")
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        made_by, ends = actor.get_name() or by, find_end(self._clock(), days)
        row = AccessTokenRow(new_id(), name, person, format_time(self._clock()), made_by, ends, scope=scope)
        self._db.write(lambda cursor: access_tokens.add(cursor, row, hash_secret(secret)))
        record_act(self._db, "make a token", f"{name} of {person}{'' if scope == 'all' else f' for {scope}'}")
        return Token(row, secret)

    def list_tokens(self, person: str = "") -> list[AccessTokenRow]:
        """Return a person's tokens, newest first; for "", those of all people, or the current user's own if the user may not
        manage accounts."""
        who = actor.get_name()
        if not person and who and explain_refusal(self._db, "manage accounts"):
            person = who
        wanted = check_own_access(self._db, person)
        return [row for row in access_tokens.load_tokens(self._db).values() if wanted in ("", row.person)]

    def revoke(self, id: str) -> None:
        """Revoke a token, so that it cannot be used any more. Raises BenchError if there is no open token with this id."""
        row = next((row for row in access_tokens.load_tokens(self._db).values() if row.id == id), None)
        check_own_access(self._db, row.person if row else "")
        if row is None or not self._db.write(lambda cursor: access_tokens.revoke(cursor, id, format_time(self._clock()))):
            raise BenchError(f"There is no open token {id}: list the open tokens.")
        record_act(self._db, "revoke a token", f"{row.name} of {row.person}")

    def identify(self, secret: str, address: str, wanted: TokenScope = "all") -> Identity | None:
        """Return the person whose token has this secret. Return None if the token is unknown, revoked or expired, or if its
        person may not sign in. `wanted` is the scope that the request requires. Raises NotAllowed if the token has another
        scope."""
        row = access_tokens.load_tokens(self._db).get(hash_secret(secret))
        account = accounts.load_accounts(self._db).get(row.person) if row else None
        if row is None or account is None:
            self._sign_ins.add("use a token", "", address, "unknown token", is_refused=True)
            return None
        state = self.find_state(row)
        if state != "open" or people.load_status(self._db, row.person).is_removed:
            why = f"{row.name}: {state}" if state != "open" else f"{row.name}: the person's work here has ended"
            self._sign_ins.add("use a token", row.person, address, why, is_refused=True)
            return None
        if row.scope not in ("all", wanted):
            why = f"The token {row.name} {SCOPE_WORDS.get(row.scope, 'has another scope')}: use another token."
            self._sign_ins.add("use a token", row.person, address, why, is_refused=True)
            raise NotAllowed(why)
        if self._sign_ins.is_due(f"use {row.id}", USE_INTERVAL_SECONDS):
            self._db.write_soon(lambda cursor: access_tokens.mark_used(cursor, row.id, format_time(self._clock())))
        if self._sign_ins.is_due(f"token {row.id} {address}"):
            self._sign_ins.add("use a token", row.person, address, row.name)
        return Identity(account.person, account.name, "token")

    def find_state(self, row: AccessTokenRow) -> SecretState:
        """Return "open" if the token can be used, otherwise "revoked" or "expired"."""
        return find_secret_state(row.revoked_at, row.expires_at, self._clock())
