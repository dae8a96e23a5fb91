"""Works the commands and snippets that come in as JSON, in the current folder, and writes what each came to: one process, so
that the libraries are loaded once. JOB in a command is the last job whose id a command printed as JSON. Run by
tests/house/documents.py."""

import contextlib
import io
import json
import os
import sys
import traceback

sys.path[0] = os.getcwd()

import cli  # noqa: E402 - of the copy that it stands in


def find_job(printed: str) -> str | None:
    """Return the `job` of a printed JSON object, or None if it has none."""
    try:
        value = json.loads(printed)
    except ValueError:
        return None
    return value.get("job") if isinstance(value, dict) else None


def work(order: dict[str, object], job: str) -> tuple[int, str, str]:
    """(exit code, stdout, stderr)"""
    out, said = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        try:
            if order["snippet"]:
                exec(compile(str(order["snippet"]), "<docs>", "exec"), {"__name__": "__docs__"})
                code = 0
            else:
                code = cli.main([job if word == "JOB" else word for word in order["words"]])  # type: ignore[attr-defined]
        except SystemExit as ended:
            code = int(ended.code or 0)
        except Exception:  # noqa: BLE001 - whatever a snippet raises is its outcome
            code = 1
            traceback.print_exc()
    return code, out.getvalue(), said.getvalue()


outcomes, job = [], ""
for order in json.load(sys.stdin):
    outcomes.append(work(order, job))
    job = find_job(outcomes[-1][1]) or job
sys.stdout.write(json.dumps(outcomes))
sys.stdout.flush()
os._exit(0)
