"""Pairs of antonyms in English and Chinese. The offline agent uses them to write false statements; its judge uses them to
detect a contradiction between a sentence and a text that share nearly all words."""

import re


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of words in a text such as "rose/fell before/after"; an underscore represents a space."""
    return tuple((left, right) for left, right in (pair.replace("_", " ").split("/") for pair in text.split()))


ANTONYMS = {
    "en": _pairs(
        "increased/decreased rose/fell before/after first/last largest/smallest most/fewest north/south east/west "
        "northern/southern eastern/western won/lost accepted/rejected supported/opposed opened/closed joined/left "
        "succeeded/failed older/younger eldest/youngest early/late more/fewer higher/lower son/brother father/uncle "
        "because_of/in_spite_of despite/because_of due_to/in_spite_of began/ended approved/refused under/over could_not/could "
        "gained/lost better/worse positive/negative improved/worsened directed/produced married/divorced started/stopped "
        "public/private founded/dissolved moved_to/moved_away_from was/was_not is/is_not"
    ),
    "zh": _pairs(
        "增长/下降 增加/减少 上升/下降 提高/降低 上涨/下跌 支持/反对 批准/否决 首次/最后一次 最大/最小 最高/最低 以上/以下 "
        "超过/不足 扩大/缩小 加强/削弱 促进/阻碍 开放/关闭 成功/失败 同意/拒绝 东部/西部 南部/北部 国内/国外 上半年/下半年 "
        "进口/出口 由于/尽管 改善/恶化 推动/阻碍 降至/升至 减轻/加重 启动/停止 有利于/不利于 已经/尚未 将/不会 是/不是"
    ),
}
"""Pairs of antonyms by language, the pairs that reverse a meaning most reliably first."""


def turned_round(sentence: str, text: str, language: str) -> bool:
    """Return whether the sentence reverses the meaning of the text: it contains the antonym of a word in the text, but not the
    word itself."""
    for word, other in ANTONYMS[language]:
        for left, right in ((word, other), (other, word)):
            said = _has_words(sentence, left, language) and not _has_words(sentence, right, language)
            if said and _has_words(text, right, language) and not _has_words(text, left, language):
                return True
    return False


def _has_words(text: str, words: str, language: str) -> bool:
    return words in text if language == "zh" else re.search(rf"\b{re.escape(words)}\b", text) is not None
