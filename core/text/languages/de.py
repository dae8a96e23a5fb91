"""Properties of German as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bereits bin bis bist da
dabei dadurch dafür damit dann daran darauf daraus das dass dein deine dem den denn der deren des dessen deshalb
die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwa etwas
euch euer für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem
ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jedoch kann kein keine keinem keinen keiner
können könnte mal man mehr mein meine mich mir mit muss müssen nach nachdem nicht nichts noch nun nur ob oder
ohne sehr sein seine seinem seinen seiner seit sich sie sind so sogar solche soll sollte sondern sowie über um
und uns unser unter viel viele vom von vor wann war waren warum was weil welche welchem welchen welcher welches
wenn wer werden wem wen wessen wie wieder wieviel will wir wird wo wobei wodurch woher wohin worden wurde wurden
während zu zum zur zwar zwischen
"""
LANGUAGE = Language(
    name="German",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    has_ordinal_stops=True,
    capitalises_nouns=True,
    articles=word_set("ein eine einen einem eines einer der die das den dem des"),
    abbreviations=word_set(
        "abb abs abt art aufl bd bzw ca dipl evtl ggf hl hrsg inkl ing lt mio mrd nr s sog str tel vgl z zzgl"
    ),
)
