"""Rows of languages: how words, sentences and answers are cut, and what a text in no row's language gets."""

import sys
import types

import pytest

from core.errors import BenchError
from core.text import cutters
from core.text.detection import detect, detect_language
from core.text.language import ByLanguage, read_language, rows
from core.text.names import names
from core.text.text import content_words, f1_tokens, rouge_tokens, split_sentences, token_f1, words

SENTENCES = {
    "en": "The old lighthouse on the northern cape was built in 1871 and guided fishing boats home.",
    "zh": "北角的旧灯塔建于一八七一年，近一个世纪以来一直指引渔船回港。",
    "de": "Der alte Leuchtturm am nördlichen Kap wurde 1871 gebaut und führte die Fischerboote nach Hause.",
    "fr": "Le vieux phare du cap nord a été construit en 1871 et a guidé les bateaux de pêche.",
    "es": "El viejo faro del cabo norte se construyó en 1871 y guió a los barcos pesqueros.",
    "it": "Il vecchio faro sul capo settentrionale fu costruito nel 1871 e guidò i pescherecci.",
    "pt": "O velho farol do cabo norte foi construído em 1871 e guiou os barcos de pesca.",
    "nl": "De oude vuurtoren op de noordelijke kaap werd in 1871 gebouwd en leidde vissersboten naar huis.",
    "pl": "Stara latarnia morska na północnym przylądku została zbudowana w 1871 roku.",
    "ru": "Старый маяк на северном мысу был построен в 1871 году и указывал лодкам дорогу домой.",
    "ar": "بُنيت المنارة القديمة على الرأس الشمالي عام 1871 وأرشدت قوارب الصيد إلى الميناء.",
    "hi": "उत्तरी अंतरीप पर पुराना प्रकाशस्तंभ 1871 में बनाया गया था और नावों को रास्ता दिखाता था।",
    "ja": "北の岬にある古い灯台は1871年に建てられ、漁船を港へ導いた。",
    "ko": "북쪽 곶에 있는 오래된 등대는 1871년에 세워져 고깃배를 항구로 이끌었다.",
}


def test_each_row_is_found_in_a_sentence_of_its_language():
    assert set(SENTENCES) == set(rows())
    for code, text in SENTENCES.items():
        found = detect(text)
        assert found.code == code and found.probability >= 0.75, (code, found)
        assert found.explain("It") == ""


def test_a_language_without_a_row_is_und_and_one_sentence_says_so():
    found = detect("Den gamla fyren på norra udden byggdes 1871 och ledde fiskebåtar hem i nästan ett sekel.")
    assert (found.code, found.likeliest) == ("und", "sv")
    assert found.explain("fyr.md").startswith("The language of fyr.md looks like 'sv', not one of ar, de, en,")
    assert found.explain("fyr.md").endswith("it is kept as und; name the language if you know it.")


@pytest.mark.parametrize("text", ["", "1871", "yes", "a | b\n1 | 2", "\ud800"])
def test_a_text_that_tells_no_language_is_und_or_what_the_caller_expects(text: str):
    assert detect_language(text) == "und" and detect_language(text, "de") == "de"
    assert "is not clear" in detect(text).explain("x.txt")


def test_a_long_text_is_judged_by_its_beginning_and_middle():
    assert detect_language(f"{SENTENCES['de']} " * 20_000) == "de"


def test_words_are_unicode_words_with_their_marks():
    assert words("बनाया गया था।", "hi") == ["बनाया", "गया", "था"]
    assert words("Straßen-Bahn für 3.500 Leute", "de") == ["straßen", "bahn", "für", "3.500", "leute"]
    assert words("1890년에 세워진", "ko") == ["1890년에", "세워진"]
    assert words("L’eau de l'été", "fr") == ["l", "eau", "de", "l", "été"]
    assert words("灯台は1871年", "ja") == ["灯", "台", "は", "1871", "年"]
    assert words("ประภา 1871", "th") == ["ป", "ร", "ะ", "ภ", "า", "1871"]


def test_vowel_marks_do_not_tell_arabic_words_apart():
    assert words("بُنِيَت", "ar") == words("بنيت", "ar") == rouge_tokens("بُنيت", "ar") == ["بنيت"]


def test_stop_words_are_those_of_the_language():
    assert content_words("Wer hat die Brücke gebaut?", "de") == ["brücke", "gebaut"]
    assert content_words("من بنى هذه المنارة؟", "ar") == ["بنى", "المنارة"]
    assert content_words("Wer hat die Brücke gebaut?", "und") == ["wer", "hat", "die", "brücke", "gebaut"]


def test_answers_lose_the_articles_of_their_language():
    assert f1_tokens("Der alte Leuchtturm, „am“ Kap!", "de") == ["alte", "leuchtturm", "am", "kap"]
    assert f1_tokens("L'eau du lac", "fr") == ["eau", "lac"]
    assert f1_tokens("المنارة القديمة", "ar") == ["منارة", "قديمة"]
    assert f1_tokens("the Leuchtturm", "de") == ["the", "leuchtturm"]
    assert f1_tokens("「東京タワー」1958", "ja") == ["東", "京", "タ", "ワ", "ー", "1958"]


def test_token_f1_by_hand():
    # de: alte leuchtturm kap against leuchtturm kap: 2 shared, P 2/3, R 1
    assert token_f1("Der alte Leuchtturm, Kap", "Leuchtturm, das Kap", "de") == pytest.approx(0.8)
    # ja: 東京都 (3) against 東京 (2): P 2/3, R 1
    assert token_f1("東京都。", "東京", "ja") == pytest.approx(0.8)
    # ar: two words against the first with an article and vowel marks: P 1/2, R 1
    assert token_f1("منارة قديمة", "المَنارة", "ar") == pytest.approx(2 / 3)


def test_numbers_are_equal_in_the_digits_of_every_script():
    assert token_f1("\u0661\u0668\u0669\u0669", "1899", "ar") == 1.0, "Arabic digits"
    assert f1_tokens("\u0662\u066c\u0664\u0660\u0660", "ar") == f1_tokens("2,400", "ar") == ["2400"]
    assert f1_tokens("\u0967\u096f\u096a\u096d में", "hi") == rouge_tokens("1947 में", "hi") == ["1947", "में"]
    assert rouge_tokens("\u0967\u096f\u096a\u096d में", "hi") == ["1947", "में"]


@pytest.mark.parametrize(
    ("language", "text", "parts"),
    [
        ("de", "Am 3. Mai kam Dr. Weber, z. B. mit dem Zug. Er blieb.", 2),
        ("de", "Das Haus (vgl. Abb. 3) steht. Es ist alt.", 2),
        ("ru", "Он родился в 1871 г. в Москве. Его проф. Иванов учил.", 2),
        ("ar", "متى بُنيت المنارة؟ بُنيت عام 1871. وهي متحف.", 3),
        ("hi", "यह 1871 में बना था। क्यों? पता नहीं।", 3),
        ("ja", "灯台は古い。誰が直すの？春に直す。", 3),
        ("ko", "등대는 오래되었다. 누가 고치는가?", 2),
    ],
)
def test_sentences_end_where_the_language_ends_them(language: str, text: str, parts: int):
    spans = split_sentences(text, language)
    assert len(spans) == parts, [text[a:b] for a, b in spans]
    assert "".join(text[a:b] for a, b in spans).replace(" ", "") == text.replace(" ", "")


def test_a_capital_tells_no_name_where_every_noun_has_one():
    assert names("Der Leuchtturm gehört der BASF.", "de") == ["BASF"]
    assert names("Le phare de Brest est vieux.", "fr") == ["Brest"]
    assert names("灯台は NASA の写真にある。", "ja") == ["NASA"]


def test_a_code_is_read_with_its_region_and_another_is_refused_with_all_codes():
    assert [read_language(text) for text in ("de-AT", "zh_CN", " EN ", "und")] == ["de", "zh", "en", "und"]
    with pytest.raises(BenchError, match="'sv' is not known: give one of ar, de, en, es"):
        read_language("sv")


def test_a_language_without_words_of_its_own_gets_the_english_ones():
    table = ByLanguage({"en": "yes", "zh": "是"})
    assert (table["de"], table["zh"], table["und"]) == ("yes", "是", "yes")


def test_an_installed_cutter_cuts_the_words_and_is_named(monkeypatch: pytest.MonkeyPatch):
    module = types.ModuleType("pythainlp")
    module.tokenize = types.ModuleType("pythainlp.tokenize")  # type: ignore[attr-defined]
    module.tokenize.word_tokenize = lambda text, engine: text.split("|")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pythainlp", module)
    monkeypatch.setitem(sys.modules, "pythainlp.tokenize", module.tokenize)  # type: ignore[attr-defined]
    cutters.open_cutter.cache_clear()
    cutters.describe_cutter.cache_clear()
    try:
        cut = cutters.open_cutter("pythainlp")
        assert cut is not None and cut("ประภาคาร|เก่า") == ["ประภาคาร", "เก่า"]
        assert cutters.describe_cutter("pythainlp") == "pythainlp"
        assert cutters.open_cutter("") is None and cutters.describe_cutter("") == ""
    finally:
        cutters.open_cutter.cache_clear()
        cutters.describe_cutter.cache_clear()
