"""Names in a Chinese text that surely are names, as whole phrases."""

import re

from core.offline.chinese.sentences import words
from core.offline.chinese.subjects import SURNAMES

FOREIGN = (
    "阿埃艾安奥巴班贝本比彼波勃博布查达戴丹德登迪蒂丁杜顿厄恩尔法菲费芬弗佛盖格戈古哈汉豪赫亨霍基吉杰卡凯坎康考科克肯库拉莱兰朗劳勒雷里利莉丽隆卢"
    "鲁伦罗洛马玛迈麦曼梅门蒙米莫默姆穆娜纳尼涅努诺欧帕潘佩皮普奇乔琼瑞萨塞森沙舍施史斯丝苏索塔泰坦汤特提图托瓦威韦维温沃乌西希锡肖谢辛休雅亚扬耶"
    "伊尤泽扎詹珍茱兹佐"
)
"""Signs that foreign names are written with in Chinese."""


def sure_names(text: str) -> list[str]:
    """Each once: titles in 《》, foreign names by their signs, persons by their surnames."""
    found = dict.fromkeys(re.findall(rf"《[^》]{{2,20}}》|[{FOREIGN}]{{2,8}}(?:·[{FOREIGN}]{{2,8}})+", text))
    for name in re.findall(rf"(?<![{FOREIGN}·])[{FOREIGN}]{{3,8}}(?![{FOREIGN}·])", text):
        found[name] = None
    for word in words(text):
        if (
            word.flag == "nr"
            and len(word.text) == 3
            and word.text[0] in SURNAMES
            and not any(word.text in one for one in found)
        ):
            found[word.text] = None
    return list(found)
