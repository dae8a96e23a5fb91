"""Send a drafting task's prompt for a window (an excerpt of documents), and turn the reply, which cites sentence numbers, into
an Item with evidence. If a reviewer requested another draft, the prompt contains the reviewer's reason."""

from collections.abc import Mapping, Sequence
from typing import Any

from builders.task import Kit, Window
from core.agent import Sampling
from core.errors import BenchError
from core.nouns import Item, Level, Provenance, Span
from core.text.language import ByLanguage
from core.text.numbered import NumberedSentences
from prompts.prompt import load
from prompts.reply import Reply, ask_for

REASONS = {
    "too easy": {
        "en": "it was too easy: the question nearly repeats its evidence. Ask for something that takes more understanding, "
        "in words that differ from the text's.",
        "zh": "太容易：问题几乎照抄了证据。请换一个更需要理解的问题，并用与原文不同的措辞。",
    },
    "referent named": {
        "en": "it named what it had to hide. Describe the hidden thing by facts from the other passages, "
        "and let no part of its name stand in the question.",
        "zh": "问题里出现了应当隐去的名称。请用其他段落中的事实来描述它，问题中不得出现其名称的任何部分。",
    },
    "not in text": {
        "en": "its answer does not stand in the sentences. Take only what they say, and cite the sentences that say it.",
        "zh": "答案在所给句子中找不到。只能使用句子里写明的内容，并引用写明它的句子。",
    },
    "wrong level": {
        "en": "it was a question of another level. Read the definition again and keep to it.",
        "zh": "问题不属于这一层级。请重读上面的定义并严格遵守。",
    },
}
"""Explanation for the agent why a draft was rejected, by the name of the reason that the reviewer chose; any other reason is
passed on as typed."""
REJECTED_NOTE = ByLanguage(
    {
        "en": "\nA reviewer turned down an earlier draft, because {reason}\n",
        "zh": "\n审阅者退回了先前的一稿，原因是：{reason}\n",
    }
)
EARLIER_QUESTIONS_NOTE = ByLanguage(
    {
        "en": "Do not ask these again, nor a rewording of them; ask about something else:\n{lines}\n",
        "zh": "不要再问下列问题，也不要换个说法再问；请问别的内容：\n{lines}\n",
    }
)


def regeneration(kit: Kit, language: str) -> dict[str, str]:
    """Return the prompt inputs that ask for another draft: `reason` says why the last draft was rejected, and `previous` lists
    questions that must not be asked again, with one line "- QUESTION" per question. For a first draft, both inputs are
    empty."""
    reason = " ".join(kit.reason.split())
    reason = ByLanguage(REASONS[reason.lower()])[language] if reason.lower() in REASONS else reason
    left = list(
        dict.fromkeys(" ".join(question.split()) for question in (kit.previous, *kit.earlier_questions) if question.strip())
    )
    return {
        "reason": REJECTED_NOTE[language].format(reason=reason) if reason else "",
        "previous": EARLIER_QUESTIONS_NOTE[language].format(lines="\n".join(f"- {question}" for question in left))
        if left
        else "",
    }


async def ask_draft(
    name: str, window: Window, kit: Kit, shown: NumberedSentences, more: Mapping[str, object], max_tokens: int
) -> Reply:
    """Return the agent's reply to the prompt `name`, filled with the numbered sentences and the inputs `more`. If a reply cites
    a sentence number that is not in the prompt, the agent is called again. Raises Unreadable if no reply is usable, or
    AgentError if the call fails."""

    def check(values: dict[str, Any]) -> str | None:
        cited = [values["evidence"]] if "evidence" in values else [claim["evidence"] for claim in values["claims"]]
        return next((wrong for numbers in cited if (wrong := _check_citation(shown, numbers))), None)

    inputs = {"sentences": shown, "domain": window.domain} | regeneration(kit, window.language) | dict(more)
    return await ask_for(kit.ask, load(name, window.language), inputs, sampling(kit, max_tokens), check)


def sampling(kit: Kit, max_tokens: int, temperature: float | None = None) -> Sampling:
    """Return the sampling settings for a call of the agent that drafts items. If `temperature` is None, the kit's setting
    `temperature` is used (default 0.7)."""
    warmth = float(kit.settings.get("temperature", 0.7)) if temperature is None else temperature
    return Sampling(temperature=warmth, max_tokens=max_tokens, seed=kit.seed)


def draft_item(
    task: str,
    level: Level,
    window: Window,
    kit: Kit,
    reply: Reply,
    prompt: str,
    answer: str,
    evidence: Sequence[Span],
    labels: Mapping[str, Any] | None = None,
    steps: Sequence[Mapping[str, Any]] = (),
    calls: Sequence[str] = (),
) -> Item:
    """Build an Item from the agent's reply, without id and overlap, which drafting.draft_window adds. `calls` lists the ids of
    all agent calls for the item, if it took several calls."""
    window_step = {"kind": "window", "spans": places(window.spans), "key": window.key}
    again = {"kind": "regeneration", "reason": kit.reason, "previous": kit.previous}
    return Item(
        id="",
        task=task,
        question=reply.values["question"],
        answers=(answer,),
        evidence=tuple(sorted(set(evidence))),
        level=level,
        domain=window.domain,
        language=window.language,
        labels=dict(labels or {}),
        given=window.given_documents,
        steps=(window_step, *([again] if kit.reason or kit.previous else ()), *steps),
        provenance=Provenance(
            agent=kit.agent, prompt=load(prompt, window.language).identity, seed=kit.seed, calls=tuple(calls or reply.calls)
        ),
    )


def places(spans: Sequence[Span]) -> list[list[Any]]:
    """Return each span as [document id, start, end], the form in which an item's drafting steps store spans."""
    return [span.triple for span in spans]


def _check_citation(shown: NumberedSentences, numbers: Sequence[int]) -> str | None:
    if not numbers:
        return "a claim cites no sentence"
    try:
        shown.spans(numbers)
    except BenchError as error:
        return str(error).rstrip(".")
    return None
