"""Properties of English as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
a about above after again against all also although am an and any are aren't as at be because been before
being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down
during each either else ever few for from further had hadn't has hasn't have haven't having he her here hers
herself him himself his how however i i'm if in into is isn't it it's its itself just let's many may me might
more most much must my myself neither no nor not of off on once one only onto or other our ours ourselves out
over own per same shall she should shouldn't since so some such than that that's the their theirs them
themselves then there these they this those though through thus to too under until up upon us very via was
wasn't we were weren't what what's when where whether which while who who's whom whose why will with within
without won't would wouldn't yet you your yours yourself yourselves
"""
LANGUAGE = Language(
    name="English",
    script="Latn",
    stop_words=word_set(_STOP_WORDS),
    articles=word_set("a an the"),
)
