"""Replies of the local server's embedding and rerank routes: numbers made of the words alone."""

import base64
import struct
from collections.abc import Mapping
from typing import Any

from tests.openai_replies import _hash, _share, _tokens, _words

WIDTH = 64
"""Numbers of a vector."""


def embed(asked: Mapping[str, Any], rule: Mapping[str, Any]) -> tuple[int, Any]:
    """(status, reply): a vector per text, how often its words fall into each of 64 places, at length 1; as base64 where that is
    asked for. A rule may say "most" texts of a request, "longest" letters of a text, "floats": true for an endpoint that does
    not know base64, and "backwards": true for one that answers in another order."""
    texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
    if len(texts) > rule.get("most", len(texts)):
        # huggingface/text-embeddings-inference, router: the batch limit of a client
        return 413, {"message": f"batch size {len(texts)} > maximum allowed batch size {rule['most']}", "type": "Validation"}
    longest = max(map(len, texts))
    if longest > rule.get("longest", longest):
        message = f"This model's maximum context length is {rule['longest']} tokens, however you requested {longest} tokens."
        return 400, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}
    if rule.get("floats") and "encoding_format" in asked:
        return 400, {"error": {"message": "Unknown field: encoding_format", "code": "invalid_request"}}
    data = []
    for index, text in enumerate(texts):
        vector = [0.0] * WIDTH
        for word in _words(text):
            vector[_hash(word) % WIDTH] += 1.0
        length = sum(v * v for v in vector) ** 0.5 or 1.0
        row = [v / length for v in vector]
        is_packed = asked.get("encoding_format") == "base64"
        packed = base64.b64encode(struct.pack(f"<{WIDTH}f", *row)).decode() if is_packed else row
        data.append({"object": "embedding", "index": index, "embedding": packed})
    count = sum(map(_tokens, texts))
    usage = {"prompt_tokens": count, "total_tokens": count}
    model = asked.get("model", "test-model")
    return 200, {"object": "list", "data": data[::-1] if rule.get("backwards") else data, "model": model, "usage": usage}


def rerank(asked: Mapping[str, Any], rule: Mapping[str, Any]) -> tuple[int, Any]:
    """(status, reply): the share of the query's words in each passage, best first. A rule may say "shape": "texts" for an
    endpoint as Text Embeddings Inference is, and "most" passages of a request."""
    name = "texts" if rule.get("shape") == "texts" else "documents"
    if name not in asked:  # as public issues quote it of that server: a body without the field that it wants
        return 422, f"Failed to deserialize the JSON body into the target type: missing field `{name}` at line 1 column 80"
    passages = asked[name]
    if len(passages) > rule.get("most", len(passages)):
        words = f"batch size {len(passages)} > maximum allowed batch size {rule['most']}"
        return 422, {"error": words, "error_type": "Validation"}
    scores = {index: _share(asked["query"], passage) for index, passage in enumerate(passages)}
    ranked = sorted(scores, key=lambda index: -scores[index])
    if name == "texts":
        return 200, [{"index": index, "score": scores[index]} for index in ranked]
    results = [{"index": index, "relevance_score": scores[index]} for index in ranked[: asked.get("top_n", len(ranked))]]
    return 200, {"id": "r", "model": asked.get("model", "test-model"), "results": results, "usage": {"total_tokens": 7}}
