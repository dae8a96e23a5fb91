"""The offline agent, which completes prompts by rules without a model; the prompt's skill and the names of its reply fields
select the rules. The app marks the agent's drafts, answers and verdicts as offline wherever it shows them."""

import json
import re
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from agents.offline import (
    answerer,
    claims,
    conversations,
    edits,
    entities,
    follow_ups,
    judge,
    nuggets,
    queries,
    repairs,
    rewordings,
    statements,
    summaries,
    templates,
    workflow,
)
from agents.offline.chinese import drafter as chinese_drafter
from agents.offline.corpus import OfflineCorpus
from agents.offline.english import drafter as english_drafter
from core.agent import Completion, Sampling
from core.errors import BenchError
from core.ids import canonical_json
from core.nouns import Prompt
from core.quality.conversations import Exchange
from core.quality.crag import ASKED_AT
from core.retrieval.search_tags import BEGIN_QUERY, BEGIN_RESULT, END_QUERY, END_RESULT, FINDINGS, NO_FINDINGS
from core.text.language import FULL_LANGUAGES, explain_missing
from core.text.numbered import NumberedSentences
from core.text.text import content_words

NAME = "offline"
VERSION = 5
"""Version number of the rules' replies, which is part of every request. Increase it when replies change, so that the ledger
does not reuse old ones."""

Reply = Callable[[Prompt, Mapping[str, object], OfflineCorpus], Mapping[str, Any] | str]


class OfflineAgent:
    """Agent that replies by rules without a model. `corpus` contains the documents that its rules search; None = the rules use
    only the sentences of each prompt."""

    name = NAME
    is_offline = True
    context: int | None = None

    def __init__(self, corpus: OfflineCorpus | None = None) -> None:
        self.corpus = corpus

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Return everything that the reply depends on: the filled prompt, the names of its reply fields, the corpus and the
        sample index."""
        return {
            "agent": self.name,
            "version": VERSION,
            "prompt": prompt.identity,
            "fields": sorted(prompt.fields),
            "messages": [[m.role, m.content] for m in prompt.fill(inputs)],
            "index": sampling.index,
            "inputs": {name: str(inputs[name]) for name in sorted(inputs)},
            "corpus": self.corpus.fingerprint if self.corpus else None,
            **sampling.continuation,
        }

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        """Return a price of 0, because the offline agent makes no paid call."""
        return 0.0

    def is_able(self, prompt: Prompt) -> bool:
        """Return whether the offline agent has rules for the prompt's language, skill and reply fields."""
        return prompt.language in FULL_LANGUAGES and (prompt.skill, prompt.fields - {"none"}) in REPLIES

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Complete the prompt by rules. Raises BenchError for an unsupported language, skill or set of reply fields."""
        if prompt.language not in FULL_LANGUAGES:
            why = explain_missing("The offline agent drafts, answers and judges", prompt.language)
            raise BenchError(f"{why} Choose an agent with a language model.")
        started = perf_counter()
        filled = {**inputs, "so_far": sampling.prefill} if sampling.prefill else inputs
        reply = reply_for(prompt)(prompt, filled, self._corpus_for(prompt, inputs))
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        return Completion(text, seconds=perf_counter() - started, price=0.0, attempts=0)

    def _corpus_for(self, prompt: Prompt, inputs: Mapping[str, object]) -> OfflineCorpus:
        if self.corpus is not None:
            return self.corpus
        numbered = inputs.get("sentences")
        return OfflineCorpus.from_sentences(
            numbered if isinstance(numbered, NumberedSentences) else NumberedSentences(()), prompt.language
        )


def reply_for(prompt: Prompt) -> Reply:
    """Return the rule that replies to the prompt. Raises BenchError if there is no rule for the prompt's skill and reply
    fields."""
    fields = prompt.fields - {"none"}
    reply = REPLIES.get((prompt.skill, fields))
    if reply is None:
        known = ", ".join(sorted(f"{skill} ({', '.join(sorted(names)) or 'plain text'})" for skill, names in REPLIES))
        wanted = f"{prompt.skill} ({', '.join(sorted(fields)) or 'plain text'})"
        raise BenchError(
            f"The offline agent has no rules for {wanted}, which prompt {prompt.name} needs; it has rules for {known}."
        )
    return reply


def _explicit(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    drafter = chinese_drafter if prompt.language == "zh" else english_drafter
    factoid = drafter.draft_factoid(_sentences(prompt, inputs), corpus, _seed(inputs), _text(inputs, "previous"))
    if factoid is None:
        return {
            "question": "",
            "answer": "",
            "evidence": [],
            "none": "No sentence here can be asked about without its context.",
        }
    return {"question": factoid.question, "answer": factoid.answer, "evidence": list(factoid.evidence)}


def _conversation(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    shown, language = _sentences(prompt, inputs), prompt.language
    given = re.search(r"^Question: (.*)\nAnswer: (.*)$", _text(inputs, "first"), re.MULTILINE)
    first = Exchange(given[1], given[2]) if given else None
    drafted = conversations.draft(shown, corpus, language, _seed(inputs), _text(inputs, "previous"), first)
    return drafted or conversations.describe_none(language)


def _summary(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    summary = summaries.summarise(_sentences(prompt, inputs), prompt.language)
    if summary is None or summary.event in _text(inputs, "previous"):
        return {"event": "", "summary": "", "evidence": [], "none": "No sentence here tells an event by itself."}
    return {"event": summary.event, "summary": summary.summary, "evidence": list(summary.evidence)}


def _passages(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    numbered = inputs.get("passages")
    if not isinstance(numbered, NumberedSentences):
        raise BenchError(
            f"Prompt {prompt.name} contains no numbered passages, and the offline agent chooses a passage by its number: "
            "use another agent."
        )
    return {
        "passages": answerer.choose_passages(
            _text(inputs, "question"), numbered, int(_text(inputs, "count") or 5), corpus, prompt.language
        )
    }


def _statements(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    sentences = inputs.get("sentences")
    numbered = sentences if isinstance(sentences, NumberedSentences) else NumberedSentences(())
    made = statements.true_and_false(_text(inputs, "answer"), numbered, corpus, prompt.language)
    return {"true": list(made.true), "false": list(made.false)}


def _edit(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    shown = [" ".join(sentence.text.split()) for sentence in _sentences(prompt, inputs).sentences]
    edit = edits.edit(shown, _text(inputs, "beginning"), corpus, prompt.language, _seed(inputs))
    if edit is None:
        return {
            "class": "number",
            "sentence": 0,
            "was": "",
            "is": "",
            "none": "No word here can be exchanged so that the text still reads well.",
        }
    return {"class": edit.kind, "sentence": edit.sentence, "was": edit.was, "is": edit.put}


def _repair(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    notes, article = _text(inputs, "annotations"), _sentences(prompt, inputs)
    repair = repairs.after_notes(_text(inputs, "hallucinated"), notes, article, prompt.language)
    if repair is None:
        return {"repaired": "", "evidence": [], "none": "Nothing would be left of the text without what is annotated."}
    return {"repaired": repair.text, "evidence": list(repair.evidence)}


def _answer(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> str:
    if "hallucinated" in prompt.inputs:
        return repairs.by_text(_text(inputs, "hallucinated"), _text(inputs, "context"), prompt.language)
    if prompt.name.startswith("answer/continuation"):
        continuation = summaries.go_on(_text(inputs, "question"), _text(inputs, "context"), prompt.language)
        return continuation or answerer.REFUSAL[prompt.language]
    limit = 5 if prompt.name.startswith(("answer/long", "answer/summary")) else 1
    if prompt.name.startswith("answer/reports"):
        limit = answerer.things_asked(_text(inputs, "question"))
    question = follow_ups.resolve_text(_text(inputs, "question"), prompt.language)
    return answerer.answer(question, _text(inputs, "context"), prompt.language, sentences=limit)


def _workflow(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> str:
    """Return the next reply of a multi-step workflow: a search with the question's content words, the findings in given
    documents, or an answer from the search results. If the prompt offers functions, agents/offline/workflow.py writes the
    reply."""
    if "functions" in inputs:
        offered = _text(inputs, "functions")
        question = _text(inputs, "question").partition(f"\n\n{ASKED_AT[prompt.language]}")[0]
        if "steps" in inputs:
            return workflow.step(offered, question, _text(inputs, "steps"), prompt.language)
        return workflow.program(offered, question, prompt.language)
    if "documents" in inputs:
        shown = re.sub(r"^\[\d+\] ", "", _text(inputs, "documents"), flags=re.MULTILINE)
        answer = answerer.answer(_text(inputs, "query"), shown, prompt.language, sentences=3)
        is_nothing = answer == answerer.REFUSAL[prompt.language]
        return f"{FINDINGS[prompt.language]}\n{NO_FINDINGS[prompt.language] if is_nothing else answer}"
    if "so_far" not in inputs:
        raise BenchError(f"The offline agent has no rules for prompt {prompt.name}: choose an agent with an LLM.")
    question = _text(inputs, "question")
    _, is_searched, result = _text(inputs, "so_far").partition(BEGIN_RESULT)
    wanted = list(dict.fromkeys(content_words(question, prompt.language)))
    if not is_searched and wanted:
        return f"{BEGIN_QUERY}{' '.join(wanted)}{END_QUERY}"
    return f"\\boxed{{{answerer.answer(question, result.partition(END_RESULT)[0], prompt.language)}}}"


def _clues(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    asked = _text(inputs, "question")
    return {"surrogate": asked, "clues": queries.clues(asked, _text(inputs, "memory"), prompt.language)}


def _break_grammar(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    broken = rewordings.break_grammar(_text(inputs, "question"), _text(inputs, "reason"), prompt.language)
    if broken is None:
        return {"faulty": "", "error": "", "none": "No rule finds anything in the text that an error could be put into."}
    return {"faulty": broken[0], "error": broken[1]}


def _templates(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
    kinds = [kind.strip() for kind in _text(inputs, "kinds").split(",")]
    count, asked = int(_text(inputs, "count") or 1), _text(inputs, "asked").splitlines()
    proposals = templates.propose_templates(_text(inputs, "tables"), kinds, count, asked, prompt.language)
    if not proposals:
        return {"templates": [], "none": "No rule finds anything else to ask of these tables."}
    return {"templates": proposals}


def _apply(rule: Callable[..., Any], *names: str, field: str = "") -> Reply:
    """Return a function that replies to a prompt by calling `rule` with the prompt's inputs `names` and its language. `field`
    names the only field of the reply; "" = the rule returns the whole reply."""

    def reply(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Any:
        value = rule(*(_text(inputs, name) for name in names), prompt.language)
        return {field: value} if field else value

    return reply


def _apply_rewording(rule: Callable[..., str | None], *names: str, field: str) -> Reply:
    """Return a function that replies with the rewording that `rule` returns or, if `rule` returns None, with an explanation in
    the field "none"."""

    def reply(prompt: Prompt, inputs: Mapping[str, object], corpus: OfflineCorpus) -> Mapping[str, Any]:
        text = rule(*(_text(inputs, name) for name in names), prompt.language)
        return {field: text} if text else {field: "", "none": "It is not a sentence that a rule could put in other words."}

    return reply


REPLIES: Mapping[tuple[str, frozenset[str]], Reply] = {
    ("draft", frozenset({"question", "answer", "evidence"})): _explicit,
    ("draft", frozenset({"goal", "turns"})): _conversation,
    ("draft", frozenset({"event", "summary", "evidence"})): _summary,
    ("draft", frozenset({"class", "sentence", "was", "is"})): _edit,
    ("draft", frozenset({"repaired", "evidence"})): _repair,
    ("draft", frozenset({"templates"})): _templates,
    ("extract", frozenset({"passages"})): _passages,
    ("extract", frozenset({"true", "false"})): _statements,
    ("extract", frozenset({"claims"})): _apply(claims.claims, "text", field="claims"),
    ("extract", frozenset({"questions"})): _apply(claims.questions, "text", field="questions"),
    ("extract", frozenset({"nugget_questions"})): _apply(nuggets.ask_about, "nuggets", field="nugget_questions"),
    ("extract", frozenset({"answers"})): _apply(claims.answers, "text", "questions", field="answers"),
    ("extract", frozenset({"nuggets"})): _apply(nuggets.draft, "question", "answer", "sentences", field="nuggets"),
    ("extract", frozenset()): _apply(summaries.digest, "text"),
    ("extract", frozenset({"entities", "relations"})): _apply(entities.extract_entities, "text", "known"),
    ("rewrite", frozenset()): _apply(queries.passage, "question"),
    ("rewrite", frozenset({"queries"})): _apply(queries.queries, "question", field="queries"),
    ("rewrite", frozenset({"standalone"})): _apply(follow_ups.standalone, "conversation", "question", field="standalone"),
    ("rewrite", frozenset({"surrogate", "clues"})): _clues,
    ("rewrite", frozenset({"casual"})): _apply_rewording(rewordings.reword_casually, "question", field="casual"),
    ("rewrite", frozenset({"harder"})): _apply_rewording(rewordings.reword_harder, "question", field="harder"),
    ("rewrite", frozenset({"restated"})): _apply_rewording(rewordings.restate, "question", "target", field="restated"),
    ("rewrite", frozenset({"faulty", "error"})): _break_grammar,
    ("answer", frozenset()): _answer,
    ("workflow", frozenset()): _workflow,
    ("judge", frozenset({"score"})): _apply(judge.agreement, "answer", "prediction", field="score"),
    ("judge", frozenset({"contained"})): _apply(judge.containment, "reference", "sentence", field="contained"),
    ("judge", frozenset({"supported"})): _apply(judge.list_supported, "prediction", "statements", field="supported"),
    ("judge", frozenset({"support"})): _apply(claims.support, "statements", "context", field="support"),
    ("judge", frozenset({"verdicts"})): _apply(nuggets.verdicts, "question", "prediction", "nuggets", field="verdicts"),
    ("judge", frozenset({"correct", "why"})): _apply(claims.correct, "answer", "prediction"),
}
"""Dict from (skill, names of the reply fields) to the function that replies. No other part of a prompt affects the choice."""


def _text(inputs: Mapping[str, object], name: str) -> str:
    return str(inputs.get(name, "") or "")


def _sentences(prompt: Prompt, inputs: Mapping[str, object]) -> NumberedSentences:
    numbered = inputs.get("sentences")
    if not isinstance(numbered, NumberedSentences):
        raise BenchError(
            f"Prompt {prompt.name} contains no numbered sentences, and the offline agent cites evidence by sentence number: "
            "use another agent."
        )
    return numbered


def _seed(inputs: Mapping[str, object]) -> str:
    return canonical_json({name: str(inputs[name]) for name in sorted(inputs)})
