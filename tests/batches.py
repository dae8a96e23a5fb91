"""The Batch API of the test endpoint, and a stand-in for `vllm run-batch`: a file of requests in, a file of replies out.

A rule of the endpoint's script applies to each line as to a request of its own; only in a batch it may also say
  "fault": "unanswered" (no line for this request), "twice" (its line twice), "cut_line" (the file ends within its line),
           "line_error" (an error without a response, "is" = the error, else OpenAI's of an expired request)
  {"batch": STATUS} as the only word of a rule: the state of every batch, completed if no rule says one; "message" = why the
           file was refused
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

EXPIRED = {"code": "batch_expired", "message": "This request could not be executed before the completion window expired."}
"""The error of OpenAI's documentation for a request that no time was left for."""
Answer = Callable[[dict[str, Any]], tuple[int, Any, Mapping[str, Any]]]
"""Returns (status, body, rule) of the answer to one request."""


def answer_lines(text: str, answer: Answer, is_vllm: bool = False) -> tuple[str, str]:
    """The output and the error file of a file of requests, in the form of OpenAI or of vllm."""
    output, errors = list[str](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        asked = json.loads(line)
        assert set(asked) == {"custom_id", "method", "url", "body"} and asked["method"] == "POST"
        status, body, rule = answer(asked["body"])
        fault = rule.get("fault", "")
        response: dict[str, Any] | None = {"status_code": status, "request_id": f"req_{number}", "body": body}
        record = {"id": f"batch_req_{number}", "custom_id": asked["custom_id"], "response": response, "error": None}
        if fault == "line_error":
            record |= {"response": None, "error": rule.get("is", EXPIRED)}
        elif is_vllm and status != 200:
            record |= {"response": {"status_code": status, "request_id": f"vllm-batch-{number}", "body": None}, "error": body}
        is_bad = not is_vllm and (status != 200 or record["response"] is None)
        lines = errors if is_bad else output
        words = json.dumps(record, ensure_ascii=False) + "\n"
        if fault != "unanswered":
            lines += [words] * (2 if fault == "twice" else 1)
        if fault == "cut_line":
            lines[-1] = words[: len(words) // 2]
            break
    return "".join(output), "".join(errors)


def run_batch(path: Path, replies: Path, answer: Answer) -> None:
    """What `vllm run-batch -i PATH -o REPLIES` does, with another model."""
    replies.write_text(answer_lines(path.read_text(encoding="utf-8"), answer, is_vllm=True)[0], encoding="utf-8")


class BatchFiles:
    """The files and batches of the endpoint."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.sent: list[str] = []
        """Ids of the files that were uploaded."""

    def upload(self, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
        """Takes a file in multipart form."""
        boundary = re.search(r"boundary=\"?([^\";]+)", headers["content-type"])
        assert boundary is not None
        fields: dict[str, bytes] = {}
        for part in body.split(b"--" + boundary[1].encode())[1:-1]:
            head, _, content = part.strip(b"\r\n").partition(b"\r\n\r\n")
            name = re.search(rb'name="([^"]+)"', head)
            assert name is not None
            fields[name[1].decode()] = content
        assert fields["purpose"] == b"batch", fields["purpose"]
        id_ = f"file-{len(self.files) + 1}"
        self.files[id_] = fields["file"]
        self.sent.append(id_)
        return self._describe_file(id_, "batch")

    def create(self, asked: Mapping[str, Any], answer: Answer, rules: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """Makes a batch, whose lines are answered when it is looked at."""
        assert asked["endpoint"] == "/v1/chat/completions" and asked["completion_window"] == "24h"
        id_ = f"batch_{len(self.batches) + 1}"
        text = self.files[asked["input_file_id"]].decode()
        total = len(text.splitlines())
        self.batches[id_] = {
            "id": id_,
            "object": "batch",
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "completion_window": "24h",
            "created_at": 0,
            "status": "validating",
            "request_counts": {"total": total, "completed": 0, "failed": 0},
        }
        return self.batches[id_]

    def look(self, id_: str, answer: Answer, rules: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """The state of a batch; once it is over, with its files."""
        batch = self.batches[id_]
        rule = next((rule for rule in rules if "batch" in rule), {"batch": "completed"})
        if batch["status"] in ("completed", "expired", "failed"):
            return batch
        batch["status"] = rule["batch"]
        if rule["batch"] == "failed":
            error = {"code": "invalid", "message": rule.get("message", "The file is refused."), "line": 1}
            batch["errors"] = {"object": "list", "data": [error]}
        elif rule["batch"] in ("completed", "expired"):
            output, errors = answer_lines(self.files[batch["input_file_id"]].decode(), answer)
            for name, text in (("output_file_id", output), ("error_file_id", errors)):
                if text:
                    batch[name] = f"file-{len(self.files) + 1}"
                    self.files[batch[name]] = text.encode()
            done, failed = len(output.splitlines()), len(errors.splitlines())
            batch["request_counts"] |= {"completed": done, "failed": failed}
        return batch

    def _describe_file(self, id_: str, purpose: str) -> dict[str, Any]:
        size = len(self.files[id_])
        about = {"bytes": size, "created_at": 0, "filename": "requests.jsonl", "purpose": purpose, "status": "processed"}
        return {"id": id_, "object": "file", **about}
