"""Reads the .md files of this folder into Prompts. An annotator may improve a file: it is read again when it has changed,
and its hash changes with it. The form of a file, prompts/draft/explicit_factoid.md for the prompt draft/explicit_factoid:

    ---
    purpose: One sentence, what the prompt is for.
    skill: draft                       (draft, answer, judge, rewrite, extract or workflow)
    inputs:                            (every name that the messages fill, with a few words on it)
      sentences: numbered sentences of the window
      domain: domain of the documents
    reply:                             (the reply's fields as JSON schema; leave the whole key out for a plain text reply)
      question: {type: string, description: the question}
      evidence: {type: array, items: {type: integer}, description: numbers of the sentences}
      claims: {type: array, items: {claim: {type: string}, evidence: {type: array, items: {type: integer}}}}
      none: {type: string, optional: true, description: why nothing is worth asking}
    failure_modes:
      - One sentence on how replies go wrong.
    ---

    ## system (en)
    Words with $places. $$ is a dollar sign. Name every reply field here.
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

Words in brackets above are not part of the form. The rules, all checked when a file is read:
- Each language has a system, a user and an example section. At least one refusal section (en or zh; both are better, for
  each is shown only to its own language) shows what to reply when the task cannot be done.
- Every $place is a declared input, and every declared input stands in the system or user section of each language.
- `### inputs` is YAML: input name -> text (a block after | for several lines); an input left out there is empty. Words in
  examples are literal: a dollar sign stands for itself. `### reply` is JSON that fits the reply schema (no code fence), or
  the plain text itself. No line inside a section may begin with "## " or "### " but the headings of the form.
- The example and the refusal of the prompt's language are appended to its system message, as the filled user message
  and the reply, so they count into the hash. Write no examples into the system section.
- A mapping without `type` is an object of those fields (see claims). Objects allow no further fields; a field marked
  `optional: true` may be left out or null. Other JSON schema words (minimum, maximum, enum, maxItems ...) stay as they are.
"""

import json
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any, Literal

import yaml

from core.errors import BenchError
from core.json_lines import describe_json_error
from core.nouns import LANGUAGES, Message, Prompt

FOLDER = Path(__file__).parent
SKILLS = ("draft", "answer", "judge", "rewrite", "extract", "workflow")
EDITED_PROMPTS: ContextVar[Mapping[str, str]] = ContextVar("edited", default={})  # noqa: B039 - nobody writes into it
"""Prompt name -> the words of a whole file that stand in place of the delivered file's."""
_HEADING = re.compile(rf"^## +(system|user|example|refusal) +\(({'|'.join(LANGUAGES)})\) *$", re.MULTILINE)
_TITLES = {
    "en": {"example": "An example.", "refusal": "An example of when it cannot be done.", "reply": "Reply:"},
    "zh": {"example": "示例：", "refusal": "无法完成时的示例：", "reply": "回复："},
}


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example of a prompt file."""

    kind: Literal["example", "refusal"]
    language: str
    inputs: Mapping[str, str]
    reply: str
    """As the agent should write it: JSON on one line, or the plain text."""


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A prompt file, read and checked: the prompt in every language with what people should know about it."""

    name: str
    """Path under prompts/ without the ending: "draft/explicit_factoid"."""
    purpose: str
    skill: str
    inputs: Mapping[str, str]
    """Input name -> what it is."""
    schema: Mapping[str, Any] | None
    """JSON schema of the reply; None = plain text."""
    failure_modes: tuple[str, ...]
    examples: tuple[Example, ...]
    prompts: Mapping[str, Prompt]
    """Language -> Prompt."""


def load(name: str, language: str, folder: Path = FOLDER) -> Prompt:
    """The prompt of that name in that language; raises BenchError when there is none or when its file breaks the form."""
    prompts = read(name, folder).prompts
    if language not in prompts:
        raise BenchError(f"Prompt {name} has no language {language!r}: it has {', '.join(prompts)}.")
    return prompts[language]


def read(name: str, folder: Path = FOLDER) -> PromptFile:
    """The whole prompt file, read anew when it has changed on the disk; edited words, where there are some."""
    if folder == FOLDER and (text := EDITED_PROMPTS.get().get(name)) is not None:
        return parse_prompt(name, text)
    return parse_prompt(name, read_delivered(name, folder))


def read_delivered(name: str, folder: Path = FOLDER) -> str:
    """The words of the file; raises BenchError when there is none."""
    path = folder / f"{name}.md"
    if not re.fullmatch(r"\w+(/\w+)*", name) or not path.is_file():
        raise BenchError(f"No prompt {name}: looked for {folder.name}/{name}.md.")
    stat = path.stat()
    return _read(name, path, stat.st_mtime_ns, stat.st_size)


def names(folder: Path = FOLDER) -> list[str]:
    """Every prompt there is, in alphabetical order."""
    return sorted(str(p.relative_to(folder).with_suffix("").as_posix()) for p in folder.glob("*/**/*.md"))


@lru_cache(maxsize=256)
def _read(name: str, path: Path, changed: int, size: int) -> str:
    """`changed` and `size` only tell one state of the file from another."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BenchError(f"Prompt {name} is not UTF-8 text: save {path.name} as UTF-8.") from error


@lru_cache(maxsize=256)
def parse_prompt(name: str, text: str) -> PromptFile:
    """The words of a prompt file, checked; raises BenchError on the first thing that breaks the form."""
    front, body = _front_matter(name, text)
    sections = _sections(name, body)
    inputs = {str(k): str(v) for k, v in _mapping(name, front, "inputs").items()}
    skill = str(front.get("skill"))
    if skill not in SKILLS:
        raise BenchError(f"Prompt {name} has the skill {skill!r}: write one of {', '.join(SKILLS)}.")
    schema = _reply_schema(name, front)
    for language in LANGUAGES:
        for kind in ("system", "user", "example"):
            if not sections.get((kind, language)):
                raise BenchError(f"Prompt {name} has no section `## {kind} ({language})`, or it is empty: write it.")
        words = f"{sections['system', language]}\n{sections['user', language]}"
        _check_places(name, language, words, inputs)
        _check_fields(name, language, words, schema)
    examples = tuple(
        _example(name, kind, language, body, tuple(inputs), schema)
        for (kind, language), body in sections.items()
        if kind == "example" or kind == "refusal"
    )
    if not any(e.kind == "refusal" for e in examples):
        raise BenchError(f"Prompt {name} shows no refusal: add a section `## refusal (en)` or `## refusal (zh)`.")
    prompts = {}
    for language in LANGUAGES:
        user = sections["user", language]
        shown = [_shown(e, user, tuple(inputs)) for e in examples if e.language == language]
        messages = (Message("system", "\n\n".join([sections["system", language], *shown])), Message("user", user))
        prompts[language] = Prompt(f"{name}.{language}", skill, messages, tuple(inputs), schema, language)
    modes = tuple(str(m) for m in front.get("failure_modes") or ())
    return PromptFile(name, str(front.get("purpose") or ""), skill, inputs, schema, modes, examples, prompts)


def _front_matter(name: str, text: str) -> tuple[Mapping[str, Any], str]:
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


def _mapping(name: str, front: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = front.get(key) or {}
    if not isinstance(value, Mapping):
        raise BenchError(f"Prompt {name} has {key} that are no mapping of names: write `name: what it is` lines under {key}.")
    return value


def _sections(name: str, body: str) -> dict[tuple[str, str], str]:
    pieces = _HEADING.split(body)
    sections = {(pieces[i], pieces[i + 1]): pieces[i + 2].strip() for i in range(1, len(pieces), 3)}
    stray = re.search(r"^## .*$", "\n".join(pieces[0::3]), re.MULTILINE)
    if stray or pieces[0].strip():
        raise BenchError(f"Prompt {name} has words outside its sections, near {(stray or [pieces[0].strip()])[0][:60]!r}.")
    if len(sections) < (len(pieces) - 1) // 3:
        raise BenchError(f"Prompt {name} has a section twice: keep one of each.")
    return sections


def _reply_schema(name: str, front: Mapping[str, Any]) -> dict[str, Any] | None:
    from prompts.reply_schema import schema_fault

    if "reply" not in front:
        return None
    schema = _object(_mapping(name, front, "reply"))
    if (fault := schema_fault(schema)) is not None:
        raise BenchError(f"Prompt {name} has a reply that is no JSON schema, at {fault}.")
    return schema


def _object(fields: Mapping[str, Any]) -> dict[str, Any]:
    """JSON schema of an object with these fields and no others."""
    required = [k for k, f in fields.items() if not (isinstance(f, Mapping) and f.get("optional"))]
    return {
        "type": "object",
        "properties": {k: _schema(f) for k, f in fields.items()},
        "required": required,
        "additionalProperties": False,
    }


def _schema(field: Any) -> dict[str, Any]:
    if not isinstance(field, Mapping) or not isinstance(field.get("type"), str | list):
        return _object(field if isinstance(field, Mapping) else {})
    made = dict[str, Any]()
    for word, value in field.items():
        if value is None and "description" in made:  # in {...} YAML cuts an unquoted description at each comma
            made["description"] = f"{made['description']}, {word}"
        elif word != "optional":
            made[word] = value
    if "items" in made:
        made["items"] = _schema(made["items"])
    if "properties" in made:
        made |= _object(made["properties"])
    if field.get("optional"):
        made["type"] = [made["type"], "null"]
    return made


def _example(
    name: str,
    kind: Literal["example", "refusal"] | str,
    language: str,
    body: str,
    inputs: tuple[str, ...],
    schema: Mapping[str, Any] | None,
) -> Example:
    from prompts.reply_schema import reply_fault

    where = f"Prompt {name}, {kind} ({language})"
    parts = re.fullmatch(r"### +inputs *\n(.*?)### +reply *\n(.*)", body, re.DOTALL)
    if not parts:
        raise BenchError(f"{where} must be `### inputs` followed by `### reply`.")
    try:
        given = yaml.safe_load(parts[1]) or {}
    except yaml.YAMLError as error:
        raise BenchError(f"{where} has inputs that are not YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(given, Mapping) or (strange := [str(k) for k in given if k not in inputs]):
        raise BenchError(
            f"{where} gives {', '.join(strange) if isinstance(given, Mapping) else 'no input names'}: "
            f"the inputs are {', '.join(inputs)}."
        )
    reply = parts[2].strip()
    if schema is not None:
        try:
            value = json.loads(reply)
        except json.JSONDecodeError as error:
            raise BenchError(f"{where} has a reply that is not JSON ({describe_json_error(error)}).") from error
        if (why := reply_fault(schema, value)) is not None:
            raise BenchError(f"{where} has a reply that does not fit the reply schema ({why}).")
        reply = json.dumps(value, ensure_ascii=False)
    words = {str(k): "" if v is None else str(v).rstrip("\n") for k, v in given.items()}
    return Example("refusal" if kind == "refusal" else "example", language, words, reply)


def _shown(example: Example, user: str, inputs: tuple[str, ...]) -> str:
    """The example as the model sees it, its dollar signs doubled, for it becomes part of a template."""
    titles = _TITLES[example.language]
    filled = Template(user).substitute({name: example.inputs.get(name, "") for name in inputs})
    filled = re.sub(r"\n{3,}", "\n\n", filled).strip()
    return f"{titles[example.kind]}\n\n{filled}\n\n{titles['reply']}\n{example.reply}".replace("$", "$$")


def _check_places(name: str, language: str, text: str, inputs: Mapping[str, str]) -> None:
    if not Template(text).is_valid():
        raise BenchError(f"Prompt {name} ({language}) has a $ that begins no place: write $$ for a dollar sign.")
    places = set(Template(text).get_identifiers())
    if unknown := sorted(places - set(inputs)):
        raise BenchError(f"Prompt {name} ({language}) fills ${unknown[0]}, which is no input: declare it or take it out.")
    if unused := sorted(set(inputs) - places):
        raise BenchError(f"Prompt {name} ({language}) declares the input {unused[0]} and never fills it: use ${unused[0]}.")


def _check_fields(name: str, language: str, text: str, schema: Mapping[str, Any] | None) -> None:
    for field in schema["properties"] if schema else ():
        if field not in text:
            raise BenchError(f"Prompt {name} ({language}) never names the reply field {field}: say what belongs in it.")
