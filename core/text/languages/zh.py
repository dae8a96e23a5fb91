"""Properties of Chinese as a language of documents and questions."""

from core.text.language import Language, word_set

_STOP_WORDS = """
的 地 得 了 着 过 是 在 有 和 与 及 以及 或 或者 而 而且 并 并且 但 但是 不过
却 则 且 也 都 又 还 就 才 便 只 仅 很 太 更 最 非常 这 那 此 该 其 之 这个
那个 这些 那些 这里 那里 这样 那样 它 他 她 它们 他们 她们 我 我们 你 你们 您 自己
本 各 每 某 所 被 把 将 给 对 对于 关于 由 由于 从 向 往 到 至 于 以 为 为了
因 因为 所以 因此 如 如果 若 虽然 即 即使 等 等等 不 没 没有 会 能 可 可以 能够
要 应 应该 已 已经 曾 正 正在 什么 哪 哪个 哪些 哪里 哪儿 谁 多少 几 怎么 怎样
怎么样 如何 为何 为什么 何 何时 是否 吗 呢 吧 啊 呀 嘛 们 个 一 一个 一些 一种 中
上 下 里 内 外 后 前 时 时候 之后 之前 其中 以后 以前 通过 根据 按照 跟 同 让 使
来 去 说 做 用
"""
LANGUAGE = Language(
    name="Chinese",
    script="Hans",
    stop_words=word_set(_STOP_WORDS),
    cut="jieba",
    bleu="zh",
)
