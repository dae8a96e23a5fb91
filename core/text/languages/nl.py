"""Properties of Dutch as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
aan achter al alle alleen als altijd andere anders ben bij binnen boven buiten daar daarom dan dat de deze die
dit doch doen door dus een eens en enkele er erg ge geen had hadden hare heb hebben heeft hem hen het hier hij
hoe hoeveel hun iemand iets ik in is ja je jij jullie kan kon konden kunnen maar me meer men met mij mijn moet
moeten na naar naast niet niets nog nu of om omdat onder ons onze ook op over reeds sinds te tegen ten ter toch
toen tot tussen u uit uw van veel via voor vooral waar waarom wanneer want waren was wat we wel welk welke werd
werden wie wiens wij wil worden wordt zal ze zelf zich zij zijn zo zoals zonder zou zouden
"""
LANGUAGE = Language(
    name="Dutch",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    articles=word_set("de het een des der den"),
    abbreviations=word_set("bijv blz ca dhr d.w.z evt ir jr mevr mr nl nr o.a prof t.o.v zgn"),
)
