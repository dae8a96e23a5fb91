"""The routes of pages, as a browser calls them: kept for ever, bounded, every trouble one sentence; others are not held up."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from core.readers import pdf_drawing
from serving import desk, page_view
from tests import pdfs
from tests.waiting import until
from workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves a workspace of one PDF with two pages."""
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    (tmp_path / "a.pdf").write_bytes(pdfs.drawn(pdfs.lines("The toll."), pdfs.lines("Was abolished.")))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    bench.corpus.add([tmp_path / "a.pdf"], domain=None, language=None)
    yield bench
    workbench.close_workbench()


@pytest.fixture
def document(bench: Workbench) -> str:
    return bench.corpus.load_documents()[0].id


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=[*desk.ROUTES, *page_view.ROUTES])) as client:
        yield client


def test_a_picture_and_its_boxes_are_kept_for_ever(document: str, client: TestClient) -> None:
    assert client.get(f"/bench/pages/{document}").json() == {"pages": [[0, 9], [11, 25]]}
    kinds = {f"page/2/{document}?width=1000": "image/png", f"boxes/2/{document}?spans=11-14,0-3": "application/json"}
    for address, kind in kinds.items():
        answer = client.get(f"/bench/{address}")
        assert answer.status_code == 200 and answer.headers["content-type"] == kind
        assert answer.headers["cache-control"].endswith("immutable")
        again = client.get(f"/bench/{address}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    [[[left, top, right, bottom]], nothing] = client.get(f"/bench/boxes/2/{document}?spans=11-14,0-3").json()["spans"]
    assert 0 < left < right < 0.3 and 0 < top < bottom < 0.3 and nothing == []


@pytest.mark.parametrize(
    "address",
    [
        "page/3/{id}?width=1000",
        "page/0/{id}?width=1000",
        "page/1/{id}?width=99999",
        "page/1/{id}",
        "page/x/{id}?width=1000",
        "page/" + "9" * 5000 + "/{id}?width=1000",
        "page/1/b2:none?width=1000",
        "page/1/%E2%80%AE?width=1000",
        "pages/b2:none",
        "boxes/1/{id}?spans=1",
        "boxes/1/{id}?spans=\u0661-\u0662",
        "boxes/1/{id}?spans=" + ",".join(["1-2"] * 300),
        "boxes/9/{id}?spans=1-2",
    ],
)
def test_what_cannot_be_shown_is_a_sentence(document: str, client: TestClient, address: str) -> None:
    answer = client.get(f"/bench/{address.format(id=document)}")
    assert answer.status_code in (404, 422) and answer.json()["message"].endswith((".", "away."))
    assert "etag" not in answer.headers


def test_slow_pages_hold_up_each_other_and_nobody_else(
    document: str, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = [], threading.Event()

    def slow(*asked: object) -> bytes:
        begun.append(asked)
        go.wait(20)
        return b"\x89PNG"

    monkeypatch.setattr(pdf_drawing, "picture", slow)
    address = f"/bench/page/1/{document}?width=1000"
    asking = [threading.Thread(target=client.get, args=(address,)) for _ in range(45)]
    for one in asking:
        one.start()
    until(lambda: len(begun) == page_view.AT_ONCE)
    assert client.get(f"/bench/document/{document}").status_code == 200, "a desk reads on"
    assert len(begun) == page_view.AT_ONCE
    go.set()
    for one in asking:
        one.join(20)
    assert len(begun) == 45
