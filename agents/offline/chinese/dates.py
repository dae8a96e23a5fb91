"""Writes the dates and times in Chinese sentences in full, because a question with 今年 (this year) or 26日 (the 26th) is
meaningless without the article. Rejects times that cannot be written in full with the help of the publication date."""

import re
from datetime import date, timedelta

_STAMP = re.compile(r"^\W{0,3}(?:发布时间：)?\s*(20\d\d)[-/年.](\d{1,2})[-/月.](\d{1,2})")
_SETTLED = re.compile(r"(?:今天|今日|昨天|昨日|明天|明日)\s*[（(]((?:\d{1,2}月)?\d{1,2}日)[）)]")
_MONTH_DAY = re.compile(r"(?<![\d年到—~～\-])(?<!(?<!截)至)(\d{1,2})月(\d{1,2})日")
_BARE_DAY = re.compile(r"(?<![\d月到—~～、\-])(?<!(?<!截)至)(?<!月[初底末])(\d{1,2})日(?!均|本|元|线|内|游|报|前|后|间)")
_PART = re.compile(
    r"(?<![\d年度期])(?<![至到—\-])(?<!年的)(上半年|下半年|第?[一二三四]季度|\d{1,2}月(?:份|底|初|末|中旬|上旬|"
    r"下旬)?(?![\d日份底初末中上下]))"
)
_YEAR_SAID = re.compile(r"(\d{4})年")
"""Pattern of a year that is stated before a date; the date then belongs to that year, not to the year of publication."""
_RELATIVE = re.compile(
    r"同日|同年|同月|当日|当天|当晚|当年|当月|当前|目前|如今|现如今|此前|日前|近日|近期|最近|不久前|日后|随后|次日|翌日|次年|"
    r"昨|今天|今日|今晨|今晚|今早|明天|明日|上周|本周|下周|本月|上月|下月|近年|这时|届时|刚刚|现在|眼下|以往|当时|这[一两]|"
    r"截至发稿|至今|迄今|此时|未来|周[一二三四五六日]|星期|去年同期|前不久|当地时间|北京时间|过去|即将|今后|"
    r"本季|前[一两三]|去岁|凌晨"
)
_NOW = re.compile(r"^(?:截至目前|截止目前|目前|当前|如今|现在|眼下)，?(?=[^，]{0,30}(?:已|共|有|达|超|累计))")
_LOOSE = re.compile(
    r"(?:(?:(?:当地|北京)时间)?(?:(?:\d{1,2}月)?\d{1,2}日|[今昨明当][天日晚晨]|同日|近日|日前|近期|最近|不久前)"
    r"(?:上午|下午|晚间|晚上|晚|凌晨|中午|早上|早晨|清晨|夜间|\d{1,2}[时点]\d{0,2}分?许?)*，?|即将)"
)
_ONCE = re.compile(
    r"第[一二三四五六七八九十百\d]+届|首[届个家座条部款]|“[^”]{3,}”|《[^》]{4,}》|(?<!\d)20\d\d(?=[一-鿿])(?!年)"
)
"""Pattern of events that happen once (第六届..., a quoted name), which a reader can identify without a time."""
_RECENTLY = re.compile(r"^(?:近日|日前|近期|最近)，?")


def published_on(published: str | None, text: str) -> date | None:
    """Return the publication date of a document, from `published` or else from the full date at the beginning of its text, or
    None if neither contains a date."""
    for match in (_STAMP.match(published or ""), _STAMP.match(text[:60])):
        if match:
            try:
                return date(*(int(part) for part in match.groups()))
            except ValueError:
                continue
    return None


def _year_of(month: int, published: date) -> int:
    """Return the year of a month that the text states without a year: the year in which this month is at most eight months
    before or four months after the month of publication."""
    behind = published.month - month
    return published.year + (1 if behind > 8 else -1 if behind < -4 else 0)


def write_out_dates(text: str, published: date | None) -> str | None:
    """Return the text with its dates and times written in full, or None if the text contains a time that is clear only within
    the article."""
    text = _SETTLED.sub(r"\1", text)
    text = re.sub(r"(?:当地|北京)时间(?=\d|上午|下午)", "", text)
    if published is None:
        text = re.sub(r"，(?=，)", "", text)
        relative = _RELATIVE.search(text) or re.search(r"今年|去年|明年|前年", text) or _MONTH_DAY.search(text)
        return None if relative or _BARE_DAY.search(text) or (_PART.search(text) and "年" not in text) else text
    if "去年同期" in text:
        text = text.replace("去年同期", f"{published.year - 1}年同期")
    for word, shift in (("今年", 0), ("去年", -1), ("明年", 1), ("前年", -2)):
        text = text.replace(f"{word}的", f"{published.year + shift}年").replace(word, f"{published.year + shift}年")
    month = f"{published.year}年{published.month}月"
    text = _NOW.sub(f"截至{month}，", text)
    if _RECENTLY.match(text):
        if published.day < 6:
            return None
        text = _RECENTLY.sub(f"{month}，", text)
    for pattern in (_MONTH_DAY, _BARE_DAY, _PART):
        match = pattern.search(text)
        if match is None:
            continue
        full = _in_full(match, published)
        years = set(_YEAR_SAID.findall(text[: match.start()]))
        if years and pattern is _BARE_DAY and years != {full[:4]}:
            return None
        if years:
            full = full[5:] if pattern is _BARE_DAY else match[0]
        text = text[: match.start()] + full + text[match.end() :]
    return None if _RELATIVE.search(text) else text


def drop_times(text: str) -> str | None:
    """Return the text without the times that cannot be written in full, or None if the text has no such times or names no event
    that happens once (such as 第六届竹艺节, or a quoted name)."""
    if re.search(r"日[至到—~、和\-]|年\d{1,2}月", text):
        return None
    left = re.sub("，(?=，)", "", _LOOSE.sub("", text)).strip("，")
    return write_out_dates(left, None) if left != text and _ONCE.search(left) else None


def _in_full(match: re.Match[str], published: date) -> str:
    """Return a month or day with its year added; a day without a month also gets its month."""
    if match.re is _BARE_DAY:
        return _full_day(int(match[1]), published) or match[0]
    month = int(match[1]) if match.re is _MONTH_DAY else _month_in(match[0], published)
    return f"{_year_of(month, published)}年{match[0]}"


def _full_day(day: int, published: date) -> str | None:
    """Return 年月日 (year, month, day) for a day without a month: in the month of publication if that day is not after the
    publication date, else in the month before."""
    if not 1 <= day <= 31:
        return None
    month = published if day <= published.day else published.replace(day=1) - timedelta(days=1)
    return f"{month.year}年{month.month}月{day}日"


def _month_in(part: str, published: date) -> int:
    digits = re.match(r"\d{1,2}", part)
    return int(digits[0]) if digits else published.month


def in_year(answer: str, published: date | None) -> str:
    """Return the question words for a day (哪一天), preceded by the year if `answer` has a month but no year."""
    month = re.match(r"(\d{1,2})月", answer)
    return f"{_year_of(int(month[1]), published)}年的哪一天" if month and published else "哪一天"
