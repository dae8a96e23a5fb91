"""A Hugging Face hub on 127.0.0.1 for data sets, in a thread: it speaks what the client of the library huggingface_hub sends to
create a repository, upload a folder (small files in the commit, Parquet over LFS), tag, list and download. It keeps everything
in memory and records every request.

`holds` makes it wait; `breaks` and `refuses` make it fail: a part of a path after which it closes the connection without an
answer, or answers with a status."""

import base64
import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml

LFS_ENDINGS = (".parquet",)


@dataclass
class Repository:
    private: bool
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Commit -> its files."""
    tags: dict[str, str] = field(default_factory=dict)
    head: str = ""

    def commit(self, files: dict[str, bytes]) -> str:
        self.head = hashlib.sha1(f"{len(self.commits)}{sorted(files)}".encode()).hexdigest()
        self.commits[self.head] = files
        return self.head

    def resolve(self, revision: str) -> str | None:
        return {"main": self.head, **self.tags}.get(revision, revision if revision in self.commits else None)


@dataclass
class Hub:
    """The hub, seen from a test."""

    url: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    writers: dict[str, str] = field(default_factory=lambda: {"hf_write": "ada"})
    """Token -> owner whose repositories it may write."""
    readers: set[str] = field(default_factory=lambda: {"hf_read"})
    """Tokens that may read what is public."""
    requests: list[tuple[str, str, str, bytes]] = field(default_factory=list)
    """Method, path, authorization, body."""
    objects: dict[str, bytes] = field(default_factory=dict)
    breaks: str = ""
    holds: str = ""
    """A part of a path whose requests wait until it is something else."""
    refuses: tuple[str, int] = ("", 0)

    def add(self, repo: str, private: bool = True, **files: str) -> Repository:
        made = self.repositories[repo] = Repository(private)
        made.commit({".gitattributes": b"", **{name: text.encode() for name, text in files.items()}})
        return made

    def received(self) -> bytes:
        """Everything that was sent to the hub, with the contents of files."""
        stored = [
            content for repo in self.repositories.values() for files in repo.commits.values() for content in files.values()
        ]
        return b"\n".join([*(body for *_, body in self.requests), *stored, *self.objects.values()])


@contextmanager
def running_hub() -> Iterator[Hub]:
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None: ...

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            hub.requests.append((self.command, self.path, self.headers.get("Authorization") or "", body))
            if hub.breaks and hub.breaks in self.path:
                self.close_connection = True
                return
            while hub.holds and hub.holds in self.path:
                time.sleep(0.02)
            part, status = hub.refuses
            if part and part in self.path:
                self.send(status, {"error": "refused"})
                return
            Conversation(hub, self, body).answer()

        do_GET = do_POST = do_PUT = do_HEAD = answer

        def send(self, status: int, content: Any = None, **headers: str) -> None:
            raw = content if isinstance(content, bytes) else json.dumps(content or {}).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(raw)), **headers}.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(raw)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Conversation:
    """One request and its answer."""

    def __init__(self, hub: Hub, handler: Any, body: bytes) -> None:
        self.hub, self.handler, self.body = hub, handler, body
        self.token = (handler.headers.get("Authorization") or "").removeprefix("Bearer ")
        self.path = unquote(urlsplit(handler.path).path)

    def answer(self) -> None:
        if self.token and self.token not in self.hub.writers and self.token not in self.hub.readers:
            self.fail(401, message="Invalid credentials in Authorization header")
            return
        for pattern, work in ROUTES:
            if match := re.fullmatch(pattern, f"{self.handler.command} {self.path}"):
                work(self, *match.groups())
                return
        self.fail(404)

    def send(self, content: Any = None, status: int = 200, **headers: str) -> None:
        self.handler.send(status, content, **headers)

    def fail(self, status: int, code: str = "", message: str = "") -> None:
        headers = {"X_Error_Code": code} if code else {}
        self.send({"error": message}, status, **headers, **({"X_Error_Message": message} if message else {}))

    def find(self, name: str, revision: str = "main") -> tuple[Repository, str] | None:
        """The repository and the commit, if the token may read them; else the request has failed."""
        found = self.hub.repositories.get(name)
        owner = self.hub.writers.get(self.token)
        if found is None or (found.private and owner != name.split("/")[0]):
            self.fail(404 if self.token else 401, "RepoNotFound" if self.token else "", "Repository not found")
            return None
        commit = found.resolve(revision)
        if commit is None:
            self.fail(404, "RevisionNotFound", f"Invalid rev id: {revision}")
            return None
        return found, commit

    def may_write(self, name: str) -> bool:
        if self.hub.writers.get(self.token) == name.split("/")[0]:
            return True
        self.fail(403, message="You don't have the rights to do this")
        return False

    def create(self) -> None:
        order = json.loads(self.body)
        assert order["type"] == "dataset"
        name = f"{order['organization']}/{order['name']}"
        if not self.may_write(name):
            return
        if name in self.hub.repositories:
            self.fail(409, message="You already created this dataset repo")
            return
        self.hub.add(name, order.get("visibility") == "private")
        self.send({"url": f"{self.hub.url}/datasets/{name}"})

    def validate(self) -> None:
        head = json.loads(self.body)["content"].split("---\n")[1]
        assert yaml.safe_load(head)["license"]
        self.send({"errors": [], "warnings": []})

    def info(self, name: str, revision: str = "main") -> None:
        if found := self.find(name, revision):
            repo, commit = found
            siblings = [{"rfilename": path, "size": len(content)} for path, content in repo.commits[commit].items()]
            self.send({"id": name, "sha": commit, "private": repo.private, "siblings": siblings, "tags": []})

    def refs(self, name: str) -> None:
        if found := self.find(name):
            tags = [{"name": t, "ref": f"refs/tags/{t}", "targetCommit": c} for t, c in found[0].tags.items()]
            self.send({"branches": [], "converts": [], "tags": tags})

    def tree(self, name: str, revision: str) -> None:
        if found := self.find(name, revision):
            repo, commit = found
            self.send([describe(path, content) for path, content in repo.commits[commit].items()])

    def preupload(self, name: str, _revision: str) -> None:
        if self.find(name) and self.may_write(name):
            paths = [file["path"] for file in json.loads(self.body)["files"]]
            modes = {path: "lfs" if path.endswith(LFS_ENDINGS) else "regular" for path in paths}
            self.send({"files": [{"path": p, "uploadMode": mode, "shouldIgnore": False} for p, mode in modes.items()]})

    def batch(self, name: str) -> None:
        if self.may_write(name):
            objects = json.loads(self.body)["objects"]
            actions = [{**o, "actions": {"upload": {"href": f"{self.hub.url}/lfs/{o['oid']}"}}} for o in objects]
            self.send({"transfer": "basic", "objects": actions})

    def store(self, oid: str) -> None:
        assert hashlib.sha256(self.body).hexdigest() == oid
        self.hub.objects[oid] = self.body
        self.send()

    def commit(self, name: str, _branch: str) -> None:
        if not self.find(name) or not self.may_write(name):
            return
        repo = self.hub.repositories[name]
        files = dict(repo.commits[repo.head])
        for line in self.body.splitlines():
            row = json.loads(line)
            value = row["value"]
            if row["key"] == "header" and value.get("parentCommit") not in (None, repo.head):
                self.fail(412, message="A commit has happened since")
                return
            if row["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif row["key"] == "lfsFile":
                files[value["path"]] = self.hub.objects[value["oid"]]
            elif row["key"] == "deletedFile":
                del files[value["path"]]
        commit = repo.commit(files)
        self.send({"success": True, "commitOid": commit, "commitUrl": f"{self.hub.url}/datasets/{name}/commit/{commit}"})

    def tag(self, name: str, revision: str) -> None:
        if (found := self.find(name, revision)) and self.may_write(name):
            repo, commit = found
            wanted = json.loads(self.body)["tag"]
            if wanted in repo.tags:
                self.fail(409, message="Tag exists")
                return
            repo.tags[wanted] = commit
            self.send()

    def resolve(self, name: str, revision: str, path: str) -> None:
        if not (found := self.find(name, revision)):
            return
        repo, commit = found
        content = repo.commits[commit].get(path)
        if content is None:
            self.fail(404, "EntryNotFound")
            return
        etag = f'"{describe(path, content)["oid"]}"'
        self.send(content, ETag=etag, X_Repo_Commit=commit, Content_Type="application/octet-stream")


def describe(path: str, content: bytes) -> dict[str, Any]:
    row = {"type": "file", "path": path, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}
    if path.endswith(LFS_ENDINGS):
        row["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 100}
    return row


_NAME = r"([^/]+/[^/]+)"
ROUTES = [
    (r"POST /api/repos/create", Conversation.create),
    (r"POST /api/validate-yaml", Conversation.validate),
    (rf"GET /api/datasets/{_NAME}/refs", Conversation.refs),
    (rf"GET /api/datasets/{_NAME}/revision/(.+)", Conversation.info),
    (rf"GET /api/datasets/{_NAME}/tree/([^/]+)", Conversation.tree),
    (rf"POST /api/datasets/{_NAME}/preupload/(.+)", Conversation.preupload),
    (rf"POST /api/datasets/{_NAME}/commit/(.+)", Conversation.commit),
    (rf"POST /api/datasets/{_NAME}/tag/(.+)", Conversation.tag),
    (rf"GET /api/datasets/{_NAME}", Conversation.info),
    (rf"POST /datasets/{_NAME}\.git/info/lfs/objects/batch", Conversation.batch),
    (r"PUT /lfs/(\w+)", Conversation.store),
    (rf"(?:GET|HEAD) /datasets/{_NAME}/resolve/([^/]+)/(.+)", Conversation.resolve),
]
