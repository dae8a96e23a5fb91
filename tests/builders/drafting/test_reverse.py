"""Reverse construction: a whole document becomes an event with its summary, or two halves; its source is left out, every hit
is kept with its reason."""

import json

import pytest

from agents.offline.agent import OfflineAgent
from agents.scripted.scripted import ScriptedAgent
from builders.drafting.drafting import draft_window
from builders.drafting.windows import windows
from builders.near_duplicate_index import NearDuplicateIndex
from builders.provider import ProviderContext
from builders.providers.corpus import PROVIDER as CORPUS
from builders.task import FoundDocument, Task, WindowRule
from core.catalog import catalog
from core.errors import BenchError, SearchFailed
from prompts.prompt import load
from tests.builders.drafts import World

TASKS = catalog("builders.tasks", "TASK", Task)
FIRE = (
    "The mill of Wend burned down on 4 May 1904. Nobody was hurt in the fire at the mill. Ada Quill, who owned it, lost 300 "
    "sacks of grain. The fire began in the drying room. She means to build the mill again."
)
COPY = FIRE.replace("300", "310")
OTHER = "Wend has lost its mill to a fire in May 1904, and the baker now buys flour in Orvel. Ada Quill sold the tower."
FAR = "The railway to the slate quarries was opened in 1870 by the bishop."
ENGLISH = World(FIRE, COPY, OTHER, FAR, domain="news")
CHINESE = World(
    "1904年5月4日，文德磨坊失火。火灾没有造成人员伤亡。业主顾雅损失了三百袋粮食。起火点在烘干房。",
    "1904年5月4日，文德磨坊失火。火灾没有造成人员伤亡。业主顾雅损失了三百袋粮食。起火点在烘干间。",
    "文德镇的磨坊五月被大火烧毁，面包师只好到奥维尔买面粉，顾雅卖掉了钟楼。",
    language="zh",
    domain="news",
)


def window_of(world, task):
    return next(
        w for w in windows(world.documents, task, TASKS[task].window, seed=1) if w.given_documents[0] == world.documents[0].id
    )


def finding(world):
    return CORPUS.open({}, ProviderContext(documents=lambda: world.documents))


async def made(task, agent, world, **kit):
    kit.setdefault("find_documents", finding(world))
    window = window_of(world, task)
    found = world.kit(agent, settings={"rag_check": False}, provider="corpus", **kit)
    return [one async for one in draft_window(task, TASKS[task], window, found, NearDuplicateIndex(), world.text_of)]


def event(evidence=(1, 3)):
    values = {"event": "The mill of Wend burned down in May 1904.", "summary": "A fire took the mill and 300 sacks of grain."}
    return ScriptedAgent([json.dumps(values | {"evidence": list(evidence)})])


async def test_a_summary_asks_for_the_event_and_leaves_its_source_out():
    [(item, verdicts)] = await made("summary", event(), ENGLISH)
    source, copy, other, _ = ENGLISH.documents
    assert (item.question, item.answers[0][:6], item.level) == ("The mill of Wend burned down in May 1904.", "A fire", None)
    assert [ENGLISH.text_of(span) for span in item.evidence] == [
        "The mill of Wend burned down on 4 May 1904.",
        "Ada Quill, who owned it, lost 300 sacks of grain.",
    ]
    assert item.labels == {"source": source.id} and TASKS["summary"].excluded_documents(item) == (source.id,)
    assert source.id not in item.given and copy.id not in item.given and other.id in item.given
    assert item.status == "drafted" and {v.gate: v.outcome for v in verdicts}["evidence"] == "pass"
    assert item.provenance.prompt == load("draft/summary", "en").identity


async def test_every_hit_is_kept_in_the_steps_with_its_score_and_why():
    [(item, _)] = await made("summary", event(), ENGLISH)
    [step] = [step for step in item.steps if step["kind"] == "search"]
    assert step["query"] == item.question and step["provider"] == "corpus" and step["limits"]["containment"] == 0.5
    hits = {hit["document"]: hit for hit in step["hits"]}
    copy = hits[ENGLISH.documents[1].id]
    assert not copy["kept"] and copy["containment"] > 0.5 and "too many" in copy["why"] and copy["score"] > 0
    assert all(hit["why"] and hit["title"] for hit in hits.values())
    assert ENGLISH.documents[0].id not in hits
    assert json.loads(json.dumps(step)) == step


@pytest.mark.parametrize(("world", "first", "second"), [(ENGLISH, 3, 2), (CHINESE, 2, 2)])
async def test_a_continuation_is_the_real_second_half_and_the_odd_sentence_goes_to_the_first(world, first, second):
    [(item, verdicts)] = await made("continuation", ScriptedAgent([]), world)
    source, copy, other = world.documents[:3]
    between = " " if item.language == "en" else ""
    assert item.question + between + item.answers[0] == source.text
    assert len(item.evidence) == second and [world.text_of(span) for span in item.evidence] == [
        sentence.text for sentence in window_of(world, "continuation").sentences.sentences[first:]
    ]
    searches = [step for step in item.steps if step["kind"] == "search"]
    assert [step["query"] for step in searches] == [world.text_of(span) for span in item.evidence]
    assert other.id in item.given and not {source.id, copy.id} & set(item.given) and len(set(item.given)) == len(item.given)
    assert item.provenance.agent is None and item.provenance.calls == ()
    assert not [v for v in verdicts if v.outcome == "refuse"]


@pytest.mark.parametrize("world", [ENGLISH, CHINESE])
async def test_the_offline_agent_sums_up_in_both_languages(world):
    [(item, verdicts)] = await made("summary", OfflineAgent(), world)
    assert item.language == world.documents[0].language and len(item.question) < len(item.answers[0])
    assert item.status == "drafted" and {v.gate: v.outcome for v in verdicts}["figures"] == "pass"
    assert {span.document for span in item.evidence} == {world.documents[0].id}


async def test_a_provider_that_gives_the_source_alone_leaves_an_item_that_is_flagged():
    async def itself(query, k, without):
        return [FoundDocument(ENGLISH.documents[0], 1.0)]

    [(item, verdicts)] = await made("summary", event(), ENGLISH, find_documents=itself)
    [step] = [step for step in item.steps if step["kind"] == "search"]
    assert item.given == () and step["hits"][0]["why"] == "It is the source itself."
    support = next(v for v in verdicts if v.gate == "support")
    assert support.outcome == "flag" and "all 1 hits are near copies" in support.why


async def test_a_provider_that_gives_nothing_leaves_an_item_that_is_flagged():
    async def nothing(query, k, without):
        return []

    [(_, verdicts)] = await made("continuation", ScriptedAgent([]), ENGLISH, find_documents=nothing)
    assert next(v for v in verdicts if v.gate == "support").why.endswith("the search found nothing.")


async def test_a_search_that_fails_is_no_item():
    async def broken(query, k, without):
        raise SearchFailed("no answer")

    with pytest.raises(SearchFailed):
        await made("continuation", ScriptedAgent([]), ENGLISH, find_documents=broken)


async def test_kept_documents_come_into_the_corpus_and_dropped_ones_do_not():
    kept = []

    async def keep(documents):
        kept.extend(documents)

    await made("summary", event(), ENGLISH, add_documents=keep)
    names = {document.id for document in kept}
    assert ENGLISH.documents[2].id in names and ENGLISH.documents[1].id not in names
    assert {document.domain for document in kept} == {"news"}


async def test_a_kit_without_a_provider_says_so():
    with pytest.raises(BenchError, match="no search provider"):
        [d async for d in TASKS["continuation"].draft(window_of(ENGLISH, "continuation"), ENGLISH.kit(ScriptedAgent([])))]


def test_whole_documents_come_once_each_and_unfit_ones_with_their_reason():
    three = World("One river. Two rivers. Three rivers.", FIRE, "A river flows. " * 200)
    rule = WindowRule(200, whole_documents=True, min_sentences=4)
    found = {window.given_documents[0]: window for window in windows(three.documents, "continuation", rule, seed=3)}
    short, fit, long = (found[document.id] for document in three.documents)
    assert (short.unfit, fit.unfit, long.unfit) == ("of fewer than 4 sentences", "", "of more than 200 tokens")
    assert (fit.spans[0].start, fit.spans[0].end, len(fit.sentences)) == (0, len(FIRE), 5)
    assert len(found) == 3 and not [
        *windows(three.documents, "continuation", rule, seed=3, tried=[w.key for w in found.values()])
    ]


def test_a_smaller_agent_context_makes_more_documents_too_long():
    found = [*windows(ENGLISH.documents, "summary", WindowRule(8192, whole_documents=True), seed=1, agent_context=4096 + 64)]
    assert {window.unfit for window in found if window.given_documents[0] == ENGLISH.documents[3].id} == {""}
    long = World("A river flows to the sea. " * 40)
    assert next(windows(long.documents, "summary", WindowRule(8192, whole_documents=True), seed=1, agent_context=4160)).unfit
