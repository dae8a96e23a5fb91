"""What can be asked about persons."""

from core.offline.english.rule import rule

PERSONS = (
    rule(
        "born",
        "person",
        r"^was born (?:[^;]{0,60}?)\b(?:on|in) (?P<a><DAY>|<YEAR>)",
        "When was {s} born? | What is the date of birth of {s}?",
        "date",
        0.75,
    ),
    rule(
        "birthplace",
        "person",
        r"^was born (?:(?:on|in) <DATE>,? )?(?:in|at) (?:the (?:city|town|village) of )?(?P<a><PLACE>)(?=$|[,.;]| and | to | "
        r"on | in | into | as )",
        "Where was {s} born? | In which place was {s} born? | What is the birthplace of {s}?",
        "place",
        0.85,
    ),
    rule(
        "died",
        "person",
        r"^died (?:(?!that|when|his|her)[^;]){0,60}?\b(?:on|in) (?P<a><DAY>|(?:[A-Z][a-z]+ )?<YEAR>)",
        "When did {s} die? | In which year did {s} die?",
        "date",
        0.75,
    ),
    rule(
        "deathplace",
        "person",
        r"^died (?:of [a-z -]+ |suddenly |peacefully )?(?:(?:on|in) <DATE>,? )?(?:in|at) (?:his home in |her home in |the "
        r")?(?P<a><PLACE>)(?=$|[,.;]| and | on | in | of | at the age| from | as )",
        "Where did {s} die? | In which place did {s} die?",
        "place",
        0.85,
    ),
    rule(
        "buried",
        "person",
        r"^(?:is|was) (?:buried|interred) (?:in|at) (?P<a>(?:the )?<PLACE>)(?=$|[,.;]| and | in )",
        "Where is {s} buried? | Where was {s} buried?",
        "place",
        0.9,
    ),
    rule(
        "marriage",
        "person",
        r"^(?:first |later )?married (?:(?:his|her) [a-z]+ )?(?:(?!and )[a-z]+ ){0,3}(?P<a><NAME>)(?P<r>(?: in <DATE>| on "
        r"<DATE>)?)(?=$|[,.;]| and had| and they| in | on | at )",
        "Whom did {s} marry{r}? | Who was the spouse of {s}?",
        "person",
        0.85,
    ),
    rule(
        "married_to",
        "person",
        r"^(?:is|was|has been) married to (?:(?!and )[a-z]+ ){0,3}(?P<a><NAME>)<END>",
        "To whom {be} {s} married? | Who {be} the spouse of {s}?",
        "person",
        0.85,
    ),
    rule(
        "parents",
        "person",
        r"^(?:is|was) (?:[^;]{0,60}, )?(?:born to|(?:an?|the) (?:(?:only|eldest|second|third|fourth|fifth|youngest|younger|"
        r"elder|oldest|first|posthumous|illegitimate|legitimate) )*(?P<n>son|daughter) (?:and heir )?of) (?:[a-z]+ "
        r")?(?P<a>(?<!-)<NAME>(?:, [^,]{3,40},)? and (?:his (?:first |second |third )?wife,? )?(?:[a-z]+ )?<NAME>)(?=$|[,.;]| "
        r"in | of )",
        "Who were the parents of {s}?",
        "person",
        0.95,
    ),
    rule(
        "father",
        "person",
        r"^(?:is|was) (?:an?|the) (?:(?:only|eldest|second|third|fourth|fifth|youngest|younger|elder|oldest|first|posthumous|"
        r"illegitimate) )*(?P<n>son|daughter) of (?:(?:the )?[a-z]+ ){0,3}(?P<a><NAME>)(?=$|[,.;])",
        "Whose {n} was {s}? | Of whom was {s} a {n}?",
        "person",
        0.8,
    ),
    rule(
        "sibling",
        "person",
        r"^(?:is|was) (?:an?|the) (?:(?:only|eldest|youngest|younger|elder|older|oldest|twin) )*(?P<n>brother|sister|nephew|"
        r"niece|grandson|granddaughter|cousin|uncle|aunt|widow|wife|husband) of (?:(?:the )?(?:<NATIONALITY> )?[a-z]+ "
        r"){0,4}(?P<a><NAME>)(?=$|[,.;])",
        "Whose {n} {be} {s}? | Of whom {be} {s} the {n}?",
        "person",
        0.85,
    ),
    rule(
        "succeeded",
        "person",
        r"^was succeeded (?:(?:as|in) [^,;]{3,40} )?by (?:his (?:[a-z]+ )?(?:son|brother|nephew|cousin|grandson|uncle|father|"
        r"half-brother),? )?(?P<a><NAME>)<END>",
        "Who succeeded {s}? | By whom was {s} succeeded?",
        "person",
        0.85,
    ),
    rule(
        "succeeds",
        "person",
        r"^succeeded (?:his (?:[a-z]+ )?(?:father|brother|uncle|cousin|grandfather),? )?(?P<a><NAME>)(?P<r>(?: as [A-Za-z "
        r"]{3,40}| in <YEAR>)?)(?=$|[,.;])",
        "Whom did {s} succeed{r}?",
        "person",
        0.85,
    ),
    rule(
        "educated",
        "person",
        r"^(?:was educated at|attended|studied at|graduated from|was a (?:graduate|student) of) (?P<a>(?:the )?<NAME>)(?=$|"
        r"[,.;]| in \d| where | and (?:was|then|later|at))",
        "Where was {s} educated? | At which institution was {s} educated?",
        "organisation",
        0.75,
    ),
    rule(
        "studied",
        "person",
        r"^studied (?P<a>(?:[a-z]+ )?(?:law|medicine|economics|physics|chemistry|philosophy|architecture|theology|mathematics|"
        r"history|engineering|painting|music|sculpture|art|literature|journalism|acting|drama|biology|psychology)(?: and "
        r"[a-z]+)?) (?P<r>(?:at|in|under) [A-Z][^,;]{3,50})$",
        "What did {s} study {r}?",
        "phrase",
        0.9,
    ),
    rule(
        "award",
        "person work group",
        r"^(?:has )?(?:won|received|was awarded|earned) (?:(?:him|her) )?(?P<a>(?:the|an?|two|three) [^,.;]{0,50}?(?:Prize|"
        r"Award|Medal|Cross|Cup|Trophy|Order|Fellowship|Championship|Scholarship)s?(?: (?:of|for|in) [A-Z][\w' "
        r"-]*?)?)(?P<r>(?: (?:in|on) <DATE>| (?:in|for) [^,.;]{3,50})?)$",
        "Which award did {s} receive{r}? | What award was given to {s}{r}?",
        "name",
        0.8,
    ),
    rule(
        "nationality",
        "person",
        r"^(?:is|was) (?:an?) (?:retired |former )?(?P<a><NATIONALITY>) (?P<n>[a-z ]{4,30}?)(?=$|[,.;]| and | who | from | of "
        r"| in | best | known | active)",
        "What {be} the nationality of {s}? | Of what nationality {be} the {n} {s0}?",
        "phrase",
        0.5,
    ),
    rule(
        "position",
        "person",
        r"^(?:served as|serves as|became|was elected|was appointed) (?P<a>(?:the )?(?!part of|one of|a member|famous|known|"
        r"interested|involved)(?:\d+(?:st|nd|rd|th) |first |second |third )?(?:[A-Z]?[a-z-]+ ){1,4}(?:of|for|to|in) (?:the "
        r")?[A-Z][^,;]{3,50}?)(?P<r> (?:from <YEAR> (?:to|until) <YEAR>|between <YEAR> and <YEAR>|in <DATE>|on <DATE>|until "
        r"<DATE>))(?=$|[,.;])",
        "Which position did {s} {hold}{r}? | What office did {s} {hold}{r}?",
        "phrase",
        0.85,
    ),
    rule(
        "term",
        "person",
        r"^(?:was|served as) (?P<n>(?:the )?[^,;\d]{6,70}?),? (?P<a>from <DATE> (?:to|until|till) <DATE>)$",
        "During which period was {s} {n}? | From when to when was {s} {n}?",
        "date",
        0.85,
    ),
    rule(
        "lives",
        "person",
        r"^(?:currently )?(?:lives|resides|lived) in (?P<a><PLACE>)(?=$|[,.;]| and | with )",
        "Where {do} {s} live?",
        "place",
        0.7,
    ),
    rule(
        "moved",
        "person",
        r"^(?:emigrated|moved|fled|immigrated|migrated) (?:with (?:his|her) family )?(?:from <PLACE> )?to (?P<a>(?:the "
        r")?<PLACE>)(?P<r>(?: in <DATE>| at the age of \w+)?)(?=$|[,.;]| and | where | with )",
        "Where did {s} move{r}? | To which place did {s} move{r}?",
        "place",
        0.8,
    ),
    rule(
        "known_for",
        "person",
        r"^(?:is|was) (?:best|mainly|chiefly|most) known for (?P<a>(?:[a-z]+ing [^,;.]{8,90}|the [^,;.]{8,90}))$",
        "What {be} {s} best known for?",
        "phrase",
        0.75,
    ),
    rule(
        "played",
        "person",
        r"^(?:played|plays|portrayed|starred as|appeared as) (?:the )?(?:role of )?(?P<a><NAME>) (?P<r>in (?:the "
        r")?[^,;.]{4,70})$",
        "Which character did {s} play {r}? | Whom did {s} play {r}?",
        "person",
        0.85,
    ),
    rule(
        "team",
        "person",
        r"^(?:currently )?(?P<v>plays|played|coached|managed) (?:[a-z-]+ )?(?:as an? [a-z-]+ )?for (?P<a>(?:the )?<NAME>)(?=$|"
        r"[,.;]| in the| as )",
        "For which team {do} {s} {play}?",
        "organisation",
        0.8,
    ),
)
"""In the order in which they are tried; several may fit one predicate."""
