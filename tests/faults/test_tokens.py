"""On a server with sign-in, what a person's token or page names reaches neither the server's files nor its secrets."""

from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from core.errors import BenchError, NotAllowed
from core.inner_network import HOSTS_VARIABLE, check_reachable
from serving.verbs import MAX_WORDS, CommandOrder
from store.items import items
from store.items.finding import ItemSearch
from terminal import paths
from tests.store.sample_items import item
from workbench import Workbench, actor
from workbench.annotate.finding.finding import SimilarityQuery
from workbench.evaluate.results.run_export import check_target
from workbench.evaluate.running.run_request import RunRequest

NO_FILES = "reads and writes no files"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """A workspace in server mode with a lead, a researcher and an annotator."""
    monkeypatch.setenv("BENCHWRIGHT_SIGN_IN", "local")
    monkeypatch.delenv(HOSTS_VARIABLE, raising=False)
    with Workbench.open(":memory:") as bench:
        bench.people.give("Olga", "admin")
        bench.people.give("Lea", "lead")
        bench.people.give("Rae", "researcher")
        bench.people.give("Ann", "annotator")
        items.add(bench.database, [item("one", answers=("firmware 4.0",), question="Which firmware?")])
        yield bench


@pytest.mark.fault(49)
@pytest.mark.parametrize("setting", ["embedding_model=/etc", "reranker=../models", "predictions=x.jsonl", "spans=/etc/passwd"])
def test_no_setting_of_a_token_names_a_file(setting: str) -> None:
    with pytest.raises(BenchError, match=NO_FILES):
        paths.settings(None, [setting])
    assert paths.settings(None, ["embedding_model=minilm", "reranker=https://rank.example.org"])


@pytest.mark.fault(49)
@pytest.mark.parametrize(
    ("retriever", "settings"),
    [
        ("rerank", {"reranker": "https://rank.example.org", "reranker_key": "OPENAI_API_KEY"}),
        ("opensearch", {"engine_address": "https://engine.example.org"}),
    ],
)
def test_only_who_may_change_agents_pairs_an_address_with_a_key(
    bench: Workbench, retriever: str, settings: dict[str, str]
) -> None:
    request = RunRequest(release="working", system="echo", retriever=retriever, settings=settings)
    with actor.act_as("Rae"), pytest.raises(NotAllowed):
        bench.runs.check(request)
    with actor.act_as("Olga"):
        bench.runs.check(request)


@pytest.mark.fault(19)
def test_an_engine_inside_the_network_is_refused(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="is inside the server's network"):
        check_reachable("postgresql://127.0.0.1/data")


@pytest.mark.fault(49)
@pytest.mark.parametrize(("to", "variable"), [("otlp", "OTEL_EXPORTER_OTLP_ENDPOINT"), ("mlflow", "MLFLOW_TRACKING_URI")])
def test_runs_go_only_to_the_servers_own_target(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, to: str, variable: str
) -> None:
    monkeypatch.setenv(variable, "https://traces.example.org:4318/v1")

    for address in ("https://elsewhere.example.org", "file:/tmp/x", "sqlite:////tmp/x.db", "https://traces.example.org:1"):
        with pytest.raises(BenchError, match="sends runs only to the address in"):
            check_target(to, address)
    check_target(to, "https://traces.example.org:4318/v1/traces")


@pytest.mark.fault(52)
def test_an_answer_that_is_hidden_at_the_desk_is_hidden_in_lists_and_not_decided(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(1.0, 0, "Lea")
    assert bench.item_list.items()[0].answers == ("firmware 4.0",), "the owner of the file sees everything"
    with actor.act_as("Ann"):
        (hidden,) = bench.item_list.items()
        assert not (hidden.answers or hidden.evidence or hidden.labels or hidden.steps or hidden.overlap), "nothing tells it"
        assert bench.item_list.items(text="4.0") == [] and len(bench.item_list.items(text="Which")) == 1
        totals = {}
        for text in ("4.0", "firmware", "firmware 4.0", "which"):
            search = ItemSearch(text=text, in_evidence=True)
            totals[text] = bench.find.page(search, SimilarityQuery(), 1).value.total
            assert len(bench.find.ids(search, SimilarityQuery())) == totals[text]
        assert totals == {"4.0": 0, "firmware": 1, "firmware 4.0": 0, "which": 1}, "the number tells nothing of the answer"
        with pytest.raises(BenchError, match="Write your own answer first"):
            bench.reviews.check_shown("one", "Ann")
        bench.reviews.reveal("one", "Ann", "I do not know.", None)
        assert bench.find.page(ItemSearch(text="4.0"), SimilarityQuery(), 1).value.total == 1, "she has seen it now"


@pytest.mark.fault(55)
def test_a_command_of_too_many_words_is_refused_before_it_is_parsed() -> None:
    CommandOrder(id="a", words=["items"] * MAX_WORDS, plain=True)
    for fields in ({"words": ["x"] * (MAX_WORDS + 1)}, {"words": []}, {"id": "i" * 65}):
        with pytest.raises(ValidationError):
            CommandOrder.model_validate({"id": "a", "words": ["items"], "plain": True} | fields)
