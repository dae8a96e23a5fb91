"""Works the commands and snippets that come in as JSON, in the current folder, and writes what each came to: one process, so
that the libraries are loaded once. A word of PRINTED in a command is what an earlier command printed. Run by
tests/house/documents.py."""

import contextlib
import io
import json
import os
import sys
import traceback

sys.path[0] = os.getcwd()

import cli  # noqa: E402 - of the copy that it stands in

PRINTED = {
    "JOB": ("", "job"),
    "OLD": ("add old.txt", "added 0 id"),
    "NEW": ("add new.txt", "added 0 id"),
    "INVITE": ("people invite", "id"),
    "NEXT": ("desk next", "item id"),
    "BEGUN": ("web-questions begin", "web_questions 0 id"),
    "QUESTION": ("web-questions hand-in", "items 0 id"),
    "ASKED": ("question-sets list", "question_sets 0 item"),
    "GOLD": ("question-sets list", "question_sets 0 gold"),
    "SAMPLE": ("variant-quality --draw", "samples 0 sample id"),
    "VARIANT": ("variant-quality next", "variant id"),
    "TRIAL": ("trials start", "trial"),
    "PROPOSAL": ("templates propose", "waiting 0 id"),
    "OTHER": ("templates propose", "waiting 1 id"),
    "TEMPLATE": ("templates list", "templates 0 id"),
    "VERSION": ("templates list", "templates 0 version"),
    "SEASON": ("templates list", "seasons 0 season id"),
    "GRADING": ("gradings start", "id"),
}
"""Word in a command -> how the command begins that prints what it stands for, and the place of that in its JSON."""


def find_printed(words: list[str], printed: str) -> dict[str, str]:
    """What the command printed for words of PRINTED."""
    try:
        value = json.loads(printed)
    except ValueError:
        return {}
    found = {}
    for word, (begins, place) in PRINTED.items():
        part = value if " ".join(words).startswith(begins) else None
        for key in place.split():
            try:
                part = part[int(key) if key.isdigit() else key]
            except (KeyError, IndexError, TypeError):
                part = None
        if isinstance(part, str):
            found[word] = part
    return found


def work(order: dict[str, object], known: dict[str, str]) -> tuple[int, str, str]:
    """(exit code, stdout, stderr)"""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            if order["snippet"]:
                exec(compile(str(order["snippet"]), "<docs>", "exec"), {"__name__": "__docs__"})
                code = 0
            else:
                code = cli.main([known.get(word, word) for word in order["words"]])  # type: ignore[attr-defined]
        except SystemExit as ended:
            code = int(ended.code or 0)
        except Exception:  # noqa: BLE001 - whatever a snippet raises is its outcome
            code = 1
            traceback.print_exc()
    return code, out.getvalue(), said.getvalue()


outcomes: list[tuple[int, str, str]] = []
known: dict[str, str] = {}
for order in json.load(sys.stdin):
    outcomes.append(work(order, known))
    known |= find_printed(order["words"], outcomes[-1][1])
sys.stdout.write(json.dumps(outcomes))
sys.stdout.flush()
os._exit(0)
