"""Releases on the Hugging Face hub, against a stand-in that speaks with the real client."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from core.errors import BenchError
from serving.running_verb import merge_environment
from store.people.log import LogFilter
from tests.house.documents import blocks
from tests.house.test_docs import compare_shapes
from tests.hub_server import Hub, running_hub
from workbench import Workbench
from workbench.release.hub.exchange import ask_hub, find_endpoint
from workbench.release.hub.hub import make_room, read_address
from workbench.setup.agents import ENVIRONMENT

TOKEN = "hf_write"
REPO = "ada/town"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with running_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setenv("HF_HUB_DISABLE_XET", "1")  # the stand-in stores large files by LFS
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")  # as this program sets it for its models
        yield hub


def read_files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.fault(59)
def test_a_release_is_published_tagged_and_imported_again_equal(bw: Any, hub: Hub, workspace: Path, tmp_path: Path) -> None:
    """Then a second one with a withheld split goes to the same data set, and nothing tells the answers or the token."""
    assert bw("freeze", "v1").code == 0
    done = bw("export", "v1", "--to", f"hub:{REPO}").json
    [shown] = [block.text for block in blocks("docs/reference/json-shapes.md", "json") if '"repo"' in block.text]
    compare_shapes(json.loads(shown), done, "export --to")
    assert done["url"] == f"{hub.url}/datasets/{REPO}/tree/v1" and done["private"] and not done["already"]
    kept = hub.repositories[REPO]
    assert kept.private and list(kept.tags) == ["v1"] and "data/items/test.parquet" in kept.commits[kept.tags["v1"]]
    assert bw("export", "v1", "--to", f"hub:{REPO}").json["already"] and len(kept.commits) == 2

    other = tmp_path / "other.duckdb"
    came = bw("import", f"hub:{REPO}@v1", workspace=other).json
    assert came["release"] == "v1" and came["items"] == 40 and came["refused"] == []
    for file, folder in ((workspace, "here"), (other, "there")):
        assert bw("export", "v1", "--format", "jsonl", tmp_path / folder, workspace=file).code == 0
    for name in ("manifest.json", "items.jsonl", "documents.jsonl", "variants.jsonl"):
        here, there = ((tmp_path / place / name).read_text(encoding="utf-8").splitlines() for place in ("here", "there"))
        assert list(map(json.loads, here)) == list(map(json.loads, there))

    item = bw("items", "--task", "explicit_factoid", "--domain", "tech").json[0]
    assert bw("decide", item["id"], "accept", "--as", "Ada", "--answer", "Zanzibar 7731").code == 0
    assert bw("freeze", "v2", "--split", "dev=0.5,test=0.5").code == 0
    splits = {row["id"]: row["split"] for row in json.loads(bw_manifest(bw, tmp_path, "v2"))["items"]}
    hidden = splits[item["id"]]
    shown = bw("export", "v2", "--to", f"hub:{REPO}", "--withhold", hidden, "--public", json_too=False)
    assert f"{REPO} already exists and is private: it stays private" in shown.err and kept.private
    assert shown.code == 0 and f"{REPO} (private), tag v2: {hub.url}" in shown.out
    files = kept.commits[kept.tags["v2"]]
    assert f"data/items/{hidden}.parquet" in files and "data/items/test.parquet" in files
    told = [
        str(pyarrow.parquet.read_table(io.BytesIO(raw)).to_pydict()) for name, raw in files.items() if name.endswith("parquet")
    ]
    assert "Zanzibar" not in "".join(told) and b"Zanzibar" not in hub.received()
    assert kept.commits[kept.tags["v1"]] != files  # the first stays as it was

    with Workbench.open(workspace) as bench:
        lines, _ = bench.log.page(LogFilter(acts=("publish releases",)), 50)
    assert [(line.what, line.details["to"]) for line in lines] == [
        ("v2", f"hub:{REPO}"),
        ("v1", f"hub:{REPO}"),
        ("v1", f"hub:{REPO}"),
    ]
    everything = [hub.received(), *read_files(tmp_path / "here").values(), workspace.read_bytes(), str(lines).encode()]
    assert all(TOKEN.encode() not in each for each in everything) and TOKEN not in shown.out + shown.err
    assert {authorization for _, path, authorization, _ in hub.requests if "/lfs/" not in path} == {f"Bearer {TOKEN}"}


def bw_manifest(bw: Any, tmp_path: Path, release: str) -> str:
    assert bw("export", release, "--format", "jsonl", tmp_path / f"folder-{release}").code == 0
    return (tmp_path / f"folder-{release}" / "manifest.json").read_text(encoding="utf-8")


def push(hub: Hub, tmp_path: Path, public: bool = False, tag: str = "v1", content: str = "one") -> Any:
    """Publish a small folder."""
    folder = tmp_path / f"{tag}-{content}"
    folder.mkdir(exist_ok=True)
    (folder / "checksums.json").write_text(
        json.dumps({"release": "b2:0", "name": tag, "files": {"a": content}}), encoding="utf-8"
    )
    (folder / "manifest.json").write_text(json.dumps({"content": content}), encoding="utf-8")
    order = {"action": "push", "repo": REPO, "tag": tag, "folder": str(folder), "public": public, "message": "Release"}
    with make_room() as room:
        return ask_hub(order, find_endpoint(), room, is_signed=True)


def fetch(hub: Hub, tmp_path: Path, repo: str = REPO, tag: str | None = None, is_signed: bool = True) -> Any:
    order = {"action": "fetch", "repo": repo, "tag": tag, "folder": str(tmp_path / "fetched")}
    with make_room() as room:
        return ask_hub(order, find_endpoint(), room, is_signed=is_signed)


def sentence(work: Any, *arguments: Any, **more: Any) -> str:
    with pytest.raises(BenchError) as caught:
        work(*arguments, **more)
    said = str(caught.value)
    assert TOKEN not in said and said.endswith(".") and "Traceback" not in said
    return said


@pytest.mark.fault(59)
def test_a_hub_that_breaks_off_publishes_nothing_and_the_next_try_goes_on(hub: Hub, tmp_path: Path) -> None:
    host = hub.url.removeprefix("http://")
    hub.breaks = "/commit/"
    assert sentence(push, hub, tmp_path) == (
        f"The connection to the hub at {host} broke off, and nothing was published, and {REPO} is without this release: "
        "publish it again."
    )
    hub.breaks = "/tag/"
    assert f"the files are in {REPO}, and only the tag v1 is missing" in sentence(push, hub, tmp_path)
    hub.breaks = ""
    commits = len(hub.repositories[REPO].commits)
    assert not push(hub, tmp_path).already and len(hub.repositories[REPO].commits) == commits  # only the tag was missing
    hub.breaks = "/api/datasets"
    assert "broke off, and nothing was imported" in sentence(fetch, hub, tmp_path, tag="v1")


@pytest.mark.fault(59)
def test_a_hub_that_refuses_is_one_sentence(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = hub.url.removeprefix("http://")
    hub.refuses = ("/api/repos/create", 503)
    assert sentence(push, hub, tmp_path) == (
        f"The hub at {host} refuses with status 503, and nothing was published: publish it again later."
    )
    with monkeypatch.context() as short:
        short.setattr("workbench.release.hub.exchange.MAX_EXCHANGE_SECONDS", 0.0)
        assert f"was ended after 0 hours: look what is in {REPO}, then publish it again" in sentence(push, hub, tmp_path)
        assert "was ended after 0 hours: nothing was imported" in sentence(fetch, hub, tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert "The hub at 127.0.0.1:9 cannot be reached, and nothing was published" in sentence(push, hub, tmp_path)


@pytest.mark.fault(59)
def test_a_token_without_rights_publishes_nothing(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_read")
    assert "forbids this to the token in HF_TOKEN" in sentence(push, hub, tmp_path)
    monkeypatch.setenv("HF_TOKEN", "hf_unknown")
    assert "does not accept the token in HF_TOKEN" in sentence(push, hub, tmp_path)
    assert hub.repositories == {}


@pytest.mark.fault(59)
def test_without_a_token_the_hub_is_not_asked(
    bw: Any, hub: Hub, world: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", " ")
    assert bw("export", "v1", "--to", f"hub:{REPO}").sentence.startswith("Publishing needs a token: set HF_TOKEN")
    assert hub.requests == []


@pytest.mark.fault(59)
def test_an_existing_repository_is_not_written_over(hub: Hub, tmp_path: Path) -> None:
    hub.add(REPO, README="Somebody's own data.")
    before = dict(hub.repositories[REPO].commits)
    assert "is on the hub already and holds something else than a release" in sentence(push, hub, tmp_path)
    hub.repositories.clear()
    hub.add(REPO, private=False)
    assert f"{REPO} on the hub is public, and this release would be too" in sentence(push, hub, tmp_path)
    assert push(hub, tmp_path, public=True).private is False
    assert f"{REPO} has the tag v1 with other content already" in sentence(push, hub, tmp_path, public=True, content="two")
    assert len(before) == 1 and list(hub.repositories[REPO].tags) == ["v1"]


@pytest.mark.fault(59)
def test_what_is_no_release_is_not_imported(hub: Hub, tmp_path: Path) -> None:
    host = hub.url.removeprefix("http://")
    assert sentence(fetch, hub, tmp_path, repo="ada/none").startswith(
        f"{host} has no data set ada/none that the token in HF_TOKEN"
    )
    hub.add(REPO, README="Somebody's own data.")
    assert f"{REPO} on the hub is not an exported release" in sentence(fetch, hub, tmp_path)
    assert f"{REPO} on the hub has no tag v9" in sentence(fetch, hub, tmp_path, tag="v9")
    said = sentence(fetch, hub, tmp_path, is_signed=False)  # private: the token stays here
    assert said.endswith("that everybody may read: check the name, or set HF_TOKEN if it is private.")
    assert hub.requests[-1][2] == ""


@pytest.mark.parametrize(
    "address", ["hub:", "hub:town", "hub:a/b/c", "hub:../b", "hub:a/b@", "hub:a/b@x y", "hub:-a/b", "HUB:a/b"]
)
def test_an_address_that_is_none_is_one_sentence(address: str) -> None:
    with pytest.raises(BenchError, match="is not an address on the hub"):
        read_address(address)


@pytest.mark.parametrize(
    "endpoint", ["http://hub.test", "ftp://127.0.0.1", "https://", "https://a:b@hub.test", "https://[x", "hub"]
)
def test_a_token_travels_encrypted_or_not_at_all(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    with pytest.raises(BenchError, match=r"^HF_ENDPOINT is not the https address of a hub"):
        find_endpoint()


def test_what_cannot_be_published_is_one_sentence(bw: Any, hub: Hub, world: dict[str, str], tmp_path: Path) -> None:
    assert "changes with every decision" in bw("export", "working", "--to", f"hub:{REPO}").sentence
    assert "leave the tag out" in bw("export", "v1", "--to", f"hub:{REPO}@v1").sentence
    assert "is not an address on the hub" in bw("export", "v1", "--to", "hub:town").sentence
    assert "give only one of them" in bw("export", "v1", "--to", f"hub:{REPO}", tmp_path / "out").sentence
    assert "--public needs --to hub:" in bw("export", "v1", "--format", "jsonl", "--public", tmp_path / "out").sentence
    assert bw("export", "v1", tmp_path / "out").code == bw("export", "v1", "--format", "jsonl").code == 2
    assert bw("import", tmp_path / "qa.jsonl").code == 2 and hub.requests == []
    assert bw("freeze", "v1.", "--allow-unlicensed", "a test").code == 0
    assert "cannot be a tag on the hub" in bw("export", "v1.", "--to", f"hub:{REPO}").sentence


def test_the_command_lines_token_is_used_while_the_app_runs_the_verb_and_the_apps_goes_nowhere_else() -> None:
    own = {"HF_TOKEN": "of the app", "OPENAI_API_KEY": "key", "PATH": "/bin"}
    assert merge_environment(own, {"HF_TOKEN": "mine"})["HF_TOKEN"] == "mine"
    sent = merge_environment(own, {"HF_ENDPOINT": "https://hub.test"})
    assert sent == {"HF_ENDPOINT": "https://hub.test", "HF_TOKEN": "", "OPENAI_API_KEY": "key", "PATH": "/bin"}
    token = ENVIRONMENT.set(sent)
    try:
        assert find_endpoint() == "https://hub.test"
    finally:
        ENVIRONMENT.reset(token)
