"""Accounts: what lets somebody in, what does not, and what stays on record. team.md 1."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from core.errors import BenchError, NotAllowed
from core.nouns import Variant
from store.engine.database import Database
from store.engine.migrations import SCHEMA
from store.items import items
from store.people.accounts import replace_hash
from store.people.log import LogFilter
from store.variants import variants
from tests.store.sample_items import item
from workbench import Workbench, actor
from workbench.setup.access import passwords
from workbench.setup.access.access_tokens import AccessTokens
from workbench.setup.access.sign_in_record import Identity
from workbench.setup.accounts import Accounts
from workbench.setup.sign_in_session import SignInSession
from workbench.setup.sign_in_settings import load_sign_in_sources

PASSWORD = "correct horse battery"
HOME = "192.0.2.1"
DAY_SECONDS = 24 * 3600


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds


class CountingHasher(PasswordHasher):
    """Counts the comparisons, which are what takes the time."""

    compared = 0

    def verify(self, *given: Any) -> Any:
        self.compared += 1
        return super().verify(*given)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hasher() -> CountingHasher:
    """Cheap: the tests are about who gets in, not about the time that a guess takes."""
    return CountingHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def bench(tmp_path: Path, clock: Clock, hasher: CountingHasher) -> Iterator[Workbench]:
    """Ada is the owner, Bob annotates; both have accounts."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.accounts = Accounts(bench.database, hasher, clock)
        bench.access_tokens = AccessTokens(bench.database, clock)
        bench.accounts.accept_invite(bench.accounts.create_first_link(), "Ada", PASSWORD, HOME)
        bench.accounts.accept_invite(bench.accounts.create_invite("annotator").secret, "Bob", PASSWORD, HOME)
        yield bench


@pytest.fixture
def accounts(bench: Workbench) -> Accounts:
    return bench.accounts


@pytest.fixture
def tokens(bench: Workbench) -> AccessTokens:
    return bench.access_tokens


def refusal(call: Callable[[], object]) -> str:
    """The sentence with which the call is refused."""
    with pytest.raises(BenchError) as refused:
        call()
    return str(refused.value)


def acts_on_record(accounts: Accounts) -> list[tuple[str, str, str, bool]]:
    """(act, tried, detail, is refused) of the sign-ins, the newest first."""
    rows, _ = accounts.list_sign_ins()
    return [(row.act, row.tried, row.detail, row.is_refused) for row in rows]


@pytest.mark.fault(24)
def test_the_first_link_makes_the_owner_once_and_a_new_one_ends_the_old(clock: Clock, hasher: PasswordHasher) -> None:
    with Workbench.open(":memory:") as bench:
        accounts = Accounts(bench.database, hasher, clock)
        assert not accounts.has_owner() and accounts.check_password("Ada", "", HOME) is None
        old, new = accounts.create_first_link(), accounts.create_first_link()
        assert "was revoked" in refusal(lambda: accounts.accept_invite(old, "Eve", PASSWORD, HOME))
        assert accounts.accept_invite(new, " Ada ", PASSWORD, HOME) == Identity("Ada", "Ada", "local")
        assert accounts.has_owner() and bench.people.role("Ada") == "admin" and bench.people.role("Eve") == "annotator"
        assert "was used already" in refusal(lambda: accounts.accept_invite(new, "Eve", PASSWORD, HOME))
        assert "not needed any more" in refusal(accounts.create_first_link)


@pytest.mark.fault(48)
def test_an_invite_gives_its_role_once(bench: Workbench, accounts: Accounts) -> None:
    invite = accounts.create_invite("lead", by="Ada")
    assert accounts.accept_invite(invite.secret, "Lea", PASSWORD, HOME).person == "Lea"
    assert bench.people.role("Lea") == "lead" and accounts.check_password("lea", PASSWORD, HOME) is not None
    assert "was used already" in refusal(lambda: accounts.accept_invite(invite.secret, "Eve", PASSWORD, HOME))
    row = next(row for row in accounts.list_invites() if row.id == invite.row.id)
    assert (row.used_by, accounts.find_state(row)) == ("Lea", "used")
    assert "no open invite" in refusal(lambda: accounts.revoke_invite(row.id))


@pytest.mark.fault(48)
def test_an_invite_ends_with_its_days_or_when_it_is_revoked(accounts: Accounts, clock: Clock) -> None:
    late, revoked = accounts.create_invite("lead", days=2), accounts.create_invite("lead")
    accounts.revoke_invite(revoked.row.id)
    clock.seconds += 2 * DAY_SECONDS
    assert "has expired" in refusal(lambda: accounts.accept_invite(late.secret, "Lea", PASSWORD, HOME))
    assert "was revoked" in refusal(lambda: accounts.accept_invite(revoked.secret, "Lea", PASSWORD, HOME))
    assert accounts.check_password("Lea", PASSWORD, HOME) is None


@pytest.mark.fault(48)
def test_links_are_guessed_five_times_a_minute_at_most(accounts: Accounts, clock: Clock) -> None:
    invite = accounts.create_invite("lead")
    for number in range(5):
        assert "no such invite" in refusal(lambda n=number: accounts.accept_invite(f"guess {n}", "Eve", PASSWORD, HOME))
    assert "wait 60 seconds" in refusal(lambda: accounts.accept_invite(invite.secret, "Lea", PASSWORD, HOME))
    assert accounts.accept_invite(invite.secret, "Lea", PASSWORD, "192.0.2.2").person == "Lea", "from elsewhere"


@pytest.mark.fault(48)
def test_two_who_accept_one_invite_at_once_are_one_account(accounts: Accounts) -> None:
    invite = accounts.create_invite("lead")
    start = threading.Barrier(2)
    outcomes: list[str] = []

    def accept(name: str) -> None:
        start.wait()
        try:
            outcomes.append(accounts.accept_invite(invite.secret, name, PASSWORD, HOME).person)
        except BenchError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=accept, args=[name]) for name in ("Lea", "Rex")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = {account.person for account in accounts.list_accounts()} - {"Ada", "Bob"}
    assert len(made) == 1 and made < set(outcomes) and sum("was used already" in outcome for outcome in outcomes) == 1


@pytest.mark.fault(24)
def test_a_password_is_chosen_and_is_no_name(accounts: Accounts) -> None:
    secret = accounts.create_invite("lead").secret
    assert "at least 10" in refusal(lambda: accounts.accept_invite(secret, "Lea", "", HOME))
    assert "at least 10" in refusal(lambda: accounts.accept_invite(secret, "Lea", "too short", HOME))
    assert "one character repeated" in refusal(lambda: accounts.accept_invite(secret, "Lea", "aaaaaaaaaaaa", HOME))
    assert "is the name" in refusal(lambda: accounts.accept_invite(secret, "Lea of the Hills", "lea of the hills", HOME))
    assert accounts.accept_invite(secret, "Lea", "ten of them", HOME).person == "Lea", "none of these used the link up"


@pytest.mark.fault(48)
def test_nobody_takes_the_name_of_somebody_else(bench: Workbench, accounts: Accounts) -> None:
    bench.people.give("Rex", "researcher")  # worked here before there was sign-in
    anybody = accounts.create_invite("lead").secret
    assert "name of somebody here" in refusal(lambda: accounts.accept_invite(anybody, "rex", PASSWORD, HOME))
    variants.add(bench.database, [Variant("v", "item", 1, "human", "Who?", "accepted", "Zoe (sample)")])
    assert "name of somebody here" in refusal(lambda: accounts.accept_invite(anybody, "zoe (Sample)", PASSWORD, HOME))
    assert "has an account already" in refusal(lambda: accounts.accept_invite(anybody, "BOB", PASSWORD, HOME))
    for name in ("header:root", "google：1", "header:root\u200b"):
        assert "colon" in refusal(lambda name=name: accounts.accept_invite(anybody, name, PASSWORD, HOME))
    assert "has an account already" in refusal(lambda: accounts.accept_invite(anybody, "B\u200bob", PASSWORD, HOME))
    assert "invisible" in refusal(lambda: accounts.accept_invite(anybody, "E\u200bve", PASSWORD, HOME))
    other_role = accounts.create_invite("lead", person="Rex").secret
    assert "ask for an invite with the role researcher" in refusal(
        lambda: accounts.accept_invite(other_role, "Rex", PASSWORD, HOME)
    )
    for_rex = accounts.create_invite("researcher", person="Rex").secret
    assert "invite is for Rex" in refusal(lambda: accounts.accept_invite(for_rex, "Eve", PASSWORD, HOME))
    assert accounts.accept_invite(for_rex, "rex", PASSWORD, HOME) == Identity("Rex", "Rex", "local")


def test_a_guests_invite_names_the_release(bench: Workbench, accounts: Accounts) -> None:
    assert "freeze one first" in refusal(lambda: accounts.create_invite("guest", release="v1"))
    items.add(bench.database, [item("a", status="accepted")])
    bench.releases.freeze("v1")
    assert "name one of v1" in refusal(lambda: accounts.create_invite("guest"))
    assert "Only a guest" in refusal(lambda: accounts.create_invite("lead", release="v1"))
    invite = accounts.create_invite("guest", release="v1")
    assert {row.id: row.release for row in accounts.list_invites() if row.role == "guest"} == {invite.row.id: "v1"}
    gus = accounts.accept_invite(invite.secret, "Gus", PASSWORD, HOME)
    with actor.act_as(gus.person):
        assert (bench.people.role("Gus"), bench.people.find_guest_release()) == ("guest", "v1")


def test_an_invite_counts_no_more_than_the_one_who_made_it(bench: Workbench, accounts: Accounts) -> None:
    bench.people.give("Zoe", "admin")
    with actor.act_as("Zoe"):
        invite = accounts.create_invite("admin", by="Ada")
    assert invite.row.made_by == "Zoe", "whoever acts, not whom they name"
    bench.people.remove("Zoe")
    assert "may not invite people any more" in refusal(lambda: accounts.accept_invite(invite.secret, "Eve", PASSWORD, HOME))


@pytest.mark.fault(55)
def test_a_wrong_password_ten_times_is_five_guesses_and_then_a_wait(
    accounts: Accounts, clock: Clock, hasher: CountingHasher
) -> None:
    for number in range(10):
        try:
            assert accounts.check_password("Bob", f"wrong password {number}", HOME) is None and number < 5
        except BenchError as error:
            assert str(error) == "Too many attempts failed: wait 60 seconds, then try again." and number >= 5
    assert hasher.compared == 5
    assert "wait" in refusal(lambda: accounts.check_password("Bob", PASSWORD, HOME)), "the right one too"
    assert accounts.check_password("Ada", PASSWORD, HOME) is not None, "another name from there"
    assert accounts.check_password("Bob", PASSWORD, "192.0.2.2") is not None, "Bob from elsewhere"
    clock.seconds += 60
    assert accounts.check_password("Bob", PASSWORD, HOME) == Identity("Bob", "Bob", "local")


@pytest.mark.fault(55)
def test_one_address_tries_twenty_names_a_minute_and_one_name_is_tried_from_twenty_addresses(accounts: Accounts) -> None:
    for number in range(20):
        assert accounts.check_password(f"name {number}", PASSWORD, HOME) is None
        assert accounts.check_password("Bob", "wrong password", f"198.51.100.{number}") is None
    assert "Too many attempts" in refusal(lambda: accounts.check_password("Ada", PASSWORD, HOME))
    assert "Too many attempts" in refusal(lambda: accounts.check_password("Bob", PASSWORD, "203.0.113.1"))


@pytest.mark.fault(55)
def test_an_unknown_name_costs_a_comparison_too(accounts: Accounts, hasher: CountingHasher) -> None:
    accounts.join(Identity("google:1", "Ann", "oidc"), HOME)
    for name in ("nobody", "google:1", "Bob"):
        before = hasher.compared
        assert accounts.check_password(name, "wrong password", HOME) is None
        assert hasher.compared == before + 1
    assert accounts.check_password("nobody", "nobody's password", HOME) is None, "what it is compared with is not a password"


def test_what_was_tried_is_on_record_and_no_password_in_the_wrong_box(accounts: Accounts) -> None:
    accounts.check_password("Bob", "wrong password", HOME)
    accounts.check_password(PASSWORD, "Bob", HOME)
    accounts.check_password("bob", PASSWORD, HOME)
    accounts.record_refusal("another origin", "203.0.113.9")
    accounts.record_refusal("another origin", "203.0.113.9")
    assert acts_on_record(accounts)[:4] == [
        ("another origin", "", "", True),
        ("sign in", "Bob", "local", False),
        ("sign in", "", "unknown name", True),
        ("sign in", "Bob", "wrong password", True),
    ], "the same refusal within a minute is one row"
    rows, total = accounts.list_sign_ins(("Bob",), limit=1)
    assert rows[0].address == HOME and total == 3 and "Bob" in accounts.list_tried_names()


def test_a_hash_with_other_parameters_is_renewed_when_its_person_signs_in(bench: Workbench, clock: Clock) -> None:
    stronger = Accounts(bench.database, PasswordHasher(time_cost=2, memory_cost=16, parallelism=1), clock)

    def load_hash() -> str:
        return str(bench.database.rows("SELECT password_hash FROM account WHERE person = 'Bob'")[0][0])

    before = load_hash()
    assert stronger.check_password("Bob", "another password", HOME) is None and load_hash() == before
    assert stronger.check_password("Bob", PASSWORD, HOME) == Identity("Bob", "Bob", "local")
    renewed = load_hash()
    assert "$m=8,t=1,p=1$" in before and "$m=16,t=2,p=1$" in renewed
    assert stronger.check_password("Bob", PASSWORD, HOME) and load_hash() == renewed
    bench.database.write(lambda cursor: replace_hash(cursor, "Bob", before, "a hash of what was changed meanwhile"))
    assert load_hash() == renewed


def test_a_sign_in_holds_although_no_turn_is_free_to_renew_its_hash(bench: Workbench, clock: Clock) -> None:
    taken: list[bool] = []

    class BusyHasher(PasswordHasher):
        """Leaves no free turn once the password was found right."""

        def check_needs_rehash(self, hash: str | bytes) -> bool:
            while passwords._admitted.acquire(blocking=False):
                taken.append(True)
            return super().check_needs_rehash(hash)

    stronger = Accounts(bench.database, BusyHasher(time_cost=2, memory_cost=16, parallelism=1), clock)
    try:
        assert stronger.check_password("Bob", PASSWORD, HOME) == Identity("Bob", "Bob", "local")
        assert len(taken) == passwords.MAX_HASHES_AT_ONCE + passwords.MAX_HASHES_WAITING
    finally:
        for _ in taken:
            passwords._admitted.release()
    assert "$m=8,t=1,p=1$" in str(bench.database.rows("SELECT password_hash FROM account WHERE person = 'Bob'")[0][0])


@pytest.mark.fault(46)
def test_a_changed_password_ends_the_old_one_and_every_session(accounts: Accounts, clock: Clock) -> None:
    assert accounts.find_not_before("Bob") == 0.0
    with actor.act_as("Bob"):
        assert "old password is wrong" in refusal(lambda: accounts.change_password("Bob", "not it at all", "a new password"))
        accounts.change_password("Bob", PASSWORD, "a new password")
    assert accounts.find_not_before("Bob") == clock.seconds
    assert accounts.check_password("Bob", PASSWORD, HOME) is None
    assert accounts.check_password("Bob", "a new password", HOME) is not None
    with actor.act_as("Bob"), pytest.raises(NotAllowed):
        accounts.change_password("Ada", PASSWORD, "a new password")


@pytest.mark.fault(41, 46)
@pytest.mark.parametrize("jump", [-30 * DAY_SECONDS, -3600, 0, 3600, 30 * DAY_SECONDS])
def test_sessions_end_and_stay_ended_whatever_the_clock_does(accounts: Accounts, clock: Clock, jump: float) -> None:
    bob = Identity("Bob", "Bob", "local")

    def sign_in() -> SignInSession:
        return SignInSession.begin(bob, clock.seconds, accounts.find_not_before("Bob"))

    def is_over(session: SignInSession) -> bool:
        return session.has_ended(clock.seconds, accounts.find_not_before("Bob"))

    first = sign_in()
    accounts.revoke_sessions("Bob")
    second = sign_in()
    assert is_over(first) and not is_over(second)
    clock.seconds += jump
    third = sign_in()
    assert not is_over(third)
    accounts.revoke_sessions("Bob")
    fourth = sign_in()
    assert [is_over(one) for one in (first, second, third, fourth)] == [True, True, True, False]
    clock.seconds -= jump
    assert [is_over(one) for one in (first, second, third, fourth)] == [True, True, True, False], "right again"


@pytest.mark.fault(41)
def test_a_clock_that_is_corrected_signs_nobody_out_and_lengthens_no_session(accounts: Accounts, clock: Clock) -> None:
    session = SignInSession.begin(Identity("Bob", "Bob", "local"), clock.seconds, 0.0)
    assert not session.has_ended(clock.seconds - 3600, 0.0)
    for ahead_or_behind in (-31 * DAY_SECONDS, 31 * DAY_SECONDS):
        assert session.has_ended(clock.seconds + ahead_or_behind, 0.0)


@pytest.mark.fault(41, 55)
def test_nobody_waits_for_guesses_of_a_clock_that_was_set_back(accounts: Accounts, clock: Clock) -> None:
    for _ in range(5):
        assert accounts.check_password("Bob", "wrong password", HOME) is None
    assert "Too many attempts" in refusal(lambda: accounts.check_password("Bob", PASSWORD, HOME))
    clock.seconds -= DAY_SECONDS
    assert accounts.check_password("Bob", PASSWORD, HOME) is not None


@pytest.mark.fault(46)
def test_who_is_removed_comes_in_by_nothing(bench: Workbench, accounts: Accounts, tokens: AccessTokens) -> None:
    token = tokens.create("Bob", "nightly")
    accounts.join(Identity("google:1", "Ann", "oidc"), HOME)
    for person in ("Bob", "google:1"):
        bench.people.remove(person)
        assert accounts.find_not_before(person) > 0
    assert "work here has ended" in refusal(lambda: accounts.check_password("Bob", PASSWORD, HOME))
    assert "work here has ended" in refusal(lambda: accounts.join(Identity("google:1", "Ann", "oidc"), HOME))
    assert tokens.identify(token.secret, HOME) is None
    bench.people.bring_back("Bob")
    assert tokens.identify(token.secret, HOME) is None, "who comes back makes new tokens"
    assert accounts.check_password("Bob", PASSWORD, HOME) is not None
    bench.people.remove("Bob")
    invite = accounts.create_invite("admin", person="Zoe")
    bench.people.remove("Zoe")
    assert "work here has ended" in refusal(lambda: accounts.accept_invite(invite.secret, "Zoe", PASSWORD, HOME))


def test_an_account_that_is_gone_comes_back_by_an_invite_for_its_name(
    bench: Workbench, accounts: Accounts, tokens: AccessTokens
) -> None:
    token = tokens.create("Bob", "nightly")
    accounts.remove_account("bob")
    assert accounts.check_password("Bob", PASSWORD, HOME) is None and tokens.identify(token.secret, HOME) is None
    assert accounts.find_not_before("Bob") > 0 and bench.people.role("Bob") == "annotator"
    invite = accounts.create_invite("annotator", person="Bob")
    accounts.accept_invite(invite.secret, "Bob", "another password", HOME)
    assert tokens.identify(token.secret, HOME) is None, "the old token stays revoked"


def test_the_last_admin_who_can_sign_in_keeps_the_account_except_at_the_terminal(accounts: Accounts) -> None:
    with actor.act_as("Ada"):
        assert "only admin who can sign in" in refusal(lambda: accounts.remove_account("Ada"))
    accounts.remove_account("Ada")
    assert not accounts.has_owner() and accounts.create_first_link()


@pytest.mark.fault(49)
def test_a_token_acts_as_its_person_until_it_is_revoked_or_its_days_are_over(
    accounts: Accounts, tokens: AccessTokens, clock: Clock
) -> None:
    token, late = tokens.create("Bob", "nightly"), tokens.create("Bob", "short", days=1)
    assert token.secret.startswith("bw_") and token.secret not in repr(token)
    assert tokens.identify(token.secret, HOME) == Identity("Bob", "Bob", "token")
    assert tokens.identify("bw_guess", HOME) is None and tokens.identify("", HOME) is None
    clock.seconds += DAY_SECONDS
    assert tokens.identify(late.secret, HOME) is None
    assert tokens.identify(token.secret, HOME) is not None
    tokens.revoke(token.row.id)
    assert tokens.identify(token.secret, HOME) is None
    assert "no open token" in refusal(lambda: tokens.revoke(token.row.id))
    row = next(row for row in tokens.list_tokens("Bob") if row.id == token.row.id)
    assert row.used_at is not None and tokens.find_state(row) == "revoked"


@pytest.mark.fault(49)
def test_a_token_for_the_metrics_reaches_nothing_else(accounts: Accounts, tokens: AccessTokens) -> None:
    token, whole = tokens.create("Ada", "prometheus", scope="metrics"), tokens.create("Ada", "nightly")
    assert tokens.identify(token.secret, HOME, "metrics") == Identity("Ada", "Ada", "token")
    with pytest.raises(NotAllowed, match="The token prometheus can only read the metrics of the server"):
        tokens.identify(token.secret, HOME)
    assert tokens.identify(whole.secret, HOME, "metrics") == tokens.identify(whole.secret, HOME)
    assert {row.name: row.scope for row in tokens.list_tokens("Ada")} == {"prometheus": "metrics", "nightly": "all"}
    assert "Bob may not see figures of the server" in refusal(lambda: tokens.create("Bob", "x", scope="metrics"))
    assert "There is no scope" in refusal(lambda: tokens.create("Ada", "x", scope="everything"))  # type: ignore[arg-type]


def test_a_token_that_works_all_day_is_one_row_an_hour(accounts: Accounts, tokens: AccessTokens, clock: Clock) -> None:
    token = tokens.create("Bob", "nightly")
    for _ in range(90):
        assert tokens.identify(token.secret, HOME) is not None
        clock.seconds += 60
    assert [act for act in acts_on_record(accounts) if act[0] == "use a token"] == [
        ("use a token", "Bob", "nightly", False)
    ] * 2


@pytest.mark.fault(41)
def test_uses_of_a_token_stay_on_record_when_the_clock_was_set_back(
    accounts: Accounts, tokens: AccessTokens, clock: Clock
) -> None:
    token = tokens.create("Bob", "nightly")
    tokens.identify(token.secret, HOME)
    clock.seconds -= DAY_SECONDS
    tokens.identify(token.secret, HOME)
    assert [act[0] for act in acts_on_record(accounts)].count("use a token") == 2


def test_everybody_manages_their_own_tokens_and_sessions_and_an_admin_everybodys(
    bench: Workbench, accounts: Accounts, tokens: AccessTokens
) -> None:
    with actor.act_as("Bob"):
        own = tokens.create("bob", "nightly", by="Ada")
        assert own.row.made_by == "Bob" and tokens.list_tokens("Bob") == tokens.list_tokens() == [own.row]
        accounts.revoke_sessions("Bob")
        for act in (
            lambda: tokens.create("Ada", "mine"),
            lambda: tokens.list_tokens("Ada"),
            lambda: accounts.revoke_sessions("Ada"),
            lambda: tokens.revoke("unknown"),
            lambda: accounts.remove_account("Ada"),
        ):
            with pytest.raises(NotAllowed, match="may not manage accounts"):
                act()
        for act in (lambda: accounts.create_invite("admin"), accounts.list_invites, lambda: accounts.revoke_invite("x")):
            with pytest.raises(NotAllowed, match="may not invite people"):
                act()
        with pytest.raises(NotAllowed, match="may not see sign-ins"):
            accounts.list_sign_ins()
    with actor.act_as("Ada"):
        tokens.create("Bob", "another")
        tokens.revoke(own.row.id)
        accounts.revoke_sessions("Bob")
    acts = [(line.person, line.act, line.what) for line in bench.log.page(LogFilter(people=("Ada",)), 50)[0]]
    assert acts == [
        ("Ada", "end sessions", "Bob"),
        ("Ada", "revoke a token", "nightly of Bob"),
        ("Ada", "make a token", "another of Bob"),
    ]


@pytest.mark.fault(46)
def test_tokens_outlive_the_end_of_sessions_unless_they_are_ended_too(
    bench: Workbench, accounts: Accounts, tokens: AccessTokens
) -> None:
    token = tokens.create("Bob", "nightly")
    with actor.act_as("Bob"):
        accounts.revoke_sessions("Bob")
    accounts.revoke_sessions("Bob")
    assert tokens.identify(token.secret, HOME) is not None
    accounts.revoke_sessions("Bob", with_tokens=True)
    assert tokens.identify(token.secret, HOME) is None
    assert accounts.check_password("Bob", PASSWORD, HOME) is not None, "who signs in again is in"
    assert bench.log.page(LogFilter(acts=("end sessions",)))[0][0].what == "Bob, with the tokens"


@pytest.mark.fault(46)
def test_only_people_of_a_proxy_are_shut_out_and_they_cannot_do_it_themselves(bench: Workbench, accounts: Accounts) -> None:
    mia = Identity("header:mia", "mia", "header")
    accounts.join(mia, HOME)
    with actor.act_as("header:mia"):
        assert "sign out there" in refusal(lambda: accounts.revoke_sessions("header:mia"))
    accounts.remove_account("header:mia")
    assert "a lead can let header:mia in again" in refusal(lambda: accounts.join(mia, HOME))
    assert accounts.is_shut_out("header:mia")
    bench.people.give("Lea", "lead")
    with actor.act_as("Lea"):
        accounts.let_in("Header:mia")
        assert "is not shut out" in refusal(lambda: accounts.let_in("header:mia"))
    assert accounts.join(mia, HOME) == mia
    accounts.revoke_sessions("Bob")
    assert not accounts.is_shut_out("Bob") and "is not shut out" in refusal(lambda: accounts.let_in("Bob"))


def test_a_provider_names_a_person_by_its_own_mark(bench: Workbench, accounts: Accounts) -> None:
    ann = accounts.join(Identity("google:Q1", "Ada", "oidc"), HOME)
    assert ann == Identity("google:Q1", "Ada", "oidc") and bench.people.role("google:Q1") == "annotator"
    bench.people.give("google:Q1", "lead")
    assert accounts.join(Identity("google:Q1", "Ann", "oidc"), HOME).name == "Ann"
    assert bench.people.role("google:Q1") == "lead" and bench.people.role("Ada") == "admin", "a name shown is nobody's role"
    assert "differs from google:Q1 only in case" in refusal(lambda: accounts.join(Identity("google:q1", "Eve", "oidc"), HOME))
    assert [row[1:] for row in acts_on_record(accounts) if row[0] == "sign in" and not row[3]] == [("google:Q1", "oidc", False)]


@pytest.mark.fault(25)
def test_no_secret_stands_in_the_file(tmp_path: Path, clock: Clock, hasher: PasswordHasher) -> None:
    path = tmp_path / "secret.duckdb"
    with Workbench.open(path) as bench:
        accounts = Accounts(bench.database, hasher, clock)
        first = accounts.create_first_link()
        accounts.accept_invite(first, "Ada", PASSWORD, HOME)
        unused = accounts.create_invite("lead").secret
        token = AccessTokens(bench.database, clock).create("Ada", "nightly").secret
        accounts.check_password("Ada", "a wrong password", HOME)
        accounts.check_password("a password as name", "x", HOME)
        files = [file.read_bytes() for file in tmp_path.iterdir() if file.is_file()]  # the log is not in the file yet
    files += [file.read_bytes() for file in tmp_path.iterdir() if file.is_file()]
    assert any(b"argon2id" in content for content in files)
    for secret in (first, unused, token, token.removeprefix("bw_"), PASSWORD, "a wrong password", "a password as name"):
        assert not any(secret.encode() in content for content in files)


def test_an_older_workspace_gets_the_tables_and_keeps_its_people(tmp_path: Path, hasher: PasswordHasher) -> None:
    older = tmp_path / "schema"
    older.mkdir()
    for file in sorted(SCHEMA.glob("[0-9]*.sql")):
        if file.name < "034":
            (older / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "old.duckdb"
    with Database.open(path, schema=older) as database:
        database.execute("INSERT INTO person (name, role, is_removed) VALUES ('Ada', 'admin', false)")
    with Workbench.open(path) as bench:
        accounts = Accounts(bench.database, hasher)
        assert not accounts.has_owner(), "she has the role and cannot sign in yet"
        assert accounts.accept_invite(accounts.create_first_link(), "ada", PASSWORD, HOME).person == "Ada"
        assert accounts.has_owner()


def test_the_setting_lists_sources_and_names_one_that_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BENCHWRIGHT_SIGN_IN", raising=False)
    assert load_sign_in_sources() == ()
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "oidc, Local,")
    assert load_sign_in_sources() == ("local", "oidc")
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local,ldap")
    assert "contains 'ldap'" in refusal(load_sign_in_sources)
