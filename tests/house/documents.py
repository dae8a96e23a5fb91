"""README and docs as tests read them: their code blocks, the commands in these, and a copy of the checkout in which a reader's
steps are worked, one after the other, on one workspace."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
README = "README.md"
TUTORIAL = "docs/tutorial.md"
PAGES = (
    TUTORIAL,
    README,
    "CONTRIBUTING.md",
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md") if page.name != "tutorial.md"),
)
"""In the order in which they are worked: the tutorial makes the workspace that the others go on with."""
CLI = [".venv/bin/python", "cli.py"]
PLACEHOLDERS = {
    "ITEM": "an id of the reader's workspace",
    "RUN": "an id of the reader's workspace",
    "CONTEST": "an id of the reader's workspace",
    "CONTESTS": "a file that somebody saved on the page of a release",
    "contests-v1.json": "a file that somebody saved on the page of a release",
    "ERRATUM": "a release of the reader's workspace",
    "v1.1": "a release of the reader's workspace",
    "RELEASE": "a release of the reader's",
    "TINY": "a tiny release of the reader's",
    "papers/": "a folder of the reader's",
    "MODEL": "a model behind the reader's endpoint: needs a network",
    "NAME": "a person with an account",
    "TOKEN": "an id of the reader's workspace",
    "URL": "an address of the reader's: needs a network",
    "BATCH": "a folder of requests that wait for the reader's endpoint: needs a network",
}
"""Commands with such a word are only parsed -> why."""
SLOW = {"demo": "takes a minute; tests/house/test_demo.py holds what it shows"}
"""Verbs that are only parsed -> why."""
PARSED = {README: "one day's work of a reader's own documents and agent"}
"""Pages whose commands are only parsed -> why."""


class Block(NamedTuple):
    """A fenced code block."""

    page: str
    language: str
    text: str
    file: str
    """The path that the line before it tells the reader to save it as; "" = none."""


class Step(NamedTuple):
    """One command or snippet that a page has its reader run."""

    page: str
    command: str
    printed: str | None = None
    """What the page says that it prints; None = the page does not say."""
    snippet: str = ""

    @property
    def words(self) -> list[str]:
        return shlex.split(self.command, comments=True)

    @property
    def code(self) -> int:
        """The exit code: 1 for a job that the page shows stopped, and while requests wait for a batch; else 0."""
        return int('"stopped": "' in (self.printed or "") or ("batch collect" in self.command and not self.is_only_parsed))

    @property
    def is_only_parsed(self) -> bool:
        words = self.words[len(CLI) :]
        is_placed = any(re.search(rf"(^|[=:]){name}$", word) for word in words for name in PLACEHOLDERS)
        return self.page in PARSED or is_placed or words[0] in SLOW


class Outcome(NamedTuple):
    """What a step came to."""

    code: int
    printed: str
    said: str


def read_page(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, *languages: str) -> list[Block]:
    """The code blocks of a page, those of these languages alone where some are named."""
    text, found = read_page(page), []
    for match in re.finditer(r"^( *)```(\w*)\n(.*?)^\1```$", text, flags=re.MULTILINE | re.DOTALL):
        before = text[: match.start()].rstrip().rpartition("\n")[2]
        file = re.search(r"`([\w./-]+)`:$", before)
        if not languages or match[2] in languages:
            found.append(Block(page, match[2], match[3], file[1] if file else ""))
    return found


def steps(page: str) -> Iterator[Step]:
    """The commands of its `sh` and `console` blocks and its Python snippets, in order."""
    for block in blocks(page, "sh", "console", "python"):
        if block.language == "sh":
            yield from (Step(page, line.strip()) for line in block.text.splitlines() if line.strip() and line[0] != "#")
        elif block.language == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                yield Step(page, command, printed)
        elif not block.file:
            yield Step(page, "", snippet=block.text)


def work(pages: Sequence[str], folder: Path) -> list[tuple[Step, Outcome]]:
    """Works what can be worked of those pages in a copy of the checkout under `folder`, with the files that they have their
    reader save, on one new workspace; OUT in a command is a folder of its own, JOB and other words what was printed before."""
    house, out = folder / "house", folder / "out"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "tests", "docs", "site", "*.duckdb*", "*.png")
    shutil.copytree(ROOT, house, ignore=ignored)
    out.mkdir()
    for page in pages:
        for block in blocks(page):
            if block.file:
                (house / block.file).parent.mkdir(parents=True, exist_ok=True)
                (house / block.file).write_text(block.text, encoding="utf-8")
    todo = [s for page in pages for s in steps(page) if s.snippet or (s.words[:2] == CLI and not s.is_only_parsed)]
    orders = [{"words": [w.replace("OUT", str(out)) for w in s.words[2:]], "snippet": s.snippet} for s in todo]
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "house" / "work_steps.py")],
        cwd=house,
        input=json.dumps(orders),
        env={**os.environ, "BENCHWRIGHT_WORKSPACE": str(folder / "docs.duckdb"), "COLUMNS": "80", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcomes = [Outcome(code, printed.replace(str(out), "OUT"), said) for code, printed, said in json.loads(done.stdout)]
    return list(zip(todo, outcomes, strict=True))


def find_shown(page: str, *verb: str) -> Any:
    """Return the JSON that the page shows for the verb."""
    [shown] = [s.printed for s in steps(page) if s.words[len(CLI) :][: len(verb)] == [*verb] and "--json" in s.words]
    return json.loads(shown or "")


def without_times(text: str) -> str:
    """The text without what clock and machine decide: digits and widths of the table Time."""

    def plain(table: re.Match[str]) -> str:
        return re.sub(r"[ -]{2,}", "  ", re.sub(r"\d+(\.\d+)?", "0", table[0]))

    return re.sub(r"^Time\n(?:.+\n)+", plain, text.rstrip(), flags=re.MULTILINE)
