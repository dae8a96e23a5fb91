"""Define the task of CRAG's questions on web pages: a person writes the question, searches for pages, and finds in the pages
the answer that is true at the time of asking. The items are made on the page Web question and not drafted."""

from builders.task import Task, WindowRule, refuse_drafts

TASK = Task(
    label={"en": "Web question", "zh": "网页问答"},
    definition={
        "en": "A question as people ask it, with the web pages that a search found for it. The answer is what was true when it "
        "was asked. Its type, how fast its answer changes and how popular its subject is are labelled by CRAG's lists.",
        "zh": "用户会提出的问题，附有为其检索到的网页；答案以提问时的情况为准。问题类型、答案变化的快慢和对象的热门程度"
        "按 CRAG 的分类标注。",
    },
    level=None,
    window=WindowRule(tokens=1024),
    draft=refuse_drafts("The questions of web_question are written by people, not drafted: use the page Build > Web question."),
    gates=(),
    answer_prompt="answer/web",
    metrics=("crag_truthfulness", "exact_match", "token_f1", "length", "seconds", "calls", "tokens"),
    length_hint=128,
    fill=lambda item: {
        "question": "\n\n".join([item.question, *item.inputs.values()]),
        "now": str(item.labels.get("query_time") or "not known"),
    },
)
