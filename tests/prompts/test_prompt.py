"""The form of a prompt file: what is read from it, and that each breach of it is named."""

import re
from pathlib import Path

import pytest

from core.errors import BenchError
from prompts.prompt import load, names, read
from prompts.reply_schema import reply_fault

GOOD = """---
purpose: A small prompt for tests.
skill: draft
inputs:
  sentences: numbered sentences
  domain: domain
reply:
  question: {type: string}
  claims: {type: array, items: {claim: {type: string}, evidence: {type: array, items: {type: integer}}}}
  none: {type: string, optional: true}
failure_modes:
  - It asks about nothing.
---

## system (en)
Draft a question with claims, or say none. It may cost $$5. Domain: $domain.

## user (en)
$sentences

## system (zh)
写 question 和 claims，或者 none。领域：$domain。

## user (zh)
$sentences

## example (en)
### inputs
domain: law
sentences: |
  # The Mill
  [1] It cost $7.
### reply
{"question": "What did it cost?", "claims": [{"claim": "It cost $7.", "evidence": [1]}]}

## example (zh)
### inputs
domain: 法律
sentences: "[1] 它值七元。"
### reply
{"question": "它值多少？", "claims": []}

## refusal (en)
### inputs
sentences: "[1] Yes."
### reply
{"question": "", "claims": [], "none": "nothing to ask"}
"""


def write(folder: Path, text: str) -> Path:
    (folder / "draft").mkdir(exist_ok=True)
    (folder / "draft" / "small.md").write_text(text, encoding="utf-8")
    return folder


def test_file_becomes_a_prompt_in_each_language(tmp_path):
    file = read("draft/small", write(tmp_path, GOOD))
    assert (file.purpose, file.skill, list(file.inputs)) == ("A small prompt for tests.", "draft", ["sentences", "domain"])
    assert file.failure_modes == ("It asks about nothing.",) and names(tmp_path) == ["draft/small"]
    prompt = load("draft/small", "zh", tmp_path)
    assert prompt.name == "draft/small.zh" and prompt.language == "zh" and prompt.fields == {"question", "claims", "none"}


def test_schema_is_strict_and_optional_fields_may_be_null(tmp_path):
    schema = read("draft/small", write(tmp_path, GOOD)).schema
    assert schema["required"] == ["question", "claims"] and schema["additionalProperties"] is False
    assert schema["properties"]["none"]["type"] == ["string", "null"]
    claim = schema["properties"]["claims"]["items"]
    assert claim["required"] == ["claim", "evidence"] and claim["additionalProperties"] is False
    assert reply_fault(schema, {"question": "q", "claims": [], "none": None}) is None
    assert reply_fault(schema, {"question": "q", "claims": [{"claim": "c"}]}).startswith("claims[0].evidence: ")


def test_examples_of_the_language_stand_in_the_system_message_as_written(tmp_path):
    prompt = load("draft/small", "en", write(tmp_path, GOOD))
    system, user = prompt.fill({"sentences": "[1] New.", "domain": "arts"})
    assert "It may cost $5. Domain: arts." in system.content and user.content == "[1] New."
    assert '[1] It cost $7.\n\nReply:\n{"question": "What did it cost?"' in system.content
    assert "nothing to ask" in system.content and "它值七元" not in system.content
    assert "nothing to ask" not in load("draft/small", "zh", tmp_path).messages[0].content


def test_plain_text_reply_has_no_schema(tmp_path):
    text = GOOD.replace(GOOD[GOOD.index("reply:\n") : GOOD.index("failure_modes")], "")
    assert load("draft/small", "en", write(tmp_path, text)).schema is None


def test_changed_file_is_read_again_with_another_hash(tmp_path):
    before = load("draft/small", "en", write(tmp_path, GOOD))
    after = load("draft/small", "en", write(tmp_path, GOOD.replace("Draft a question", "Draft one good question")))
    assert before.hash != after.hash and "one good" in after.messages[0].content


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("skill: draft", "skill: dream", "skill 'dream'"),
        ("purpose: A small prompt for tests.", "", "purpose"),
        ("  domain: domain\n", "", r"\$domain, which is not an input"),
        ("Domain: $domain.", "Domain.", r"\(en\) declares the input domain"),
        ("$$5", "$5", "begins no place"),
        ("## user (zh)\n$sentences", "", r"no section `## user \(zh\)`"),
        (GOOD[GOOD.index("## refusal (en)") :], "", "no refusal"),
        ("## refusal (en)", "## refusal (xx)", "outside its sections"),
        ("## refusal (en)", "## refusal (fr)", r"no section `## system \(fr\)`"),
        ("## refusal (en)", "## refused (en)", "outside its sections"),
        ("## example (zh)", "## example (en)", "twice"),
        ('"claims": []}', '"claims": [}', r"example \(zh\) has a reply that is not JSON"),
        ('"claims": []}', '"claims": 3}', r"does not fit the reply schema \(claims: "),
        ("domain: law", "domian: law", "unknown inputs .domian"),
        ("### reply\n{", "reply\n{", "followed by"),
        ("写 question 和 claims", "写 claims", r"\(zh\) never names the reply field question"),
        ("---\npurpose", "purpose", "front matter"),
        ("inputs:\n  sentences", "inputs: [\n  sentences", "not YAML"),
    ],
)
def test_each_breach_of_the_form_is_named(tmp_path, old, new, said):
    assert old in GOOD
    with pytest.raises(BenchError, match=said):
        read("draft/small", write(tmp_path, GOOD.replace(old, new, 1)))


@pytest.mark.parametrize("name", ["judge/faithful", "../secrets", "/etc/passwd", ""])
def test_missing_prompt_says_where_it_was_looked_for(tmp_path, name):
    with pytest.raises(BenchError, match="looked for .*/" + name):
        load(name, "en", tmp_path)


def test_a_language_without_a_prompt_of_its_own_gets_the_english_one_told_to_write_in_it(tmp_path):
    folder = write(tmp_path, GOOD)
    english, german = load("draft/small", "en", folder), load("draft/small", "de", folder)
    assert german.messages[0].content.startswith(f"{english.messages[0].content}\n\nWrite in German.")
    assert german.messages[1:] == english.messages[1:] and german.schema == english.schema
    assert (german.name, german.language) == ("draft/small.de", "de") and german.identity != english.identity
    assert "Write in the language of the texts." in load("draft/small", "und", folder).messages[0].content


def test_a_file_may_hold_a_prompt_in_any_language_that_is_a_row(tmp_path):
    own = re.sub(r"\(zh\)", "(de)", "".join(re.findall(r"^## \w+ \(zh\)\n(?:(?!^## ).*\n)*", GOOD, re.MULTILINE)))
    german = load("draft/small", "de", write(tmp_path, GOOD + "\n" + own))
    assert german.language == "de" and german.messages[0].content.startswith("写 question 和 claims")
    assert "Write in" not in german.messages[0].content


@pytest.mark.parametrize("name", names())
def test_every_prompt_of_the_house_keeps_the_form(name):
    file = read(name)
    assert set(file.prompts) == {"en", "zh"} and file.failure_modes
    assert {(e.kind, e.language) for e in file.examples} >= {("example", "en"), ("example", "zh")}


def test_a_comma_in_a_description_without_quotation_marks_does_not_cut_it(tmp_path):
    described = "question: {type: string, description: the question, in full, as asked, maxLength: 99}"
    field = read("draft/small", write(tmp_path, GOOD.replace("question: {type: string}", described))).schema
    assert field["properties"]["question"] == {
        "type": "string",
        "description": "the question, in full, as asked",
        "maxLength": 99,
    }


def test_a_reply_that_is_no_json_schema_is_refused(tmp_path):
    with pytest.raises(
        BenchError, match=r"Prompt draft/small has a reply that is not a JSON schema, at question.type: 'strng'"
    ):
        read("draft/small", write(tmp_path, GOOD.replace("question: {type: string}", "question: {type: strng}")))
