"""What can be asked about places, bodies of people and other things."""

from core.offline.english.rule import ANY, rule

PLACES = (
    rule(
        "located",
        "place group thing",
        r"^(?:is|was|are) (?:an? [^;]{3,60}? )?(?:located|situated|based|headquartered) (?:near the [a-z ]+ of |near |close "
        r"to |within |in the (?:centre|center|heart) of )?(?:in|at|on) (?P<a>(?:the )?(?:city of |town of |village of "
        r")?<PLACE>)(?=$|[,.;]| and | on | near | about | which )",
        "Where is {s} located? | In which place is {s} located?",
        "place",
        0.8,
    ),
    rule(
        "in_district",
        "place",
        r"^is (?:an?|the) (?:[\w-]+ ){0,4}(?:village|town|city|municipality|commune|township|hamlet|suburb|community|"
        r"settlement|river|lake|island|locality|neighbourhood|neighborhood|school|station|church|park|mountain) (?:and [\w-]+ "
        r")?(?:located |situated )?in (?:the )?(?P<a><NAME>(?:,? (?:in )?(?:the )?<NAME>){0,3})(?=$|[,.;]| and | with | on )",
        "Where is {s}? | Where is {s} located? | In which part of the world is {s}?",
        "place",
        0.8,
    ),
    rule(
        "district",
        "place",
        r"^is (?:an?|the) [^,;]{3,60}? in (?:the )?(?P<a>[A-Z][\w-]+) (?P<n>District|County|Province|Region|Municipality|"
        r"Voivodeship|Department|Prefecture|Oblast|Raion)\b",
        "In which {n_low} is {s}? | In which {n_low} does {s} lie? | To which {n_low} does {s} belong?",
        "place",
        0.95,
    ),
    rule(
        "country",
        "place",
        r"^is (?:an?|the) [^;]{3,90}? (?:in|of) (?:[^;]{3,60}, )(?P<a>Japan|China|India|France|Germany|Italy|Spain|Poland|"
        r"Iran|Turkey|Russia|Brazil|Mexico|Canada|Australia|England|Scotland|Wales|Ireland|Norway|Sweden|Finland|Denmark|"
        r"Austria|Hungary|Romania|Bulgaria|Greece|Ukraine|Pakistan|Nepal|Kenya|Nigeria|Ghana|Egypt|Slovakia|Slovenia|Croatia|"
        r"Serbia|Portugal|Switzerland|Belgium|Azerbaijan|Armenia|Georgia|Estonia|Latvia|Lithuania|Indonesia|Malaysia|Thailand|"
        r"Vietnam|Chile|Peru|Argentina|Colombia|Cuba|Bangladesh|Sri Lanka|South Africa|New Zealand|South Korea)(?=$|[.;])",
        "In which country is {s}? | In what country is {s} located?",
        "place",
        0.9,
    ),
    rule(
        "population",
        "place",
        r"\b(?:had|has|have) (?:a )?(?:total |estimated )?population of (?:about |approximately |around |roughly "
        r")?(?P<a>\d[\d,.]*\d)(?: (?:people|inhabitants|residents))?",
        "What is the population of {s}? | How many people live in {s}?",
        "number",
        0.8,
    ),
    rule(
        "area",
        "place",
        r"\b(?:covers|has|with|covering) an area of (?P<a>(?:about |approximately )?[\d.,]+ (?:km²|km2|square kilomet(?:er|"
        r"re)s|hectares|acres|square miles|sq mi|ha|km))",
        "How large is the area of {s}? | What area does {s} cover?",
        "number",
        0.9,
    ),
    rule(
        "length",
        "place thing",
        r"^is (?:about |approximately |around )?(?P<a>[\d.,]+ (?:kilomet(?:er|re)s|km|miles|met(?:er|re)s|m|ft|feet)) "
        r"(?P<n>long|high|tall|wide|deep)\b",
        "How {n} is {s}?",
        "number",
        0.95,
    ),
    rule(
        "family",
        "thing",
        r"^(?:is|are) (?:an?|the) (?P<n>(?:extinct )?(?:genus|species|subspecies)(?: of [a-z -]{3,30}?)?) (?:in|of|belonging "
        r"to|within) the (?:[a-z]+ )?family (?P<a>[A-Z][a-z]+)",
        "To which family does the {n} {s0} belong? | In which family is the {n} {s0}?",
        "name",
        0.9,
    ),
    rule(
        "operator",
        "place group thing",
        r"\boperated by (?:the )?(?:private |railway |[a-z-]+ ){0,3}(?P<a>(?:the )?<NAME>)<END>",
        "Who operates {s}? | By whom is {s} operated?",
        "organisation",
        0.85,
    ),
    rule(
        "owner",
        "place group work thing",
        r"^(?:is|was) (?:[^;]{0,60} )?owned by (?:the )?(?P<a><NAME>)<END>",
        "Who {own} {s}? | By whom {be} {s} owned?",
        "organisation",
        0.85,
    ),
    rule(
        "founder",
        "group place work",
        r"^(?:is|was) (?:an? [^;]{3,80}? )?(?:founded|established|created|started|formed|set up) (?:in <DATE> )?(?:in <PLACE> "
        r")?(?:in <DATE> )?by (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z]+ ){0,3}(?P<a><PEOPLE>)<END>",
        "Who founded {s}? | By whom was {s} founded?",
        "person",
        0.9,
    ),
    rule(
        "founded",
        "group place work",
        r"^(?:is|was) (?:an? [^;]{3,80}? )?(?P<v>founded|established|created|formed|opened|built|incorporated|constructed|"
        r"completed) (?:in (?!\d)<PLACE> )?(?:in|on) (?P<a><DATE>)",
        "When was {s} {v}? | In which year was {s} {v}?",
        "date",
        0.85,
    ),
    rule(
        "architect",
        "place work",
        r"^(?:is|was|were) (?:[^;]{0,60} )?designed by (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z]+ "
        r"){0,3}(?P<a><PEOPLE>)<END>",
        "Who designed {s}? | By whom was {s} designed?",
        "person",
        0.9,
    ),
    rule(
        "named_after",
        ANY,
        r"^(?:is|was|were|are) named (?:after|for|in honou?r of) (?:the )?(?:<NATIONALITY> )?(?:(?!and )[a-z-]+ "
        r"){0,4}(?P<a><NAME>)<END>",
        "After whom or what {be} {s} named? | What is the name of {s} derived from?",
        "name",
        0.9,
    ),
    rule(
        "attribute",
        "attribute",
        r"^(?:is|was|are|were) (?P<a>(?:the )?(?:<PEOPLE>|\"[^\"]{2,60}\"|<DATE>|(?:about |approximately )?<NUMBER>(?: "
        r"[a-z]+)?))$",
        "{What} {be} {s}?",
        "name",
        0.8,
    ),
)
"""In the order in which they are tried; several may fit one predicate."""
