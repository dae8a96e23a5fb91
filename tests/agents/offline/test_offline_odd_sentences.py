"""The offline agent meets sentences in brackets, cut ones, shuffled ones, ones without a letter: none of its replies
is a traceback. Windows are made from the sample documents by seed."""

import json
import random
import re
from pathlib import Path

import pytest

from agents.offline.agent import REPLIES
from agents.offline.corpus import OfflineCorpus
from core.errors import BenchError
from core.nouns import Document, Message, Prompt, Span
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from core.text.text import split_sentences

SAMPLES = Path(__file__).parents[3] / "samples" / "documents"
ODD = {
    "en": [
        "(The bridge at Orvel was built by Marta Quill in 1902.)",
        "[It was sold in 1911.]",
        "()",
        '""',
        "* * *",
        "1902.",
        "in (1902)",
        "The.",
        "Was.",
        "...",
        "Orvel's",
        "'s was built in 1902.",
        "He was born on 31 February 1999.",
        "It (",
        "Marta Quill (born 1902",
        ")was born 1902(",
        "12 %",
        "$",
        "The king who",
        "is is is was",
        "Mr. Mrs. Dr.",
        "(He)",
        "Marta Quill ( – ) was a painter.",
        "\ufeff(",
        "By 1902 was",
        "(" * 300,
        "a " * 300,
        "In, in, in.",
    ],
    "zh": [
        "（奥维尔桥由玛塔于1902年建造。）",
        "【本报讯】",
        "（）",
        "《》",
        "“”",
        "年月日",
        "。",
        "：",
        "第",
        "的的的",
        "是是是",
        "（他）",
        "2020年13月45日",
        "０００",
        "约",
        "百分之",
        "某某",
        "《x》是《y》",
        "据报道",
        "王（",
        "说：“”",
        "5月50日",
        "今年",
        "、、、",
        "的" * 300,
        "（" * 300,
    ],
}
NAMES = {"answer": ("answer/short", "answer/continuation", "answer/reports")}


def paragraphs(language: str) -> list[str]:
    """Of the sample documents in that language."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.iterdir())]
    own = [text for text in texts if (len(re.findall("[\u4e00-\u9fff]", text)) > 200) == (language == "zh")]
    return [part for text in own for part in text.split("\n\n") if part.strip()]


def oddly(sentence: str, language: str, chance: random.Random) -> str:
    """The sentence in one of ten states; mostly as it is."""
    cut, words = chance.randrange(1, len(sentence) + 1), sentence.split()
    states = [
        f"({sentence})",
        f"[{sentence}]",
        f'"{sentence}"',
        f"（{sentence}）",
        sentence[:cut],
        sentence[cut - 1 :],
        sentence.upper(),
        " ".join(chance.sample(words, len(words))),
        re.sub(r"[^\W\d_]", "", sentence) or "1",
        chance.choice(ODD[language]),
    ]
    return chance.choice(states) if chance.random() < 0.35 else sentence


def window(language: str, source: list[str], chance: random.Random) -> tuple[list[Document], NumberedSentences]:
    """One or two documents of some paragraphs of the samples, and their sentences."""
    documents, sentences = [], []
    for place in range(chance.choice((1, 1, 2))):
        at = chance.randrange(len(source))
        parts = []
        for part in source[at : at + chance.randrange(2, 9)]:
            told = [part[a:b].strip() for a, b in split_sentences(part, language)] or [part]
            parts.append((" " if language == "en" else "").join(oddly(one, language, chance) for one in told if one))
        text = "\n\n".join(parts)
        title = chance.choice(("A title", "(A title)", "The Bridge (film)", "", "1902"))
        documents.append(Document(f"d{place}", text, title, language=language))
        sentences += [Sentence(Span(f"d{place}", a, b), text[a:b], title) for a, b in split_sentences(text, language)]
    return documents, number_sentences(sentences)


@pytest.mark.parametrize(("language", "seed"), [(language, seed) for language in ("en", "zh") for seed in range(8)])
def test_no_window_of_odd_sentences_raises(language: str, seed: int) -> None:
    chance = random.Random(f"{language} {seed}")
    source = paragraphs(language) or ODD[language]
    for _ in range(3):
        documents, shown = window(language, source, chance)
        corpus = chance.choice((OfflineCorpus(documents), OfflineCorpus.of(shown, language)))
        texts = [sentence.text for sentence in shown.sentences] or [""]
        given = dict.fromkeys(("question", "answer", "prediction", "reference", "sentence", "contact", "annotations"), "")
        given = {name: chance.choice(texts) for name in given}
        whole = "\n\n".join(document.text for document in documents)[:3000]
        given |= {
            "context": whole,
            "text": whole,
            "memory": whole,
            "statements": "\n".join(texts[:6]),
            "so_far": "",
            "hallucinated": " ".join(texts[:3]),
            "beginning": texts[0],
            "questions": given["question"],
            "count": "3",
            "target": chance.choice(("declarative", "imperative")),
            "previous": chance.choice(("", given["question"])),
        }
        for (skill, fields), reply in REPLIES.items():
            if fields == {"templates"}:
                continue
            for name in NAMES.get(skill, (f"{skill}/any",)):
                schema = {"type": "object", "properties": {field: {} for field in fields}} if fields else None
                prompt = Prompt(name, skill, (Message("user", ""),), ("question",), schema, language)  # type: ignore[arg-type]
                try:
                    json.dumps(reply(prompt, {**given, "sentences": shown, "passages": shown}, corpus))
                except BenchError:
                    continue


def test_prose_with_a_sentence_in_brackets_is_drafted_from() -> None:
    text = (
        "The mill of Orvel was built by Marta Quill in 1902. (It was sold in 1911.) The mill burned down in 1904. "
        "Ada Penn rebuilt the mill of Orvel in 1906. The town council closed the mill in 1950.\n\n"
        "The bridge was opened by Karl Aas in 1931. It spans the river Wend."
    )
    document = Document("d", text, "The mill of Orvel")
    shown = number_sentences([Sentence(Span("d", a, b), text[a:b], document.title) for a, b in split_sentences(text, "en")])
    prompt = Prompt("draft/any", "draft", (Message("user", ""),), (), None)
    reply = REPLIES["draft", frozenset({"question", "answer", "evidence"})]
    assert reply(prompt, {"sentences": shown}, OfflineCorpus([document]))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_window_without_a_sentence_gives_replies_too(language: str) -> None:
    """A page of brackets and rules has no sentence, so that whatever is taken from it is empty."""
    shown, corpus = number_sentences([]), OfflineCorpus([Document("d", "()", "", language=language)])
    for (skill, fields), reply in REPLIES.items():
        schema = {"type": "object", "properties": {field: {} for field in fields}} if fields else None
        prompt = Prompt(f"{skill}/any", skill, (Message("user", ""),), ("question",), schema, language)  # type: ignore[arg-type]
        given = dict.fromkeys(("question", "answer", "prediction", "text", "context", "hallucinated", "beginning"), "")
        if fields != {"templates"}:
            try:
                json.dumps(reply(prompt, {**given, "so_far": "", "sentences": shown, "passages": shown}, corpus))
            except BenchError:
                continue
