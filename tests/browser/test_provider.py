"""People sign in by a real provider of OpenID Connect, work, and are signed out: in real Chromium, through real nginx with the
site file of deploy/nginx, over TLS and below its base path. team.md 4."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, Page, Playwright, expect

from serving.gate.session_cookie import COOKIE
from store.items import items
from tests.app_server import Served, free_port, started
from tests.browser.chromium import TEST_FLAGS
from tests.browser.conftest import LONG, VIEWPORT, until_still
from tests.deploy.site import NAME, Site, run_nginx
from workbench import Workbench
from workbench.setup.accounts import Accounts

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:authlib", "ignore:authlib.jose")
BASE = "/benchwright"
PASSWORD = "correct horse battery"
ANN = "work:ann-7"
USERS = [User(sub="ann-7", claims={"name": "Ann Other"}), User(sub="bo-9", claims={"name": "Bo Field"})]
POLICY = "Content Security"
Open = Callable[[], Page]


@pytest.fixture(scope="module")
def app_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def site(app_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_nginx(tmp_path_factory.mktemp("nginx"), app_port) as site:
        yield site


@pytest.fixture(scope="module")
def provider(site: Site) -> Iterator[str]:
    """The provider's address."""
    with run_server_in_thread(user_claims=USERS) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture(scope="module")
def app(samples: Path, tmp_path_factory: pytest.TempPathFactory, site: Site, app_port: int, provider: str) -> Iterator[Served]:
    """Nine drafts wait, of which the desk gives the first. Olga is the admin and has a password; others use the provider."""
    folder = tmp_path_factory.mktemp("app")
    path = Path(shutil.copy(samples, folder / "w.duckdb"))
    with Workbench.open(path) as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        names = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        items.add(bench.database, [replace(sample, id=name, question=f"Which is {name}?", status="drafted") for name in names])
        accounts = Accounts(bench.database, PasswordHasher(1, 8, 1))
        accounts.accept_invite(accounts.create_first_link(), "Olga", PASSWORD, "")
    settings = (
        f'[auth]\nredirect_uri = "{site.origin}{BASE}/oauth2callback"\ncookie_secret = "{"s" * 40}"\n'
        f'[auth.work]\nclient_id = "c"\nclient_secret = "s"\n'
        f'server_metadata_url = "{provider}/.well-known/openid-configuration"\n'
    )
    (folder / "secrets.toml").write_text(settings)
    environment = {
        "BENCHWRIGHT_SIGN_IN": "oidc,local",
        "BENCHWRIGHT_TRUSTED_PROXIES": "127.0.0.1",
        "STREAMLIT_BROWSER_SERVER_ADDRESS": NAME,
        "STREAMLIT_SECRETS_FILES": str(folder / "secrets.toml"),
        "no_proxy": "localhost",
    }
    served = started(path, folder / "app.log", app_port, environment, is_forked=True, base=BASE)
    yield replace(served, url=site.origin + BASE)
    served.stop()
    assert "Traceback" not in served.log.read_text()


@pytest.fixture(scope="module")
def chromium(driver: Playwright, program: str) -> Iterator[Browser]:
    """A browser that finds the site's name on this machine, and no other name."""
    names = f"--host-resolver-rules=MAP {NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
    arguments = [*TEST_FLAGS, names, "--no-proxy-server"]
    browser = driver.chromium.launch(executable_path=program, headless=True, args=arguments)
    yield browser
    browser.close()


@pytest.fixture
def open_browser(chromium: Browser) -> Iterator[Open]:
    """open_browser() is a page in a browser of its own; a test fails on any error on the console of one."""
    contexts, wrong = [], []

    def open_page() -> Page:
        contexts.append(chromium.new_context(viewport=VIEWPORT, ignore_https_errors=True))  # the certificate is self-signed
        contexts[-1].set_default_timeout(LONG)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" and POLICY in said.text else None)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong, wrong


def sign_in_by_provider(page: Page, sub: str) -> None:
    """From the page of sign-in to the provider and back."""
    page.get_by_role("link", name="Sign in with work").click()
    page.get_by_role("button", name=sub).first.click()


def open_as(page: Page, app: Served, name: str, path: str = "find") -> Page:
    """The page with that person signed in: Olga by her password, others by the provider."""
    page.goto(f"{app.url}/{path}")
    if name == "Olga":
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
    else:
        sign_in_by_provider(page, {"Ann Other": "ann-7", "Bo Field": "bo-9"}[name])
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()
    return page


def choose_row(page: Page, row: int) -> None:
    """Tick a row of the page's only table, which is drawn on a canvas."""
    page.locator("[data-testid=stDataFrame] .dvn-scroller").click(position={"x": 18, "y": 35 * (row + 1) + 18})


def ask(page: Page, address: str, body: object = None) -> str:
    """What the page's own script gets from there, by a POST if there is a body."""
    script = """([address, body]) => fetch(address, body === null ? {} : {
        method: "POST", body, headers: {"content-type": "application/json", "x-benchwright": "desk"},
    }).then((answer) => answer.text())"""
    return str(page.evaluate(script, [address, None if body is None else json.dumps(body)]))


def expect_signed_out(page: Page) -> None:
    expect(page.get_by_role("link", name="Sign in with work")).to_be_visible()


def test_the_deep_link_survives_the_provider_and_the_work_there_is_the_signed_in_persons(
    app: Served, open_browser: Open
) -> None:
    page = open_browser()
    page.goto(f"{app.url}/review?item=one&person=Olga")
    expect(page).to_have_url(f"{app.url}/bench/sign-in")
    sign_in_by_provider(page, "ann-7")
    expect(page).to_have_url(re.compile(rf"^{re.escape(app.url)}/review\?item=one"))
    expect(page.get_by_text("Signed in as Ann Other")).to_be_visible()

    cookies = {cookie["name"]: cookie for cookie in page.context.cookies() if cookie["domain"] == NAME}
    session = cookies[COOKIE]
    assert (session["secure"], session["httpOnly"], session["sameSite"], session["path"]) == (True, True, "Lax", BASE)
    assert all(cookie["secure"] for cookie in cookies.values()), cookies
    assert not [name for name in cookies if "streamlit_user" in name], "it would outlive the session"

    page.locator("button.accept:enabled").wait_for()
    with page.expect_response(f"{app.url}/bench/decide") as answered:
        page.locator("button.accept").click()
    assert answered.value.ok
    history = ask(page, f"{app.url}/bench/history/one")
    assert f'"{ANN}"' in history and "Olga" not in history


@pytest.mark.fault(46)
def test_sign_out_in_one_tab_ends_the_other_and_the_provider_lets_in_again(app: Served, open_browser: Open) -> None:
    page = open_as(open_browser(), app, "Ann Other")
    other = page.context.new_page()
    other.goto(f"{app.url}/find")
    expect(other.get_by_text("Signed in as Ann Other")).to_be_visible()
    cookie = next(one for one in page.context.cookies() if one["name"] == COOKIE)
    page.get_by_role("link", name="Sign out").click()
    expect_signed_out(page)
    expect_signed_out(other)
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(f"{app.url}/find")
    expect_signed_out(page)
    sign_in_by_provider(page, "ann-7")
    expect(page).to_have_url(re.compile(rf"^{re.escape(app.url)}/find"))


@pytest.mark.fault(46)
def test_an_admin_ends_the_sessions_of_a_person_of_the_provider_with_an_open_tab(app: Served, open_browser: Open) -> None:
    ann, bo = open_as(open_browser(), app, "Ann Other"), open_as(open_browser(), app, "Bo Field")
    olga = open_as(open_browser(), app, "Olga", "people")
    olga.get_by_text("Choose somebody").wait_for()
    choose_row(olga, 1)  # Olga, work:ann-7, work:bo-9
    expect(olga.get_by_test_id("stMarkdown").get_by_text(ANN, exact=True)).to_be_visible()
    until_still(olga)  # a popover that is opened while the script runs closes when it ends
    olga.get_by_role("button", name="Sign out everywhere").click()
    olga.get_by_role("button", name="Sign them out").click()
    olga.get_by_text(f"{ANN} is signed out in every browser.").wait_for()
    expect_signed_out(ann)
    expect(bo.get_by_text("Signed in as Bo Field")).to_be_visible()
    expect(olga.get_by_text("Signed in as Olga")).to_be_visible()


@pytest.mark.fault(48)
def test_an_invite_has_the_sites_own_address_and_lets_one_person_in(app: Served, open_browser: Open) -> None:
    olga = open_as(open_browser(), app, "Olga", "people?view=invites")
    olga.get_by_role("button", name="Create an invite").click()
    link = olga.get_by_test_id("stCode").inner_text().strip()
    assert link.startswith(f"{app.url}/bench/invite/")
    invited = open_browser()
    invited.goto(link)
    invited.get_by_label("Name").fill("Zoe")
    invited.get_by_label("Password").fill(PASSWORD)
    invited.get_by_role("button", name="Make the account").click()
    expect(invited.get_by_text("Signed in as Zoe")).to_be_visible()
    late = open_browser()
    late.goto(link)
    expect(late.get_by_text("This invite was used already")).to_be_visible()


@pytest.mark.fault(49)
def test_a_token_from_the_page_acts_as_its_person_until_it_is_revoked_there(
    app: Served, site: Site, open_browser: Open
) -> None:
    page = open_as(open_browser(), app, "Bo Field", "people?view=access")
    page.get_by_label("What the token is for").fill("nightly import")
    page.get_by_role("button", name="Create a token").click()
    secret = page.get_by_test_id("stCode").inner_text().strip()
    body = {"item": "nine", "person": "Olga"}
    headers = {"x-benchwright": "desk", "authorization": f"Bearer {secret}"}
    with site.open_client() as script:

        def hold() -> httpx.Response:
            return script.post(f"{BASE}/bench/hold", json=body, headers=headers)

        assert hold().json() == {"ok": True, "held": None}
        ann = open_as(open_browser(), app, "Ann Other")
        held = json.loads(ask(ann, f"{app.url}/bench/hold", {"item": "nine", "person": ANN}))
        assert held["held"]["by"] == "work:bo-9", "it is Bo who holds it, not Olga"
        choose_row(page, 0)
        page.get_by_role("button", name="Revoke this token").click()
        expect(page.get_by_role("button", name="Revoke this token")).to_have_count(0)
        assert hold().status_code == 401
    expect(page.get_by_text("Signed in as Bo Field")).to_be_visible()


@pytest.mark.fault(50)
def test_a_page_of_another_site_does_nothing_in_the_browser_of_whoever_is_signed_in(
    app: Served, provider: str, open_browser: Open
) -> None:
    ann = open_as(open_browser(), app, "Ann Other")
    evil, body = ann.context.new_page(), {"item": "eight", "person": ANN}
    evil.goto(f"{provider}/")
    tried = """([address, body, headers]) => fetch(address, {
        method: "POST", body: JSON.stringify(body), headers, credentials: "include",
    }).then((answer) => answer.type, () => "failed")"""
    for kind in ({"content-type": "application/json", "x-benchwright": "desk"}, {"content-type": "text/plain"}):
        assert evil.evaluate(tried, [f"{app.url}/bench/hold", body, kind]) == "failed", "it reads no answer"
    assert evil.evaluate("address => fetch(address, {credentials: 'include'}).then(() => 1, () => 0)", f"{app.url}/") == 0
    evil.set_content(f'<form method="post" action="{app.url}/bench/sign-out"><button>Win a prize</button></form>')
    with evil.expect_response(f"{app.url}/bench/sign-out") as posted:
        evil.get_by_role("button").click()
    assert posted.value.status == 403
    ann.reload()
    expect(ann.get_by_text("Signed in as Ann Other")).to_be_visible()
    bo = open_as(open_browser(), app, "Bo Field")
    assert json.loads(ask(bo, f"{app.url}/bench/hold", body))["held"] is None, "Ann was not made to hold it"
