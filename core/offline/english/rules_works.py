"""What can be asked about films, books, songs and other works."""

from core.offline.english.rule import rule

WORKS = (
    rule(
        "director",
        "work",
        r"^(?:is|was) (?:(?!based on|novel by|play by|book by|directed)[^;])*?\bdirected by (?P<a><PEOPLE>)<END>",
        "Who directed {s}? | By whom was {s} directed? | Who was the director of {s}?",
        "person",
        0.7,
    ),
    rule(
        "writer",
        "work",
        r"^(?:is|was) (?:(?!based on|adapted|adaptation|novel|play|book|story|written)[^;])*?\bwritten (?:and directed )?by "
        r"(?P<a><PEOPLE>)<END>",
        "Who wrote {s}? | By whom was {s} written? | Who is the writer of {s}?",
        "person",
        0.85,
    ),
    rule(
        "author",
        "work",
        r"^(?:is|was) (?:an?|the) (?:[\w-]+ ){0,5}(?:novel|book|play|novella|poem|opera|short story|story|essay|memoir|"
        r"musical|symphony|ballet) by (?:the )?(?:<NATIONALITY> )?(?:(?:author|writer|novelist|composer|playwright|poet|"
        r"dramatist) )?(?P<a><PEOPLE>)<END>",
        "Who is the author of {s}? | Who wrote {s}?",
        "person",
        0.9,
    ),
    rule(
        "artist",
        "work",
        r"^(?:is|was) (?:an?|the) (?:[\w-]+ ){0,6}(?:album|song|single|EP|soundtrack|mixtape|track) (?:recorded |released |"
        r"performed )?by (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z-]+ ){0,5}(?P<a><NAME>)<END>(?! and (?!released|recorded|"
        r"produced))",
        "Which artist released {s}? | Who recorded {s}?",
        "name",
        0.85,
    ),
    rule(
        "album",
        "work",
        r"\bfrom (?:his|her|their|the) (?:[\w-]+ ){0,5}album,? \"?(?P<a>[A-Z][^\",.;]{2,50})\"?(?=$|[,.;]| by| and)",
        "From which album is {s}? | On which album does {s} appear?",
        "work",
        0.85,
    ),
    rule(
        "based",
        "work",
        r"\bbased (?:up)?on (?:the |an? )(?:(?:\d{4} |[a-z-]+ ){0,4})(?P<n>novel|play|book|short story|story|fairy tale|"
        r"musical|opera|poem|memoir|comic|novella) (?:of the same name )?(?:called |titled |entitled )?(?P<a>\"[^\"]{2,60}\")",
        "On which {n} is {s} based? | Which {n} is the basis of {s}?",
        "work",
        0.95,
    ),
    rule(
        "based_author",
        "work",
        r"\bbased (?:up)?on (?:the|an?) (?:(?:\d{4} |[a-z-]+ ){0,4})(?P<n>novel|play|book|short story|story|fairy tale|"
        r"musical|opera|poem|memoir|comic|novella)(?: of the same name| \"[^\"]{2,60}\")?,? by (?:the )?(?:<NATIONALITY> "
        r")?(?:(?:author|writer|novelist|playwright|poet) )?(?P<a><PEOPLE>)<END>",
        "Whose {n} is {s} based on? | Who wrote the {n} on which {s} is based?",
        "person",
        0.95,
    ),
    rule(
        "stars",
        "work",
        r"^(?:(?:is|was) (?:an?|the) [^;]*?(?:and|,) )?(?:starring|stars|starred|features|featuring) (?P<a><NAME> and "
        r"<NAME>)(?=$|[.;]| as | in )",
        "Who are the two stars of {s}? | Which two actors star in {s}?",
        "person",
        0.7,
    ),
    rule(
        "cast",
        "work",
        r"^(?:stars|starred) (?P<a><NAME>) (?:as|in the (?:title|lead|leading) role)\b(?! and| in)",
        "Who stars in {s}?",
        "person",
        0.6,
    ),
    rule(
        "label",
        "work",
        r"\breleased (?:(?:on|in) <DATE> )?(?:by|through|on|via|under) (?:the )?(?:record |film )?(?:label |company |studio "
        r")?(?P<a>(?:[A-Z][\w&'.]+ ){0,3}(?:Records|Pictures|Studios|Films|Music|Entertainment|Productions|Artists|Universal|"
        r"Columbia|EMI|RKO|MGM|Paramount|Fox|Warner Bros\.?))<END>",
        "Which company released {s}? | By which company was {s} released?",
        "organisation",
        0.85,
    ),
    rule(
        "publisher",
        "work",
        r"\bpublished (?:(?:on|in) <DATE> )?by (?P<a>(?:the )?<NAME>)<END>",
        "Who published {s}? | By whom was {s} published?",
        "organisation",
        0.8,
    ),
    rule(
        "released",
        "work",
        r"^(?:is|was) (?:(?!based on|novel|book|play|remake|sequel|re-released|version)[^;])*?\breleased (?:[a-z "
        r"]{0,30})?(?:on|in) (?P<a><DAY>|<YEAR>|(?:[A-Z][a-z]+) <YEAR>)(?![-\d]| and (?:on|in))",
        "When was {s} released? | On what date was {s} released?",
        "date",
        0.75,
    ),
    rule(
        "published",
        "work",
        r"^(?:is|was) (?:an? (?:(?!of the|based|adapt)[^;])*?)?(?:first |originally )?published in (?P<a><DATE>)(?! and)",
        "When was {s} first published? | In which year was {s} published?",
        "year",
        0.8,
    ),
    rule(
        "composer",
        "work",
        r"^(?:music|score|soundtrack)? ?(?:was|is) (?:[^;]{0,60})?(?:composed|scored) by (?P<a><PEOPLE>)<END>",
        "Who composed {s}? | By whom was {s} composed?",
        "person",
        0.8,
    ),
    rule(
        "producer",
        "work",
        r"^(?:is|was) (?:(?!based on|produced|company)[^;])*?\bproduced by (?P<a><PEOPLE>)<END>",
        "Who produced {s}? | Who was the producer of {s}?",
        "person",
        0.8,
    ),
    rule(
        "setting",
        "work",
        r"^(?:is|was) set in (?P<a>(?:the )?<PLACE>)(?=$|[,.;]| and | during| in (?:the )?\d)",
        "Where is {s} set?",
        "place",
        0.85,
    ),
    rule(
        "filmed",
        "work",
        r"^(?:is|was) (?:filmed|shot)(?: entirely| mainly| primarily| on location)* (?:in|at) (?P<a>(?:the )?<PLACE>)<END>",
        "Where was {s} filmed?",
        "place",
        0.85,
    ),
    rule(
        "remake",
        "work",
        r"^is (?:an?|the) (?:<NATIONALITY> )?remake of (?:the )?(?:(?:\d{4} |[a-z-]+ |<NATIONALITY> ){0,4})(?P<n>film|movie|"
        r"play|series) (?P<a>\"[^\"]{2,60}\")",
        "Of which {n} is {s} a remake? | Which {n} was remade as {s}?",
        "work",
        0.95,
    ),
    rule(
        "entered",
        "work",
        r"^was entered into (?P<a>the [^,.;]{4,60}(?:Festival|"
        r"Awards?|Prize))<END>",
        "Into which festival was {s} entered?",
        "name",
        0.8,
    ),
)
"""In the order in which they are tried; several may fit one predicate."""
