"""Score a predictions file like the workbench's command `score`, but without confidence intervals: `python score.py
PREDICTIONS.jsonl [--metrics a,b] [--language CODE]`. This program needs only Python's standard library, except that Chinese
tokenization and rouge_l_crud need the package jieba. If a line has no language and its item is not in the files beside this
program, the program takes Chinese for a text mostly in Chinese characters, and English for any other: give --language for other
languages.

Each line of the predictions file is {"id", "prediction", "answers": [..], "language"?, "error"?}. If "answers" is missing, the
program takes the gold answers of the item with this id from items.jsonl or golds.jsonl beside it. If the prediction is null,
the system failed: the line is counted but not scored. The prediction "" is a valid answer."""

from __future__ import annotations

import argparse
import functools
import json
import math
import re
import string
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Optional  # noqa: UP035 - this file also runs on Python 3.9

Value = Optional[float]  # noqa: UP045
HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3007"
CJK = re.compile(f"[{HAN}\u3040-\u30ff]")
UNSPACED = HAN + "\u3040-\u30ff\u31f0-\u31ff\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Characters of scripts that are written without spaces between words."""
MARKS = "".join(re.escape(chr(c)) for c in range(0x300, 0xFFFF) if unicodedata.category(chr(c))[0] == "M") + "\u200c\u200d"
"""Combining marks and joiners, which `\\w` does not match although they are part of words."""
ASCII_WORD = re.compile(r"\d+(?:[.,]\d+)+|\w+(?:'[a-z]+)*")
WORD = re.compile(
    rf"[{UNSPACED}][{MARKS}]*|\d+(?:[.,]\d+)+|(?:[^\W{UNSPACED}]|[{MARKS}])+(?:['’](?:[^\W\d_{UNSPACED}]|[{MARKS}])+)*"
)
RUN = re.compile(rf"[{UNSPACED}][{MARKS}]*|(?:[^\W_{UNSPACED}]|[{MARKS}])+")
PIECE = re.compile(rf"[{UNSPACED}][{MARKS}]*|[^{UNSPACED}]+")
LANGUAGES = ("ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "zh")
"""Codes of the languages that have their own rules for words. A text in another language, or in `und`, is split into words by
the rules of Unicode."""
ARTICLES = {
    "de": "ein eine einen einem eines einer der die das den dem des",
    "es": "un una unos unas el la los las",
    "fr": "le la l les du de d des un une",
    "it": "il lo la l i gli le del dello della dell dei degli degl delle un uno una",
    "nl": "de het een des der den",
    "pt": "o a os as um uma uns umas",
}
ARTICLE_PREFIX = {"ar": "ال"}
IGNORED = {"ar": re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670]")}
"""Dict from language to a pattern of characters that are ignored when words are compared, such as vowel marks."""
ELIDING = ("fr", "it")
"""Languages in which an apostrophe ends a word, as in the French l'eau."""
WITHOUT_SPACES = ("ja",)
LATIN_WORD = re.compile(r"[^\W\d_]+")
REFUSALS = ("cannot be answered from the given text", "无法根据所给文本回答", "i do not know", "我不知道")
DEEPEST = 990
"""Recursion depth at which the package rouge 1.0.1 still works; with that package, a text that needs a deeper recursion scores
0."""
NEEDS_JIEBA = "not available: the package jieba is not installed"


class NotScored(Exception):
    """Raised for an answer that cannot be scored; the message has the reason."""


def normalise(text: str) -> str:
    """Return the text in lower case, without ASCII punctuation, without the words a, an and the, and with single spaces."""
    plain = text.lower().translate(str.maketrans("", "", string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", plain).split())


def exact_match(prediction: str, answers: list[str], language: str) -> dict[str, Value]:
    def plain(text: str) -> str:
        if language not in ("en", "zh"):
            return " ".join(answer_tokens(text, language))
        text = normalise(text)
        if language == "en":
            return text
        return "".join(c for c in text if not c.isspace() and not unicodedata.category(c).startswith("P"))

    def same(gold: str) -> float:
        a, b = plain(prediction), plain(gold)
        return float(a == b if a or b else prediction.strip().lower() == gold.strip().lower())

    return {"": max(map(same, answers), default=None)}


def best_f1(
    prediction: str, answers: list[str], tokens: Callable[[str], list[str]], count: Callable[[list[str], list[str]], int]
) -> dict[str, Value]:
    """Return the highest F1 of the prediction with an answer; `count` says how many tokens two lists share."""

    def f1(gold: str) -> float:
        wanted = tokens(gold)
        shared = count(mine, wanted)
        return harmonic(shared / len(mine), shared / len(wanted)) if shared else 0.0

    mine = tokens(prediction)
    return {"": max(map(f1, answers), default=None)}


def token_f1(prediction: str, answers: list[str], language: str) -> dict[str, Value]:
    def count(a: list[str], b: list[str]) -> int:
        return sum((Counter(a) & Counter(b)).values())

    return best_f1(prediction, answers, lambda text: answer_tokens(text, language), count)


def rouge_l(prediction: str, answers: list[str], language: str) -> dict[str, Value]:
    def tokens(text: str) -> list[str]:
        text = text.lower()
        if language == "en":
            return re.findall("[a-z0-9]+", text)
        if language != "zh":
            return RUN.findall(fold_digits(fold(unicodedata.normalize("NFKC", text), language)))
        return [w for w in jieba_words(text) if any(c.isalnum() for c in w)]

    return best_f1(prediction, answers, tokens, lcs_length)


def rouge_l_crud(prediction: str, answers: list[str], language: str) -> dict[str, Value]:
    """Return ROUGE-L as CRUD-RAG computes it: over jieba's tokens, including white space and punctuation."""
    if language not in ("en", "zh"):
        raise NotScored(f"not available for {language}: its words are jieba's, which are for Chinese and English")

    return best_f1(prediction, answers, jieba_words, lcs_length)


def rouge_l_hawkbench(prediction: str, answers: list[str], language: str) -> dict[str, Value]:
    """Return ROUGE-L as the package rouge 1.0.1 computes it: over unique, case-sensitive tokens, with sentences split at
    "."."""
    if language in WITHOUT_SPACES:
        raise NotScored(f"not available for {language}: it cuts words at spaces, which the language does not write")

    def f1(gold: str) -> float:
        predicted, golds = sentences(prediction), sentences(gold)
        if not predicted or not golds:
            return 0.0
        union: set[str] = set()
        for sentence in golds:
            for other in predicted:
                common = walked(sentence, other)
                if common is None:
                    return 0.0
                union |= common
        p = len(union) / len({token for sentence in predicted for token in sentence})
        r = len(union) / len({token for sentence in golds for token in sentence})
        return 2.0 * (p * r / (p + r + 1e-8))

    return {"": max(map(f1, answers), default=None)}


def length(prediction: str, answers: list[str], language: str) -> dict[str, Value]:
    opening = prediction.strip().strip("\"'“”「」").lower()
    return {
        "": float(len(words(prediction, language))),
        "characters": float(len(prediction)),
        "empty": float(not prediction.strip()),
        "refused": float(opening.startswith(REFUSALS)),
    }


METRICS: dict[str, Callable[[str, list[str], str], dict[str, Value]]] = {
    "exact_match": exact_match,
    "token_f1": token_f1,
    "rouge_l": rouge_l,
    "rouge_l_crud": rouge_l_crud,
    "rouge_l_hawkbench": rouge_l_hawkbench,
    "length": length,
}
PARTS = {"length": ("", "characters", "empty", "refused")}


def harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


def lcs_length(a: list[str], b: list[str]) -> int:
    """Return the length of the longest common subsequence, computed with one bit per token of `a` (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for i, token in enumerate(a):
        places[token] = places.get(token, 0) | 1 << i
    full = (1 << len(a)) - 1
    row = full
    for token in b:
        here = row & places.get(token, 0)
        row = (row + here | row - here) & full
    return len(a) - bin(row).count("1")


def sentences(text: str) -> list[list[str]]:
    return [" ".join(piece.split()).split(" ") for piece in text.split(".") if piece]


def walked(gold: list[str], predicted: list[str]) -> set[str] | None:
    """Return the tokens of the longest common subsequence as the package rouge finds it by backtracking; None if that package
    would exceed its recursion depth."""
    table = [[0] * (len(predicted) + 1)]
    for token in gold:
        above, row = table[-1], [0]
        for j, other in enumerate(predicted):
            row.append(above[j] + 1 if token == other else max(above[j + 1], row[j]))
        table.append(row)
    i, j, steps, found = len(gold), len(predicted), 0, set()
    while i and j:
        steps += 1
        if gold[i - 1] == predicted[j - 1]:
            i, j = i - 1, j - 1
            found.add(gold[i])
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found if steps <= DEEPEST else None


def fold(text: str, language: str) -> str:
    """Return the text in lower case without the characters that are ignored when words of its language are compared."""
    return IGNORED[language].sub("", text.lower()) if language in IGNORED else text.lower()


def fold_digits(text: str) -> str:
    """Return the text with the decimal digits of all scripts replaced by 0 to 9."""
    return re.sub(r"[^\D0-9]", lambda digit: str(unicodedata.decimal(digit[0])), text)


def answer_tokens(text: str, language: str) -> list[str]:
    """Return the tokens for token F1: words without punctuation and articles, or single characters if the script has no
    spaces."""
    if language == "en":
        return normalise(text).split()
    if language == "zh":
        return [w for w in jieba_words(normalise(text)) if any(c.isalnum() for c in w)]
    plain = fold_digits(fold(unicodedata.normalize("NFKC", text), language))
    if language in ELIDING:
        plain = plain.replace("’", "'").replace("'", " ")
    plain = "".join(c for c in plain if c not in string.punctuation and unicodedata.category(c)[0] != "P")
    found = [piece for word in plain.split() for piece in PIECE.findall(word)]
    prefix = ARTICLE_PREFIX.get(language, "")
    if prefix:
        found = [w[len(prefix) :] if w.startswith(prefix) and len(w) > len(prefix) + 1 else w for w in found]
    return [w for w in found if w not in ARTICLES.get(language, "").split()]


def words(text: str, language: str) -> list[str]:
    """Return the words of the text in lower case, normalized with NFKC and without punctuation."""
    text = fold(text if text.isascii() else unicodedata.normalize("NFKC", text), language)
    if language in ELIDING:
        text = text.replace("'", " ").replace("’", " ")
    if language == "zh":
        return [w for w in jieba_words(text) if any(c.isalnum() for c in w)]
    return (ASCII_WORD if text.isascii() else WORD).findall(text)


def jieba_words(text: str) -> list[str]:
    found: list[str] = tokenizer().lcut(text)
    return found


@functools.lru_cache(maxsize=1)
def tokenizer() -> Any:
    try:
        import jieba
    except ImportError as error:
        raise NotScored(NEEDS_JIEBA) from error
    made = jieba.Tokenizer()
    made.FREQ, made.total = made.gen_pfdict(made.get_dict_file())
    made.initialized = True
    return made


def detect_language(text: str) -> str:
    """Return zh if the text has at least as many Chinese characters as words of other scripts, otherwise en."""
    if len(text) > 40_000:
        middle = len(text) // 2
        text = text[:20_000] + " " + text[middle : middle + 20_000]
    characters = len(CJK.findall(text))
    return "zh" if characters and characters >= len(LATIN_WORD.findall(CJK.sub(" ", text))) else "en"


def read(path: Path, golds: dict[str, dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return (valid prediction lines, rejected lines) of a file. Raises SystemExit if there is nothing to score."""
    lines: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    seen: set[str] = set()
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                try:
                    text = raw.decode("utf-8").lstrip("\ufeff")
                    if not text.strip():
                        continue
                    line = checked(strict(text), seen, golds)
                except (ValueError, RecursionError) as error:
                    why = "is not JSON" if isinstance(error, (json.JSONDecodeError, RecursionError)) else str(error)
                    why = "is not UTF-8" if isinstance(error, UnicodeError) else why
                    refused.append({"where": path.name, "line": number, "message": f"Line {number} of {path.name} {why}."})
                else:
                    seen.add(line["id"])
                    lines.append(line)
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror or error}") from error
    if not lines:
        raise SystemExit(refused[0]["message"] if refused else f"{path} holds no predictions: give one JSON object a line.")
    return lines, refused


def strict(text: str) -> Any:
    """Parse the JSON of one line. Raises ValueError for NaN, huge numbers, repeated keys, NUL characters and lone surrogates,
    as the workbench does."""

    def number(digits: str) -> Any:
        is_whole = digits.lstrip("-").isdigit()
        if (is_whole and len(digits) > 40) or not math.isfinite(float(digits)):
            raise ValueError(f"holds {digits[:40]}, which is not a valid number")
        return int(digits) if is_whole else float(digits)

    def refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("has a key twice")
        return found

    value = json.loads(
        text, parse_constant=number, parse_int=number, parse_float=number, object_pairs_hook=refuse_repeated_keys
    )
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str) and ("\0" in one or re.search("[\ud800-\udfff]", one)):
            raise ValueError("holds a NUL character or a lone surrogate")
        left += [*one, *one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
    return value


def checked(record: Any, seen: set[str], golds: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the prediction record if it is valid. Raises ValueError if the record is invalid; the message leaves out the
    line's position, which the caller adds."""
    if not isinstance(record, dict):
        raise ValueError("is not a JSON object")
    name = record.get("id")
    if isinstance(name, bool) or not isinstance(name, (str, int)) or name == "":
        raise ValueError("has no id")
    if str(name) in seen:
        raise ValueError(f"repeats the id {name}")
    text, error = record.get("prediction"), record.get("error")
    if text is not None and not isinstance(text, str):
        raise ValueError("has a prediction that is neither text nor null")
    item = golds.get(str(name), {})
    answers = record.get("answers")
    answers = item.get("answers", []) if answers is None else [answers] if isinstance(answers, str) else answers
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        raise ValueError("has answers that are not a list of texts")
    language = record.get("language") or item.get("language")
    if language not in (None, "und", *LANGUAGES):
        raise ValueError(f"has the language {language!r}: known are {', '.join(LANGUAGES)} and und")
    question = str(record.get("question") or item.get("question") or "")
    return {
        "id": str(name),
        "prediction": None if error else text,
        "error": error,
        "answers": answers if any(answer.strip() for answer in answers) else [],  # blank gold answers do not count
        "language": language,
        "sample": question or " ".join(answers) or text or "",
    }


def score(lines: list[dict[str, Any]], metrics: list[str], language: str | None) -> dict[str, Any]:
    """Return the scores of the predictions as {"n", "language", "metrics": {name: {"mean", "n", "failed", "unscored"}},
    "items": [..]}."""
    names = [f"{m}.{part}" if part else m for m in metrics for part in PARTS.get(m, ("",))]
    items: list[dict[str, Any]] = []
    whys: dict[str, str] = {}
    spoken: Counter[str] = Counter()
    failed = 0
    for line in lines:
        own = line["language"] or language or detect_language(line["sample"])
        spoken[own] += 1
        row: dict[str, Any] = {"id": line["id"], **dict.fromkeys(names)}
        if line["prediction"] is None:
            failed += 1
            row["error"] = str(line["error"] or "no prediction")
        else:
            missing = {}
            for metric in metrics:
                try:
                    found = METRICS[metric](line["prediction"], line["answers"], own)
                    row.update({f"{metric}.{part}" if part else metric: value for part, value in found.items()})
                    why = "no value"
                except NotScored as error:
                    why = str(error)
                missing.update({n: why for n in names if n.split(".")[0] == metric and row[n] is None})
            whys = {**missing, **whys}
            if missing:
                row["why"] = missing
        items.append(row)
    table: dict[str, dict[str, Any]] = {}
    for name in names:
        values = [row[name] for row in items if row[name] is not None]
        mean = math.fsum(values) / len(values) if values else None
        table[name] = {"mean": mean, "n": len(values), "failed": failed, "unscored": len(items) - failed - len(values)}
        if mean is None:
            table[name]["why"] = whys.get(name, "nothing scored")
    return {"n": len(lines), "language": spoken.most_common(1)[0][0], "metrics": table, "items": items}


def score_for_lm_eval(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """Return exact match and token F1 of a model's reply; lm-eval calls this function for the tasks in this folder."""
    row = score(
        [
            {
                "id": doc["id"],
                "prediction": str(results[0]).strip(),
                "error": None,
                "answers": list(doc["answers"]),
                "language": doc["language"],
                "sample": doc["question"],
            }
        ],
        ["exact_match", "token_f1"],
        None,
    )["items"][0]
    return {name: row[name] for name in ("exact_match", "token_f1") if row[name] is not None}


def read_golds(path: Path) -> dict[str, dict[str, Any]]:
    """Return a dict from item id to record, read from items.jsonl or golds.jsonl, and from opened.jsonl beside it if a sealed
    release was opened. Records with withheld answers are left out."""
    files = [file for file in (path, path.with_name("opened.jsonl")) if file.is_file()]
    records = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").split("\n") if line]
    opened = [record["content"] for record in records if "content" in record]
    found = {record["id"]: record for record in records if "content" not in record and not record.get("withheld")}
    return {**found, **{one["id"]: one["item"] for one in opened if "item" in one}}


def main() -> int:
    parser = argparse.ArgumentParser(description="Scores a predictions file; prints JSON.")
    parser.add_argument("predictions", type=Path)
    parser.add_argument("--metrics", default=",".join(METRICS), help=f"any of {', '.join(METRICS)}, joined by commas")
    parser.add_argument("--language", choices=(*LANGUAGES, "und"), help="of lines that name none; default: detected")
    given = parser.parse_args()
    metrics = [name.strip() for name in given.metrics.split(",") if name.strip()]
    unknown = [name for name in metrics if name not in METRICS]
    if unknown or not metrics:
        raise SystemExit(f"No metric {', '.join(unknown) or 'named'}: this program has {', '.join(METRICS)}.")
    here = Path(__file__).parent
    golds = next((path for name in ("items.jsonl", "golds.jsonl") if (path := here / name).is_file()), here / "items.jsonl")
    lines, refused = read(given.predictions, read_golds(golds))
    found = score(lines, metrics, given.language)
    print(json.dumps({**found, "refused": refused}, ensure_ascii=True, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
