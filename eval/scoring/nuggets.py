"""Draft the nuggets of a question, the short facts that a good answer must (vital) or may (okay) contain, and check which of
them an answer contains: one call drafts all nuggets, one call checks all of them (AutoNuggetizer, arXiv 2504.15068, which makes
further calls for the importance of the nuggets and for each ten of them)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from core.agent import await_each
from core.nouns import Importance, Span
from core.text.numbered import Sentence
from core.text.text import split_sentences
from eval.metric import NO_GOLD, ScoringCase, Unscored
from eval.retriever import Embedders
from eval.scoring.claims import number_texts
from eval.scoring.judging import JudgeReply, ask_judge, decide_by_majority, index_entries, quote_entry
from eval.settings import Settings, read_choice
from eval.system import AskInRun
from prompts.prompt import load

DRAFT = "extract/nuggets"
"""Name of the prompt that lists the nuggets of a question: its inputs are `question`, `answer` and `sentences`, its reply field
`nuggets`."""
SUPPORT = "judge/nuggets"
"""Name of the prompt that checks which nuggets an answer contains: its inputs are `question`, `prediction` and `nuggets`, its
reply field `verdicts`."""
MAX_NUGGETS = 30
"""Maximum number of nuggets of one question, as in AutoNuggetizer."""
MAX_SENTENCES = 100
"""Maximum number of evidence sentences in the prompt for nuggets; further sentences are left out."""
DRAFT_TOKENS = 4_096
"""Maximum number of tokens of a reply with the nuggets of a question."""
VERDICTS: Mapping[str, float] = {"support": 1, "partial_support": 0.5, "not_support": 0}
"""Dict from verdict to the value of a nugget with this verdict (arXiv 2411.09607)."""
_WORDS = tuple(VERDICTS)
LEFT_OUT = "left out: "
CLAIMS = ("text", "nuggets")
"""Values of the setting `claims` of metrics that judge the claims of a gold answer: its text, or the nuggets of the item."""
AS_CLAIMS = "claims nuggets"
"""Part of a score's version, which says that the nuggets were used as the claims of the gold answer."""
CLAIMS_SETTING: Settings = MappingProxyType({"claims": "text"})


class WeighedNugget(NamedTuple):
    """One fact that a good answer to a question must or may contain."""

    text: str
    importance: Importance
    """"vital" = a good answer must contain the fact, "okay" = it may."""
    sentences: tuple[int, ...] = ()
    """Numbers, from 1, of the evidence sentences that state the fact."""

    def record(self) -> dict[str, Any]:
        """Return the nugget as JSON values."""
        return {"text": self.text, "importance": self.importance, "evidence": list(self.sentences)}


class NuggetDraft(NamedTuple):
    """The nuggets that an agent drafted for a question."""

    nuggets: tuple[WeighedNugget, ...] | None
    """The drafted nuggets, at most MAX_NUGGETS; None = the agent's reply is unreadable."""
    reply: JudgeReply


@dataclass(frozen=True, slots=True)
class CheckedNugget:
    """One nugget, with the verdict on whether an answer contains it."""

    nugget: WeighedNugget
    value: float | None
    """How far the answer contains the nugget: 1 = wholly, 0.5 = partly, 0 = not; None = no readable verdict, or a tie of the
    votes."""
    replies: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the nugget and its verdict as JSON values, in the form of the verdicts on claims."""
        return {
            "side": "nugget",
            "sentence": self.nugget.text,
            "importance": self.nugget.importance,
            "value": self.value,
            "replies": list(self.replies),
            "calls": list(self.calls),
            "passages": None,
        }


def cut_evidence(evidence: Iterable[Span], text: Callable[[Span], str], language: str) -> list[Sentence]:
    """Return the sentences of the evidence in order, each once. `text` returns the text of a span."""
    sentences: dict[Span, Sentence] = {}
    for span in evidence:
        whole = text(span)
        for start, end in split_sentences(whole, language):
            place = Span(span.document, span.start + start, span.start + end)
            sentences.setdefault(place, Sentence(place, whole[start:end]))
    return list(sentences.values())


async def draft_nuggets(
    ask: AskInRun, question: str, answer: str, language: str, sentences: Sequence[Sentence] = ()
) -> NuggetDraft:
    """Draft the nuggets of a question from its gold answer and the sentences of its evidence. Invalid sentence numbers, and
    nuggets with the same words as an earlier nugget, are left out. Raises AgentError if the call fails."""
    shown = [sentence.text for sentence in sentences[:MAX_SENTENCES]]
    inputs = {"question": question, "answer": answer, "sentences": number_texts(dict(enumerate(shown, 1)))}
    reply = await ask_judge(ask, load(DRAFT, language), inputs, max_tokens=DRAFT_TOKENS)
    if reply.values is None:
        return NuggetDraft(None, reply)
    nuggets: dict[str, WeighedNugget] = {}
    for entry in reply.values["nuggets"]:
        words = " ".join(entry["text"].split())
        numbers = tuple(sorted({number for number in entry["sentences"] if 1 <= number <= len(shown)}))
        if words:
            nuggets.setdefault(words.lower(), WeighedNugget(words, entry["importance"], numbers))
    return NuggetDraft(tuple(nuggets.values())[:MAX_NUGGETS], reply)


def takes_nuggets(settings: Settings) -> bool:
    """Return whether a metric with these settings takes the nuggets of an item as the claims of its gold answer. Raises
    BenchError if the setting `claims` is invalid."""
    return "claims" in settings and read_choice(settings, "claims", CLAIMS) == "nuggets"


def describe_claims(settings: Settings, embedders: Embedders) -> str:
    """Return the part of a score's version that says that nuggets are used as the claims of the gold answer; "" if they are not
    used."""
    return AS_CLAIMS if takes_nuggets(settings) else ""


def describe_set(case: ScoringCase, settings: Settings) -> str:
    """Return the part of a score's version that says which version of a nugget set the case has; "" = a draft."""
    return str(case.extra.get("nuggets_version", ""))


def describe_claim_set(case: ScoringCase, settings: Settings) -> str:
    """Return `describe_set` if the settings take the nuggets as the claims of the gold answer, else ""."""
    return describe_set(case, settings) if takes_nuggets(settings) else ""


async def prepare_nuggets(case: ScoringCase, ask: AskInRun, details: dict[str, Any]) -> list[WeighedNugget] | Unscored:
    """Return the nuggets that the case contains, or else draft nuggets from its gold answer. Returns Unscored if there are no
    nuggets. Adds the call of a draft and the drafted set to `details`. Raises AgentError if the call fails."""
    if (given := case.extra.get("nuggets")) is not None:
        try:
            nuggets = read_nuggets(given)
        except ValueError as error:
            return Unscored(str(error))
    else:
        if not case.answers:
            return NO_GOLD
        draft = await draft_nuggets(ask, case.question, case.answers[0], case.language, case.gold_sentences())
        details["asked"] = draft.reply.record(question=case.question, text=case.answers[0])
        if draft.nuggets is None:
            return Unscored("not read: the nuggets of the gold answer")
        nuggets = list(draft.nuggets)
        details["nugget_set"] = [nugget.record() for nugget in nuggets]
    return nuggets or Unscored(f"{LEFT_OUT}no nugget in the gold answer")


def join_nuggets(nuggets: Iterable[WeighedNugget]) -> str:
    """Return the facts as one text, which a question set about them is about. The bullets tell it from the same text as a gold
    answer, which has a question set of its own."""
    return "\n".join(f"• {nugget.text}" for nugget in nuggets)


def read_nuggets(given: object) -> list[WeighedNugget]:
    """Return the nuggets in a list of {"text", "importance"} objects; their other fields are ignored. Raises ValueError with a
    sentence that says which entry is wrong."""
    if not isinstance(given, list):
        raise ValueError('The nuggets are not a list: give a list of {"text", "importance"}.')
    nuggets: dict[str, WeighedNugget] = {}
    for place, row in enumerate(given, 1):
        text, importance = (row.get("text"), row.get("importance")) if isinstance(row, Mapping) else (None, None)
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f'Nugget {place} has no text: give {{"text", "importance"}}.')
        if importance != "vital" and importance != "okay":
            raise ValueError(f"Nugget {place} has the importance {importance!r}: give vital or okay.")
        words = " ".join(text.split())
        nuggets.setdefault(words.lower(), WeighedNugget(words, importance))
    return list(nuggets.values())


async def check_nuggets(
    ask: AskInRun, question: str, prediction: str, nuggets: Sequence[WeighedNugget], language: str, votes: int
) -> list[CheckedNugget]:
    """Return each nugget with the verdict on whether the prediction contains it; each vote is one call. An empty prediction
    contains no nugget, and is not judged. Raises AgentError if a call fails."""
    if not prediction.strip():
        return [CheckedNugget(nugget, 0) for nugget in nuggets]
    numbered = number_texts({number: nugget.text for number, nugget in enumerate(nuggets, 1)})
    inputs, prompt = {"question": question, "prediction": prediction, "nuggets": numbered}, load(SUPPORT, language)
    replies = await await_each(ask_judge(ask, prompt, inputs, vote, votes) for vote in range(votes))
    calls = tuple(call for reply in replies for call in reply.calls)
    read = [index_entries(reply, "verdicts", "nugget") for reply in replies]
    checked = []
    for number, nugget in enumerate(nuggets, 1):
        verdict = decide_by_majority([_WORDS.index(vote[number]["verdict"]) for vote in read if number in vote])
        value = None if verdict is None else VERDICTS[_WORDS[verdict]]
        quotes = tuple(quote_entry(reply, "verdicts", "nugget", number) for reply in replies)
        checked.append(CheckedNugget(nugget, value, quotes, calls))
    return checked
