"""What can be asked of an English predicate, as a table: a pattern of the predicate, and the questions that its group `a`
answers. {s} is the subject as a question names it; other braces are groups of the pattern."""

import re
from dataclasses import dataclass

from core.offline.english_names import DATE, NAME
from core.offline.english_words import MONTHS, NATIONALITY
from core.offline.factoid import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to ask."""

    family: str
    """Rules of one family ask for the same sort of fact."""
    subjects: frozenset[str]
    """Kinds of subject that it fits."""
    pattern: re.Pattern[str]
    questions: tuple[str, ...]
    kind: Kind
    worth: float
    """0..1: how often its questions read well and are worth asking."""


_N = NAME.pattern
_FILL = {
    "NAME": rf"(?>{_N})",
    "PEOPLE": rf"(?>(?:{_N})(?:(?:, (?:{_N}))*,? and (?:{_N}))?)",
    "PLACE": rf"(?>(?:{_N})(?:, (?:{_N})){{0,2}})",
    "DATE": DATE.pattern,
    "DAY": rf"(?:\d{{1,2}} (?:{MONTHS}),? \d{{4}}|(?:{MONTHS}) \d{{1,2}}, ?\d{{4}})",
    "YEAR": r"(?:1[0-9]\d\d|20\d\d)",
    "NATIONALITY": NATIONALITY,
    "NUMBER": r"(?:\d[\d,.]*\d|\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)",
    "END": r"(?=$|[,.;]| and | in | on | at | for | with | from | to | as | where | who | which | after | before | during )",
}
_ANY = "person work place group thing name attribute"


def _rule(family: str, subjects: str, pattern: str, questions: str, kind: Kind, worth: float) -> Rule:
    for word, filled in _FILL.items():
        pattern = pattern.replace(f"<{word}>", f"(?:{filled})")
    return Rule(family, frozenset(subjects.split()), re.compile(pattern), tuple(questions.split(" | ")), kind, worth)



RULES = (
    # works
    _rule("director", "work", r"^(?:is|was) (?:(?!based on|novel by|play by|book by|directed)[^;])*?\bdirected by (?P<a><PEOPLE>)<END>",
          "Who directed {s}? | By whom was {s} directed? | Who was the director of {s}?", "person", 0.7),
    _rule("writer", "work", r"^(?:is|was) (?:(?!based on|adapted|adaptation|novel|play|book|story|written)[^;])*?\bwritten (?:and directed )?by (?P<a><PEOPLE>)<END>",
          "Who wrote {s}? | By whom was {s} written? | Who is the writer of {s}?", "person", 0.85),
    _rule("author", "work", r"^(?:is|was) (?:an?|the) (?:[\w-]+ ){0,5}(?:novel|book|play|novella|poem|opera|short story|story|essay|memoir|musical|symphony|ballet) by (?:the )?(?:<NATIONALITY> )?(?:(?:author|writer|novelist|composer|playwright|poet|dramatist) )?(?P<a><PEOPLE>)<END>",
          "Who is the author of {s}? | Who wrote {s}? | By whom is {s}?", "person", 0.9),
    _rule("artist", "work", r"^(?:is|was) (?:an?|the) (?:[\w-]+ ){0,6}(?:album|song|single|EP|soundtrack|mixtape|track) (?:recorded |released |performed )?by (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z-]+ ){0,5}(?P<a><NAME>)<END>(?! and [A-Z])",
          "Which artist released {s}? | Who recorded {s}?", "name", 0.85),
    _rule("album", "work", r"\bfrom (?:his|her|their|the) (?:[\w-]+ ){0,5}album,? \"?(?P<a>[A-Z][^\",.;]{2,50})\"?(?=$|[,.;]| by| and)",
          "From which album is {s}? | On which album does {s} appear?", "work", 0.85),
    _rule("based", "work", r"\bbased (?:up)?on (?:the |an? )(?:(?:\d{4} |[a-z-]+ ){0,4})(?P<n>novel|play|book|short story|story|fairy tale|musical|opera|poem|memoir|comic|novella) (?:of the same name )?(?:called |titled |entitled )?(?P<a>\"[^\"]{2,60}\")",
          "On which {n} is {s} based? | Which {n} is the basis of {s}?", "work", 0.95),
    _rule("based_author", "work", r"\bbased (?:up)?on (?:the|an?) (?:(?:\d{4} |[a-z-]+ ){0,4})(?P<n>novel|play|book|short story|story|fairy tale|musical|opera|poem|memoir|comic|novella)(?: of the same name| \"[^\"]{2,60}\")?,? by (?:the )?(?:<NATIONALITY> )?(?:(?:author|writer|novelist|playwright|poet) )?(?P<a><PEOPLE>)<END>",
          "Whose {n} is {s} based on? | Who wrote the {n} on which {s} is based? | By whom is the {n} that {s} is based on?", "person", 0.95),
    _rule("stars", "work", r"^(?:(?:is|was) (?:an?|the) [^;]*?(?:and|,) )?(?:starring|stars|starred|features|featuring) (?P<a><NAME> and <NAME>)(?=$|[.;]| as | in )",
          "Who are the two stars of {s}? | Which two actors star in {s}?", "person", 0.7),
    _rule("cast", "work", r"^(?:stars|starred) (?P<a><NAME>) (?:as|in the (?:title|lead|leading) role)\b(?! and| in)",
          "Who stars in {s}?", "person", 0.6),
    _rule("label", "work", r"\breleased (?:(?:on|in) <DATE> )?(?:by|through|on|via|under) (?:the )?(?:record |film )?(?:label |company |studio )?(?P<a>(?:[A-Z][\w&'.]+ ){0,3}(?:Records|Pictures|Studios|Films|Music|Entertainment|Productions|Artists|Universal|Columbia|EMI|RKO|MGM|Paramount|Fox|Warner Bros\.?))<END>",
          "Which company released {s}? | By which company was {s} released?", "organisation", 0.85),
    _rule("publisher", "work", r"\bpublished (?:(?:on|in) <DATE> )?by (?P<a>(?:the )?<NAME>)<END>", "Who published {s}? | By whom was {s} published?", "organisation", 0.8),
    _rule("released", "work", r"^(?:is|was) (?:(?!based on|novel|book|play|remake|sequel|re-released|version)[^;])*?\breleased (?:[a-z ]{0,30})?(?:on|in) (?P<a><DAY>|<YEAR>|(?:[A-Z][a-z]+) <YEAR>)(?![-\d]| and (?:on|in))",
          "When was {s} released? | On what date was {s} released?", "date", 0.75),
    _rule("published", "work", r"\b(?:first )?published in (?P<a><DATE>)", "When was {s} first published? | In which year was {s} published?", "year", 0.8),
    _rule("composer", "work", r"^(?:music|score|soundtrack)? ?(?:was|is) (?:[^;]{0,60})?(?:composed|scored) by (?P<a><PEOPLE>)<END>", "Who composed {s}? | By whom was {s} composed?", "person", 0.8),
    _rule("producer", "work", r"^(?:is|was) (?:(?!based on|produced|company)[^;])*?\bproduced by (?P<a><PEOPLE>)<END>", "Who produced {s}? | Who was the producer of {s}?", "person", 0.8),
    _rule("setting", "work", r"^(?:is|was) set in (?P<a>(?:the )?<PLACE>)(?=$|[,.;]| and | during| in (?:the )?\d)", "Where is {s} set?", "place", 0.85),
    _rule("filmed", "work", r"^(?:is|was) (?:filmed|shot)(?: entirely| mainly| primarily| on location)* (?:in|at) (?P<a>(?:the )?<PLACE>)<END>", "Where was {s} filmed?", "place", 0.85),
    _rule("remake", "work", r"^is (?:an?|the) (?:<NATIONALITY> )?remake of (?:the )?(?:(?:\d{4} |[a-z-]+ |<NATIONALITY> ){0,4})(?P<n>film|movie|play|series) (?P<a>\"[^\"]{2,60}\")", "Of which {n} is {s} a remake? | Which {n} was remade as {s}?", "work", 0.95),
    _rule("entered", "work", r"^was (?:entered into|selected for|nominated for|screened at|shown at|selected as) (?P<a>the [^,.;]{4,60}(?:Festival|Awards?|Prize))<END>", "Into which festival was {s} entered?", "name", 0.8),
    # persons
    _rule("born", "person", r"^was born (?:[^;]{0,60}?)\b(?:on|in) (?P<a><DAY>|<YEAR>)", "When was {s} born? | What is the date of birth of {s}?", "date", 0.75),
    _rule("birthplace", "person", r"^was born (?:(?:on|in) <DATE>,? )?(?:in|at) (?:the (?:city|town|village) of )?(?P<a><PLACE>)(?=$|[,.;]| and | to | on | in | into | as )", "Where was {s} born? | In which place was {s} born? | What is the birthplace of {s}?", "place", 0.85),
    _rule("died", "person", r"^died (?:(?!that|when|his|her)[^;]){0,60}?\b(?:on|in) (?P<a><DAY>|(?:[A-Z][a-z]+ )?<YEAR>)", "When did {s} die? | In which year did {s} die?", "date", 0.75),
    _rule("deathplace", "person", r"^died (?:of [a-z -]+ |suddenly |peacefully )?(?:(?:on|in) <DATE>,? )?(?:in|at) (?:his home in |her home in |the )?(?P<a><PLACE>)(?=$|[,.;]| and | on | in | of | at the age| from | as )", "Where did {s} die? | In which place did {s} die?", "place", 0.85),
    _rule("buried", "person", r"^(?:is|was) (?:buried|interred) (?:in|at) (?P<a>(?:the )?<PLACE>)(?=$|[,.;]| and | in )", "Where is {s} buried? | Where was {s} buried?", "place", 0.9),
    _rule("marriage", "person", r"^(?:first |later )?married (?:(?:his|her) [a-z]+ )?(?:(?!and )[a-z]+ ){0,3}(?P<a><NAME>)(?P<r>(?: in <DATE>| on <DATE>)?)(?=$|[,.;]| and had| and they| in | on | at )", "Whom did {s} marry{r}? | Who was the spouse of {s}?", "person", 0.85),
    _rule("married_to", "person", r"^(?:is|was|has been) married to (?:(?!and )[a-z]+ ){0,3}(?P<a><NAME>)<END>", "To whom {be} {s} married? | Who {be} the spouse of {s}?", "person", 0.85),
    _rule("parents", "person", r"^(?:is|was) (?:[^;]{0,60}, )?(?:born to|(?:an?|the) (?:(?:only|eldest|second|third|fourth|fifth|youngest|younger|elder|oldest|first|posthumous|illegitimate|legitimate) )*(?P<n>son|daughter) (?:and heir )?of) (?:[a-z]+ )?(?P<a>(?<!-)<NAME>(?:, [^,]{3,40},)? and (?:his (?:first |second |third )?wife,? )?(?:[a-z]+ )?<NAME>)(?=$|[,.;]| in | of )", "Who were the parents of {s}?", "person", 0.95),
    _rule("father", "person", r"^(?:is|was) (?:an?|the) (?:(?:only|eldest|second|third|fourth|fifth|youngest|younger|elder|oldest|first|posthumous|illegitimate) )*(?P<n>son|daughter) of (?:(?:the )?[a-z]+ ){0,3}(?P<a><NAME>)(?=$|[,.;])", "Whose {n} was {s}? | Of whom was {s} a {n}?", "person", 0.8),
    _rule("sibling", "person", r"^(?:is|was) (?:an?|the) (?:(?:only|eldest|youngest|younger|elder|older|oldest|twin) )*(?P<n>brother|sister|nephew|niece|grandson|granddaughter|cousin|uncle|aunt|widow|wife|husband) of (?:(?:the )?(?:<NATIONALITY> )?[a-z]+ ){0,4}(?P<a><NAME>)(?=$|[,.;])", "Whose {n} {be} {s}? | Of whom {be} {s} the {n}?", "person", 0.85),
    _rule("succeeded", "person", r"^was succeeded (?:(?:as|in) [^,;]{3,40} )?by (?:his (?:[a-z]+ )?(?:son|brother|nephew|cousin|grandson|uncle|father|half-brother),? )?(?P<a><NAME>)<END>", "Who succeeded {s}? | By whom was {s} succeeded?", "person", 0.85),
    _rule("succeeds", "person", r"^succeeded (?:his (?:[a-z]+ )?(?:father|brother|uncle|cousin|grandfather),? )?(?P<a><NAME>)(?P<r>(?: as [A-Za-z ]{3,40}| in <YEAR>)?)(?=$|[,.;])", "Whom did {s} succeed{r}?", "person", 0.85),
    _rule("educated", "person", r"^(?:was educated at|attended|studied at|graduated from|was a (?:graduate|student) of) (?P<a>(?:the )?<NAME>)(?=$|[,.;]| in \d| where | and (?:was|then|later|at))", "Where was {s} educated? | At which institution was {s} educated?", "organisation", 0.75),
    _rule("studied", "person", r"^studied (?P<a>(?:[a-z]+ )?(?:law|medicine|economics|physics|chemistry|philosophy|architecture|theology|mathematics|history|engineering|painting|music|sculpture|art|literature|journalism|acting|drama|biology|psychology)(?: and [a-z]+)?) (?P<r>(?:at|in|under) [A-Z][^,;]{3,50})$", "What did {s} study {r}?", "phrase", 0.9),
    _rule("award", "person work group", r"^(?:has )?(?:won|received|was awarded|earned) (?:(?:him|her) )?(?P<a>(?:the|an?|two|three) [^,.;]{0,50}?(?:Prize|Award|Medal|Cross|Cup|Trophy|Order|Fellowship|Championship|Scholarship)s?(?: (?:of|for|in) [A-Z][\w' -]*?)?)(?P<r>(?: (?:in|on) <DATE>| (?:in|for) [^,.;]{3,50})?)$", "Which award did {s} receive{r}? | What award was given to {s}{r}?", "name", 0.8),
    _rule("nationality", "person", r"^(?:is|was) (?:an?) (?:retired |former )?(?P<a><NATIONALITY>) (?P<n>[a-z ]{4,30}?)(?=$|[,.;]| and | who | from | of | in | best | known | active)", "What {be} the nationality of {s}? | Of what nationality {be} the {n} {s0}?", "phrase", 0.5),
    _rule("position", "person", r"^(?:served as|serves as|became|was elected|was appointed) (?P<a>(?:the )?(?:\d+(?:st|nd|rd|th) |first |second |third )?(?:[A-Z]?[a-z-]+ ){0,4}(?:of|for|to|in) (?:the )?[A-Z][^,;]{3,50}?)(?P<r> (?:from <YEAR> (?:to|until) <YEAR>|between <YEAR> and <YEAR>|in <DATE>|on <DATE>|until <DATE>))(?=$|[,.;])", "Which position did {s} {hold}{r}? | What office did {s} {hold}{r}?", "phrase", 0.85),
    _rule("term", "person", r"^(?:was|served as) (?P<n>(?:the )?[^,;\d]{6,70}?),? (?P<a>from <DATE> (?:to|until|till) <DATE>)$", "During which period was {s} {n}? | From when to when was {s} {n}?", "date", 0.85),
    _rule("lives", "person", r"^(?:currently )?(?:lives|resides|lived) in (?P<a><PLACE>)(?=$|[,.;]| and | with )", "Where {do} {s} live?", "place", 0.7),
    _rule("moved", "person", r"^(?:emigrated|moved|fled|immigrated|migrated) (?:with (?:his|her) family )?(?:from <PLACE> )?to (?P<a>(?:the )?<PLACE>)(?P<r>(?: in <DATE>| at the age of \w+)?)(?=$|[,.;]| and | where | with )", "Where did {s} move{r}? | To which place did {s} move{r}?", "place", 0.8),
    _rule("known_for", "person", r"^(?:is|was) (?:best|mainly|chiefly|most) known for (?P<a>(?:[a-z]+ing [^,;.]{8,90}|the [^,;.]{8,90}))$", "What {be} {s} best known for?", "phrase", 0.75),
    _rule("played", "person", r"^(?:played|plays|portrayed|starred as|appeared as) (?:the )?(?:role of )?(?P<a><NAME>) (?P<r>in (?:the )?[^,;.]{4,70})$", "Which character did {s} play {r}? | Whom did {s} play {r}?", "person", 0.85),
    _rule("team", "person", r"^(?:currently )?(?P<v>plays|played|coached|managed) (?:[a-z-]+ )?(?:as an? [a-z-]+ )?for (?P<a>(?:the )?<NAME>)(?=$|[,.;]| in the| as )", "For which team {do} {s} {play}?", "organisation", 0.8),
    # places, groups, things
    _rule("located", "place group thing", r"^(?:is|was|are) (?:an? [^;]{3,60}? )?(?:located|situated|based|headquartered) (?:near the [a-z ]+ of |near |close to |within |in the (?:centre|center|heart) of )?(?:in|at|on) (?P<a>(?:the )?(?:city of |town of |village of )?<PLACE>)(?=$|[,.;]| and | on | near | about | which )", "Where is {s} located? | In which place is {s} located?", "place", 0.8),
    _rule("in_district", "place", r"^is (?:an?|the) (?:[\w-]+ ){0,4}(?:village|town|city|municipality|commune|township|hamlet|suburb|community|settlement|river|lake|island|locality|neighbourhood|neighborhood|school|station|church|park|mountain) (?:and [\w-]+ )?(?:located |situated )?in (?:the )?(?P<a><NAME>(?:,? (?:in )?(?:the )?<NAME>){0,3})(?=$|[,.;]| and | with | on )", "Where is {s}? | Where is {s} located? | In which part of the world is {s}?", "place", 0.8),
    _rule("district", "place", r"^is (?:an?|the) [^,;]{3,60}? in (?:the )?(?P<a>[A-Z][\w-]+) (?P<n>District|County|Province|Region|Municipality|Voivodeship|Department|Prefecture|Oblast|Raion)\b", "In which {n_low} is {s}? | In which {n_low} does {s} lie? | To which {n_low} does {s} belong?", "place", 0.95),
    _rule("country", "place", r"^is (?:an?|the) [^;]{3,90}? (?:in|of) (?:[^;]{3,60}, )(?P<a>Japan|China|India|France|Germany|Italy|Spain|Poland|Iran|Turkey|Russia|Brazil|Mexico|Canada|Australia|England|Scotland|Wales|Ireland|Norway|Sweden|Finland|Denmark|Austria|Hungary|Romania|Bulgaria|Greece|Ukraine|Pakistan|Nepal|Kenya|Nigeria|Ghana|Egypt|Slovakia|Slovenia|Croatia|Serbia|Portugal|Switzerland|Belgium|Azerbaijan|Armenia|Georgia|Estonia|Latvia|Lithuania|Indonesia|Malaysia|Thailand|Vietnam|Chile|Peru|Argentina|Colombia|Cuba|Bangladesh|Sri Lanka|South Africa|New Zealand|South Korea)(?=$|[.;])", "In which country is {s}? | In what country is {s} located?", "place", 0.9),
    _rule("population", "place", r"\b(?:had|has|have) (?:a )?(?:total |estimated )?population of (?:about |approximately |around |roughly )?(?P<a>\d[\d,.]*\d)(?: (?:people|inhabitants|residents))?", "What is the population of {s}? | How many people live in {s}?", "number", 0.8),
    _rule("area", "place", r"\b(?:covers|has|with|covering) an area of (?P<a>(?:about |approximately )?[\d.,]+ (?:km²|km2|square kilomet(?:er|re)s|hectares|acres|square miles|sq mi|ha|km))", "How large is the area of {s}? | What area does {s} cover?", "number", 0.9),
    _rule("length", "place thing", r"^is (?:about |approximately |around )?(?P<a>[\d.,]+ (?:kilomet(?:er|re)s|km|miles|met(?:er|re)s|m|ft|feet)) (?P<n>long|high|tall|wide|deep)\b", "How {n} is {s}?", "number", 0.95),
    _rule("family", "thing", r"^(?:is|are) (?:an?|the) (?P<n>(?:extinct )?(?:genus|species|subspecies)(?: of [a-z -]{3,30}?)?) (?:in|of|belonging to|within) the (?:[a-z]+ )?family (?P<a>[A-Z][a-z]+)", "To which family does the {n} {s0} belong? | In which family is the {n} {s0}?", "name", 0.9),
    _rule("operator", "place group thing", r"\boperated by (?:the )?(?:private |railway |[a-z-]+ ){0,3}(?P<a>(?:the )?<NAME>)<END>", "Who operates {s}? | By whom is {s} operated?", "organisation", 0.85),
    _rule("owner", "place group work thing", r"^(?:is|was) (?:[^;]{0,60} )?owned by (?:the )?(?P<a><NAME>)<END>", "Who {own} {s}? | By whom {be} {s} owned?", "organisation", 0.85),
    _rule("founder", "group place work", r"^(?:is|was) (?:an? [^;]{3,80}? )?(?:founded|established|created|started|formed|set up) (?:in <DATE> )?(?:in <PLACE> )?(?:in <DATE> )?by (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z]+ ){0,3}(?P<a><PEOPLE>)<END>", "Who founded {s}? | By whom was {s} founded?", "person", 0.9),
    _rule("founded", "group place work", r"^(?:is|was) (?:an? [^;]{3,80}? )?(?P<v>founded|established|created|formed|opened|built|incorporated|constructed|completed) (?:in (?!\d)<PLACE> )?(?:in|on) (?P<a><DATE>)", "When was {s} {v}? | In which year was {s} {v}?", "date", 0.85),
    _rule("architect", "place work", r"^(?:is|was|were) (?:[^;]{0,60} )?designed by (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z]+ ){0,3}(?P<a><PEOPLE>)<END>", "Who designed {s}? | By whom was {s} designed?", "person", 0.9),
    _rule("named_after", _ANY, r"^(?:is|was|were|are) named (?:after|for|in honou?r of) (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z-]+ ){0,4}(?P<a><NAME>)<END>", "After whom or what {be} {s} named? | What is the name of {s} derived from?", "name", 0.9),
    _rule("attribute", "attribute", r"^(?:is|was|are|were) (?P<a>(?:the )?(?:<PEOPLE>|\"[^\"]{2,60}\"|<DATE>|(?:about |approximately )?<NUMBER>(?: [a-z]+)?))$", "{What} {be} {s}?", "name", 0.8),
)  # fmt: skip
"""In the order in which they are tried; several may fit one predicate."""
