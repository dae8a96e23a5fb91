"""Run as a separate process that talks to the Hugging Face hub. The library huggingface_hub reads its settings once per
process, and the main program sets HF_HUB_OFFLINE for its models. The process reads one request as JSON from stdin and prints
the result as JSON in its last line. A download first prints {"bytes": ...}, the size of the files. A failure is printed as
{"fault": ..., "status": ..., "at": ...}, without the library's error message, which could contain secrets. The token comes from
the environment. This module imports no other module of Benchwright."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SUMS = "checksums.json"
FETCHED_PATTERNS = ("*.json", "*.jsonl", "*.parquet", "*.txt", "data/*", "tables/*")
"""Patterns of those files of an export that are downloaded; they contain data and no programs."""
MAX_FETCHED_BYTES = 20 * 2**30
MAX_FETCHED_FILES = 10_000
TIMEOUT_SECONDS = 60.0

Result = dict[str, Any]


class HubFault(Exception):
    """Raised when the request cannot be carried out. The text of the error is a short code, which the main program turns into
    an error message."""


class Progress:
    """Stores the current step, so that an error message can say which steps are already done."""

    at = "look"


def push(api: Any, order: Result) -> Result:
    """Publish a folder as one commit with a tag. If the tag already exists with the same content, nothing is published."""
    from huggingface_hub.errors import RepositoryNotFoundError

    repo, tag, folder = order["repo"], order["tag"], Path(order["folder"])
    own = (folder / SUMS).read_bytes()
    is_private, is_uploaded, commit = not order["public"], False, None
    try:
        info = api.dataset_info(repo, timeout=TIMEOUT_SECONDS)
    except RepositoryNotFoundError:
        Progress.at = "create"
        api.create_repo(repo, repo_type="dataset", private=is_private)
    else:
        if is_private and not info.private:
            raise HubFault("is public")
        is_private, commit = bool(info.private), info.sha
        tags = {one.name: one.target_commit for one in api.list_repo_refs(repo, repo_type="dataset").tags}
        if tag in tags:
            if read_sums(api, repo, tag, order["room"]) != own:
                raise HubFault("tag is taken")
            return describe(order, is_private, tags[tag], is_already=True)
        if {sibling.rfilename for sibling in info.siblings or ()} - {".gitattributes"}:
            there = read_sums(api, repo, "main", order["room"])
            if not is_export(there):
                raise HubFault("holds other files")
            is_uploaded = there == own  # an earlier attempt stopped before the tag
    if not is_uploaded:
        Progress.at = "upload"
        commit = api.upload_folder(
            repo_id=repo,
            repo_type="dataset",
            folder_path=str(folder),
            commit_message=order["message"],
            parent_commit=commit,  # what somebody else publishes at the same time is not lost
            delete_patterns="*" if commit else None,
        ).oid
    Progress.at = "tag"
    api.create_tag(repo, repo_type="dataset", tag=tag, revision=commit, tag_message=order["message"])
    return describe(order, is_private, commit, is_already=False)


def read_sums(api: Any, repo: str, revision: str, room: str) -> bytes | None:
    """Return the checksum file of the export in the repository, or None if there is none."""
    from huggingface_hub.errors import EntryNotFoundError

    try:
        local = Path(room, "sums", revision)
        return Path(api.hf_hub_download(repo, SUMS, repo_type="dataset", revision=revision, local_dir=local)).read_bytes()
    except EntryNotFoundError:
        return None


def is_export(sums: bytes | None) -> bool:
    """Return whether `sums` is the checksum file of an export."""
    try:
        found = json.loads(sums or b"")
    except ValueError:
        return False
    return isinstance(found, dict) and {"release", "name", "files"} <= found.keys()


def describe(order: Result, is_private: bool, commit: str | None, *, is_already: bool) -> Result:
    address = f"{order['endpoint']}/datasets/{order['repo']}/tree/{order['tag']}"
    return {"url": address, "private": is_private, "commit": commit, "already": is_already}


def fetch(api: Any, order: Result) -> Result:
    """Download the files of an exported release into a folder."""
    from fnmatch import fnmatch

    Progress.at = "fetch"
    info = api.dataset_info(order["repo"], revision=order["tag"], timeout=TIMEOUT_SECONDS, files_metadata=True)
    wanted = [s for s in info.siblings or () if any(fnmatch(s.rfilename, pattern) for pattern in FETCHED_PATTERNS)]
    if not {"manifest.json", SUMS} <= {sibling.rfilename for sibling in wanted}:
        raise HubFault("no export")
    size = sum(sibling.size or 0 for sibling in wanted)
    if size > MAX_FETCHED_BYTES or len(wanted) > MAX_FETCHED_FILES:
        raise HubFault("too large")
    print(json.dumps({"bytes": size}), file=sys.__stdout__, flush=True)
    api.snapshot_download(
        order["repo"],
        repo_type="dataset",
        revision=info.sha,
        local_dir=order["folder"],
        allow_patterns=[sibling.rfilename for sibling in wanted],
        max_workers=4,
    )
    return {"commit": info.sha, "files": len(wanted)}


ACTIONS: dict[str, Callable[[Any, Result], Result]] = {"push": push, "fetch": fetch}


def explain(error: Exception) -> Result:
    """Return a short code for the failure, without the message of the error."""
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

    if isinstance(error, HubFault):
        return {"fault": str(error)}
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, RevisionNotFoundError):
            return {"fault": "no tag"}
        if isinstance(seen, RepositoryNotFoundError):
            return {"fault": "no repository"}
        if isinstance(seen, HfHubHTTPError):
            return {"fault": "status", "status": seen.response.status_code}
        if isinstance(seen, httpx2.ConnectError | httpx2.ProxyError):
            return {"fault": "unreachable"}
        if isinstance(seen, httpx2.TimeoutException):
            return {"fault": "silent"}
        if isinstance(seen, httpx2.TransportError):
            return {"fault": "broke off"}
        seen = seen.__cause__ or seen.__context__
    if isinstance(error, ValueError) and "metadata in README" in str(error):
        return {"fault": "card"}
    return {"fault": "failed", "status": type(error).__name__}


def make_client() -> object:
    """Return an HTTP client for huggingface_hub with a timeout of TIMEOUT_SECONDS."""
    from huggingface_hub.utils import _http

    client = _http.default_client_factory()
    client.timeout = TIMEOUT_SECONDS
    return client


def main() -> None:
    out, sys.stdout = sys.stdout, sys.stderr
    order = json.load(sys.stdin)
    try:
        from huggingface_hub import HfApi, set_client_factory

        set_client_factory(make_client)  # type: ignore[arg-type]
        api = HfApi(endpoint=order["endpoint"], token=os.environ.get("HF_TOKEN") or False)
        result = ACTIONS[order["action"]](api, order)
    except Exception as error:  # noqa: BLE001 - whatever a library raises becomes a sentence in the parent process
        result = {**explain(error), "at": Progress.at}
    print(json.dumps(result), file=out, flush=True)


if __name__ == "__main__":
    main()
