"""Reads the .md files of this folder into Prompts. Annotators may improve a prompt file; the changed file is read again, and
its hash changes too. The form of a file, prompts/draft/explicit_factoid.md for the prompt draft/explicit_factoid:

    ---
    purpose: One sentence on the purpose of the prompt.
    skill: draft                       (draft, answer, judge, rewrite, extract or workflow)
    inputs:                            (every placeholder of the messages, with a short description)
      sentences: numbered sentences of the window
      domain: domain of the documents
    reply:                             (the reply's fields as JSON schema; without this key the reply is plain text)
      question: {type: string, description: the question}
      evidence: {type: array, items: {type: integer}, description: numbers of the sentences}
      claims: {type: array, items: {claim: {type: string}, evidence: {type: array, items: {type: integer}}}}
      none: {type: string, optional: true, description: why nothing is worth asking}
    failure_modes:
      - One sentence on a typical fault of replies.
    ---

    ## system (en)
    Text with $placeholders. $$ is a dollar sign. Name every reply field here.
    ## user (en)
    $sentences
    ## system (zh)
    ## user (zh)

    ## example (en)
    ### inputs
    domain: law
    sentences: |
      # Title of a document
      [1] First sentence.
    ### reply
    {"question": "...", "evidence": [1]}

    ## example (zh)
    ## refusal (en)

Text in brackets above is not part of the form. The rules, all checked when a file is read:
- English and Chinese, and any other language of which the file has a section, have a system, a user and an example section.
  A text in another language gets the English prompt, which then ends with "Write in German.".
  At least one refusal section (en or zh, better both, as each is
  shown only in its own language) shows the reply when the task cannot be done.
- Every $placeholder is a declared input, and every declared input is in the system or user section of each language.
- `### inputs` is YAML: input name -> text (a block after | for several lines); an omitted input is empty. Text in examples is
  literal: a dollar sign stands for itself. `### reply` is JSON that fits the reply schema (no code fence), or the plain
  text itself. Inside a section no line may begin with "## " or "### ", except the headings of the form.
- The example and the refusal of the prompt's language are appended to its system message, as the filled user message
  and the reply, so they are part of the hash. Write no examples into the system section.
- A mapping without `type` is an object of those fields (see claims). Objects allow no further fields; a field with
  `optional: true` may be missing or null. Other JSON schema words (minimum, maximum, enum, maxItems ...) are kept.
"""

import json
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any, Literal

import yaml

from core.errors import BenchError
from core.json_lines import describe_json_error
from core.nouns import Message, Prompt
from core.text.language import FULL_LANGUAGES, ByLanguage, rows

FOLDER = Path(__file__).parent
SKILLS = ("draft", "answer", "judge", "rewrite", "extract", "workflow")
EDITED_PROMPTS: ContextVar[Mapping[str, str]] = ContextVar("edited", default={})  # noqa: B039 - this dict is never changed
"""Dict from prompt name to the text of an edited prompt file, which is used in place of the delivered file."""
_HEADING = re.compile(rf"^## +(system|user|example|refusal) +\(({'|'.join(rows())})\) *$", re.MULTILINE)
_TITLES = ByLanguage(
    {
        "en": {"example": "An example.", "refusal": "An example of when it cannot be done.", "reply": "Reply:"},
        "zh": {"example": "示例：", "refusal": "无法完成时的示例：", "reply": "回复："},
    }
)
WRITE_IN = "Write in {language}. Words that you are told to write exactly as they are stay in English."
"""Last sentences of an English prompt's system message if the texts are in another language."""


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example of a prompt file."""

    kind: Literal["example", "refusal"]
    language: str
    inputs: Mapping[str, str]
    reply: str
    """The expected reply: JSON on one line, or plain text."""


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A checked prompt file: the prompt in every language, with its description for people."""

    name: str
    """Path of the prompt file under prompts/ without the suffix, such as "draft/explicit_factoid"."""
    purpose: str
    skill: str
    inputs: Mapping[str, str]
    """Dict from the name of an input to its description."""
    schema: Mapping[str, Any] | None
    """JSON schema of the agent's reply; None = the reply is plain text."""
    failure_modes: tuple[str, ...]
    examples: tuple[Example, ...]
    prompts: Mapping[str, Prompt]
    """Dict from language to the prompt in that language."""


def load(name: str, language: str, folder: Path = FOLDER) -> Prompt:
    """Return the prompt with the given name for the given language: the version in the language if the file has one, else the
    English version with the instruction "Write in German." or the like.

    Raises BenchError if the name is unknown or its file has an invalid form."""
    file = read(name, folder)
    return file.prompts.get(language) or write_in(file.prompts["en"], language)


def write_in(prompt: Prompt, language: str) -> Prompt:
    """Return the English prompt with an added instruction to write in the given language, for a language without a version of
    its own."""
    spoken = rows()[language].name if language in rows() else "the language of the texts"
    first, *others = prompt.messages
    message = Message(first.role, f"{first.content}\n\n{WRITE_IN.format(language=spoken)}")
    name = f"{prompt.name.removesuffix('.en')}.{language}"
    return replace(prompt, name=name, messages=(message, *others), language=language)


def read(name: str, folder: Path = FOLDER) -> PromptFile:
    """Return the prompt file with its current text: the edited text if there is one, else the text on disk."""
    if folder == FOLDER and (text := EDITED_PROMPTS.get().get(name)) is not None:
        return parse_prompt(name, text)
    return parse_prompt(name, read_delivered(name, folder))


def read_delivered(name: str, folder: Path = FOLDER) -> str:
    """Return the text of the prompt file shipped with the program. Raises BenchError if the name is unknown."""
    path = folder / f"{name}.md"
    if not re.fullmatch(r"\w+(/\w+)*", name) or not path.is_file():
        raise BenchError(f"No prompt {name}: looked for {folder.name}/{name}.md.")
    stat = path.stat()
    return _read(name, path, stat.st_mtime_ns, stat.st_size)


def names(folder: Path = FOLDER) -> list[str]:
    """Return the names of all prompts, in alphabetical order."""
    return sorted(str(p.relative_to(folder).with_suffix("").as_posix()) for p in folder.glob("*/**/*.md"))


@lru_cache(maxsize=256)
def _read(name: str, path: Path, changed: int, size: int) -> str:
    """Return the text of the file; `changed` and `size` only serve as parts of the cache key."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BenchError(f"Prompt {name} is not UTF-8 text: save {path.name} as UTF-8.") from error


@lru_cache(maxsize=256)
def parse_prompt(name: str, text: str) -> PromptFile:
    """Parse the text of a prompt file. Raises BenchError at the first part with an invalid form."""
    front, body = _split_front_matter(name, text)
    sections = _split_sections(name, body)
    inputs = {str(k): str(v) for k, v in _read_mapping(name, front, "inputs").items()}
    skill = str(front.get("skill"))
    if skill not in SKILLS:
        raise BenchError(f"Prompt {name} has the skill {skill!r}: write one of {', '.join(SKILLS)}.")
    schema = _read_reply_schema(name, front)
    languages = list(dict.fromkeys([*FULL_LANGUAGES, *(language for _, language in sections)]))
    for language in languages:
        for kind in ("system", "user", "example"):
            if not sections.get((kind, language)):
                raise BenchError(f"Prompt {name} has no section `## {kind} ({language})`, or it is empty: write it.")
        words = f"{sections['system', language]}\n{sections['user', language]}"
        _check_places(f"Prompt {name} ({language})", words, inputs)
        for field in schema["properties"] if schema else ():
            if field not in words:
                raise BenchError(
                    f"Prompt {name} ({language}) never names the reply field {field}: say in the prompt what "
                    "belongs in that field."
                )
    examples = tuple(
        _read_example(f"Prompt {name}, {kind} ({language})", kind, language, body, tuple(inputs), schema)
        for (kind, language), body in sections.items()
        if kind == "example" or kind == "refusal"
    )
    if not any(example.kind == "refusal" for example in examples):
        raise BenchError(f"Prompt {name} shows no refusal: add a section `## refusal (en)` or `## refusal (zh)`.")
    prompts = {}
    for language in languages:
        user = sections["user", language]
        shown = [_render_example(example, user, tuple(inputs)) for example in examples if example.language == language]
        messages = (Message("system", "\n\n".join([sections["system", language], *shown])), Message("user", user))
        prompts[language] = Prompt(f"{name}.{language}", skill, messages, tuple(inputs), schema, language)
    modes = tuple(map(str, front.get("failure_modes") or ()))
    return PromptFile(name, str(front.get("purpose") or ""), skill, inputs, schema, modes, examples, prompts)


def _split_front_matter(name: str, text: str) -> tuple[Mapping[str, Any], str]:
    parts = re.match(r"---(?:[^\S\n]*+\n)++(.*?)\n---(?:[^\S\n]*+\n)++(.*)", text, re.DOTALL)
    if not parts:
        raise BenchError(f"Prompt {name} does not begin with front matter between two lines of ---: add it.")
    try:
        front = yaml.safe_load(parts[1])
    except yaml.YAMLError as error:
        raise BenchError(f"Prompt {name} has front matter that is not YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(front, Mapping) or not front.get("purpose"):
        raise BenchError(f"Prompt {name} has no purpose in its front matter: add a line `purpose: ...`.")
    return front, parts[2]


def _read_mapping(name: str, front: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = front.get(key) or {}
    if not isinstance(value, Mapping):
        raise BenchError(
            f"Prompt {name} has {key} that are not a mapping of names: write `name: what it is` lines under {key}."
        )
    return value


def _split_sections(name: str, body: str) -> dict[tuple[str, str], str]:
    pieces = _HEADING.split(body)
    sections = {(pieces[i], pieces[i + 1]): pieces[i + 2].strip() for i in range(1, len(pieces), 3)}
    stray = re.search(r"^## .*$", "\n".join(pieces[0::3]), re.MULTILINE)
    if stray or pieces[0].strip():
        raise BenchError(f"Prompt {name} has text outside its sections, near {(stray or [pieces[0].strip()])[0][:60]!r}.")
    if len(sections) < (len(pieces) - 1) // 3:
        raise BenchError(f"Prompt {name} has a section twice: keep one of each.")
    return sections


def _read_reply_schema(name: str, front: Mapping[str, Any]) -> dict[str, Any] | None:
    from prompts.reply_schema import schema_fault

    if "reply" not in front:
        return None
    schema = _expand_object(_read_mapping(name, front, "reply"))
    if (fault := schema_fault(schema)) is not None:
        raise BenchError(f"Prompt {name} has a reply that is not a JSON schema, at {fault}.")
    return schema


def _expand_object(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object that has exactly these fields."""
    required = [k for k, f in fields.items() if not (isinstance(f, Mapping) and f.get("optional"))]
    return {
        "type": "object",
        "properties": {k: _expand_field(f) for k, f in fields.items()},
        "required": required,
        "additionalProperties": False,
    }


def _expand_field(field: Any) -> dict[str, Any]:
    if not isinstance(field, Mapping) or not isinstance(field.get("type"), str | list):
        return _expand_object(field if isinstance(field, Mapping) else {})
    schema = dict[str, Any]()
    for word, value in field.items():
        if value is None and "description" in schema:  # in {...} YAML cuts an unquoted description at each comma
            schema["description"] = f"{schema['description']}, {word}"
        elif word != "optional":
            schema[word] = value
    if "items" in schema:
        schema["items"] = _expand_field(schema["items"])
    if "properties" in schema:
        schema |= _expand_object(schema["properties"])
    if field.get("optional"):
        schema["type"] = [schema["type"], "null"]
    return schema


def _read_example(
    where: str,
    kind: str,
    language: str,
    body: str,
    inputs: tuple[str, ...],
    schema: Mapping[str, Any] | None,
) -> Example:
    from prompts.reply_schema import reply_fault

    parts = re.fullmatch(r"### +inputs *\n(.*?)### +reply *\n(.*)", body, re.DOTALL)
    if not parts:
        raise BenchError(f"{where} must be `### inputs` followed by `### reply`.")
    try:
        values = yaml.safe_load(parts[1]) or {}
    except yaml.YAMLError as error:
        raise BenchError(f"{where} has inputs that are not YAML: {' '.join(str(error).split())}.") from error
    unknown = [str(k) for k in values if k not in inputs] if isinstance(values, Mapping) else ["no input names"]
    if unknown:
        raise BenchError(f"{where} has unknown inputs ({', '.join(unknown)}): use only {', '.join(inputs)}.")
    reply = parts[2].strip()
    if schema is not None:
        try:
            value = json.loads(reply)
        except json.JSONDecodeError as error:
            raise BenchError(f"{where} has a reply that is not JSON ({describe_json_error(error)}).") from error
        if (why := reply_fault(schema, value)) is not None:
            raise BenchError(f"{where} has a reply that does not fit the reply schema ({why}).")
        reply = json.dumps(value, ensure_ascii=False)
    texts = {str(k): "" if v is None else str(v).rstrip("\n") for k, v in values.items()}
    return Example("refusal" if kind == "refusal" else "example", language, texts, reply)


def _render_example(example: Example, user: str, inputs: tuple[str, ...]) -> str:
    """Return the example as the model will see it, except that dollar signs are doubled, because the text becomes part of a
    template."""
    titles = _TITLES[example.language]
    filled = Template(user).substitute({name: example.inputs.get(name, "") for name in inputs})
    filled = re.sub(r"\n{3,}", "\n\n", filled).strip()
    return f"{titles[example.kind]}\n\n{filled}\n\n{titles['reply']}\n{example.reply}".replace("$", "$$")


def _check_places(where: str, text: str, inputs: Mapping[str, str]) -> None:
    if not Template(text).is_valid():
        raise BenchError(f"{where} has a $ that begins no placeholder: write $$ for a dollar sign.")
    places = set(Template(text).get_identifiers())
    if unknown := sorted(places - set(inputs)):
        raise BenchError(f"{where} fills ${unknown[0]}, which is not an input: declare the input, or remove the placeholder.")
    if unused := sorted(set(inputs) - places):
        raise BenchError(f"{where} declares the input {unused[0]} and never fills it: use ${unused[0]}.")
