"""Reads the .md files of this folder into Prompts. An annotator may improve a file: it is read again when it has changed,
and its hash changes with it. The form of a file, prompts/draft/explicit_factoid.md for the prompt draft/explicit_factoid:

    ---
    purpose: One sentence, what the prompt is for.
    skill: draft                       (draft, answer, judge, rewrite, extract or workflow)
    inputs:                            (every name that the messages fill, with a few words on it)
      sentences: numbered sentences of the window
      domain: domain of the documents
    reply:                             (the reply's fields as JSON schema; leave the whole key out for a plain text reply)
      question: {type: string, description: the question}
      evidence: {type: array, items: {type: integer}, description: numbers of the sentences}
      claims: {type: array, items: {claim: {type: string}, evidence: {type: array, items: {type: integer}}}}
      none: {type: string, optional: true, description: why nothing is worth asking}
    failure_modes:
      - One sentence on how replies go wrong.
    ---

    ## system (en)
    Words with $places. $$ is a dollar sign. Name every reply field here.
    ## user (en)
    $sentences
    ## system (zh)
    ## user (zh)

    ## example (en)
    ### inputs
    domain: law
    sentences: |
      # Title of a document
      [1] First sentence.
    ### reply
    {"question": "...", "evidence": [1]}

    ## example (zh)
    ## refusal (en)

Words in brackets above are not part of the form. The rules, all checked when a file is read:
- Each language has a system, a user and an example section. At least one refusal section (en or zh; both are better, for
  each is shown only to its own language) shows what to reply when the task cannot be done.
- Every $place is a declared input, and every declared input stands in the system or user section of each language.
- `### inputs` is YAML: input name -> text (a block after | for several lines); an input left out there is empty. Words in
  examples are literal: a dollar sign stands for itself. `### reply` is JSON that fits the reply schema (no code fence), or
  the plain text itself. No line inside a section may begin with "## " or "### " but the headings of the form.
- The example and the refusal of the prompt's language are appended to its system message, as the filled user message
  and the reply, so they count into the hash. Write no examples into the system section.
- A mapping without `type` is an object of those fields (see claims). Objects allow no further fields; a field marked
  `optional: true` may be left out or null. Other JSON schema words (minimum, maximum, enum, maxItems ...) stay as they are.
"""
