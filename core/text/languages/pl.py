"""Properties of Polish as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
a aby ale albo ani aż bardzo bez bo być był była było były będzie będą ci co coś czy czyli czemu dla dlaczego do
gdy gdyż gdzie go i ich ile im inne inny ja jak jaka jaki jakie jako je jedna jednak jeden jego jej jest jeszcze
jeśli jeżeli już każdy kiedy kim kogo która które którego której który których którym którzy kto ku lecz lub ma
mają mi może można mu my na nad nam nas nasz nawet nią nic nich nie niego niej nim niż o od ona one oni ono oraz
po pod podczas ponad ponieważ przed przez przy raz są się skąd swoje ta tak także tam te tego tej ten też to tu
tych tylko tym u w we więc wszystkie wszystko właśnie z za ze został została zostało zostały że
"""
LANGUAGE = Language(
    name="Polish",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    abbreviations=word_set(
        "al art dr godz hab im in inż mgr m.in np nr ok os pkt płk pn por prof red str św tj tzn tzw ul ur ww zob"
    ),
)
