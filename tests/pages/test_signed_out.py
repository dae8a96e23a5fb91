"""A page whose session has ended says so, and a press on it changes nothing."""

import pytest

from tests.pages.conftest import Show
from workbench import Workbench
from workbench.setup.access.sign_in_record import Identity


@pytest.mark.fault(46)
def test_a_press_that_arrives_after_the_session_ended_is_refused_in_a_sentence(
    empty_bench: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local,oidc")
    empty_bench.accounts.join(Identity("Ada", "Ada", "oidc"), "")
    empty_bench.people.give("Ada", "admin")
    at = show("setup/people", view="invites")
    assert any("Signed in as **Ada**" in line.value for line in at.sidebar.markdown)
    assert not at.sidebar.text_input, "nobody gives a name"
    empty_bench.accounts.revoke_sessions("Ada")
    next(button for button in at.button if button.label == "Create an invite").click().run()
    assert empty_bench.accounts.list_invites() == []
    assert [error.value.replace("\\", "") for error in at.error] == ["You are signed out: reload this page to sign in again."]
    assert not at.button
