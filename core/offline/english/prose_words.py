"""Word lists for reading expository English: verbs beyond those that encyclopaedic paragraphs need, small words around them,
measuring units, numbers in words, and nouns that tell nothing without what stands before them."""

import re

from core.offline.english.words import IRREGULAR, PAST, PRESENT, REGULAR, each

_MORE_REGULAR = (
    each(
        "need show look want seem view "
        "adjoin adjust afford aim amount apply apportion ascend assert attach average avoid balance calibrate cap carve "
        "cease chain "
        "check "
        "chisel clean clear comment comply consume correct count crack cure cut damage damp deem default delay derive detect "
        "differ digitise disagree disapprove misjudge outgrow discard discontinue display distort divert double drain drift "
        "dry ease enable endow ensure equal "
        "exceed exclude expect expire extract fasten fear flood flow flush gather glaze glue halve haul heat hoist "
        "infringe inspect insure jam lengthen levy lift limit log lower maintain measure mend mine monitor mount notice "
        "number object oblige omit outline overhaul overlook owe pave peak persuade petition pile pin power praise process "
        "propose "
        "pump quote rake reckon reduce refasten reflect refund reject relight remark render repel request require rescale "
        "rescue "
        "reserve resolve restart reverse revoke rotate sample scale scan seal settle shift sound span stamp stiffen store "
        "stretch "
        "strengthen subscribe subtract suspect switch tap tally thicken tilt tolerate total trace transcribe trap trim trust "
        "turn use vary verify wash weigh weld widen winch wire wreck"
    )
    | REGULAR
)
_MORE_IRREGULAR = {
    "arose": "arise", "shrank": "shrink", "swept": "sweep", "crept": "creep", "meant": "mean", "repaid": "repay",
    "foresaw": "foresee", "understood": "understand", "blew": "blow", "froze": "freeze", "burnt": "burn", "read": "read",
    "spread": "spread", "shut": "shut", "split": "split", "set": "set", "cost": "cost", "cut": "cut", "put": "put",
    "hit": "hit", "stuck": "stick", "bound": "bind", "ground": "grind", "bent": "bend", "felt": "feel", "forgot": "forget",
    "relit": "relight", "undertook": "undertake", "overtook": "overtake", "broke": "break", "gave": "give", "saw": "see",
    "stole": "steal", "drew": "draw", "threw": "throw", "sprang": "spring", "slept": "sleep", "wove": "weave",
    "forbade": "forbid", "oversaw": "oversee", "outlived": "outlive", "cast": "cast", "mistook": "mistake", "had": "have",
}  # fmt: skip


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in _DOUBLED else "") + "ed"


_DOUBLED = each("cap jam log omit pin tap trap trim refer stop drop plan ship bar ban admit permit commit expel control fit")

PROSE_PAST = PAST | {_regular_past(base): base for base in _MORE_REGULAR} | IRREGULAR | _MORE_IRREGULAR
"""Past form -> base form."""


def _third(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "ch", "sh", "o")) else "s")


PROSE_PRESENT = PRESENT | {_third(base): base for base in {*_MORE_REGULAR, *_MORE_IRREGULAR.values()}} | {"has": "have"}
"""Third person singular -> base form."""
BASES = frozenset(PROSE_PRESENT.values())
"""Base forms, which plural subjects take in the present."""

SMALL = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    "nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_WORDED = (
    rf"(?:(?:a|{SMALL}) (?:hundred|thousand|million)(?: and (?:(?:{SMALL})(?:-(?:{_UNITS}))?))?"
    rf"|(?:{SMALL})-(?:{_UNITS})|{SMALL})"
)
FIGURE = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
NUMBER = rf"(?:{FIGURE}(?: ?(?:million|billion|thousand|hundred))?|(?i:{_WORDED}))"
"""A number in figures or in words; "one" and "a" alone are none."""

ABBREVIATED = {
    "mm": "millimetres", "cm": "centimetres", "km": "kilometres", "m": "metres", "kN": "kilonewtons", "kW": "kilowatts",
    "MW": "megawatts", "kg": "kilograms", "g": "grams", "kB": "kilobytes", "KB": "kilobytes", "MB": "megabytes",
    "GB": "gigabytes", "TB": "terabytes", "ms": "milliseconds", "s": "seconds", "min": "minutes", "h": "hours",
    "Hz": "hertz", "kHz": "kilohertz", "MHz": "megahertz", "GHz": "gigahertz", "V": "volts", "A": "amperes", "W": "watts",
    "°C": "degrees Celsius", "ha": "hectares", "kWh": "kilowatt-hours", "GWh": "gigawatt-hours", "px": "pixels",
}  # fmt: skip
"""Units as they stand behind a figure -> as a question says them."""
UNIT_WORDS = each(
    "metres meters kilometres kilometers centimetres centimeters millimetres millimeters feet inches yards miles tonnes tons "
    "kilograms grams pounds ounces litres liters gallons seconds minutes hours days weeks months years degrees thalers "
    "dollars euros pounds francs crowns groats shillings pence cents swings times watts kilowatts volts amperes hectares "
    "acres bushels barrels gigabytes megabytes bytes kilobytes gigawatt-hours megawatt-hours kilowatt-hours points pages "
    "volumes copies decades centuries paces fathoms knots lux milliseconds pixels characters"
)
"""Units in words, whose name an answer repeats."""
MONEY = re.compile(r"^(?:thalers|dollars|euros|pounds|francs|crowns|groats|shillings|pence|cents|marks|florins)$")
MEASURES = each(
    "load weight height length width depth thickness diameter span area volume capacity speed rate trend margin price cost "
    "revenue profit loss debt income level temperature pressure voltage power frequency limit threshold offset deviation "
    "uncertainty range population fee rent levy duty wage wages dividend stake salary age period duration provision "
    "availability "
    "size resolution fine budget surplus deficit maximum minimum peak interval tolerance advance turnover share royalty "
    "give angle cover stock yield output intake pitch bearing tilt lag lead drift "
    "timeout default interest blow rise fall distance number total count average"
)
"""Nouns of which one asks what they are or were."""
EMPTY_HEADS = each(
    "first second third other others same latter former rest remainder total whole result results error point answer question "
    "reason reasons thing things way matter problem rule method number sum idea fact case difference one ones part parts "
    "money most more latest next following work text book chapter section table figure story end beginning effect effects "
    "moment day night morning evening afternoon week month year time times man woman person people boy girl child children "
    "house room voice word words hand hands face eyes letter sentence note notice pair two three four"
)
"""Head nouns that say nothing when only an article stands before them."""

STOP = each(
    "who which that whose whom where when while because although though if whether as unless until since than so and but or "
    "nor not this these those such it he she they we i you there here what how why"
)
"""Words at which a subject ends without a verb: a clause or a list begins."""
MODALS = each("may must can could will would should might shall cannot")
"""Modal verbs."""
BE = each("is was are were")
"""Forms of be."""
ADVERBS = each(
    "also then still now therefore however thus nevertheless besides too again already almost nearly only just never always "
    "often usually soon later first finally even merely hardly presently eventually once largely partly wholly accordingly "
    "altogether duly promptly immediately originally"
)
"""Adverbs that may stand around a verb."""
DROPPED = each("also therefore however thus nevertheless besides too again already accordingly presently")
"""Those of them that only tie a sentence to the one before."""
PREPOSITIONS = each(
    "of in on at for from to with by under over between behind beside within without into onto above below across along "
    "against among near beneath after before during outside inside off through upon per"
)
"""Prepositions."""
DETERMINERS = each("the a an its his her their our each every no some any one two three all both this that another")
"""Words behind which no verb stands."""
