"""Properties of French as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
à afin ai ainsi alors après au aucun aucune aussi autre autres aux avait avant avec avoir car ce ceci cela celle
celles celui cependant ces cet cette ceux chaque chez comme comment combien d dans de depuis des dont donc du
elle elles en encore entre est et étaient était été être eu eux fait fut furent ici il ils j je jusque l la là
laquelle le lequel les lesquels leur leurs lors lui m ma mais me même mêmes mes moi moins mon n ne ni nos notre
nous on ont ou où par parce pas pendant peu peut plus pour pourquoi puis qu quand que quel quelle quelles quels
qui quoi s sa sans se selon ses si son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une
vers voici voilà vos votre vous y c quelque quelques
"""
LANGUAGE = Language(
    name="French",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    elides=True,
    articles=word_set("le la l les du de d des un une"),
    abbreviations=word_set("av bd cf ex fig mm mme mlle m no p pp st ste vol"),
)
