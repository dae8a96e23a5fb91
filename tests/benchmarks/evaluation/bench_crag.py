"""CRAG's files: 15 MB of HTML per 10 questions, packed in bz2, page entries repeated as in the real ones. Against a script that
holds every line and takes each entry's main text by trafilatura; memory is the growth of a process of its own."""

import bz2
import json
import multiprocessing
import random
import resource
import sys
import tempfile
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from store.format import formats
from tests.benchmarks.table import by_turns, head, row

PAGES = 5
"""Of a question; the last is the first again."""
SIZE = 300_000
"""Characters of a page."""
FEW, MOST = 10, 60
"""Questions of the file whose memory is taken."""


def page(chance: random.Random) -> str:
    """Paragraphs among scripts and lists of links, of the shares that news pages have."""
    words = ["ferry", "bridge", "council", "harbour", "museum", "winter", "engine", "letter", "garden", "station"]
    parts = ["<!DOCTYPE html><html><head><title>News</title><style>", ".a{color:red}" * 2_000, "</style></head><body><nav>"]
    parts += [f"<a href='/{n}'>{chance.choice(words)}</a>" for n in range(300)]
    parts += ["</nav><article>"]
    parts += [f"<p>{' '.join(chance.choices(words, k=60))}.</p>" for _ in range(40)]
    parts += ["</article><script>", "var a = {b: [1, 2, 3]};" * 5_000, "</script>"]
    html = "".join(parts)
    aside = "<div class='b'><span><a href='/x'>more</a></span></div>"
    return html + f"<footer>{aside * ((SIZE - len(html)) // len(aside))}</footer></body></html>"


def made(path: Path, questions: int) -> Path:
    chance = random.Random(7)
    with bz2.open(path, "wt", encoding="utf-8") as out:
        for n in range(questions):
            pages = [page(chance) for _ in range(PAGES - 1)]
            found = [
                {
                    "page_name": "News",
                    "page_url": f"https://e.test/{n}/{k}",
                    "page_snippet": "",
                    "page_result": html,
                    "page_last_modified": "",
                }
                for k, html in enumerate([*pages, pages[0]])
            ]
            out.write(
                json.dumps(
                    {
                        "interaction_id": str(n),
                        "query_time": "02/28/2024, 08:35:24 PT",
                        "domain": "open",
                        "question_type": "simple",
                        "static_or_dynamic": "static",
                        "query": f"who built bridge {n}?",
                        "answer": "nan",
                        "alternative_answers": "[]",
                        "split": 1,
                        "search_results": found,
                    }
                )
                + "\n"
            )
    return path


def script(path: Path) -> int:
    """All lines, then each entry's text."""
    import trafilatura

    with bz2.open(path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    texts = [trafilatura.extract(page["page_result"]) for one in records for page in one["search_results"]]
    return sum(len(text or "") for text in texts)


def ours(path: Path) -> int:
    """As an import reads it, a piece at a time."""
    return sum(len(document.text) for piece in formats()["crag"].pieces(path) for document in piece.documents)


def peak(work: Callable[[Path], int], path: Path) -> float:
    """MB that a process of its own grew by."""

    def child(end: Connection) -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        work(path)
        end.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)

    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=child, args=(far,))
    process.start()
    grown = float(near.recv())
    process.join()
    return grown


def main() -> None:
    head()
    with tempfile.TemporaryDirectory() as folder:
        small, large = made(Path(folder, "few.jsonl.bz2"), FEW), made(Path(folder, "most.jsonl.bz2"), MOST)
        ours(small)
        script(small)
        theirs, own = by_turns(lambda: script(small), lambda: ours(small))
        row(f"{FEW} questions, 15 MB of HTML (CPU s)", "all lines, trafilatura", theirs, own, 1)
        print(f"{'':<48}{15 / own:.1f} MB of HTML a second")
        row(f"{MOST} questions, 90 MB of HTML (MB grown)", "all lines, trafilatura", peak(script, large), peak(ours, large), 3)


if __name__ == "__main__":
    main()
