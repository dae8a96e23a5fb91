"""What the test endpoint answers: a reply that fits the request's reply schema, composed of the numbered sentences that it was
sent. The same request gets the same reply; nothing here knows our prompts, only their field names and label words."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

FORMS = (
    ("goal", "turns"),
    ("standalone",),
    ("move", "message"),
    ("templates",),
    ("common", "contact"),
    ("differences",),
    ("focus", "question", "answer", "evidence"),
    ("rewritten", "depends"),
    ("class", "sentence", "was", "is"),
    ("repaired", "evidence"),
    ("event", "summary", "evidence"),
    ("question", "answer", "evidence", "referent"),
    ("question", "theme", "claims"),
    ("question", "claims"),
    ("question", "answer", "evidence"),
    ("verdicts",),
    ("nuggets",),
    ("nugget_questions",),
    ("support",),
    ("passages",),
    ("true", "false"),
    ("score",),
    ("contained",),
    ("supported",),
    ("category", "reason"),
    ("correct", "why"),
    ("title", "translation"),
    ("question", "answers", "quotes"),
    ("questions",),
    ("answers",),
    ("claims",),
    ("surrogate", "clues"),
    ("entities", "relations"),
    ("queries",),
    ("casual",),
    ("harder",),
    ("restated",),
    ("has_error", "error"),
    ("faulty", "error"),
)
"""The replies we know, for requests that name their fields in words alone: the first whose quoted names all occur."""
LABELS = {
    "question": "question|问题|beginning|开头",
    "answer": "answer|答案|回答",
    "prediction": "prediction|answer|待评答案|回答",
    "reference": "reference|参考文本|参考答案",
    "sentence": "sentence|句子",
    "statements": "statements|陈述",
    "hallucinated": "continuation|续文",
    "contact": "contact point|关联点",
    "query": "query|查询",
    "memory": "memory",
    "text": "text",
    "title": "title|标题",
    "passage": "passage|段落",
    "golds": "answers|答案",
    "cited": "sentences|句子",
    "known": "names found before|此前找到的名称",
}
"""What may stand before an input, as `Its answer: ...`, or around it, as <answer>...</answer>."""
ROOM_FOR_THOUGHTS = 4_096
"""Tokens, once or several times, by which a limit grows for a model that was seen to think: its answers do not grow by them."""
CJK = re.compile(r"[\u4e00-\u9fff]")
NAMES = {
    "en": re.compile(r"\b\d[\d,.]*\d\b|\b\d+\b|(?<=[a-z,;] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*"),
    "zh": re.compile(
        r"(?<![\d.:：-])\d[\d,.]*[年月日％%万亿个人元岁米公里]*(?![\d:：-])|《[^》]+》|[\u4e00-\u9fff]{2,6}(?:省|市|县|区|公司|大学|法院|医院|剧院|局|镇)"
    ),
}


def completion(asked: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The whole chat.completion object for a request body."""
    message: dict[str, Any] = {"role": "assistant", "content": None}
    finish = "stop"
    if asked.get("tools") and asked.get("tool_choice") != "none" and (called := _called(asked)):
        function, values = called
        arguments = json.dumps(values, ensure_ascii=False)
        call = {"id": f"call_{number}", "type": "function", "function": {"name": function["name"], "arguments": arguments}}
        message["tool_calls"], finish = [call], "tool_calls"
    else:
        message["content"] = text_for(asked)
    sent = sum(_tokens(str(m.get("content") or "")) + 4 for m in asked["messages"])
    received = _tokens(message["content"] or "") + 1
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": asked.get("model", "test-model"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received},
    }


def _called(asked: Mapping[str, Any]) -> tuple[dict[str, Any], Any] | None:
    """The first function, then the one that ends with what it gave; None where there is no such one."""
    functions, last = [tool["function"] for tool in asked["tools"]], asked["messages"][-1]
    if last["role"] != "tool":
        return functions[0], _any(functions[0].get("parameters") or {})
    ends = next((f for f in functions if f["name"] == "Finish"), None)
    return ends and (ends, {"return_type": "give_answer", "final_answer": str(last["content"])[:80] or "unknown"})


def damaged(reply: dict[str, Any], fault: str, rule: Mapping[str, Any]) -> dict[str, Any]:
    """The reply with a fault of the model's (not of the transport), or as the rule has it."""
    choice = reply["choices"][0]
    if fault in ("text", "call"):
        choice["message"].pop("tool_calls", None)
        choice["finish_reason"] = "stop"
    if fault == "call":
        function = {"name": rule["name"], "arguments": rule.get("arguments", "{}")}
        choice["message"]["tool_calls"] = [{"id": reply["id"], "type": "function", "function": function}]
        choice["finish_reason"] = "tool_calls"
    content = choice["message"]["content"] or ""
    faulty = {
        "malformed": content[: max(1, 2 * len(content) // 3)],
        "prose": "I would rather talk about the weather, which has been mild.",
        "empty": "",
        "text": rule.get("text", ""),
        "call": rule.get("text"),
        "length": content[: len(content) // 2],
        "filter": "",
    }
    if fault == "answerless" and content.startswith("{"):
        faulty[fault] = json.dumps({k: v for k, v in json.loads(content).items() if k not in ("answer", "claims")})
    choice["message"]["content"] = faulty.get(fault, rule.get("text", content))
    choice["finish_reason"] = {"length": "length", "filter": "content_filter"}.get(fault, choice["finish_reason"])
    return reply


def reshaped(reply: Any, at: Sequence[str | int], value: Any) -> Any:
    """The reply with another value at the end of that way."""
    if not at:
        return value
    part = reply
    for key in at[:-1]:
        part = part[key]
    part[at[-1]] = value
    return reply


def told(reply: dict[str, Any], asked: Mapping[str, Any], rule: Mapping[str, Any]) -> dict[str, Any]:
    """The reply up to the first stop that was asked for, with its tokens' probabilities: a word each."""
    choice = reply["choices"][0]
    content = choice["message"]["content"] or ""
    stops = asked.get("stop") or []
    places = [(content.index(stop), stop) for stop in ([stops] if isinstance(stops, str) else stops) if stop in content]
    if places:
        at, stop = min(places)
        content = choice["message"]["content"] = content[: at + (len(stop) if rule.get("keep_stop") else 0)]
    choice["finish_reason"] = rule.get("finish", choice["finish_reason"])
    if asked.get("logprobs") and not rule.get("no_logprobs"):
        tokens = [_token(word, asked, rule.get("unsure")) for word in re.findall(r"\s*\S+", content)]
        choice["logprobs"] = {"content": tokens, "refusal": None}
    return reply


def _token(word: str, asked: Mapping[str, Any], unsure: Mapping[str, float] | None) -> dict[str, Any]:
    """A word with its probability, the rest of which two others share."""
    usual = math.exp(-0.05 * (1 + len(word) % 7)) if unsure is None else 0.99
    share = (unsure or {}).get(word.strip(" .,"), usual)
    others = [{"token": other, "logprob": math.log(max((1 - share) / 2, 1e-9)), "bytes": None} for other in ("this", "that")]
    own = {"token": word, "logprob": math.log(share), "bytes": None}
    return {**own, "top_logprobs": [own, *others][: int(asked.get("top_logprobs") or 0)]}


def as_text(reply: Mapping[str, Any]) -> dict[str, Any]:
    """A chat completion as /v1/completions gives it."""
    choice = reply["choices"][0]
    tokens = (choice["logprobs"] or {}).get("content")
    logs = (
        None
        if tokens is None
        else {
            "tokens": [t["token"] for t in tokens],
            "token_logprobs": [t["logprob"] for t in tokens],
            "top_logprobs": [{top["token"]: top["logprob"] for top in t["top_logprobs"]} for t in tokens],
            "text_offset": [],
        }
    )
    one = {"index": 0, "text": choice["message"]["content"], "finish_reason": choice["finish_reason"], "logprobs": logs}
    return {**reply, "object": "text_completion", "choices": [one]}


def pieces(reply: dict[str, Any], with_usage: bool) -> Iterator[dict[str, Any]]:
    """The reply as chat.completion.chunk objects, a word each."""
    choice, head = reply["choices"][0], {k: reply[k] for k in ("id", "created", "model")}
    head["object"] = "chat.completion.chunk"
    content = choice["message"]["content"] or ""
    words = re.findall(r"\s*\S+", content) if isinstance(content, str) else [content]
    tokens = (choice["logprobs"] or {}).get("content") or [None] * len(words)
    fields = ("reasoning", "reasoning_content", "reasoning_details")
    if thought := {name: part for name, part in choice["message"].items() if name in fields}:
        yield head | {"choices": [{"index": 0, "delta": thought, "finish_reason": None}]}
    for place, word in enumerate(words):
        token = {"content": [tokens[place]], "refusal": None} if place < len(tokens) and tokens[place] else None
        yield head | {"choices": [{"index": 0, "delta": {"content": word}, "logprobs": token, "finish_reason": None}]}
    delta = {k: v for k, v in choice["message"].items() if k == "tool_calls"}
    if delta:
        delta["tool_calls"] = [{"index": i, **call} for i, call in enumerate(delta["tool_calls"])]
    yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": choice["finish_reason"]}]}
    if with_usage:
        yield head | {"choices": [], "usage": reply["usage"]}


def text_for(asked: Mapping[str, Any]) -> str:
    """The reply's text: JSON where the request asks for fields, else a phrase from its context."""
    messages = asked["messages"]
    user = next((str(m["content"]) for m in messages if m["role"] == "user"), "")
    schema = ((asked.get("response_format") or {}).get("json_schema") or {}).get("schema")
    fields = tuple(schema.get("properties", {})) if schema else _form(str(messages[0]["content"]))
    if not fields and (thought := _thinking(messages, user)):
        return thought
    if not fields:
        return _plain(user, int(asked.get("max_tokens") or asked.get("max_completion_tokens") or 0))
    values = _values(set(fields), user)
    if schema:
        values = {k: values.get(k, _any(part)) for k, part in schema["properties"].items() if k != "none"}
        if "none" in schema.get("required", ()):
            values["none"] = None
    return json.dumps(values, ensure_ascii=False)


def _thinking(messages: Sequence[Mapping[str, Any]], user: str) -> str:
    """What a prompt gets that lets think aloud: one search, then the box; findings of a reading; or the fixed last words."""
    system, so_far = str(messages[0]["content"]), user if messages[-1]["role"] == "user" else str(messages[-1]["content"])
    question = _labelled(user, "question") or _labelled(user, "query")
    if "Finish[" in system:
        seen = re.findall(r"^Observation: (.+)", user, re.MULTILINE)
        if seen:
            return f"Thought: It is told.\nAction: Finish[{seen[-1][:80]}]"
        return f"Thought: I look.\nAction: {_offered(system)}[{question[:40]}]"
    if "```" in system:
        return f"```python\n{_offered(system)}({question[:40]!r})\n```"
    marker = next((m for m in ("**Final Information**", "**最终信息**") if m in system), "")
    if marker:
        return f"{marker}\n{_plain(user.replace('Query', 'Question').replace('查询', '问题'), 0)}"
    if "<|begin_search_query|>" in system and "<|begin_search_result|>" not in so_far:
        return f"I look it up. <|begin_search_query|>{question}<|end_search_query|>"
    if "<|begin_search_query|>" in system:
        return f"Now it is known. \\boxed{{{so_far.partition('<|begin_search_result|>')[2].partition('<|end')[0][:80]}}}"
    last = next((words for words in ("So the answer is", "所以答案是") if words in system), "")
    return f"{last} {_plain(user, 0)}." if last else ""


def _offered(system: str) -> str:
    """The first function of a prompt that offers some."""
    return re.findall(r"^(\w+)[(]", system, re.MULTILINE)[0]


def _form(system: str) -> tuple[str, ...]:
    return next((form for form in FORMS if all(f'"{name}"' in system for name in form)), ())


def _values(fields: set[str], user: str) -> dict[str, Any]:
    if fields <= {"support", "correct", "why", "questions", "answers", "claims"}:
        return _held(fields, user)
    shown = {int(n): s.strip() for n, s in re.findall(r"^\[(\d+)\] (.+)$", user, re.MULTILINE)}
    rest = re.sub(r"^(\[\d+\]|#) .*$", "", user, flags=re.MULTILINE)
    language = "zh" if 5 * len(CJK.findall(" ".join(shown.values()) or user)) > len(" ".join(shown.values()) or user) else "en"
    if "templates" in fields:
        return _templates(user)
    if "turns" in fields:
        first = _factoid(shown, rest, language)
        follow_up = "它呢？" if language == "zh" else "And what about it?"
        turns = [{**first, "question": words, "standalone": first["question"]} for words in (first["question"], follow_up)]
        return {"goal": "了解一件事。" if language == "zh" else "Find out a fact.", "turns": turns}
    if "move" in fields:
        return {"move": "ask", "message": "请再说得具体一些。" if language == "zh" else "Could you say that more exactly?"}
    if "standalone" in fields:
        return {"standalone": _labelled(rest, "question")}
    if "nuggets" in fields:
        told = _labelled(rest, "answer")
        return {"nuggets": [{"text": told, "importance": "vital", "sentences": sorted(shown)[:1]}]} if told else {}
    if "nugget_questions" in fields:
        asked = {n: " ".join(words.split()[:-1]) for n, words in shown.items()}
        return {"nugget_questions": [{"nugget": n, "question": f"{q} what?", "answer": shown[n]} for n, q in asked.items()]}
    if "verdicts" in fields:
        told = _labelled(rest, "prediction")
        verdicts = {n: "support" if _share(words, told) >= 0.6 else "not_support" for n, words in shown.items()}
        return {"verdicts": [{"nugget": n, "verdict": verdict} for n, verdict in verdicts.items()]}
    if "translation" in fields:
        return {"title": _labelled(user, "title"), "translation": _labelled(user, "passage")}
    if "quotes" in fields:
        return {
            "question": _labelled(user, "question"),
            "answers": re.findall(r"^\[\d+\] (.+)$", _labelled(user, "golds"), re.MULTILINE),
            "quotes": re.findall(r"^\[\d+\] (.+)$", _labelled(user, "cited"), re.MULTILINE),
        }
    if "was" in fields:
        return _edit(shown, rest, language)
    if fields & {"common", "differences", "focus", "rewritten"}:
        return _on_several(fields, user, rest, language)
    if "repaired" in fields:
        text = _labelled(rest, "hallucinated")
        return {"repaired": re.sub(r"\d+", lambda m: str(int(m[0]) + 3), text), "evidence": sorted(shown)[:1]}
    if "event" in fields:
        chosen = sorted(shown)[:3]
        return {"event": shown[chosen[0]], "summary": " ".join(shown[n] for n in chosen), "evidence": chosen} if chosen else {}
    if "referent" in fields:
        return _implicit(shown, rest, language)
    if "claims" in fields:
        return _rationale(shown, rest, language)
    if "evidence" in fields:
        return _factoid(shown, rest, language)
    if "passages" in fields:
        return _passages(shown, rest)
    if {"true", "false"} <= fields:
        return _statements(_labelled(rest, "answer") or rest, language)
    if "supported" in fields:
        lettered = dict(re.findall(r"^\W*([A-Za-z])[.):：、．]\s*(.+)$", _labelled(rest, "statements") or rest, re.MULTILINE))
        told = _labelled(rest, "prediction")
        return {"supported": [letter for letter, words in lettered.items() if _share(words, told) >= 0.6]}
    if "contained" in fields:
        return {"contained": int(_share(_labelled(rest, "sentence"), _labelled(rest, "reference") or rest) >= 0.6)}
    if "has_error" in fields:
        twice = re.search(r"\b(\w+) \1\b", _labelled(user, "question"))
        return {"has_error": int(twice is not None), "error": f"{twice[0]}: the word stands twice" if twice else ""}
    if "queries" in fields:
        question = _labelled(rest, "question")
        return {"queries": list(dict.fromkeys([question, " ".join(_words(question)[:4]) or question]))}
    if fields & {"casual", "harder", "restated", "faulty"}:
        return _reworded(next(iter(fields & {"casual", "harder", "restated", "faulty"})), _labelled(user, "question"))
    if "clues" in fields:
        told = [s.strip() for s in re.split(r"(?<=[.!?。！？])\s*", _labelled(user, "memory")) if len(s.strip()) > 12]
        return {"surrogate": _labelled(rest, "question"), "clues": told[:2]}
    if "entities" in fields:
        return _entities(_labelled(user, "text"), _labelled(rest, "known"))
    if "category" in fields:
        return {"category": "self_contained", "reason": "Everything that is asked about is named."}
    return {"score": 7} if "score" in fields else {}


def _held(fields: set[str], user: str) -> dict[str, Any]:
    """What metrics ask: claims of a text, which passages hold a claim, questions about a text and answers from it."""
    parts = dict(re.findall(r"<(\w+)>\n(.*?)\n</\1>", user, re.DOTALL))
    first, last = (next(iter(parts.values()), user), [*parts.values(), user][-2 if parts else -1])
    asked, given = (dict(re.findall(r"^\[(\d+)\] (.+)$", part, re.MULTILINE)) for part in (first, last))
    pieces = [s.strip() for s in re.split(r"(?<=[.!?])\s+|(?<=[。！？])", first) if re.search(r"\w\w", s)]
    if "support" in fields:
        return {
            "support": [
                {"claim": int(n), "passages": [int(p) for p, words in given.items() if _share(claim, words) >= 0.6]}
                for n, claim in asked.items()
            ]
        }
    if "correct" in fields:
        accepted, told = [*parts.values(), "", ""][1:3]
        return {"correct": int(_share(accepted, told) >= 0.6), "why": "The words agree or they do not."}
    if "questions" in fields:
        return {"questions": [{"key": p.split()[-1].rstrip(".。"), "question": f"{p.rstrip('.。')}?"} for p in pieces]}
    if "answers" in fields:
        language = "zh" if CJK.search(last) else "en"
        held = [max(pieces, key=lambda piece: _share(question, piece), default="") for question in given.values()]
        no = "无法推断" if language == "zh" else "unanswerable"
        return {
            "answers": [
                (NAMES[language].findall(piece) or [piece])[-1] if _share(question, piece) >= 0.3 else no
                for question, piece in zip(given.values(), held, strict=True)
            ]
        }
    return {"claims": pieces}


def _reworded(field: str, question: str) -> dict[str, Any]:
    """The question in other words of a fixed kind; names of kinds are those of their reply fields."""
    asked = question.rstrip("?？")
    if CJK.search(question):
        words = {
            "casual": f"话说{question}",
            "harder": f"敢问{question}",
            "restated": f"我想知道{asked}。",
            "faulty": f"{asked}被是的？",
        }
    else:
        words = {
            "casual": f"{asked}, d'you know?",
            "harder": f"May it be ascertained: {question}",
            "restated": f"Tell me {asked}.",
            "faulty": f"{asked} did asked?",
        }
    return {field: words[field]} | ({"error": "verb form"} if field == "faulty" else {})


def _templates(user: str) -> dict[str, Any]:
    """The first thing to ask for of each table that is described, a line of JSON each."""
    found = []
    for line in re.findall(r"^\{.*\}$", user, re.MULTILINE):
        table = json.loads(line)
        if table.get("key") and table.get("name") and table.get("asked_for"):
            column = table["asked_for"][0]
            found.append(
                {
                    "name": f"{table['table']}_{column}",
                    "text": f"{column} of {{name}}?",
                    "table": table["table"],
                    "kind": "simple",
                    "level": "KS",
                    "slots": [{"place": "name", "path": table["name"], "of": "subject"}],
                    "answer": column,
                    "measure": None,
                    "minus": None,
                    "unit": None,
                }
            )
    return {"templates": found} if found else {"templates": [], "none": "no table has a key and a name"}


def _factoid(shown: dict[int, str], rest: str, language: str) -> dict[str, Any]:
    for number, sentence in _turned(shown, rest):
        for answer in NAMES[language].findall(sentence):
            question = _gap(sentence, answer, language)
            if sentence.count(answer) == 1 and answer not in question and question not in rest:
                return {"question": question, "answer": answer, "evidence": [number]}
    number, sentence = next(_turned(shown, rest), (0, ""))
    if not number:
        return {"question": "", "answer": "", "evidence": [], "none": "no numbered sentence was given"}
    runs = [run for run in re.findall(r"[\u4e00-\u9fff]{2,6}", sentence) if sentence.count(run) == 1]
    answer = (runs or [sentence])[-1] if language == "zh" else " ".join(sentence.rstrip(".").split()[-2:])
    return {"question": _gap(sentence, answer, language), "answer": answer, "evidence": [number]}


def _on_several(fields: set[str], user: str, rest: str, language: str) -> dict[str, Any]:
    """A step of a question on several documents: one sentence of each, which are told by the lines with their titles."""
    documents = re.split(r"^# ", user, flags=re.MULTILINE)[1:] or [user]
    each = [re.findall(r"^\[(\d+)\] (.+)$", document, re.MULTILINE) for document in documents]
    chosen = [(int(rows[-1][0]), rows[-1][1].strip()) for rows in each if rows]
    numbers, told = [number for number, _ in chosen], [sentence for _, sentence in chosen]
    contact = _labelled(rest, "contact")
    if "common" in fields:
        named = NAMES[language].findall(" ".join(told))
        best = max(named, key=lambda name: sum(name in one for one in told), default=documents[0].split("\n")[0])
        return {"common": [{"element": best, "evidence": numbers}], "contact": 1}
    if "differences" in fields:
        return {"differences": [{"point": sentence, "evidence": [number]} for number, sentence in chosen]}
    if "rewritten" in fields:
        begin = f"围绕{contact}，" if language == "zh" else f"With regard to {contact}: "
        return {"rewritten": begin + _labelled(rest, "question"), "depends": contact}
    question = f"关于{contact}，各篇分别写了什么？" if language == "zh" else f"What is told of {contact}, in order?"
    return {"focus": told, "question": question, "answer": " ".join(told), "evidence": numbers}


def _edit(shown: dict[int, str], rest: str, language: str) -> dict[str, Any]:
    for number, sentence in _turned(shown, rest):
        for was in NAMES[language].findall(sentence):
            if sentence.count(was) == 1 and re.match(r"\d+", was):
                put = re.sub(r"\d+", lambda m: str(int(m[0]) + 3), was, count=1)
                return {"class": "number", "sentence": number, "was": was, "is": put}
    number, sentence = next(_turned(shown, rest), (0, ""))
    was = sentence[:4] if language == "zh" else " ".join(sentence.split()[:2])
    return {"class": "relation", "sentence": number, "was": was, "is": "并非如此" if language == "zh" else "Nobody but them"}


def _implicit(shown: dict[int, str], rest: str, language: str) -> dict[str, Any]:
    question, answer = _labelled(rest, "question"), _labelled(rest, "answer")
    found = [(n, s) for n, s in shown.items() if answer and re.search(rf"(?<!\d){re.escape(answer)}(?!\d)", s)]
    made = _factoid(dict(found), rest, language) if found else _factoid(shown, rest, language)
    if found:
        made = {"question": _gap(found[0][1], answer, language), "answer": answer, "evidence": [found[0][0]]}
    everything = " ".join(shown.values())
    split = r"[^\u4e00-\u9fff]|[的了在是和与有为中等对从被将把向到由于]" if language == "zh" else r"(?!x)x"
    words = re.split(split, question) if language == "zh" else re.findall(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*|\w{6,}", question)
    known = [w for w in words if len(w) > (1 if language == "zh" else 3) and w in everything and w not in answer]
    names = sorted(known, key=lambda w: (w.islower(), -len(w)))
    referent = names[0] if names else (words or ["it"])[-1]
    for part in [referent, *(word for word in referent.split() if len(word) > 3)]:
        made["question"] = re.sub(re.escape(part), "它" if language == "zh" else "it", made["question"], flags=re.IGNORECASE)
    made["question"] = ("请先想清楚所指：" if language == "zh" else "Work out first what is meant. ") + made["question"]
    return made | {"referent": referent}


def _rationale(shown: dict[int, str], rest: str, language: str) -> dict[str, Any]:
    chosen = sorted(list(_turned(shown, rest))[:3])
    if len(chosen) < 3:
        return {"question": "", "theme": "", "claims": [], "none": "fewer than three sentences were given"}
    names = [(NAMES[language].findall(s) or [s[:6] if language == "zh" else " ".join(s.split()[:3])])[0] for _, s in chosen]
    question = (
        f"{names[0]}、{names[1]}与{names[2]}之间有什么联系？"
        if language == "zh"
        else (f"How do {names[0]}, {names[1]} and {names[2]} hang together?")
    )
    return {"question": question, "theme": names[0], "claims": [{"claim": s, "evidence": [n]} for n, s in chosen]}


def _passages(shown: dict[int, str], rest: str) -> dict[str, Any]:
    question = _labelled(rest, "question") or rest
    small = [int(n) for n in re.findall(r"\d+", rest.replace(question, "")) if 1 <= int(n) <= len(shown)]
    best = sorted(shown, key=lambda n: (-_share(question, shown[n]), n))
    return {"passages": sorted(best[: min(small or [5])])}


def _statements(answer: str, language: str) -> dict[str, Any]:
    pieces = (s.strip() for s in re.split(r"(?<=[.!?])\s+|(?<=[。！？])", answer))
    true = list(dict.fromkeys(s for s in pieces if re.search(r"\w", s)))[:5]
    wrong = [re.sub(r"\d+", lambda m: str(int(m[0]) + 3), s) for s in true if re.search(r"\d", s)]
    denials = {"zh": ("并非", "没人说", "据称不实："), "en": ("It is untrue that ", "Nobody says that ", "It is denied that ")}
    for before in denials[language]:
        wrong += [before + s for s in true]
    return {"true": true, "false": list(dict.fromkeys(wrong))[: max(3, min(5, len(true)))]}


def _entities(text: str, known: str) -> dict[str, Any]:
    """The names of the text, those known left out; names of one sentence are joined, in their order."""
    sentences = [s for s in re.split(r"(?<=[.!?。！？])\s*", text) if s]
    language = "zh" if 5 * len(CJK.findall(text)) > len(text) else "en"
    named = {s: list(dict.fromkeys(NAMES[language].findall(s))) for s in sentences}
    first = {name: s for s, names in reversed(named.items()) for name in names if name not in known}
    joins = [(a, b, s) for s, names in named.items() for a, b in pairwise(names)]
    return {
        "entities": [{"name": name, "description": s} for name, s in first.items()],
        "relations": [] if known else [{"source": a, "target": b, "description": s} for a, b, s in joins],
    }


def _plain(user: str, max_tokens: int) -> str:
    user = re.sub(r"^(?:Continuation|续文)[:：].*$|^.*[:：]$", "", user, flags=re.MULTILINE)
    question = _labelled(user, "question") or user.strip().splitlines()[-1]
    context = re.sub(r"</?\w+>", "", user.replace(question, ""))
    sentences = [s.strip() for s in re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n", context) if len(s.strip()) > 12]
    if not sentences:
        return " ".join(question.rstrip("?？").split()[-3:])
    best = sorted(sentences, key=lambda s: -_share(question, s))
    if max_tokens % ROOM_FOR_THOUGHTS > 300:
        return " ".join(best[:2])
    language = "zh" if CJK.search(best[0]) else "en"
    names = [n for n in NAMES[language].findall(best[0]) if n not in question]
    return str(names[0]) if names else (best[0][:12] if language == "zh" else " ".join(best[0].split()[:8]))


def _gap(sentence: str, answer: str, language: str) -> str:
    before, _, after = sentence.rstrip(" .。").partition(answer)
    if language == "zh":
        return f"“{before}____{after}”，空缺处应是什么？"
    kind = "number" if answer[0].isdigit() else "name"
    return f"Which {kind} fills the gap in {before.strip()} ____ {after.strip()}?"


def _turned(shown: dict[int, str], rest: str) -> Iterator[tuple[int, str]]:
    """The sentences of a fair length, from a place that the request decides on."""
    fair = [(n, s) for n, s in shown.items() if 12 <= len(s) <= 400] or list(shown.items())
    start = _hash(rest + " ".join(shown.values())) % max(1, len(fair))
    yield from fair[start:] + fair[:start]


def _labelled(text: str, label: str) -> str:
    words = LABELS[label]
    found = re.search(rf"<({words})>\s*(.*?)\s*</\1>", text, re.DOTALL) or re.search(
        rf"^[^:：\n]{{0,20}}?({words})\s*[:：][ \t]*(\S.*)$", text, re.MULTILINE | re.IGNORECASE
    )
    return found[2].strip() if found else ""


def _share(part: str, whole: str) -> float:
    """Share of the part's words found in the whole; 0 without words."""
    words, there = set(_words(part)), set(_words(whole))
    return len(words & there) / len(words) if words else 0.0


def _words(text: str) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+", text.lower())


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


def _tokens(text: str) -> int:
    return len(CJK.findall(text)) + (len(text) - len(CJK.findall(text))) // 4


def _any(schema: Mapping[str, Any]) -> Any:
    """Some value that fits a JSON schema."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {k: _any(part) for k, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [_any(schema.get("items", {"type": "string"}))] * schema.get("minItems", 1)
    low = schema.get("minimum", 1)
    return {"string": "something", "integer": int(low), "number": float(low), "boolean": True, "null": None}[kind]
