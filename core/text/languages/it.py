"""Properties of Italian as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
a abbia ad agli ai al alcuni alcune all alla alle allo altri altro anche ancora avere aveva avevano c che chi ci
ciò come con contro cosa così cui d da dagli dai dal dall dalla dalle dallo degli dei del dell della delle dello
dentro di dopo dove dunque durante e è ed era erano essere fa fino fra fu furono gli ha hai hanno ho i il in
infatti io l la le lei li lo loro lui ma me meno mi mentre mia mie miei mio molti molto ne negli nei nel nell
nella nelle nello noi non nostra nostro o ogni oltre per perché perciò però più poi poiché prima proprio può
qual quale quali quando quanta quante quanti quanto quegli quei quel quella quelle quelli quello questa queste
questi questo qui quindi s sarà se sé secondo senza si sia sono sopra sotto stata state stati stato su sua sue
sugli sui sul sull sulla sulle suo suoi t tra tu tutta tutte tutti tutto un una uno v verso vi voi
"""
LANGUAGE = Language(
    name="Italian",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    elides=True,
    articles=word_set("il lo la l i gli le del dello della dell dei degli degl delle un uno una"),
    abbreviations=word_set("art avv cap cfr dott dr fig ing nn pag pagg prof sig sigg sigra vol"),
)
