"""Lists of English words for the offline drafter: verbs with base forms, function words, units, nouns. The drafter asks no
questions about verbs outside the lists: a word that is missing in the lists only prevents a question, but a wrong word leads to
a bad question."""

import re

from core.text.english_names import split_words


def _pairs(words: str) -> dict[str, str]:
    """Return a dict from word to word as written in a text like "became:become began:begin"."""
    return dict(word.split(":") for word in words.split())


IRREGULAR = _pairs(
    "became:become began:begin bore:bear bought:buy brought:bring broke:break built:build came:come chose:choose drew:draw "
    "fell:fall fought:fight found:find flew:fly gave:give got:get grew:grow held:hold hit:hit kept:keep knew:know led:lead "
    "left:leave lost:lose made:make met:meet paid:pay put:put ran:run rose:rise said:say sang:sing sat:sit saw:see "
    "sent:send set:set shot:shoot sold:sell spent:spend spoke:speak stood:stand swam:swim taught:teach took:take told:tell "
    "went:go won:win wrote:write rode:ride drove:drive threw:throw wore:wear cost:cost lay:lie cut:cut sought:seek "
    "withdrew:withdraw hung:hang dug:dig lent:lend struck:strike laid:lay swore:swear drank:drink fed:feed dealt:deal "
    "bred:breed sank:sink overcame:overcome arose:arise shrank:shrink swept:sweep crept:creep meant:mean repaid:repay "
    "foresaw:foresee understood:understand blew:blow froze:freeze burnt:burn read:read spread:spread shut:shut split:split "
    "stuck:stick bound:bind ground:grind bent:bend felt:feel forgot:forget relit:relight undertook:undertake "
    "overtook:overtake stole:steal sprang:spring slept:sleep wove:weave forbade:forbid oversaw:oversee outlived:outlive "
    "cast:cast mistook:mistake had:have fled:flee"
)
"""Dict from the past form of an irregular verb to its base form."""

REGULAR = split_words(
    "abandon abolish absorb accept accompany accuse achieve acquire act adapt add address adjoin adjust admit adopt advance "
    "afford agree aim air allow alter amount annex announce appeal appear apply appoint apportion approach approve argue "
    "arrange arrest arrive ascend ask assault assemble assert assign assist assume attach attack attain attempt attend "
    "attract audit average avoid award balance ban baptise baptize base battle belong bless block board boost borrow bury "
    "calculate calibrate call campaign cap capture carry carve cast cause cease celebrate chain chair chalk challenge "
    "change charge check chisel claim clean clear climb close co-author co-direct co-found co-produce co-write coach "
    "collaborate collapse collect combine command commence comment commission compete compile complete comply compose "
    "comprise compute concede conceive concern conclude conduct confess confirm connect conquer consecrate consider consist "
    "construct consume contain contest continue contract contribute control convert cooperate correct count cover crack "
    "create criticise criticize cross crown cure cut damage damp date debut decide declare decline decorate decrease "
    "dedicate deem default defeat defect defend delay deliver demand demolish denounce depart depict deploy deposit derive "
    "describe design destroy detect determine develop devote die differ digitise direct disagree disappear disapprove "
    "discard discontinue discover discuss display dissolve distort divert divide divorce document dominate donate double "
    "draft drain drift drop dry earn ease edit educate elect eliminate emerge emigrate employ enable enact encourage end "
    "endow engage enjoy enlarge enlist enrol enroll ensure enter equal erect escape establish estimate examine excavate "
    "exceed exchange exclude execute exhibit expand expect expel experience expire explain explore export express extend "
    "extract face fail fasten fear feature file fill finance finish fire fix float flood flow flush focus follow force form "
    "found fund gain garner gather generate glaze glue govern graduate grant guard guide halve handle happen haul head heat "
    "help hire hoist host identify illustrate immigrate impose improve include incorporate increase infringe inherit "
    "initiate inspect inspire install insure introduce invade invent invest invite issue jam join judge kidnap kill label "
    "lack land last launch learn lease lecture lengthen level levy license lift limit list live load locate log look lower "
    "maintain manage manufacture mark marry master measure mend merge migrate mine misjudge model modify monitor mortgage "
    "mount move murder name narrate need negotiate nominate note notice number object oblige observe obtain occupy occur "
    "offer omit open operate oppose orbit order organise organize originate outgrow outline overhaul overlook owe own paint "
    "participate pass patent patrol pave peak perform persuade petition photograph pile pilot pin place plan plant play "
    "please pledge point portray possess pour power practice practise praise preach predict premiere prepare present "
    "preserve preside prevent print process proclaim produce prohibit promise promote propose prosecute protect prove "
    "provide publish pull pump purchase pursue push qualify quote raid raise rake rank reach realise realize receive reckon "
    "recognise recognize recommend record recover recruit reduce refasten refer reflect reform refund refuse regain reject "
    "relate release relight relocate remain remake remark remarry remix remove rename render renew renovate rent reopen "
    "repair repeal repel replace report represent request require rescale rescue research resemble reserve reside resign "
    "resolve restart restore restrict result resume retain retire retreat return reunite reveal reverse revise revive "
    "revoke rotate rule sail sample save scale scan schedule score scrap screen seal seat secure seem seize select separate "
    "serve settle shape share shift show sign sink skipper sound span specialise specialize sponsor stage stamp star start "
    "state stay stiffen stop store strengthen stretch strike study submit subscribe subtract succeed suffer suggest "
    "supervise supply support suppress surpass surrender survey survive suspect suspend switch tackle tally tap target "
    "televise terminate test thicken tilt tolerate total tour trace track trade train transcribe transfer transform "
    "translate transport trap travel treat trigger trim trust try turn undergo unite unveil update upgrade urge use vacate "
    "value vary verify view visit vote wait want warn wash weigh welcome weld widen winch wire witness work worship wreck "
    "yield"
)
"""Base forms of verbs whose past ends in -ed."""

DOUBLED = split_words(
    "admit ban bar cap commit compel control drop enrol equip expel fit jam kidnap log occur omit patrol permit pin plan "
    "refer regret scrap ship star stop submit tap transfer trap travel trim"
)
"""Verbs that double their last letter before -ed, such as "stop"."""


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in DOUBLED else "") + "ed"


PAST = {_past(base): base for base in REGULAR} | IRREGULAR
"""Dict from the past form of a verb to its base form, for regular and irregular verbs."""


def _third(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "ch", "sh", "o")) else "s")


PRESENT = {_third(base): base for base in {*REGULAR, *IRREGULAR.values()}} | {"has": "have"}
"""Dict from the third person singular of a verb ("builds") to its base form."""
BASES = frozenset(PRESENT.values())
"""Base forms of all listed verbs; they are also the present forms after a plural subject."""

PARTICIPLES = split_words(
    "written born given taken drawn driven shown chosen beaten broken sung begun flown worn thrown overthrown overseen "
    "undertaken seen stolen spoken known ridden sunk run co-written rewritten slain withdrawn torn sworn grown blown "
    "forbidden"
)
"""Past participles that differ from the past form of the verb, such as "written"."""

SAME_PARTICIPLE = split_words(
    "bought brought built cast cut dug fought found heard held hit hung kept laid led left lent lit lost made met paid put "
    "rebuilt sent set shot sold spent split struck stuck swept swung taught told understood withheld won wound"
)
"""Irregular past participles that equal the past form of the verb, such as "built"."""

PERSON_NOUNS = split_words(
    "abbot academic activist actor actress admiral adventurer anchor anthropologist archaeologist archbishop architect "
    "aristocrat artist assassin astronaut astronomer athlete attorney author ballerina ban banker baritone baron baroness "
    "bassist biographer biologist bishop botanist boxer broadcaster brother builder businessman businesswoman captain "
    "cardinal cartoonist cellist chairman chairwoman chancellor chef chemist chess chief choreographer cinematographer "
    "clergyman coach collector columnist comedian commander composer conductor consort consul convict count countess "
    "courtesan courtier cricketer criminal critic curator cyclist dancer daughter dealer dean defender dentist designer "
    "diplomat director doctor dramatist drummer duchess duke earl economist editor educator elector emperor empress "
    "engineer entertainer entrepreneur essayist explorer father fencer fighter figure filmmaker financier folklorist "
    "footballer foreman forward gangster general geographer geologist goalkeeper goddess golfer governor guitarist gymnast "
    "headmaster hero historian host humorist hunter husband illustrator industrialist inventor investor jockey journalist "
    "judge jurist keeper khan king knight landgrave landowner lawyer leader lecturer librarian librettist linguist lyricist "
    "magician magistrate magnate margrave marquess mathematician mayor member merchant midfielder minister missionary model "
    "monarch monk mother mountaineer musician naturalist nobleman noblewoman novelist nun nurse officer official organist "
    "painter partner patriarch patron peer performer personality pharaoh philanthropist philologist philosopher "
    "photographer physician physicist pianist pilot pirate player playwright poet policeman politician pope presenter "
    "president priest priestess prince princess principal producer professor psychiatrist psychologist publisher queen "
    "rabbi racer rapper rector regent reporter researcher revolutionary ruler runner sailor saint saxophonist scholar "
    "scientist screenwriter scriptwriter sculptor secretary senator sheriff shogun showrunner singer singer-songwriter "
    "sister skater skier socialite sociologist soldier solicitor son songwriter soprano spy statesman student stylist "
    "sultan surgeon swimmer teacher tenor theologian theorist trader translator traveller treasurer trumpeter viceroy "
    "violinist viscount voivode weigher wife woman wrestler writer youtuber zoologist"
)
"""Nouns that name a person by trade, rank or kinship."""

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
"""Pattern of a number, in figures or in words, but not "one" or "a" alone."""

ABBREVIATED = {
    unit: said.replace("_", " ")
    for unit, said in _pairs(
        "mm:millimetres cm:centimetres km:kilometres m:metres kN:kilonewtons kW:kilowatts MW:megawatts kg:kilograms g:grams "
        "kB:kilobytes KB:kilobytes MB:megabytes GB:gigabytes TB:terabytes ms:milliseconds s:seconds min:minutes h:hours "
        "Hz:hertz kHz:kilohertz MHz:megahertz GHz:gigahertz V:volts A:amperes W:watts °C:degrees_Celsius ha:hectares "
        "kWh:kilowatt-hours GWh:gigawatt-hours px:pixels"
    ).items()
}
"""Dict from a unit's abbreviation after a figure ("km") to its name in a question ("kilometres")."""

MONEY = re.compile(r"^(?:thalers|dollars|euros|pounds|francs|crowns|groats|shillings|pence|cents|marks|florins)$")

MEASURES = split_words(
    "load weight height length width depth thickness diameter span area volume capacity speed rate trend margin price cost "
    "revenue profit loss debt income level temperature pressure voltage power frequency limit threshold offset deviation "
    "uncertainty range population fee rent levy duty wage wages dividend stake salary age period duration provision "
    "availability "
    "size resolution fine budget surplus deficit maximum minimum peak interval tolerance advance turnover share royalty "
    "give angle cover stock yield output intake pitch bearing tilt lag lead drift "
    "timeout default interest blow rise fall distance number total count average"
)
"""Nouns for quantities that can be measured, such as "load" or "price", which a question can ask for."""

EMPTY_HEADS = split_words(
    "first second third other others same latter former rest remainder total whole result results error point answer question "
    "reason reasons thing things way matter problem rule method number sum idea fact case difference one ones part parts "
    "money most more latest next following work text book chapter section table figure story end beginning effect effects "
    "moment day night morning evening afternoon week month year time times man woman person people boy girl child children "
    "house room voice word words hand hands face eyes letter sentence note notice pair two three four"
)
"""Nouns such as "thing" or "result" that say too little after a plain "the" or "a" to be the subject of a question."""

STOP = split_words(
    "who which that whose whom where when while because although though if whether as unless until since than so and but or "
    "nor not this these those such it he she they we i you there here what how why"
)
"""Words that end the search for a verb after a subject, because another clause or a list begins with them."""

MODALS = split_words("may must can could will would should might shall cannot")
"""Modal verbs of English, such as "can"."""

BE = split_words("is was are were")
"""Forms of the verb "be" that the parser recognizes."""

ADVERBS = split_words(
    "also then still now therefore however thus nevertheless besides too again already almost nearly only just never always "
    "often usually soon later first finally even merely hardly presently eventually once largely partly wholly accordingly "
    "altogether duly promptly immediately originally"
)
"""Adverbs that may occur directly before or after a verb."""

DROPPED = split_words("also therefore however thus nevertheless besides too again already accordingly presently")
"""Adverbs such as "therefore" that only connect a sentence to the one before, so that a question drops them."""

PREPOSITIONS = split_words(
    "of in on at for from to with by under over between behind beside within without into onto above below across along "
    "against among near beneath after before during outside inside off through upon per"
)
"""English prepositions that the parser recognizes."""

DETERMINERS = split_words("the a an its his her their our each every no some any one two three all both this that another")
"""Articles and other words before a noun, which no verb follows directly."""
