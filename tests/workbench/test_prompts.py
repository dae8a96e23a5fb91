"""Edited prompts: only words that read and fit are saved; they stand at once, and a job keeps those it was planned with."""

import asyncio
from contextvars import copy_context

import pytest

from core.errors import BenchError
from core.text.language import FULL_LANGUAGES
from prompts.prompt import load, names, read_delivered
from workbench import Workbench
from workbench.control import Control

NAME = "draft/explicit_factoid"
WORDS = read_delivered(NAME)
EDITED = WORDS.replace("You write questions for a benchmark", "You write HARD questions for a benchmark")


@pytest.fixture
def bench():
    with Workbench.open(":memory:") as bench:
        bench.corpus.load_samples()
        yield bench


def asked(bench: Workbench, job: str) -> list[str]:
    """The identities of the drafting prompt that the job's calls carry."""
    rows = bench.database.rows("SELECT DISTINCT prompt FROM call WHERE job = ? AND skill = 'draft' ORDER BY prompt", [job])
    return [prompt for (prompt,) in rows]


def plan(bench: Workbench, count: int = 1) -> str:
    return bench.drafts.plan(
        task="explicit_factoid", domain="law", count=count, agent="offline", seed=1, budget=None, settings={"rag_check": False}
    )


def test_saved_words_stand_at_once_and_the_delivered_ones_come_back(bench):
    before = load(NAME, "en")
    version = bench.prompts.save(NAME, EDITED, by="Ada", note="harder")
    assert "HARD" in load(NAME, "en").messages[0].content and load(NAME, "en").identity == version.identities["en"]
    assert load(NAME, "zh").hash == version.identities["zh"].partition("@")[2] != before.hash
    bench.prompts.choose_version(NAME, None, by="Bo")
    assert load(NAME, "en") == before
    assert [c.by for c in bench.prompts.card(NAME).choices] == ["Ada", "Bo"]


def test_delivered_words_saved_again_make_no_version(bench):
    bench.prompts.save(NAME, EDITED, by="Ada")
    assert bench.prompts.save(NAME, WORDS, by="Ada") is None
    card = bench.prompts.card(NAME)
    assert card.current is None and len(card.versions) == 1


def test_edited_words_of_one_workspace_are_not_those_of_another(bench):
    bench.prompts.save(NAME, EDITED, by="Ada")
    with Workbench.open(":memory:"):
        assert "HARD" not in load(NAME, "en").messages[0].content
    bench.prompts.put_in_force()
    assert "HARD" in load(NAME, "en").messages[0].content
    bench.prompts.close()
    assert "HARD" not in load(NAME, "en").messages[0].content


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("skill: draft", "skill: judge", "cannot become judge"),
        ("purpose:", "aim:", "no purpose"),
        ("$domain\n", "$subject\n", r"fills \$subject"),
        ("question: {type: string, description", "query: {type: string, description", "never names the reply field query"),
        ("items: {type: integer}", "items: {type: string}", "does not fit the reply schema"),
        ("question: {type: string,", "question: {type: string, maxLength: 999,", "another form of reply than its code reads"),
        ('"evidence": [2]}', '"evidence": "two"}', "does not fit the reply schema"),
        ("## user (zh)", "## User (zh)", "text outside its sections"),
    ],
)
def test_words_that_break_the_form_are_one_sentence_and_nothing_is_saved(bench, old, new, words):
    assert old in WORDS
    with pytest.raises(BenchError, match=words):
        bench.prompts.save(NAME, WORDS.replace(old, new), by="Ada")
    assert bench.prompts.card(NAME).versions == () and bench.prompts.card(NAME).current is None


def test_an_input_that_nobody_gives_is_refused(bench):
    text = WORDS.replace("inputs:\n", "inputs:\n  mood: the mood\n").replace("Domain: $domain", "Domain: $domain $mood")
    text = text.replace("领域：$domain", "领域：$domain $mood")
    with pytest.raises(BenchError, match="unknown input mood"):
        bench.prompts.save(NAME, text, by="Ada")


def test_nobody_saves_unsigned(bench):
    with pytest.raises(BenchError, match="your name"):
        bench.prompts.save(NAME, EDITED, by=" ")


def test_calls_carry_the_version_they_were_asked_with_and_are_counted_by_it(bench):
    old = load(NAME, "en").identity
    first = plan(bench)
    asyncio.run(bench.find_job_body("draft")(first, Control()))
    version = bench.prompts.save(NAME, EDITED, by="Ada")
    second = plan(bench)
    assert second != first
    asyncio.run(bench.find_job_body("draft")(second, Control()))
    assert (asked(bench, first), asked(bench, second)) == ([old], [version.identities["en"]])
    counted = bench.prompts.calls(bench.prompts.card(NAME))
    assert set(counted) == {None, 1} and all(n > 0 for n in counted.values())


def test_a_job_planned_before_an_edit_is_worked_in_its_older_words(bench):
    old = load(NAME, "en").identity
    job = plan(bench)
    bench.prompts.save(NAME, EDITED, by="Ada")
    asyncio.run(bench.find_job_body("draft")(job, Control()))
    assert asked(bench, job) == [old]
    assert "HARD" in load(NAME, "en").messages[0].content


def test_a_job_planned_with_edited_words_keeps_them_when_the_delivered_ones_come_back(bench):
    version = bench.prompts.save(NAME, EDITED, by="Ada")
    job = plan(bench)
    bench.prompts.choose_version(NAME, None, by="Ada")
    copy_context().run(asyncio.run, bench.find_job_body("draft")(job, Control()))
    assert asked(bench, job) == [version.identities["en"]]


def test_every_prompt_has_a_use_and_reads_in_both_languages(bench):
    assert [line.name for line in bench.prompts.list_prompts()] == names()
    for name in names():
        card = bench.prompts.card(name)
        assert card.users and set(card.file.prompts) == set(FULL_LANGUAGES) and card.text == card.delivered
