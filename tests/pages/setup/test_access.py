"""The page of people where people sign in: invites, tokens, sessions, and the record of sign-ins."""

import re

import pytest
from argon2 import PasswordHasher
from streamlit.testing.v1 import AppTest

from core.errors import BenchError
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.setup.access.sign_in_record import Identity
from workbench.setup.accounts import Accounts

PASSWORD = "correct horse battery"
HOME = "192.0.2.1"


@pytest.fixture
def team(empty_bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """People sign in. Ada is the owner, Bob annotates, Ann comes from a provider."""
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    accounts = Accounts(empty_bench.database, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    empty_bench.accounts = accounts
    accounts.accept_invite(accounts.create_first_link(), "Ada", PASSWORD, HOME)
    accounts.accept_invite(accounts.create_invite("annotator").secret, "Bob", PASSWORD, HOME)
    accounts.join(Identity("google:1", "Ann", "oidc"), HOME)
    return empty_bench


def list_views(at: AppTest) -> list[str]:
    return list(at.button_group(key="people_view").options)


def press(at: AppTest, label: str) -> AppTest:
    return next(button for button in at.button if button.label == label).click().run()


def choose_row(at: AppTest, table: str, row: int) -> AppTest:
    at.session_state[table] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return at.run()


def test_nothing_of_it_is_drawn_without_sign_in(bench: Workbench, show: Show) -> None:
    bench.people.give("Ada", "admin")
    at = show("setup/people", view="invites")
    assert list_views(at) == ["People", "Who may what", "Log"]
    assert list(at.dataframe[0].value.columns) == [
        "Person",
        "Role",
        "Last seen (UTC)",
        "Decisions",
        "Rewrites",
        "Holds",
        "State",
    ]


def test_an_admin_creates_an_invite_whose_link_is_shown_once(team: Workbench, show: Show) -> None:
    at = show("setup/people", view="invites")
    at.text_input(key="invite_person").input("Lea")
    at.selectbox(key="invite_role").select("lead")
    press(at, "Create an invite")
    link = at.code[0].value
    assert "/bench/invite/" in link and any("Lea becomes a lead" in text.value for text in at.markdown)
    press(at, "I have copied it")
    assert not at.code
    lea = team.accounts.accept_invite(link.rpartition("/")[2], "Lea", PASSWORD, HOME)
    assert (lea.person, team.people.role("Lea")) == ("Lea", "lead")


def test_where_nobody_has_a_password_nothing_is_offered_that_needs_one(
    team: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = re.compile('<a href="([^"]*)"[^>]*>Workspaces</a>')
    assert "Invites" in list_views(show("setup/people"))
    assert not any(link.search(part.body) for part in show("setup/people").get("html"))
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACES", "/arts,/law")
    assert [link.search(part.body)[1] for part in show("setup/people").get("html") if "Sign out" in part.body] == [  # type: ignore[index]
        "/bench/workspaces"
    ]
    monkeypatch.delenv("BENCHWRIGHT_WORKSPACES")
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "workspace")
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN_AT", "http://127.0.0.1:8501/arts")
    at = show("setup/people", view="invites")
    assert list_views(at) == ["People", "Who may what", "Your access", "Log"]
    assert at.button_group(key="people_view").value == "people"
    assert any("/arts/bench/workspaces" in part.body for part in at.get("html"))
    access = show("setup/people", view="access")
    assert "access_sign_out" not in [button.key for button in access.button]
    assert any("You sign in at another workspace" in text.value for text in access.caption)


def test_the_list_tells_who_signed_in_and_the_names_of_providers_where_they_differ(team: Workbench, show: Show) -> None:
    people = show("setup/people").dataframe[0].value.set_index("Person")
    assert list(people["Signs in"]) == ["password", "password", "provider"] and people["Last seen (UTC)"].notna().all()
    assert people["Shown as"]["google:1"] == "Ann"
    team.accounts.remove_account("google:1")
    assert "Shown as" not in show("setup/people").dataframe[0].value.columns


def test_an_open_invite_is_revoked(team: Workbench, show: Show) -> None:
    secret = team.accounts.create_invite("lead").secret
    at = choose_row(show("setup/people", view="invites"), "invite_list", 0)
    at.button(key="invite_revoke").click().run()
    assert at.dataframe[0].value["State"].iloc[0] == "revoked"
    with pytest.raises(BenchError, match="was revoked"):
        team.accounts.accept_invite(secret, "Eve", PASSWORD, HOME)


def test_everybody_makes_and_revokes_their_own_token_and_sees_no_other(team: Workbench, show: Show) -> None:
    team.access_tokens.create("Ada", "of Ada")
    at = show("setup/people", person="Bob", view="access")
    assert list_views(at) == ["Who may what", "Your access"] and not at.dataframe
    at.text_input(key="token_name").input("nightly")
    press(at, "Create a token")
    secret = at.code[0].value
    assert team.access_tokens.identify(secret, HOME) == Identity("Bob", "Bob", "token")
    assert list(at.dataframe[0].value["Token"]) == ["nightly"]
    choose_row(at, "token_list", 0)
    at.button(key="token_revoke").click().run()
    assert team.access_tokens.identify(secret, HOME) is None


def test_an_admin_sees_everybodys_tokens_and_makes_them_for_others(team: Workbench, show: Show) -> None:
    at = show("setup/people", view="access")
    at.text_input(key="token_name").input("nightly")
    at.selectbox(key="token_person").select("google:1")
    press(at, "Create a token")
    assert team.access_tokens.identify(at.code[0].value, HOME) == Identity("google:1", "Ann", "token")
    assert list(at.dataframe[0].value["Acts as"]) == ["google:1"]


def test_a_password_is_changed_by_who_knows_the_old_one(team: Workbench, show: Show) -> None:
    at = show("setup/people", person="Bob", view="access")

    def change(old: str, again: str) -> str:
        for key, value in (("old", old), ("first", "another password"), ("again", again)):
            at.text_input(key=f"password_{key}").input(value)
        press(at, "Change it")
        return " ".join(part.value.replace("\\", "") for part in (*at.error, *at.success))

    assert "two new passwords differ" in change(PASSWORD, "another passwort")
    assert "old password is wrong" in change("not the old one", "another password")
    assert "signed out" in change(PASSWORD, "another password")
    assert team.accounts.check_password("Bob", "another password", HOME) is not None
    assert "Change it" not in [button.label for button in show("setup/people", person="google:1", view="access").button]


def test_an_admin_signs_somebody_out_and_removes_the_account(team: Workbench, show: Show) -> None:
    at = show("setup/people")
    assert list(at.dataframe[0].value["Signs in"]) == ["password", "password", "provider"]
    choose_row(at, "people_list", 1)
    at.button(key="people_sign_out").click().run()
    assert team.accounts.find_not_before("Bob") > 0
    at.button(key="people_remove_account").click().run()
    assert team.accounts.check_password("Bob", PASSWORD, HOME) is None and team.people.role("Bob") == "annotator"
    assert "people_off" not in [button.key for button in at.button]
    with pytest.raises(BenchError, match="Roles cannot be turned off"):
        team.people.turn_off()


def test_an_admin_sees_which_tokens_outlive_a_sign_out_and_ends_them_too(team: Workbench, show: Show) -> None:
    token = team.access_tokens.create("Bob", "nightly")
    at = choose_row(show("setup/people"), "people_list", 1)
    assert any("1 token: nightly" in text.value for text in at.markdown)
    at.button(key="people_sign_out").click().run()
    assert team.access_tokens.identify(token.secret, HOME) is not None
    at = choose_row(at, "people_list", 1)
    at.checkbox(key="people_tokens_Bob").check().run()
    at.button(key="people_sign_out").click().run()
    assert team.access_tokens.identify(token.secret, HOME) is None


def test_an_admin_makes_a_token_that_reads_the_metrics_alone(team: Workbench, show: Show) -> None:
    at = show("setup/people", view="access")
    at.text_input(key="token_name").input("prometheus")
    at.selectbox(key="token_scope").select("metrics")
    press(at, "Create a token")
    assert any("reads the metrics as Ada" in text.value for text in at.markdown)
    assert list(at.dataframe[0].value["Scope"]) == ["metrics"] and team.access_tokens.list_tokens("Ada")[0].scope == "metrics"
    at = show("setup/people", person="Bob", view="access")
    assert at.selectbox(key="token_scope").options == ["all", "mcp"]


def test_a_lead_lets_a_person_of_a_proxy_in_again(team: Workbench, show: Show) -> None:
    team.accounts.join(Identity("header:mia", "mia", "header"), HOME)
    team.accounts.revoke_sessions("header:mia")
    team.people.give("Bob", "lead")
    names = [one.name for one in team.people.team().people]
    at = choose_row(show("setup/people", person="Bob"), "people_list", names.index("header:mia"))
    at.button(key="people_let_in").click().run()
    assert not team.accounts.is_shut_out("header:mia")


def test_a_lead_reads_the_sign_ins_within_the_log(team: Workbench, show: Show) -> None:
    team.people.give("Bob", "lead")
    team.accounts.check_password("Ada", "wrong password", "203.0.113.5")
    at = show("setup/people", person="Bob", view="log", log="sign-ins")
    assert list_views(at) == ["People", "Who may what", "Your access", "Log"]
    newest = at.dataframe[0].value.iloc[0]
    assert [newest["Person"], newest[""], newest["From"], newest["Details"]] == [
        "Ada",
        "refused",
        "203.0.113.5",
        "wrong password",
    ]
    assert "What was done" in show("setup/people", person="Bob", view="log").dataframe[0].value.columns
