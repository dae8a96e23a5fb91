"""Manage the prompts for agents: the files that come with the program, and the versions that people have edited in this
workspace. An edited prompt must have the format of a prompt file, and must fit the code that fills in the prompt and parses its
replies."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.as_json import Json
from core.errors import BenchError
from prompts.prompt import EDITED_PROMPTS, PromptFile, names, parse_prompt, read_delivered
from store.drafting import prompts
from store.drafting.prompts import PromptChoice, PromptVersion
from store.engine.database import Database
from workbench.roles import requires

if TYPE_CHECKING:
    from workbench.setup.prompt_preview import PromptPreview

__all__ = ["PromptCard", "PromptFile", "PromptLine", "PromptStage", "PromptVersion"]


@dataclass(frozen=True, slots=True)
class PromptLine:
    """One prompt as a row in the list of prompts."""

    name: str
    skill: str
    purpose: str
    version: int | None
    """Number of the version in use, or None for the prompt that comes with the program."""


@dataclass(frozen=True, slots=True)
class PromptCard:
    """One prompt with its texts and its versions, and with the tasks, checks and metrics that use it."""

    file: PromptFile
    """The prompt with the text in use, parsed."""
    text: str
    """Text of the prompt that is in use."""
    delivered: str
    """Text of the prompt that comes with the program."""
    current: PromptVersion | None
    """The version in use, or None for the prompt that comes with the program."""
    versions: tuple[PromptVersion, ...]
    """All edited versions of the prompt, oldest first."""
    choices: tuple[PromptChoice, ...]
    """Who put which version in use, oldest first."""
    users: tuple[str, ...]
    """What uses the prompt: tasks, metrics and so on."""
    trouble: str = ""
    """Sentence that says why the version in use cannot be used; "" if it can. If the version in use cannot be used, `file` is
    the prompt that comes with the program."""


class Edited(Mapping[str, str]):
    """A mapping from prompt name to text, for the edited prompts that one workspace uses."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        return self.texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


class PromptStage:
    """Methods that list, edit and choose prompts."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._edited = Edited()
        self._look()

    def put_in_force(self) -> None:
        """Make the current thread or asyncio task use the prompts that the workspace uses."""
        EDITED_PROMPTS.set(self._edited)

    @contextmanager
    def in_force(self, words: Mapping[str, str]) -> Iterator[None]:
        """Return a context manager. Within its block, the program uses the prompts with which a job was planned: `words` is a
        dict from prompt name to the version's hash. Prompts that are not in `words` are used as they come with the program."""
        texts = prompts.load_texts(self._db, words)
        if lost := sorted(set(words) - set(texts)):
            raise BenchError(
                f"This job was planned with a version of prompt {lost[0]} that this workspace does not have: start it again."
            )
        token = EDITED_PROMPTS.set(texts)
        try:
            yield
        finally:
            EDITED_PROMPTS.reset(token)

    def close(self) -> None:
        """Forget the edited prompts, so that the texts that come with the program are used from now on."""
        self._edited.texts = {}

    @requires("see prompts")
    def list_prompts(self) -> list[PromptLine]:
        """List all prompts, sorted by name."""
        current = prompts.load_current_versions(self._db)
        numbers = {(v.name, v.hash): v.number for v in prompts.load_versions(self._db)} if current else {}
        files = [parse_prompt(name, read_delivered(name)) for name in names()]
        return [PromptLine(f.name, f.skill, f.purpose, numbers.get((f.name, current.get(f.name, "")))) for f in files]

    @requires("see prompts", "name")
    def card(self, name: str) -> PromptCard:
        """Return the prompt with this name, its versions, and what uses it. Raises BenchError if there is no such prompt."""
        words = read_delivered(name)
        versions = prompts.load_versions(self._db, name)
        hash = prompts.load_current_versions(self._db).get(name)
        current = next((v for v in versions if v.hash == hash), None)
        text, trouble = current.text if current else words, ""
        try:
            file = parse_prompt(name, text)
        except BenchError as error:
            file, trouble = parse_prompt(name, words), str(error)
        from workbench.setup.prompt_use import list_uses

        choices = tuple(prompts.load_choices(self._db, name))
        return PromptCard(file, text, words, current, tuple(versions), choices, list_uses(name), trouble)

    @requires("see prompts", "name")
    def check(self, name: str, text: str) -> PromptFile:
        """Parse the text of a prompt. Raises BenchError if the text does not have the format of a prompt file, or does not fit
        the code that fills in the prompt and parses its replies."""
        old, new = parse_prompt(name, read_delivered(name)), parse_prompt(name, text)
        if new.skill != old.skill:
            raise BenchError(f"Prompt {name} has the skill {old.skill}: it cannot become {new.skill}.")
        if added := [key for key in new.inputs if key not in old.inputs]:
            raise BenchError(f"Prompt {name} uses the unknown input {added[0]}: its inputs are {', '.join(old.inputs)}.")
        if fields(new.schema) != fields(old.schema):
            raise BenchError(
                f"Prompt {name} asks for another form of reply than its code reads: leave the names and types under `reply` as "
                f"they are; their descriptions may change."
            )
        return new

    @requires("edit prompts", "name", notes=["note"])
    def save(self, name: str, text: str, *, by: str, note: str = "") -> PromptVersion | None:
        """Save `text` as a new version of the prompt and use it. If `text` equals the text that comes with the program, that
        text is used, no version is saved, and None is returned."""
        if not by.strip():
            raise BenchError("Give your name first: it is stored with the version.")
        text = text.replace("\r\n", "\n")
        file = self.check(name, text)
        if text.strip() == read_delivered(name).strip():
            self.choose_version(name, None, by=by)
            return None
        identities = {language: prompt.identity for language, prompt in file.prompts.items()}
        version = prompts.add(self._db, name, text, identities, " ".join(note.split()), by)
        self._look()
        return version

    @requires("edit prompts", "name", notes=["version"])
    def choose_version(self, name: str, version: str | None, *, by: str) -> None:
        """Use the version of the prompt with this hash; None stands for the prompt that comes with the program. Raises
        BenchError if the person gives no name, or if the version does not exist or does not fit the code."""
        if not by.strip():
            raise BenchError("Give your name first: it is stored with the choice.")
        if version is not None:
            stored = next((v for v in prompts.load_versions(self._db, name) if v.hash == version), None)
            if stored is None:
                raise BenchError(f"Prompt {name} has no version {version[:12]}.")
            self.check(name, stored.text)
        if prompts.load_current_versions(self._db).get(name) != version:
            prompts.choose(self._db, name, version, by)
        self._look()

    @requires("see prompts")
    def items(self, language: str) -> dict[str, str]:
        """Return a dict from item id to question, for items in this language with which a prompt can be filled in."""
        from workbench.setup.prompt_preview import choices

        return choices(self._db, language)

    @requires("see prompts")
    def preview(self, file: PromptFile, language: str, item: str) -> "PromptPreview":
        """Return the messages that would be sent for the prompt, filled in with the item. Raises BenchError if the prompt
        cannot be filled in with the item."""
        from workbench.setup.prompt_preview import preview

        return preview(self._db, file, language, item)

    @requires("see prompts")
    def calls(self, card: PromptCard) -> dict[int | None, int]:
        """Return a dict from version number to the number of stored calls with that version. The number None stands for the
        prompt that now comes with the program, 0 for texts that are not stored any more."""
        known = self.versions(card)
        counted: dict[int | None, int] = {}
        for identity, n in prompts.count_calls(self._db, card.file.name).items():
            number = known.get(identity, 0)
            counted[number] = counted.get(number, 0) + n
        return counted

    @requires("see prompts")
    def versions(self, card: PromptCard) -> dict[str, int | None]:
        """Return a dict from the identity of a prompt's text, as calls and items store it, to its version number; None stands
        for the prompt that comes with the program."""
        known: dict[str, int | None] = {}
        for version in card.versions:
            known.update(dict.fromkeys(version.identities.values(), version.number))
        file = parse_prompt(card.file.name, card.delivered)
        return known | {prompt.identity: None for prompt in file.prompts.values()}

    def _look(self) -> None:
        """Load the texts of the edited prompts that are in use."""
        self._edited.texts = prompts.load_texts(self._db, prompts.load_current_versions(self._db))


def fields(schema: Json) -> Json:
    """Return the schema of a reply without the descriptions of its fields, for comparison."""
    if isinstance(schema, Mapping):
        return {key: fields(value) for key, value in schema.items() if key != "description" or not isinstance(value, str)}
    return [fields(value) for value in schema] if isinstance(schema, list) else schema
