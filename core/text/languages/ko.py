"""Properties of Korean as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
가 각 것 그 그것 그녀 그는 그들 그들은 그러나 그런 그리고 그의 그때 나 나는 너 누가 누구 누구의 다른
당신 더 등 또 또는 또한 때문에 매우 모두 모든 몇 무엇 무엇을 무엇인가 및 바로 수 아니 아주 약 어느
어디 어디에 어디에서 어떤 어떻게 언제 얼마나 여기 여러 우리 우리는 위해 의 이 이것 이는 이런 이를 있는
있다 있었다 있습니까 있습니다 저 저는 제 중 즉 지금 통해 하는 하지만 한 할 함께 했다 했습니까 했습니다
왜 에 에서 와 과 으로 을 를 은 는
"""
LANGUAGE = Language(
    name="Korean",
    script="Kore",
    stop_words=word_set(_STOP_WORDS),
)
