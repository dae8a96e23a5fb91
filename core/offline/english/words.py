"""English word lists of the offline drafter: verbs with their base form, nouns with what they name, nationalities, titles of
persons. A verb or a noun that is not listed is not asked about: a missing word costs a question, a wrong one a bad question."""

import re


def each(words: str) -> frozenset[str]:
    """The words of a list written as one text."""
    return frozenset(words.split())

UPPER = "".join(chr(c) for c in range(0x41, 0x530) if chr(c).isupper())
"""Capital letters of the Latin, Greek and Cyrillic blocks, for regular expression classes."""

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"

IRREGULAR = {
    "became": "become", "began": "begin", "bore": "bear", "bought": "buy", "brought": "bring", "broke": "break",
    "built": "build", "came": "come", "chose": "choose", "drew": "draw", "fell": "fall", "fought": "fight", "found": "find",
    "flew": "fly", "gave": "give", "got": "get", "grew": "grow", "held": "hold", "hit": "hit", "kept": "keep",
    "knew": "know", "led": "lead", "left": "leave", "lost": "lose", "made": "make", "met": "meet", "paid": "pay",
    "put": "put", "ran": "run", "rose": "rise", "said": "say", "sang": "sing", "sat": "sit", "saw": "see", "sent": "send",
    "set": "set", "shot": "shoot", "sold": "sell", "spent": "spend", "spoke": "speak", "stood": "stand", "swam": "swim",
    "taught": "teach", "took": "take", "told": "tell", "went": "go", "won": "win", "wrote": "write", "rode": "ride",
    "drove": "drive", "threw": "throw", "wore": "wear", "cost": "cost", "lay": "lie", "cut": "cut", "sought": "seek",
    "withdrew": "withdraw", "hung": "hang", "dug": "dig", "lent": "lend", "struck": "strike", "laid": "lay",
    "swore": "swear", "drank": "drink", "fed": "feed", "dealt": "deal", "bred": "breed", "sank": "sink",
    "overcame": "overcome",
}  # fmt: skip
"""Past form -> base form."""

REGULAR = each(
    "abandon abolish absorb accept accompany accuse achieve acquire act adapt add address admit adopt advance agree air "
    "allow alter annex announce appeal appear appoint approach approve argue arrange arrest arrive ask assault assemble "
    "assign assist assume attack attain attempt attend attract audit award ban baptise baptize base battle belong bless "
    "block board boost borrow bury calculate call campaign capture carry cast cause celebrate chair chalk challenge "
    "change charge claim climb close co-author co-direct co-found co-produce co-write coach collaborate collapse collect "
    "combine command commence commission compete compile complete compose comprise compute concede conceive concern "
    "conclude conduct confess confirm connect conquer consecrate consider consist construct contain contest continue "
    "contract contribute control convert cooperate cover create criticise criticize cross crown damage date debut decide "
    "declare decline decorate decrease dedicate defeat defect defend deliver demand demolish denounce depart depict "
    "deploy deposit describe design destroy determine develop devote die direct disappear discontinue discover discuss "
    "display dissolve divide divorce document dominate donate double draft drop earn edit educate elect eliminate emerge "
    "emigrate employ enact encourage end engage enjoy enlarge enlist enrol enroll ensure enter erect escape establish "
    "estimate examine excavate exceed exchange execute exhibit expand expel experience explain explore export express "
    "extend face fail feature file fill finance finish fire fix float focus follow force form found fund gain garner "
    "generate govern graduate grant guard guide handle happen head help hire host identify illustrate immigrate impose "
    "improve include incorporate increase inherit initiate inspire install introduce invade invent invest invite issue "
    "join judge kidnap kill label lack land last launch learn lease lecture level license list live load locate maintain "
    "manage manufacture mark marry master measure merge migrate model modify mortgage move murder name narrate negotiate "
    "nominate note observe obtain occupy occur offer open operate oppose orbit order organise organize originate own "
    "paint participate pass patent patrol perform photograph pilot place plan plant play please pledge point portray "
    "possess pour practice practise preach predict premiere prepare present preserve preside prevent print proclaim "
    "produce prohibit promise promote propose prosecute protect prove provide publish pull purchase pursue push qualify "
    "raid raise rank reach realise realize receive recognise recognize recommend record recover recruit reduce refer "
    "reform refuse regain reject relate release relocate remain remake remarry remix remove rename renew renovate rent "
    "reopen repair repeal replace report represent request require rescue research resemble reside resign restore "
    "restrict result resume retain retire retreat return reunite reveal revise revive rule sail save schedule score scrap "
    "screen seat secure seize select separate serve settle shape share sign sink skipper specialise specialize sponsor "
    "stage star start state stay stop strike study submit succeed suffer suggest supervise supply support suppress "
    "surpass surrender survey survive suspend tackle target televise terminate test total tour track trade train "
    "transcribe transfer transform translate transport travel treat trigger try turn undergo unite unveil update upgrade "
    "urge use vacate value visit vote wait want warn welcome witness work worship yield"
)
"""Base forms of verbs with a regular past."""

DOUBLED = each(
    "admit ban bar commit compel control drop enrol equip expel kidnap occur patrol permit plan refer regret scrap ship "
    "star stop submit transfer trap travel"
)
"""Verbs that double their last letter before -ed."""


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] if base in DOUBLED else "") + "ed"


PAST = {_past(base): base for base in REGULAR} | {"traveled": "travel", "fled": "flee"} | IRREGULAR
"""Past form -> base form of every verb that may be asked about."""


def _present(base: str) -> str:
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "ch", "sh", "o")) else "s")


PRESENT = {_present(base): base for base in {*REGULAR, *IRREGULAR.values()}}
"""Third person singular -> base form."""

PARTICIPLES = {
    "written": "wrote", "born": "bore", "given": "gave", "taken": "took", "drawn": "drew", "driven": "drove", "shown": "showed",
    "chosen": "chose", "beaten": "beat", "broken": "broke", "sung": "sang", "begun": "began", "flown": "flew",
    "worn": "wore", "thrown": "threw", "overthrown": "overthrew", "overseen": "oversaw", "undertaken": "undertook",
    "seen": "saw", "stolen": "stole", "spoken": "spoke", "known": "knew", "ridden": "rode", "sunk": "sank", "run": "ran",
    "co-written": "co-wrote", "rewritten": "rewrote", "slain": "slew",
    "withdrawn": "withdrew", "torn": "tore", "sworn": "swore", "grown": "grew", "blown": "blew", "forbidden": "forbade",
}  # fmt: skip
"""Participle -> past form, where they differ."""

SAME_PARTICIPLE = each(
    "bought brought built cast cut dug fought found heard held hit hung kept laid led left lent lit lost made met paid "
    "put rebuilt sent set shot sold spent split struck stuck swept swung taught told understood withheld won wound"
)
"""Irregular participles that equal the past form."""

NATIONALITIES = each(
    "Afghan Albanian Algerian American Angolan Arab Argentine Argentinian Armenian Australian Austrian Azerbaijani "
    "Bangladeshi Belarusian Belgian Bolivian Bosnian Brazilian British Bulgarian Burmese Cambodian Cameroonian Canadian "
    "Chilean Chinese Colombian Croatian Cuban Cypriot Czech Czechoslovak Danish Dutch Ecuadorian Egyptian English "
    "Estonian Ethiopian Filipino Finnish Flemish French Georgian German Ghanaian Greek Hungarian Icelandic Indian "
    "Indonesian Iranian Iraqi Irish Israeli Italian Jamaican Japanese Jordanian Kazakh Kenyan Korean Kuwaiti Latvian "
    "Lebanese Libyan Lithuanian Macedonian Malaysian Maltese Mexican Moldovan Mongolian Moroccan Nepalese Nigerian "
    "Norwegian Pakistani Palestinian Paraguayan Persian Peruvian Polish Portuguese Prussian Romanian Russian Scottish "
    "Serbian Singaporean Slovak Slovene Slovenian Somali Soviet Spanish Sudanese Swedish Swiss Syrian Taiwanese Thai "
    "Tunisian Turkish Ugandan Ukrainian Uruguayan Venezuelan Vietnamese Welsh Yugoslav Zimbabwean"
)
NATIONALITY = rf"(?:(?:North|South|East|West|New)[ -])?(?:{'|'.join(sorted(NATIONALITIES))}|New Zealand|Hong Kong)"
"""Regular expression of one nationality."""

PERSON_NOUNS = each(
    "abbot academic activist actor actress admiral adventurer anchor anthropologist archaeologist archbishop architect "
    "aristocrat artist assassin astronaut astronomer athlete attorney author ballerina ban banker baritone baron baroness "
    "bassist biographer biologist bishop botanist boxer broadcaster brother builder businessman businesswoman captain "
    "cardinal cartoonist cellist chairman chairwoman chancellor chef chemist chess chief choreographer cinematographer "
    "clergyman coach collector columnist comedian commander composer conductor consort consul convict count countess "
    "courtesan courtier cricketer criminal critic curator cyclist dancer daughter dealer dean defender dentist designer "
    "diplomat director doctor dramatist drummer duchess duke earl economist editor educator elector emperor empress "
    "engineer entertainer entrepreneur essayist explorer father fencer fighter figure filmmaker financier folklorist "
    "footballer foreman forward gangster general geographer geologist goalkeeper goddess golfer governor guitarist "
    "gymnast headmaster hero historian host humorist hunter husband illustrator industrialist inventor investor jockey "
    "journalist judge jurist keeper khan king knight landgrave landowner lawyer leader lecturer librarian librettist "
    "linguist lyricist magician magistrate magnate margrave marquess mathematician mayor member merchant midfielder "
    "minister missionary model monarch monk mother mountaineer musician naturalist nobleman noblewoman novelist nun nurse "
    "officer official organist painter partner patriarch patron peer performer personality pharaoh philanthropist "
    "philologist philosopher photographer physician physicist pianist pilot pirate player playwright poet policeman "
    "politician pope presenter president priest priestess prince princess principal producer professor psychiatrist "
    "psychologist publisher queen rabbi racer rapper rector regent reporter researcher revolutionary ruler runner sailor "
    "saint saxophonist scholar scientist screenwriter scriptwriter sculptor secretary senator sheriff shogun showrunner "
    "singer singer-songwriter sister skater skier socialite sociologist soldier solicitor son songwriter soprano spy "
    "statesman student stylist sultan surgeon swimmer teacher tenor theologian theorist trader translator traveller "
    "treasurer trumpeter viceroy violinist viscount voivode weigher wife woman wrestler writer youtuber zoologist"
)
"""Nouns that name a person by trade, rank or kinship."""

WORK_NOUNS = each(
    "film album song novel book play opera musical single series sitcom drama comedy movie poem painting sculpture "
    "symphony ballet documentary game magazine newspaper journal short serial soundtrack anthology telenovela novella "
    "memoir comic manga anime EP thriller western miniseries biography essay cartoon featurette show programme program "
    "episode concerto sonata"
)
"""Nouns that name a work."""

PLACE_NOUNS = each(
    "village town city municipality commune river lake mountain island station district county province suburb hamlet "
    "parish park school university college church cathedral castle palace building bridge museum hospital theatre theater "
    "airport stadium settlement community neighbourhood neighborhood township region country state area dam road street "
    "house hotel cemetery monastery abbey temple mosque fort lighthouse creek bay valley peak glacier reservoir locality "
    "estate mansion tower garden zoo library mill harbour port square"
)
"""Nouns that name a place or a building."""

GROUP_NOUNS = each(
    "company band club team party organisation organization group agency bank firm corporation foundation institute "
    "association label studio airline railway society union league committee council court ministry orchestra choir army "
    "regiment brand manufacturer publisher department network charity cooperative laboratory office"
)
"""Nouns that name a body of people."""

TITLES = each(
    "Sir Dame Lord Lady King Queen Prince Princess Emperor Empress Duke Duchess Count Countess Baron Baroness Earl "
    "Marquess Pope Saint St. President Senator Governor General Admiral Colonel Major Captain Lieutenant Sergeant Dr. Dr "
    "Professor Prof. Mr. Mrs. Ms. Mr Mrs Ms Judge Justice Bishop Archbishop Cardinal Rabbi Reverend Father Sultan Sheikh "
    "Imam Archduke Archduchess Chancellor Mayor"
)
"""Words before a person's name."""

MALE = each(
    "king prince duke count baron earl emperor sir lord mr. mr pope sultan archduke actor brother father son husband "
    "nobleman statesman businessman clergyman"
)
FEMALE = each(
    "queen princess duchess countess baroness empress dame lady mrs. mrs ms. ms archduchess actress sister mother "
    "daughter wife noblewoman businesswoman nun"
)
"""Words that tell whether a person is he or she."""

ORGANISATION = re.compile(
    r"\b(?:University|College|Institute|Academy|School|Company|Corporation|Corp|Inc|Ltd|Limited|Records|Pictures|Studios?|"
    r"Films?"
    r"|Productions|Entertainment|Foundation|Association|Society|Party|Bank|Group|Club|Council|Committee|Court|Ministry|"
    r"Department"
    r"|Army|Navy|Force|League|Union|Church|Museum|Library|Theatre|Theater|Orchestra|Press|Books|Network|Agency|Office|FC|"
    r"F\.C\.)\b"
)
"""A word by which a name is an organisation's."""

PLACE = re.compile(
    r"\b(?:County|District|Province|Region|City|Town|Village|River|Lake|Mount|Mountains?|Island|Islands|Street|Road|Avenue|Park"
    r"|Castle|Palace|Abbey|Cathedral|Hospital|Airport|Station|Bridge|Valley|Bay|Beach|Hall|House|Square|Cemetery|Sea|Ocean)\b"
)
"""A word by which a name is a place's."""
