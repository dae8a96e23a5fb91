"""Groups of related documents: found by search, held together by a rare name, every hit kept with its reason."""

import json

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.drafting.groups import gather, rare_below
from builders.drafting.windows import windows
from builders.provider import ProviderContext
from builders.providers.corpus import PROVIDER as CORPUS
from builders.task import DocumentFrequencies, FoundDocument, WindowRule
from core.errors import SearchFailed
from core.ids import content_hash
from core.nouns import Document
from tests.builders.drafts import World

FIRE = "The mill of Ada Quill burned down in Wend on 4 May 1904. Ada Quill lost 300 sacks of grain. Nobody was hurt."
COPY = FIRE.replace("300", "310")
SALE = "Ada Quill sold the tower of Orvel on 2 June 1904. She needed the money. The bell went to the school."
SCHOOL = "In 1911 Ada Quill founded a school of weaving. It stands behind the church. It has forty looms."
FAR = "The railway to the slate quarries was opened in 1870. The bishop came. It rained all day."
WORLD = World(FIRE, COPY, SALE, SCHOOL, FAR, domain="news")
CHINESE = World(
    "2031年5月4日，顾雅棠的磨坊失火。火灾没有造成人员伤亡。损失了三百袋粮食。",
    "2031年6月2日，顾雅棠卖掉了钟楼。她需要这笔钱。大钟归学校所有。",
    "铁路于1870年通车。主教出席了仪式。当天整日下雨。",
    language="zh",
    domain="news",
)


def start(world, size, place=0, **rule):
    cut = WindowRule(tokens=24_000, whole_documents=True, documents=size, min_sentences=2, **rule)
    return next(w for w in windows(world.documents, "t", cut, seed=1) if w.given_documents[0] == world.documents[place].id)


async def gathered(world, size, place=0, window=None, **kit):
    kit.setdefault("find_documents", CORPUS.open({}, ProviderContext(documents=lambda: world.documents)))
    window = window or start(world, size, place)
    return await gather("t", size, window, world.kit(ScriptedAgent([]), provider="corpus", **kit))


def hits(window):
    return {hit["document"]: hit for step in window.steps for hit in step["hits"]}


async def test_a_group_shares_a_rare_name_and_holds_no_near_copy():
    window = await gathered(WORLD, 3)
    fire, copy, sale, school, far = (document.id for document in WORLD.documents)
    assert window.given_documents == (fire, sale, school) and not window.unfit
    assert [sentence.span.document for sentence in window.sentences.sentences] == [fire] * 3 + [sale] * 3 + [school] * 3
    found = hits(window)
    assert found[sale]["kept"] and found[sale]["shared"] == ["Ada Quill"] and found[sale]["score"] > 0
    assert not found[copy]["kept"] and "too many" in found[copy]["why"]
    assert far not in found or not found[far]["kept"]
    assert json.loads(json.dumps(window.steps)) == list(window.steps)


async def test_the_same_group_has_one_key_whichever_document_it_began_with():
    one, other = await gathered(WORLD, 3, 0), await gathered(WORLD, 3, 2)
    assert one.given_documents != other.given_documents
    pair = World(FIRE, SALE, domain="news")
    assert (await gathered(pair, 2, 0)).key == (await gathered(pair, 2, 1)).key


async def test_chinese_documents_are_grouped_by_a_persons_name():
    window = await gathered(CHINESE, 2)
    assert window.given_documents == (CHINESE.documents[0].id, CHINESE.documents[1].id)
    assert "顾雅棠" in hits(window)[CHINESE.documents[1].id]["shared"]


@pytest.mark.parametrize(("size", "why"), [(2, "without a related one"), (3, "without two related ones")])
async def test_unrelated_documents_are_no_group(size, why):
    world = World(FIRE, FAR, "Oats grow well on wet ground. So does rye. Wheat does not.", domain="news")
    window = await gathered(world, size)
    assert window.unfit == why and window.given_documents == (world.documents[0].id,)
    assert all(not hit["kept"] and hit["why"] for hit in hits(window).values())


async def test_a_name_that_half_the_corpus_holds_relates_nothing():
    async def everywhere(names):
        return DocumentFrequencies(1000, dict.fromkeys(names, 500))

    assert rare_below(1000) == 100 and rare_below(10) == 20
    assert (await gathered(WORLD, 2, count_documents=everywhere)).unfit == "without a related one"


async def test_a_document_in_another_language_or_too_long_is_left_out_with_its_reason():
    chinese, long = "顾雅（Ada Quill）卖掉了钟楼，因为她需要这笔钱。", SALE + " She wept." * 20_000
    strange = [Document(content_hash(t), t, "T", "news", language) for t, language in ((chinese, "zh"), (long, "en"))]

    async def find(query, k, without):
        return [FoundDocument(document, 2.0) for document in strange]

    window = await gathered(WORLD, 2, find_documents=find)
    found = hits(window)
    assert window.unfit and found[strange[0].id]["why"] == "It is in another language."
    assert found[strange[1].id]["why"] == "It has more than 12,000 tokens."


async def test_what_a_provider_brings_from_outside_comes_into_the_corpus_only_with_its_group():
    kept = []

    async def keep(documents):
        kept.extend(documents)

    outside = [Document(content_hash(text), text, "T", "web") for text in (SALE, FAR)]

    async def find(query, k, without):
        return [FoundDocument(document, 2.0) for document in outside]

    window = await gathered(World(FIRE, domain="news"), 2, add_documents=keep, find_documents=find)
    assert [document.id for document in kept] == [outside[0].id] and kept[0].domain == "news"
    assert window.given_documents[1] == outside[0].id


async def test_a_search_that_fails_is_no_group():
    async def broken(query, k, without):
        raise SearchFailed("no answer")

    with pytest.raises(SearchFailed):
        await gathered(WORLD, 2, find_documents=broken)


def test_a_document_in_another_language_than_it_declares_is_unfit():
    world = World("火灾没有造成人员伤亡。损失了三百袋粮食。", language="en")
    assert "not in the language it is declared to be in (en)" in start(world, 2).unfit
