"""Test an agent for the command doctor: send it every prompt once in English and once in Chinese, filled in with the samples.
The highest possible cost is shown before the first call."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing

from builders.drafting.samples import sample_documents, sample_items
from builders.perturbations.grammar import KINDS, number_kinds
from builders.perturbations.imperative import TARGET
from builders.variation.edits import CLASSES
from core.agent import Sampling
from core.errors import AgentError, BenchError, Unreadable
from core.nouns import Document, Item, Prompt, Span
from core.progress_reporter import ProgressReporter
from core.quality.conversations import Exchange, format_exchanges
from core.text.language import FULL_LANGUAGES, ByLanguage, language_name
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from core.text.text import split_sentences
from eval.running.window import run_in_window
from prompts.prompt import load, names
from prompts.reply import parse
from workbench.setup.agents import BoundAgent
from workbench.setup.doctor_check import DoctorCheck, PromptCheck

MAX_SENTENCES = 40
"""Maximum number of sentences of a document that a prompt contains."""
MAX_REPLY_TOKENS = 512
"""Maximum number of tokens that a reply may have."""
MAX_AT_ONCE = 8
"""Maximum number of prompts that are sent at the same time."""
PROGRESS_SECONDS = 10.0
"""Minimum number of seconds between two messages about progress."""
MAX_NAMED = 5
"""Maximum number of prompts with unreadable replies that a message names."""
FUNCTIONS = ByLanguage(
    {
        "en": "Search(entity)\n  Opens the page with that title.\n\nFinish(answer)\n  Ends the work with the answer.",
        "zh": "Search(entity)\n  打开该标题的页面。\n\nFinish(answer)\n  给出答案并结束。",
    }
)
"""Example functions that are filled into the prompts of workflow systems."""
TABLES = (
    '{"table": "barriers", "one_row_is": "barrier", "key": "id", "name": "name", "columns": {"id": "text", "name": "text", '
    '"opened": "integer", "town": "text"}, "asked_for": ["opened", "town"], "leads_to": {}}'
)
"""Example table that is filled into the prompt for proposing templates."""


def check_prompts(agent: BoundAgent, say: Callable[[str], None]) -> list[PromptCheck]:
    """Send each prompt in each language; check whether its reply can be read, how long the reply took, and what it cost.
    Several prompts are sent at the same time, because a local model or a reasoning model can take a minute for each."""
    filled = list(fill_prompts())
    worst = [agent.agent.worst_price(prompt, inputs, Sampling(max_tokens=MAX_REPLY_TOKENS)) for prompt, inputs in filled]
    known = [price for price in worst if price is not None]
    cost = "price unknown: set agent.price_in and agent.price_out"
    if len(known) == len(worst):
        cost = f"at most {sum(known):.4f} USD" if any(known) else "free"
    say(f"Sending {agent.name} every prompt of the product in English and Chinese, {len(filled)} requests ({cost}) ...")

    async def check_one(place: int) -> tuple[int, PromptCheck]:
        return place, await check_prompt(agent, *filled[place])

    async def all_of_them() -> list[PromptCheck]:
        progress = ProgressReporter(say, agent.name, "prompts", len(filled), every=PROGRESS_SECONDS)
        checks: dict[int, PromptCheck] = {}
        try:
            async with aclosing(run_in_window(iter(range(len(filled))), check_one, min(agent.width, MAX_AT_ONCE))) as finished:
                async for place, check in finished:
                    checks[place] = check
                    progress.report_progress(len(checks))
        finally:
            await agent.close()
        return [checks[place] for place in sorted(checks)]

    return asyncio.run(all_of_them())


def count_readable(checks: Sequence[PromptCheck]) -> DoctorCheck:
    """Return the result of a check that gives the share of replies that could be read, and the names of the prompts whose
    replies could not. Prompts that were not sent do not count."""
    asked = [check for check in checks if not (check.ok and not check.parsed)]
    unread = [check.name for check in asked if not check.parsed]
    read = len(asked) - len(unread)
    share = f" ({read / len(asked):.0%})" if asked else ""
    more = f" and {len(unread) - MAX_NAMED} more" if len(unread) > MAX_NAMED else ""
    names = f"; not read: {', '.join(unread[:MAX_NAMED])}{more}" if unread else ""
    return DoctorCheck("replies read", not unread, f"{read} of {len(asked)}{share}{names}")


async def check_prompt(agent: BoundAgent, prompt: Prompt, inputs: Mapping[str, object]) -> PromptCheck:
    """Send one prompt to the agent; check whether its reply can be read."""
    try:
        completion = await agent.ask(prompt, inputs, Sampling(max_tokens=MAX_REPLY_TOKENS))
    except AgentError as error:
        return PromptCheck(prompt.name, False, str(error))
    except BenchError:
        if not agent.is_offline:
            raise
        return PromptCheck(prompt.name, True, "not asked: it takes an LLM")
    try:
        values = parse(prompt, completion)
    except Unreadable as error:
        is_cut = completion.finish == "length"
        why = f"The reply was cut off: it is longer than the {MAX_REPLY_TOKENS} tokens of this test." if is_cut else str(error)
        return PromptCheck(prompt.name, False, why, False, completion.seconds, completion.price)
    filled = (str(value) for value in values.values() if value not in ("", [], None))
    said = " ".join((values.get("none") or next(filled, "an empty list")).split())
    price = f", {completion.price:.6f} USD" if completion.price else ""
    summary = f"{completion.seconds:.2f} s{price}: {said[:80]}"
    return PromptCheck(prompt.name, True, summary, True, completion.seconds, completion.price)


def fill_prompts() -> Iterator[tuple[Prompt, Mapping[str, object]]]:
    """Yield every prompt in every language, filled in with inputs from the first sample item of this language."""
    documents = sample_documents()
    items = sample_items(documents)
    for language in FULL_LANGUAGES:
        item = next(i for i in items if i.language == language and i.level == 1)
        document = next(d for d in documents if d.id == item.evidence[0].document)
        inputs = make_inputs(item, document)
        for name in names():
            prompt = load(name, language)
            yield prompt, {key: inputs[key] for key in prompt.inputs}


def make_inputs(item: Item, document: Document) -> dict[str, object]:
    """Return a dict with a value for every placeholder of all prompts, taken from an item and its document."""
    shown = number_around(document, item.evidence[0].start)
    text = document.text[item.evidence[0].start : item.evidence[0].end]
    return {
        "sentences": shown,
        "passages": shown,
        "count": 5,
        "domain": item.domain,
        "reason": "",
        "first": "",
        "previous": "",
        "question": item.question,
        "answer": item.answers[0],
        "prediction": item.answers[0],
        "context": text,
        "reference": text,
        "sentence": item.answers[0],
        "statements": f"a. {item.answers[0]}\nb. {document.title}",
        "text": text,
        "title": document.title,
        "language": language_name(next(other for other in FULL_LANGUAGES if other != item.language)),
        "answers": f"[1] {item.answers[0]}",
        "questions": f"[1] {item.question}",
        "nuggets": f"[1] {item.answers[0]}\n[2] {document.title}",
        "classes": ", ".join(CLASSES),
        "beginning": document.title,
        "hallucinated": text.replace(item.answers[0], document.title),
        "annotations": f"- {document.title}: {item.answers[0]}",
        "known": document.title,
        "memory": text,
        "conversation": format_exchanges([Exchange(document.title, item.answers[0])], item.language),
        "goal": document.title,
        "wanted": item.question,
        "idle": 1,
        "patience": 3,
        "now": "03/05/2024, 10:04:54 PT",
        "so_far": "",
        "searches": 2,
        "query": document.title,
        "documents": f"[1] {text}",
        "reasoning": f"1. {item.question}",
        "contact": document.title,
        "common": f"- {document.title} [1]",
        "differences": f"- {item.answers[0]} [2]",
        "tables": TABLES,
        "kinds": "simple, comparison",
        "error_kinds": number_kinds(KINDS[item.language]),
        "asked": "",
        "target": TARGET[item.language],
        "steps": "",
        "functions": FUNCTIONS[item.language],
    }


def number_around(document: Document, around: int) -> NumberedSentences:
    """Return the document's sentences around the character position `around`, each after its number."""
    cuts = split_sentences(document.text, document.language)
    first = max(0, next((i for i, (start, end) in enumerate(cuts) if end > around), 0) - MAX_SENTENCES // 2)
    return number_sentences(
        [Sentence(Span(document.id, a, b), document.text[a:b], document.title) for a, b in cuts[first : first + MAX_SENTENCES]]
    )
