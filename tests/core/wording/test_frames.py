"""A frame's words, whole, cut, or with letters changed, are not an answer; words of one's own are."""

import pytest

from core.wording.frames import is_filled

FRAME = (
    "In 1931 the bridge at Orvel was opened to carts. In 1954 the toll of 5 cents was abolished. By 1960 trade with the "
    "eastern bank had doubled. In 1972 the ferry made its last crossing."
)
FRAME_ZH = "1931年奥维尔桥向马车开放。1954年五分钱的过桥费被取消。到1960年与东岸的贸易翻了一番。1972年渡船最后一次过河。"


@pytest.mark.parametrize(
    "answer",
    [
        FRAME,
        FRAME.upper().replace(".", " "),
        f"{FRAME}nnxb",
        f"{FRAME} nn xb uu",
        f"nnnn {FRAME}",
        FRAME.replace("bridge", "brigde").replace("trade", "trades").replace("ferry", "ferrrry"),
        "In 1954 the toll of 5 cents was abolished.",
        "...",
        FRAME[::-1],
        " ".join(word[::-1] for word in FRAME.split()),
        FRAME.translate(str.maketrans("aeopcy", "аеорсу")),
        "".join(f"{letter}\u0301" if letter in "aeiou" else letter for letter in FRAME),
        f"{FRAME} Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.",
        f"Orvel grew from a village with a paid crossing into a market town connected by road: {FRAME}",
        f"{' '.join(FRAME.split('. ')[::-1])} That is how a village with a paid crossing grew into a town with a market.",
        f"{' '.join(FRAME.split()[:12])} xkcdq wvbnm zzqrt plkjh qwrtz fghjk vbnmc sdfgh",
        f"{' '.join(FRAME.split()[:12])} asdf jkloe qwert yuiop asdfasdf fjdksla qwop uiopa jaksdf lsdkaj oweiru aslkdo",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
        "In 1954 the toll of 5 cents was abolished. Rtzpl qwxrt bnmkl ttttt of the hhhhhhh.",
        " ".join(f"{word[: len(word) // 2]}-{word[len(word) // 2 :]}" for word in FRAME.split()),
    ],
)
def test_the_words_of_a_frame_are_no_answer(answer: str) -> None:
    assert not is_filled(answer, FRAME, "en")


@pytest.mark.parametrize(
    "answer",
    [
        "A private crossing that people paid for became a free public road, and it replaced the ferry.",
        "Because the toll went.",
        "Free passage, larger markets.",
        "Orvel grew from a village with a paid crossing into a market town: in 1954 the toll of 5 cents was abolished.",
    ],
)
def test_words_of_ones_own_are_an_answer(answer: str) -> None:
    assert is_filled(answer, FRAME, "en")


def test_chinese_frames_are_told_from_answers_too() -> None:
    assert not is_filled(FRAME_ZH, FRAME_ZH, "zh") and not is_filled(f"{FRAME_ZH}嗯", FRAME_ZH, "zh")
    assert not is_filled(f"1931年奥维尔桥向马车开放。{'啊' * 4}", FRAME_ZH, "zh")
    assert not is_filled("1931年奧維爾橋向馬車開放。1954年五分錢的過橋費被取消。到1960年與東岸的貿易翻了一番。", FRAME_ZH, "zh")
    assert not is_filled(f"{FRAME_ZH}总而言之天气晴朗我们大家都很高兴地唱歌跳舞。", FRAME_ZH, "zh")
    assert is_filled("收費的私人通道變成了免費公路，取代了渡船，讓兩岸成為一個市場。", FRAME_ZH, "zh")
    assert is_filled("收费的私人通道变成了免费公路，取代了渡船，让两岸成为一个市场。", FRAME_ZH, "zh")
