"""Two workspaces behind one nginx: people sign in at one of them, and enter the others in which they have a role. team.md 3."""

import shutil
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from serving.gate.session_cookie import SITE_COOKIE
from tests.app_server import known_port, started
from tests.browser.conftest import LONG
from tests.deploy.site import NAME, Site, run_nginx
from workbench import Workbench
from workbench.setup.accounts import Accounts

PASSWORD = "correct horse battery"
HTML = {"accept": "text/html"}
FRONT = "/benchwright/bench/workspaces"


@pytest.fixture(scope="module")
def site(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Everybody signs in at the workspace arts. Of law, Olga is the admin, and Ann annotates; Bo has no role there."""
    folder = tmp_path_factory.mktemp("two")
    arts, law = (Path(shutil.copy(samples, folder / f"{name}.duckdb")) for name in ("arts", "law"))
    with Workbench.open(arts) as bench:
        accounts = Accounts(bench.database, PasswordHasher(1, 8, 1))
        accounts.accept_invite(accounts.create_first_link(), "Olga", PASSWORD, "")
        for name in ("Ann", "Bo"):
            accounts.accept_invite(accounts.create_invite("annotator").secret, name, PASSWORD, "")
    with Workbench.open(law) as bench:
        bench.people.give("workspace:Olga", "admin")
        bench.people.give("workspace:Ann", "annotator")
    common = {"BENCHWRIGHT_TRUSTED_PROXIES": "127.0.0.1", "STREAMLIT_BROWSER_SERVER_ADDRESS": NAME}
    port = known_port()
    at_arts = {"BENCHWRIGHT_SIGN_IN": "local", "BENCHWRIGHT_WORKSPACES": "/benchwright,/law"}
    at_law = {"BENCHWRIGHT_SIGN_IN": "workspace", "BENCHWRIGHT_SIGN_IN_AT": f"http://127.0.0.1:{port}/benchwright"}
    with ExitStack() as stack:
        ports = {}
        for path, base, settings in ((arts, "benchwright", at_arts), (law, "law", at_law)):
            app = started(
                path, folder / f"{base}.log", None if ports else port, {**common, **settings}, is_forked=True, base=f"/{base}"
            )
            stack.callback(app.stop)
            ports[base] = int(app.url.rpartition(":")[2])
        (folder / "nginx").mkdir()
        yield stack.enter_context(run_nginx(folder / "nginx", ports["benchwright"], {"law": ports["law"]}))
    for base in ports:
        assert "Traceback" not in (folder / f"{base}.log").read_text()


def sign_in(client: httpx.Client, name: str) -> httpx.Response:
    answer = client.post("/benchwright/bench/sign-in", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 303, answer.text
    client.headers["cookie"] = f"{SITE_COOKIE}={client.cookies[SITE_COOKIE]}"
    return answer


def test_one_sign_in_opens_both_and_leads_to_the_page_that_was_asked_for(site: Site) -> None:
    with site.open_client() as client:
        asked = client.get("/law/review?item=x", headers=HTML)
        assert (asked.status_code, asked.headers["location"]) == (302, "/benchwright/bench/sign-in")
        assert client.get("/law/bench/sign-in").headers["location"] == "/benchwright/bench/sign-in"
        client.headers["cookie"] = asked.headers["set-cookie"].partition(";")[0]
        answer = sign_in(client, "Ann")
        assert answer.headers["location"] == "/law/review?item=x"
        assert f"{SITE_COOKIE}=" in answer.headers["set-cookie"] and "; Secure" in answer.headers["set-cookie"]
        for base, person in (("benchwright", "Ann"), ("law", "workspace:Ann")):
            assert client.get(f"/{base}/review", headers=HTML).status_code == 200
            member = client.get(f"/{base}/bench/membership").json()
            assert (member["person"], member["name"], member["role"]) == (person, "Ann", "annotator")


@pytest.mark.fault(52)
def test_who_has_no_role_in_a_workspace_does_not_enter_it(site: Site) -> None:
    with site.open_client() as client:
        sign_in(client, "Bo")
        page = client.get("/law/review", headers=HTML)
        assert page.status_code == 403 and "Bo may not enter this workspace" in page.text and FRONT in page.text
        for path in ("/law/bench/history/x", "/law/bench/membership"):
            refused = client.get(path)
            assert refused.status_code == 403 and "may not enter" in refused.json()["message"], path
        assert client.get("/law/static/js/x.js").status_code == 403
        assert client.get("/benchwright/review", headers=HTML).status_code == 200


@pytest.mark.fault(46)
def test_sign_out_in_one_workspace_ends_the_open_tabs_of_both(site: Site) -> None:
    with site.open_client() as client, ExitStack() as stack:
        for base, out in (("benchwright", "benchwright"), ("law", "law")):
            sign_in(client, "Ann")
            tabs = [stack.enter_context(open_socket(site, name, client.headers["cookie"])) for name in ("benchwright", "law")]
            answer = client.post(f"/{out}/bench/sign-out")
            if base == "law":
                assert answer.headers["location"] == "/benchwright/bench/sign-out"
                answer = client.get(answer.headers["location"], headers={"sec-fetch-site": "same-origin"})
            assert answer.headers["location"] == "/benchwright/bench/sign-in"
            for tab in tabs:
                with pytest.raises(ConnectionClosed, match="signed out"):
                    while True:
                        tab.recv(timeout=60)
            assert client.get(f"/{base}/bench/membership").status_code == 401
            client.cookies.clear()


def open_socket(site: Site, base: str, cookie: str) -> ClientConnection:
    """The websocket of a tab."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return connect(
        f"wss://{NAME}:{site.port}/{base}/_stcore/stream",
        address=("127.0.0.1", site.port),
        ssl=context,
        origin=site.origin,  # type: ignore[arg-type]
        subprotocols=["streamlit"],  # type: ignore[list-item]
        additional_headers={"cookie": cookie},
        proxy=None,
        open_timeout=60,
    )


@pytest.fixture
def page(chromium: Browser, site: Site) -> Iterator[Page]:
    """A page of a browser that accepts nginx's certificate."""
    with chromium.new_context(ignore_https_errors=True, base_url=f"https://127.0.0.1:{site.port}") as window:
        window.set_default_timeout(LONG)
        yield window.new_page()


def enter(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_the_front_page_lists_what_one_may_enter(page: Page) -> None:
    page.goto("/")
    enter(page, "Ann")
    expect(page.get_by_role("listitem")).to_have_text(["artsannotator", "lawannotator"])
    expect(page.get_by_text("Signed in as Ann")).to_be_visible()
    page.get_by_role("link", name="law").click()
    expect(page.get_by_text("Signed in as Ann")).to_be_visible()
    assert page.evaluate("location.pathname") == "/law/"
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.evaluate("location.pathname") == "/benchwright/bench/sign-in"
    page.goto("/")
    enter(page, "Bo")
    expect(page.get_by_role("listitem")).to_have_text(["artsannotator"])
    page.goto("/law/")
    expect(page.get_by_text("Bo may not enter this workspace")).to_be_visible()
    page.get_by_role("link", name="Other workspaces").click()
    expect(page.get_by_role("listitem")).to_have_text(["artsannotator"])
    page.goto("/law/")
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
