"""Nothing is imported while a request is answered: threads that meet a half-imported package answer 500 after they stored.
Garbage collection, which delays every request, skips what is imported at the start."""

import re
import subprocess
import sys
from pathlib import Path

from tests.app_server import ROOT

CODE = """
import gc, os, sys
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import config
from serving import lifespan, preloading
from serving.routes import ROUTES
from serving.security import MIDDLEWARE
from store.items import items
from workbench import open_workbench

bench = open_workbench()
preloading.load()
client = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), "http://localhost", headers={"x-benchwright": "desk"})
client.get("/bench/health")
before = set(sys.modules)
one, *_ = items.list_items(bench.database)
bench.database.write(lambda cursor: cursor.execute("UPDATE state SET status = 'drafted'"))
item = items.get(bench.database, one.id)
spans = [{"document": span.document, "start": span.start, "end": span.end} for span in item.evidence]
words = {"person": "Ada", "item": item.id, "revision": 1, "question": item.question + " Say?", "answer": item.answers[0] + "!",
         "evidence": spans, "seconds": 2.5, "tab": "left", "status": "drafted", "reason": "", "comment": "c", "key": "k"}
posts = [("hold", words), ("scratch", words), ("decide", {**words, "decision": "accept"}),
         ("comment", {**words, "text": "Hm.", "key": "c"}), ("rewrite/numbers", {**words, "text": "In other words, who?"}),
         ("rewrite", {**words, "revision": 2, "text": "In other words, who?", "reason": "A test."}),
         ("undo", {"person": "Ada", "item": item.id, "key": "u"})]
for act, body in posts:
    answer = client.post(f"/bench/{act}", json=body)
    print(act, answer.status_code, answer.text[:100], file=sys.stderr)
    assert answer.status_code in (200, 409, 422), answer.text
for path in (f"document/{spans[0]['document']}", f"sentences/{spans[0]['document']}", f"claims/{item.id}?revision=1",
             f"history/{item.id}?person=Ada"):
    assert client.get(f"/bench/{path}").status_code == 200, path
print(*sorted({name for name in set(sys.modules) - before}))
print(gc.get_freeze_count(), "exempt", config.get_option("runner.postScriptGC"), file=sys.stderr)
bench.reviews.close()
os._exit(0 if sys.stdout.flush() is None else 1)
"""


def test_what_requests_need_is_imported_before_the_first(workspace: Path) -> None:
    env = {"BENCHWRIGHT_WORKSPACE": str(workspace), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "decide 200" in done.stderr
    assert done.stdout.split() == []
    frozen = re.search(r"^(\d+) exempt False$", done.stderr, flags=re.MULTILINE)
    assert frozen and int(frozen[1]) > 50_000
