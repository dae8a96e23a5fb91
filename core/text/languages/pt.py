"""Properties of Portuguese as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
a à ainda além algo algum alguma algumas alguns ante antes ao aos apenas após aquela aquelas aquele aqueles
aquilo as às até cada com como contra da daquele das de dela delas dele deles depois desde dessa desse desta
deste do dos durante e é ela elas ele eles em embora enquanto entre era eram essa essas esse esses esta está
estão estas este estes eu foi foram há isso isto já la lhe lhes logo lo mais mas me mesmo meu meus minha minhas
muito muitos na nada nas nem nessa nesse nesta neste no nos nós nossa nosso num numa o onde os ou outra outras
outro outros para pela pelas pelo pelos pode pois por porque porquê pouco qual quais qualquer quando quanta
quantas quanto quantos quase que quê quem se seja sem sempre ser seu seus sido só sob sobre sua suas são também
tal tanto tão te tem têm tinha toda todas todo todos tu tudo um uma umas uns você vocês
"""
LANGUAGE = Language(
    name="Portuguese",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    articles=word_set("o a os as um uma uns umas"),
    abbreviations=word_set("art av cap cf dr dra fig núm pág págs sr sra srta vol"),
)
