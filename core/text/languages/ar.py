"""Properties of Arabic as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
إذ إذا إلا إلى أم أما أن أنا أنت إن إنه أنه أنها أو أي أية أين أيضا أيضاً أول أولئك بأن بعد بعض بل بن به بها بين
تحت تلك تم ثم جدا جميع حتى حول حيث حين خلال دون ذلك سوف سوى ضد ضمن عام على عليه عليها عن عند عندما عنه عنها غير
فإن فقد فقط في فيه فيها قال قبل قد كان كانت كانوا كل كم كما كيف لا لأن لدى لذلك لقد لكن له لها لهم لم لما لماذا
لن ليس ليست ما ماذا متى مثل مع من منذ منه منها مَن نحن نحو هؤلاء هذا هذه هل هم هنا هناك هو هي و وأن وفي وقد وكان
وكانت ولا ولم وما ومن وهذا وهو وهي يا يكون يمكن
"""
LANGUAGE = Language(
    name="Arabic",
    script="Arab",
    stop_words=word_set(_STOP_WORDS),
    article_prefix="ال",
    ignored="\u0610-\u061a\u0640\u064b-\u065f\u0670",
    bleu="intl",
)
