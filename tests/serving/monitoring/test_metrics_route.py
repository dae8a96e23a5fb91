"""What /bench/metrics tells, and whom. team.md 3."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import workbench
from serving.monitoring import traffic
from serving.monitoring.exposition import CONTENT_TYPE
from serving.monitoring.traffic import Traffic, TrafficMiddleware
from serving.routes import ROUTES
from serving.security import MIDDLEWARE, PATHS
from store.items import items
from tests.serving.gate.conftest import Browser, bench, browser, sign_in
from tests.serving.monitoring.prometheus_text import Families, parse
from tests.serving.test_desk_routes import OURS, body
from workbench import Workbench, actor
from workbench.upkeep.server_figures import MAX_AGE_SECONDS, ServerFigures

__all__ = ["bench", "browser", "sign_in"]
METRICS = "/bench/metrics"
STREAM = "ws://localhost/_stcore/stream"


@pytest.fixture(autouse=True)
def counts(monkeypatch: pytest.MonkeyPatch) -> Traffic:
    """The counts of this test."""
    counts = Traffic()
    monkeypatch.setattr(traffic, "TRAFFIC", counts)
    monkeypatch.setattr("serving.monitoring.metrics_route.TRAFFIC", counts)
    return counts


@pytest.fixture
def open_bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """A workspace of this process, without sign-in."""
    path = tmp_path / "w.duckdb"
    path.write_bytes(samples.read_bytes())
    workbench.close_workbench()
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(path))
    yield workbench.open_workbench()
    workbench.close_workbench()


def open_client() -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), "http://localhost")


def value(families: Families, name: str, suffix: str = "", **labels: str) -> float:
    return families[name][name + suffix, frozenset(labels.items())]


def test_without_sign_in_whoever_may_do_everything_reads_the_figures(open_bench: Workbench, tmp_path: Path) -> None:
    open_bench.upkeep.backup(tmp_path / "copy.duckdb")
    client = open_client()
    assert client.get("/bench/health").status_code == 200
    answer = client.get(METRICS)
    assert (answer.status_code, answer.headers["content-type"]) == (200, CONTENT_TYPE)
    assert answer.headers["cache-control"] == "no-store"
    families = parse(answer.text)
    assert value(families, "benchwright_requests_total", route="/bench/health", status="200") == 1
    assert value(families, "benchwright_request_seconds", "_count", route="/bench/health") == 1
    accepted = sum(item.status == "accepted" for item in open_bench.reviews.items())
    assert value(families, "benchwright_items", status="accepted") == accepted > 0
    assert value(families, "benchwright_jobs", state="running") == 0
    assert value(families, "benchwright_workspace_bytes", file="database") > 0
    assert value(families, "benchwright_disk_free_bytes") > 0
    assert value(families, "benchwright_model_cost_usd_total") == 0
    backup, measured = (value(families, f"benchwright_{name}_timestamp_seconds") for name in ("last_backup", "measured"))
    assert measured - 60 < backup <= measured
    assert value(families, "process_cpu_seconds_total") > 0


def test_without_sign_in_an_annotator_is_refused(open_bench: Workbench) -> None:
    open_bench.people.give("Olga", "admin")
    client = open_client()
    assert client.get(METRICS).status_code == 403, "a person without a name is an annotator"
    client.cookies.set("benchwright_person", "Olga")
    assert client.get(METRICS).status_code == 200


def test_with_sign_in_only_an_admin_and_a_token_of_theirs_read_the_figures(bench: Workbench, browser: Browser) -> None:
    assert browser().get(METRICS).status_code == 401
    refused = browser("Ann").get(METRICS)
    assert refused.status_code == 403 and "may not see figures of the server" in refused.text
    assert browser("Olga").get(METRICS).status_code == 200
    secrets = {}
    for person in ("Ann", "Olga"):
        with actor.act_as(person):
            secrets[person] = bench.access_tokens.create(person, "prometheus").secret
    bearer = {name: {"authorization": f"Bearer {secret}"} for name, secret in secrets.items()}
    assert browser().get(METRICS, headers=bearer["Ann"]).status_code == 403
    answer = browser().get(METRICS, headers=bearer["Olga"])
    assert answer.status_code == 200
    parse(answer.text)
    assert browser().get(METRICS, headers={"authorization": "Bearer bw_guessed"}).status_code == 401


def test_the_figures_name_nobody_and_tell_no_secret(bench: Workbench, browser: Browser) -> None:
    olga = browser("Olga")
    answer = olga.post("/bench/decide", json=body(items.get(bench.database, "one"), person="Olga"), headers=OURS)
    assert answer.status_code == 200, answer.text
    invite = bench.accounts.create_invite("annotator").secret
    for path in (f"/bench/invite/{invite}", "/bench/first/abc", "/bench/history/one?person=Ann", "/Ann", "/bench/Ann/Ann"):
        olga.get(path)
    text = olga.get(METRICS).text
    families = parse(text)
    for word in ("Olga", "Ann", "Bo", invite, "abc", "one", str(bench.database.path)):
        assert f'"{word}' not in text and f"/{word}" not in text, word
    assert value(families, "benchwright_requests_total", route="/bench/decide", status="200") == 1
    assert value(families, "benchwright_requests_total", route="/bench/invite", status="200") == 1
    assert value(families, "benchwright_requests_total", route="other", status="404") == 1


@pytest.mark.fault(49)
def test_a_token_for_the_metrics_reads_this_route_alone(bench: Workbench, browser: Browser) -> None:
    token = bench.access_tokens.create("Olga", "prometheus", scope="metrics")
    client, bearer = browser(), {"authorization": f"Bearer {token.secret}"}
    assert client.get(METRICS, headers=bearer).status_code == 200
    paths = {path for route in ROUTES if (path := route.path) not in (METRICS, "/bench/health") and "/verb" not in path}
    for path in (*paths, f"{METRICS}/", f"{METRICS}/x"):
        for method in ("GET", "POST"):
            answer = client.request(method, path, headers=bearer | OURS)
            assert answer.status_code == 403 and "can only read the metrics of the server" in answer.text, path
    assert client.get("/", headers=bearer).status_code == 401
    bench.access_tokens.revoke(token.row.id)
    assert client.get(METRICS, headers=bearer).status_code == 401


def test_open_and_refused_websockets_are_counted(browser: Browser) -> None:
    olga = browser("Olga")
    with olga.websocket_connect(STREAM) as socket:
        socket.receive_json()
        assert value(parse(olga.get(METRICS).text), "benchwright_open_websockets") == 1
    with pytest.raises(WebSocketDisconnect), browser().websocket_connect(STREAM):
        pass
    families = parse(olga.get(METRICS).text)
    assert value(families, "benchwright_open_websockets") == 0
    assert value(families, "benchwright_websockets_total", result="accepted") == 1
    assert value(families, "benchwright_websockets_total", result="refused") == 1


def test_a_workspace_is_measured_once_a_minute(open_bench: Workbench) -> None:
    now = [1_800_000_000.0]
    figures = ServerFigures(open_bench.database, lambda: now[0])
    first = figures.load()
    now[0] += MAX_AGE_SECONDS - 1
    assert figures.load() is first
    now[0] += 1
    assert figures.load().measured_at == now[0]
    now[0] -= 3600
    assert figures.load().measured_at == now[0], "a clock that was put back does not freeze the figures"


@pytest.mark.parametrize(
    ("base", "path", "route"),
    [
        ("", "/bench/document/sha256:ab/c", "/bench/document"),
        ("", "/bench/why/scratch", "/bench/why/scratch"),
        ("", "/bench/comment/back", "/bench/comment/back"),
        ("", "/bench/nowhere", "other"),
        ("", "/bench/verb", "/bench/verb"),
        ("", "/_stcore/upload_file/session/file", "/_stcore/upload_file"),
        ("", "/static/js/x.js", "/static"),
        ("", "/review", "page"),
        ("", "/people/_stcore/health", "search"),
        ("", "/bench/_stcore/health", "other"),
        ("/team/bench", "/team/bench/people/_stcore/host-config", "search"),
        ("/team/bench", "/team/bench/_stcore/health", "/_stcore/health"),
        ("", "/", "page"),
        ("", "/" * 9, "page"),
        ("/team/bench", "/team/bench/bench/decide", "/bench/decide"),
        ("/team/bench", "/team/bench", "page"),
        ("/team/bench", "/bench/verb", "/bench/verb"),
        ("/team/bench", "/elsewhere", "outside"),
    ],
)
def test_a_label_is_the_beginning_of_a_known_address(base: str, path: str, route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "find_base", lambda: base)
    assert TrafficMiddleware(Starlette(), PATHS).name_route(path) == route


def test_the_docs_list_each_figure_with_its_labels(open_bench: Workbench, tmp_path: Path, counts: Traffic) -> None:
    open_bench.upkeep.backup(tmp_path / "copy.duckdb")
    counts.websockets["accepted"] = 1
    client = open_client()
    client.get("/bench/health")
    families = parse(client.get(METRICS).text)
    shown = {name: {label for _, labels in samples for label, _ in labels} for name, samples in families.items()}
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "deploy.md").read_text()
    rows = re.findall(r"^\| `([a-z_]+)` \| ([a-z, ]*)\|", page, flags=re.MULTILINE)
    assert {name: set(re.findall("[a-z]+", labels)) for name, labels in rows} == shown
    rules = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)[1])["groups"][0]["rules"]
    used = {name for rule in rules for name in re.findall(r"benchwright_\w+", rule["expr"])}
    assert used <= {*shown, "benchwright_request_seconds_bucket"}
