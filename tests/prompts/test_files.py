"""Every prompt file keeps the form, speaks both languages, and its own examples pass the gates that drafts must pass."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from agents.openai.openai_request import make_strict_schema
from builders.gates.evidence import contains_answer
from core.agent import Completion
from core.text.figures import list_missing_figures
from prompts.prompt import load, names, read, read_delivered
from prompts.reply import parse

STRICT_WORDS = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "description",
    "enum",
    "const",
    "anyOf",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
}
"""What OpenAI's structured outputs take."""
OWN_WORDS = ("rationale", "summary", "common_elements", "differences", "joined_question")
"""Prompts whose replies are not cut from the text."""
WINDOW = {"sentences", "domain", "reason", "previous"}
EXPECTED = {
    "draft/explicit_factoid": ("draft", WINDOW, {"question", "answer", "evidence", "none"}),
    "draft/implicit_factoid": (
        "draft",
        {"question", "answer", "sentences", "reason", "previous"},
        {"question", "answer", "evidence", "referent", "none"},
    ),
    "draft/explicit_rationale": ("draft", WINDOW, {"question", "claims", "none"}),
    "draft/implicit_rationale": ("draft", WINDOW, {"question", "theme", "claims", "none"}),
    "draft/summary": ("draft", WINDOW, {"event", "summary", "evidence", "none"}),
    "draft/qa_one_document": ("draft", WINDOW, {"question", "answer", "evidence", "none"}),
    "draft/common_elements": ("draft", {"sentences", "domain"}, {"common", "contact", "none"}),
    "draft/differences": ("draft", {"sentences", "domain", "contact"}, {"differences", "none"}),
    "draft/joined_question": (
        "draft",
        WINDOW | {"contact", "common", "differences"},
        {"focus", "question", "answer", "evidence", "none"},
    ),
    "draft/reconstruction": (
        "draft",
        {"sentences", "domain", "contact", "question", "answer", "reason"},
        {"rewritten", "depends", "none"},
    ),
    "draft/conversation": ("draft", {"sentences", "domain", "reason", "previous", "first"}, {"goal", "turns", "none"}),
    "draft/template": ("draft", {"tables", "kinds", "count", "asked"}, {"templates", "none"}),
    "draft/hallucinated_span": (
        "draft",
        {"beginning", "sentences", "classes", "reason"},
        {"class", "sentence", "was", "is", "none"},
    ),
    "draft/hallucination_repair": (
        "draft",
        {"beginning", "hallucinated", "annotations", "sentences", "reason"},
        {"repaired", "evidence", "none"},
    ),
    "extract/select_passages": ("extract", {"question", "passages", "count"}, {"passages"}),
    "extract/statements": ("extract", {"question", "answer", "sentences"}, {"true", "false"}),
    "extract/digest": ("extract", {"text"}, set()),
    "extract/entities": ("extract", {"text", "known"}, {"entities", "relations"}),
    "vary/formality": ("rewrite", {"question", "reason"}, {"casual", "none"}),
    "vary/readability": ("rewrite", {"question", "reason"}, {"harder", "none"}),
    "vary/sentence_type": ("rewrite", {"question", "target", "reason"}, {"restated", "none"}),
    "vary/grammar": ("rewrite", {"question", "error_kinds", "reason"}, {"faulty", "error", "none"}),
    "rewrite/hypothetical_passage": ("rewrite", {"question"}, set()),
    "rewrite/search_queries": ("rewrite", {"question"}, {"queries"}),
    "rewrite/user_message": ("rewrite", {"goal", "wanted", "conversation", "idle", "patience"}, {"move", "message"}),
    "rewrite/standalone_question": ("rewrite", {"conversation", "question"}, {"standalone"}),
    "rewrite/memory_clues": ("rewrite", {"memory", "question"}, {"surrogate", "clues"}),
    "rewrite/translated_passage": ("rewrite", {"language", "title", "text"}, {"title", "translation"}),
    "rewrite/translated_question": (
        "rewrite",
        {"language", "question", "answers", "sentences", "text"},
        {"question", "answers", "quotes", "none"},
    ),
    "answer/short": ("answer", {"question", "context"}, set()),
    "answer/hallucination_repair": ("answer", {"question", "hallucinated", "context"}, set()),
    "answer/long": ("answer", {"question", "context"}, set()),
    "answer/reports": ("answer", {"question", "context"}, set()),
    "answer/web": ("answer", {"question", "now", "context"}, set()),
    "answer/summary": ("answer", {"question", "context"}, set()),
    "answer/continuation": ("answer", {"question", "context"}, set()),
    "answer/closed_book": ("answer", {"question"}, set()),
    "answer/step_by_step": ("answer", {"question", "context", "so_far"}, set()),
    "workflow/react": ("workflow", {"functions", "question", "steps"}, set()),
    "workflow/pal": ("workflow", {"functions", "question"}, set()),
    "workflow/function_calling": ("workflow", {"question"}, set()),
    "workflow/search_loop": ("workflow", {"question", "searches", "so_far"}, set()),
    "workflow/search_findings": ("workflow", {"reasoning", "query", "documents"}, set()),
    "judge/agreement": ("judge", {"question", "answer", "prediction"}, {"score"}),
    "judge/containment": ("judge", {"reference", "sentence"}, {"contained"}),
    "judge/statements": ("judge", {"prediction", "statements"}, {"supported"}),
    "extract/claims": ("extract", {"text"}, {"claims"}),
    "extract/key_questions": ("extract", {"text"}, {"questions"}),
    "extract/short_answers": ("extract", {"text", "questions"}, {"answers"}),
    "extract/nuggets": ("extract", {"question", "answer", "sentences"}, {"nuggets"}),
    "extract/nugget_questions": ("extract", {"nuggets"}, {"nugget_questions"}),
    "judge/nuggets": ("judge", {"question", "prediction", "nuggets"}, {"verdicts"}),
    "judge/claims": ("judge", {"statements", "context"}, {"support"}),
    "judge/correct": ("judge", {"question", "answer", "prediction"}, {"correct", "why"}),
    "judge/grammar": ("judge", {"question"}, {"has_error", "error"}),
    "judge/critic": ("judge", {"question"}, {"category", "reason"}),
}


def test_the_prompts_of_this_part_are_there():
    assert set(EXPECTED) <= set(names())


@pytest.mark.parametrize("name", sorted(EXPECTED))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_prompt_has_its_skill_inputs_and_fields(name, language):
    prompt = load(name, language)
    assert (prompt.skill, set(prompt.inputs), set(prompt.fields)) == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_prompt_has_purpose_failure_modes_and_examples_in_both_languages(name):
    file = read(name)
    assert file.purpose and len(file.failure_modes) >= 2 and all(file.inputs.values())
    assert {(example.kind, example.language) for example in file.examples} == {
        ("example", "en"),
        ("example", "zh"),
        ("refusal", "en"),
        ("refusal", "zh"),
    }


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_chinese_words_are_chinese_and_english_ones_english(name):
    least = 0.5 if name == "draft/template" else 0.6  # its replies are names of fields and kinds for the most part
    most = 0.2 if "translated" in name else 0.0  # its examples show both languages
    least = 0.4 if most else least
    for language, share in (("en", most), ("zh", least)):
        signs = re.findall(r"[^\W_]", load(name, language).messages[0].content)
        han = sum("一" <= sign <= "鿿" for sign in signs) / len(signs)
        assert han >= share if language == "zh" else han <= share


@pytest.mark.parametrize("name", sorted(EXPECTED))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_examples_are_readable_replies(name, language):
    file, prompt = read(name), load(name, language)
    for example in file.examples:
        if example.language == language:
            assert parse(prompt, Completion(example.reply))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.fault(26)
def test_every_prompt_says_that_the_text_gives_no_orders(language):
    for name in EXPECTED:
        text = load(name, language).messages[0].content
        if name != "answer/closed_book":
            assert ("orders" if language == "en" else "命令") in text, name


@pytest.mark.parametrize("name", [n for n in EXPECTED if n.startswith("draft/") and "sentences" in EXPECTED[n][1]])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_examples_cite_shown_sentences_that_hold_their_figures(name, language):
    example = next(e for e in read(name).examples if e.kind == "example" and e.language == language)
    shown = dict(re.findall(r"^\[(\d+)\] (.*)$", example.inputs["sentences"], re.MULTILINE))
    reply = json.loads(example.reply)
    if name == "draft/hallucinated_span":
        assert shown[str(reply["sentence"])].count(reply["was"]) == 1
        return
    if name == "draft/reconstruction":
        assert not contains_answer(reply["rewritten"], example.inputs["answer"], language)
        return
    answer = reply.get("answer") or reply.get("repaired") or reply.get("summary")
    rows = [
        {"claim": row.get("point") or row["element"], "evidence": row["evidence"]}
        for row in [*reply.get("common", ()), *reply.get("differences", ())]
    ]
    rows += [{"claim": turn["answer"], "evidence": turn["evidence"]} for turn in reply.get("turns", ())]
    for claim in reply.get("claims") or rows or [{"claim": answer, "evidence": reply.get("evidence")}]:
        evidence = "\n".join(shown[str(n)] for n in claim["evidence"])
        assert not list_missing_figures(claim["claim"], evidence)
        assert name.endswith(OWN_WORDS) or contains_answer(evidence, claim["claim"], language)


def test_refusal_phrases_are_exactly_these():
    for name in ("answer/short", "answer/long", "answer/summary", "answer/continuation", "answer/reports"):
        replies = {e.language: e.reply for e in read(name).examples if e.kind == "refusal"}
        assert replies == {"en": "Cannot be answered from the given text", "zh": "无法根据所给文本回答"}


def test_a_first_draft_shows_no_trace_of_the_regeneration_slot():
    prompt = load("draft/explicit_factoid", "en")
    inputs = {"sentences": "[1] A.", "domain": "law", "reason": "", "previous": ""}
    assert "reviewer" not in prompt.fill(inputs)[1].content


@pytest.mark.parametrize("name", [name for name in names() if read(name).schema])
def test_the_reply_schema_is_one_and_within_what_openai_takes_as_strict(name):
    schema, is_strict = make_strict_schema(read(name).schema)
    Draft202012Validator.check_schema(schema)
    assert is_strict
    for node in nodes(schema):
        assert set(node) <= STRICT_WORDS, name
        if node["type"] == "object":
            assert node["additionalProperties"] is False and set(node["required"]) == set(node["properties"])
        assert node.get("description", "said").strip()


@pytest.mark.parametrize("name", names())
def test_no_comma_cuts_a_description_in_the_file(name):
    front = yaml.safe_load(read_delivered(name).split("---")[1])
    assert "null" not in json.dumps(front.get("reply", {})), "put the description in quotation marks"


def nodes(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The schema and every schema within it."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from nodes(inner)
