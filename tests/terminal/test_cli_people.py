"""People, invites and access tokens on the command line."""

from pathlib import Path

import pytest

from store.items import items
from store.people import accounts
from store.people.accounts import AccountRow
from terminal import people_options
from tests.conftest import Bench
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from tests.store.sample_items import item
from workbench import Workbench, roles
from workbench.setup.access.access_tokens import TOKEN_SCOPES
from workbench.setup.access.sign_in_record import Identity

SHAPES = "docs/reference/json-shapes.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Bob signs in by a provider."""
    path = tmp_path / "w.duckdb"
    with Workbench.open(path) as bench:
        account = AccountRow("google:1", "Bob", "oidc", None, "2026-01-01T10:00:00.000+00:00", None)
        bench.database.write(lambda cursor: accounts.write(cursor, account))
        bench.people.give("google:1", "annotator")
    return path


def test_an_invite_is_created_listed_and_revoked(bw: Bench, workspace: Path) -> None:
    made = bw("people", "invite", "lead", "--for", "Lea", "--days", 3, "--address", "https://bench.example.org/team/").json
    assert made["link"] == f"https://bench.example.org/team/bench/invite/{made['secret']}"
    listed = bw("people", "invites").json["invites"]
    assert [(row["id"], row["role"], row["person"], row["state"]) for row in listed] == [(made["id"], "lead", "Lea", "open")]
    assert "secret" not in listed[0]
    assert bw("people", "revoke-invite", made["id"]).json == {"revoked": made["id"]}
    assert bw("people", "invites").json["invites"][0]["state"] == "revoked"
    assert "no open invite" in bw("people", "revoke-invite", made["id"]).sentence
    assert "1 to 365" in bw("people", "invite", "lead", "--days", 0).sentence


@pytest.mark.parametrize(
    "words", [("people", "list"), ("people", "invite", "lead"), ("tokens", "list"), ("jobs",), ("items",), ("runs",)]
)
def test_a_verb_that_begins_no_workspace_says_that_there_was_no_workspace(
    bw: Bench, tmp_path: Path, words: tuple[str, ...]
) -> None:
    missing = tmp_path / "typo.duckdb"
    done = bw(*words, workspace=missing)
    assert done.code == 0 and f"There was no workspace at {missing}" in done.err
    assert "There was no workspace" not in bw("people", "list", workspace=missing).err


def test_a_person_that_is_not_there_is_told(bw: Bench, workspace: Path) -> None:
    refused = bw("people", "sign-out", "Nobody")
    assert (refused.code, refused.sentence) == (1, "Nobody is not known here: list the people to see who is.")


@pytest.mark.parametrize(
    ("sign_in", "person", "forms"),
    [
        ("workspace", "Ann", "workspace:NAME"),
        ("workspace", "google:nobody", "workspace:NAME"),
        ("local,oidc", "header:eva", "without a colon or PROVIDER:ID"),
        ("local,oidc", "Ann", ""),
        ("local,oidc", "google:1", ""),
        ("workspace", "workspace:Ann", ""),
        ("header", "header:eva", ""),
        ("", "google:nobody", ""),
    ],
)
def test_a_role_for_a_name_that_cannot_sign_in_here_is_told(
    bw: Bench, workspace: Path, monkeypatch: pytest.MonkeyPatch, sign_in: str, person: str, forms: str
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", sign_in)
    given = bw("people", "role", person, "annotator")
    assert given.json["person"] == person
    told = f"Nobody can sign in here as {person}: the names of people who sign in here are {forms}."
    assert (told in given.err) == bool(forms) and ("Nobody can" in given.err) == bool(forms)


@pytest.mark.parametrize("source", ["workspace", "oidc"])
def test_where_nobody_has_a_password_nobody_is_invited(
    bw: Bench, workspace: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", source)
    assert "give the person a role instead" in bw("people", "invite", "lead").sentence
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", f"{source},local" if source == "oidc" else "local")
    assert bw("people", "invite", "lead").code == 0


def test_people_are_listed_with_their_roles_and_signed_out(bw: Bench, workspace: Path) -> None:
    assert bw("people", "role", "google:1", "admin").json == {"person": "google:1", "role": "admin", "release": None}
    (person,) = bw("people", "list").json["people"]
    assert (person["person"], person["name"], person["role"], person["sign_in"]) == ("google:1", "Bob", "admin", "oidc")
    assert "google:1 (Bob)  admin  signs in: provider" in bw("people", "list", json_too=False).out
    bw("tokens", "create", "nightly", "--as", "google:1")
    assert bw("people", "sign-out", "google:1").json == {"signed_out": "google:1", "open_tokens": 1}
    assert bw("people", "sign-out", "google:1", "--tokens").json == {"signed_out": "google:1", "open_tokens": 0}
    assert "is not shut out" in bw("people", "let-in", "google:1").sentence
    removed = bw("people", "remove-account", "google:1").json
    assert removed == {"removed": "google:1"}
    compare_shapes(find_shown(SHAPES, "people", "remove-account"), removed, "people remove-account")
    assert "has no account" in bw("people", "remove-account", "google:1").sentence
    assert bw("people", "sign-ins").json == {"sign_ins": [], "total": 0}


def test_a_guest_is_invited_to_a_release(bw: Bench, tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        items.add(bench.database, [item("a", status="accepted")])
        bench.releases.freeze("v1")
    made = bw("people", "invite", "guest", "--release", "v1").json
    assert (made["role"], made["release"]) == ("guest", "v1")
    assert f"{made['id']}  guest of v1  until" in bw("people", "invites", json_too=False).out
    assert "name one of v1" in bw("people", "role", "Gus", "guest").sentence
    assert bw("people", "role", "Gus", "guest", "--release", "v1").json["release"] == "v1"
    assert "Gus  guest of v1  no account" in bw("people", "list", json_too=False).out


def test_a_person_of_a_proxy_is_let_in_again(bw: Bench, workspace: Path) -> None:
    with Workbench.open(workspace) as bench:
        bench.accounts.join(Identity("header:mia", "mia", "header"), "192.0.2.1")
    bw("people", "remove-account", "header:mia")
    let_in = bw("people", "let-in", "header:mia").json
    assert let_in == {"let_in": "header:mia"} and find_shown(SHAPES, "people", "let-in").keys() == let_in.keys()


def test_a_token_is_created_used_listed_and_revoked(bw: Bench, workspace: Path) -> None:
    made = bw("tokens", "create", "nightly", "--as", "google:1", "--days", 3).json
    with Workbench.open(workspace) as bench:
        identity = bench.access_tokens.identify(made["secret"], "192.0.2.1")
        assert identity is not None and (identity.person, identity.name) == ("google:1", "Bob")
    listed = bw("tokens", "list", "--as", "google:1").json
    for verb, printed in (("create", made), ("list", listed)):
        compare_shapes(find_shown(SHAPES, "tokens", verb), printed, f"tokens {verb}")
    (token,) = listed["tokens"]
    assert (token["id"], token["name"], token["state"]) == (made["id"], "nightly", "open") and token["used_at"]
    assert bw("people", "sign-ins").json["sign_ins"][0]["act"] == "use a token"
    revoked = bw("tokens", "revoke", made["id"]).json
    assert revoked == {"revoked": made["id"]} and find_shown(SHAPES, "tokens", "revoke").keys() == revoked.keys()
    assert "revoked, last used" in bw("tokens", "list", json_too=False).out
    assert "nobody has no account" in bw("tokens", "create", "nightly", "--as", "nobody").sentence


def test_a_token_for_the_metrics_says_so(bw: Bench, workspace: Path) -> None:
    assert "may not see figures" in bw("tokens", "create", "prometheus", "--as", "google:1", "--scope", "metrics").sentence
    bw("people", "role", "google:1", "admin")
    assert bw("tokens", "create", "prometheus", "--as", "google:1", "--scope", "metrics").json["scope"] == "metrics"
    assert "as google:1 for metrics" in bw("tokens", "list", json_too=False).out


def test_the_command_line_knows_the_roles_and_scopes_of_the_workbench() -> None:
    assert tuple(people_options.ROLES) == roles.ROLES
    assert tuple(people_options.TOKEN_SCOPES) == TOKEN_SCOPES
