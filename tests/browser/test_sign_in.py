"""People sign in, work, and are signed out, in real Chromium at the real app below a base path."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from playwright.sync_api import Browser, Page, Route, expect

from store.items import items
from tests.app_server import Served, started
from tests.as_process import terminal
from tests.browser.conftest import new_page, saving
from workbench import Workbench
from workbench.setup.accounts import Accounts

PASSWORD = "correct horse battery"
BASE = "/team/bench"


@pytest.fixture(scope="module")
def app(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Three drafts wait, the samples are the releases v1 and other; Olga is the admin, Ann and Bo annotate."""
    folder = tmp_path_factory.mktemp("sign-in")
    path = Path(shutil.copy(samples, folder / "w.duckdb"))
    with Workbench.open(path) as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        drafts = [
            replace(sample, id=name, question=f"Which one is {name}?", status="drafted") for name in ("one", "two", "three")
        ]
        items.add(bench.database, drafts)
        for name in ("v1", "other"):
            bench.releases.freeze(name)
        accounts = Accounts(bench.database, PasswordHasher(1, 8, 1))
        accounts.accept_invite(accounts.create_first_link(), "Olga", PASSWORD, "")
        for name in ("Ann", "Bo"):
            accounts.accept_invite(accounts.create_invite("annotator").secret, name, PASSWORD, "")
    served = started(path, folder / "app.log", env={"BENCHWRIGHT_SIGN_IN": "local"}, is_forked=True, base=BASE)
    yield replace(served, url=served.url + BASE)
    served.stop()
    assert "Traceback" not in served.log.read_text()


def sign_in(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_work_is_the_signed_in_persons_and_sign_out_ends_every_tab(app: Served, page: Page) -> None:
    page.goto(f"{app.url}/review?item=one&person=Olga")
    expect(page).to_have_url(f"{app.url}/bench/sign-in")
    sign_in(page, "Ann")
    expect(page).to_have_url(re.compile(r"/team/bench/review\?item=one"))
    expect(page.get_by_text("Signed in as Ann")).to_be_visible()
    page.context.add_cookies([{"name": "benchwright_person", "value": "Olga", "url": app.url}])
    page.locator("button.accept:enabled").wait_for()

    def say_olga(route: Route) -> None:
        route.continue_(post_data=str(route.request.post_data).replace('"Ann"', '"Olga"'))

    page.route("**/team/bench/bench/decide", say_olga)
    with page.expect_response("**/team/bench/bench/decide") as answered:
        page.locator("button.accept").click()
    assert answered.value.ok
    history = page.request.get(f"{app.url}/bench/history/one").text()
    assert '"Ann"' in history and "Olga" not in history

    second = page.context.new_page()
    second.goto(f"{app.url}/review")
    second.get_by_label("Question").fill("")
    with saving(second, "Half a question"):
        second.get_by_label("Question").press_sequentially("Half a question")
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(second.get_by_role("button", name="Sign in")).to_be_visible()
    sign_in(second, "Ann")
    expect(second.get_by_label("Question")).to_have_value("Half a question")


@pytest.mark.fault(46)
def test_a_revoked_person_is_out_of_an_open_tab_and_others_are_not(app: Served, page: Page, chromium: Browser) -> None:
    page.goto(f"{app.url}/find")
    sign_in(page, "Bo")
    expect(page.get_by_text("Signed in as Bo")).to_be_visible()
    olga = new_page(chromium)
    olga.goto(f"{app.url}/people")
    sign_in(olga, "Olga")
    expect(olga.get_by_text("Signed in as Olga")).to_be_visible()
    revoke(chromium, app, "Bo")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(olga.get_by_text("Signed in as Olga")).to_be_visible()
    olga.context.close()


def test_a_tab_that_was_cut_off_when_its_session_ended_comes_to_sign_in(app: Served, page: Page, chromium: Browser) -> None:
    page.goto(f"{app.url}/find")
    sign_in(page, "Bo")
    expect(page.get_by_text("Signed in as Bo")).to_be_visible()
    is_away = True
    page.route("**/_stcore/h*", lambda route: route.abort() if is_away else route.continue_())
    revoke(chromium, app, "Bo")
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    is_away = False
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def revoke(chromium: Browser, app: Served, name: str) -> None:
    """End that person's sessions, from a browser elsewhere."""
    elsewhere = new_page(chromium)
    elsewhere.goto(f"{app.url}/find")
    sign_in(elsewhere, name)
    elsewhere.get_by_role("link", name="Sign out").click()
    elsewhere.get_by_role("button", name="Sign in").wait_for()
    elsewhere.context.close()


def test_the_command_line_works_through_the_app(app: Served) -> None:
    done = terminal("items", "--json", "--workspace", app.workspace, cwd=app.workspace.parent)
    assert done.returncode == 0, done.stderr


def test_the_address_that_the_app_prints_has_its_base_path_once(app: Served) -> None:
    assert f"Benchwright is at {app.url}/ with" in app.log.read_text()


@pytest.mark.fault(48)
def test_an_invite_from_the_page_lets_one_person_in_once(app: Served, chromium: Browser, page: Page) -> None:
    page.goto(f"{app.url}/people?view=invites")
    sign_in(page, "Olga")
    page.get_by_role("button", name="Create an invite").click()
    link = page.get_by_test_id("stCode").inner_text().strip()
    assert link.startswith(f"{app.url}/bench/invite/")
    first, second = new_page(chromium), new_page(chromium)
    first.goto(link)
    first.get_by_label("Name").fill("Cleo")
    first.get_by_label("Password").fill(PASSWORD)
    first.get_by_role("button", name="Make the account").click()
    expect(first.get_by_text("Signed in as Cleo")).to_be_visible()
    second.goto(link)
    expect(second.get_by_text("This invite was used already")).to_be_visible()
    expect(second.get_by_label("Name")).to_have_count(0)
    for one in (first, second):
        one.context.close()


@pytest.mark.fault(22)
def test_a_guest_sees_the_release_of_the_invite_at_every_address(app: Served, page: Page) -> None:
    words = ("people", "invite", "guest", "--release", "v1", "--address", app.url, "--json", "--workspace", app.workspace)
    page.goto(json.loads(terminal(*words, cwd=app.workspace.parent).stdout)["link"])
    page.get_by_label("Name").fill("Gus")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    for address in ("", "browse?release=other", "review?item=one", "results"):
        page.goto(f"{app.url}/{address}")
        expect(page.get_by_text("Signed in as Gus")).to_be_visible()
        expect(page.get_by_role("heading", name="Releases")).to_be_visible()
        expect(page.get_by_text("Release v1")).to_be_visible()
        expect(page.get_by_test_id("stSidebarNavLink")).to_have_text([re.compile("Release"), re.compile("Your access")])
    page.get_by_role("tab", name="Export").click()
    page.get_by_role("button", name="Prepare").click()
    with page.expect_download() as came:
        page.get_by_role("link", name="Download").click()
    assert came.value.suggested_filename.startswith("v1-jsonl-")
    for route in ("history/one", "claims/one?revision=1", "metrics"):
        assert page.request.get(f"{app.url}/bench/{route}").status == 403, route
