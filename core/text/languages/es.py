"""Properties of Spanish as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
a al algo algún alguna algunas algunos ante antes aquel aquella aquellas aquellos aquí así aún aunque bajo bien
cada casi como cómo con contra cual cuál cuáles cuales cualquier cuando cuándo cuánta cuántas cuánto cuántos de
del desde donde dónde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está
están estas este esto estos fue fueron ha había habían han hasta hay la las le les lo los más me mi mientras mis
mucho muchos muy nada ni no nos nosotros nuestra nuestro o otra otras otro otros para pero poco por porque pues
que qué quien quién quiénes quienes se sea según ser si sí sido sin sobre son su sus tal también tan tanto te
tiene tienen toda todas todo todos tras tu tus un una unas uno unos usted ustedes y ya yo
"""
LANGUAGE = Language(
    name="Spanish",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    articles=word_set("un una unos unas el la los las"),
    abbreviations=word_set("aprox art av cap dña dr dra ee fig núm pág págs sr sra srta sres ud uds vol"),
)
