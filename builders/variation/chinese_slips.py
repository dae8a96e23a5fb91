"""Tables of Chinese writing errors: characters that sound alike, as an input method offers them, and characters that look
alike, as a scanner confuses them. The tables of similar characters were made for this project. The readings of the characters,
with tone, are those of the dictionary Xiandai Hanyu Cidian, checked against pypinyin 0.55. Two characters count as looking
alike if they differ only in a stroke or a component."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from builders.variation.noise import WordChange, replace_words
from builders.variation.protection import ProtectedSpans
from core.text.scripts import HAN_CHARACTER

SAME_SOUND = """
的得地 他她它 必毕币闭 常尝 成城程乘承 带代戴待 到道倒 地第帝弟 定订 度渡杜 反返 分纷芬 份奋愤 复副富赴付父 个各
工公功攻宫供 共贡 古谷骨 关官观 和合何河 后候厚 护户互 化画话划 机基积激击 极级急及集即 几己挤 计记纪季技际继 家加佳
价架驾 间坚艰兼 建件健见 江将 交郊浇 节结洁 界届借戒 今金斤津 进近劲 经京精惊 竟境静敬竞净 究纠 就旧救 居拘
具据剧句巨距 觉绝决 科颗棵 客课刻克 快块 里理李礼 力历立利例励丽 连联莲 练炼恋 量辆亮谅 林临邻 领岭 留流刘 路录陆 伦轮
马码 名明鸣 目木幕墓牧 南男难 平评凭瓶 期七妻 其奇旗齐骑棋 起企启 气器汽弃 前钱 青轻清倾 情晴 求球 区曲屈 全权泉拳
人仁 认任刃 容荣融 如儒 上尚 设社射涉 身深申伸 生声升 圣胜盛 师诗失施 时十实食石 史使始 是事市式试世示似 首手守 书输殊
术树数束述 思司私丝 四寺 送宋颂 素诉速塑 所锁 谈坛 题提 天添 同童铜 图途徒 完玩丸 晚碗 王亡 往网 围维违 为位未味卫
文闻纹 物务误悟 西希息惜吸 系细戏 现线限县 相香乡箱 像象向项 校效笑 新心欣 行形型刑 性姓幸 修休 须需虚 续序叙绪
研言严沿延 样漾 要药耀 业叶夜页 一医衣依 以已 义意易议艺译益 因音阴 引饮隐 应英鹰婴 影颖 由油游邮 有友 又右幼 于余鱼娱
与语雨宇 育域欲遇玉 园员圆原源元 院愿怨 月越悦 在再 展斩 战站占 章张 丈仗帐障 这浙 真针珍 镇阵振震 正政证症 之知支织
直值职植 制治质志致至 中终钟忠 种肿 重众仲 主煮 住著助注驻祝 专砖 资姿 自字 组祖阻 最罪醉 做作坐座
"""
"""Groups of Chinese characters with the same reading, including the tone, separated by spaces."""
LIKE_SHAPE = """
己已巳 未末 日曰 人入 土士 天夫 大太犬 千干于 王玉 田由甲申 今令 名各 请清情 晴睛 拨拔 侯候 待侍 住往 坏环 慢漫 峰锋蜂
历厉 广厂 刀刃 几儿 九丸 万方 午牛 贝见 鸟乌 鸣呜 免兔 毫豪 崇祟 茶荼 徒徙 戊戌戍 辨辩辫 壁璧 籍藉 狼狠 科料 抢枪 扬杨
冷泠 治冶 沐沭 泪泊 洒酒 浇烧晓 燥躁澡 博搏 捎梢稍 侠狭 陕峡 俭检捡险验 贷货 贫贪 赌睹堵 挣睁 陪倍培赔 即既 概慨 脑恼
胁协 平乎 开井 弟第 史吏 使便 原愿 度席 轮论抡 计讨订 仿访防妨纺 枝技 枚牧 攻巧功 市币 师帅 季李 诱透 具县 真直 值植
昨作 站粘 氏民 低底抵 岛鸟 邮抽油轴 神伸绅 明朋 顶项须 元无 远运 宗完 综棕踪 冠寇 城域 密蜜 幕墓暮慕募 竟竞 帐账 拐拆
炙灸 汩汨 肓盲 盆盒 拓柘 拾抬 徽微 遣遗 载栽裁 戴载 哀衰 衷哀 亨享 孤弧狐 瓜爪 郎朗 乘乖 刺剌 辛幸 斤斥 西酉 凤风 刊判
判刑 裂烈 券卷 帖贴 沾沽 估佑 歧岐 扰拢 优忧 拢挠 挠绕 饶绕 炽帜 驾架 幻幼 锦绵 棉绵 粟栗 标际 崖涯 挂桂 洼蛙 视规
练炼 括活话 构购沟 织职识帜 怒努 漂飘 柬束 领颂 官宫 买卖 续读 埋理 析折拆 巷港 刑形 列例 钩钓钧 间问闲 又叉 了子孑
什仆 创剑 位泣拉 谁准 哪那 桥娇侨 建健 在左 中申 个介 上止 下卞 这过 从丛 代伐 公分 区匹 友发 句旬 司同 因囚困 团困
外处 失矢 它宅 宇字 导异 认队 何伺 几凡 时对 少沙 写与 人八 出击 生主 主玉 会合 国围 围困 大夫 影彩 最量 首道 后右
石右 家冢 省看 着看 市布 地池 河何 洞河 江汀 悔侮 湖潮 山出 岛乌 城诚 镇填 村材 材枝 林材 树村 草早 早旱
"""
"""Groups of Chinese characters that look alike (they differ in a stroke or a part), separated by spaces."""
CHARACTERS_PER_SLIP = 10
"""Number of Han characters in a text per writing error; the number of errors is rounded up."""
MAX_SLIPS = 10


def slips(table: Mapping[str, Sequence[str]], random: Random, text: str, kept: ProtectedSpans) -> str:
    """Return the text with some characters replaced by similar ones from the table. Characters in `kept` are not replaced."""
    han = [match.start() for match in HAN_CHARACTER.finditer(text)]
    able = [place for place in han if text[place] in table and not kept.is_touched(place, place + 1)]
    wanted = min(MAX_SLIPS, len(able), -(-len(han) // CHARACTERS_PER_SLIP))
    picked = sorted(random.sample(able, wanted))
    return replace_words(
        text, [WordChange(place, place + 1, text[place], random.choice(table[text[place]])) for place in picked]
    )


@cache
def by_sound() -> Mapping[str, Sequence[str]]:
    """Return a dict from a Chinese character to the characters that sound like it."""
    return _table(SAME_SOUND)


@cache
def by_shape() -> Mapping[str, Sequence[str]]:
    """Return a dict from a Chinese character to the characters that look like it."""
    return _table(LIKE_SHAPE)


def _table(groups: str) -> Mapping[str, Sequence[str]]:
    table: dict[str, set[str]] = {}
    for group in groups.split():
        for character in group:
            table.setdefault(character, set()).update(set(group) - {character})
    return {character: sorted(others) for character, others in table.items() if others}
