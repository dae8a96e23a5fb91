"""The routes of adjudication: a decision between opinions, and what is typed on why. They take what a page of ours posts, and
answer trouble in one sentence, as the desk's do."""

from starlette.responses import Response
from starlette.routing import Route

from serving.bodies import AdjudicationBody, TypedBody
from serving.desk import decision_request, keep_box, respond_decision, route_post
from workbench import open_workbench


def adjudicate(body: AdjudicationBody) -> Response:
    """Decided between the opinions that were on the screen (`seen`)."""
    return respond_decision(lambda: open_workbench().adjudication.settle(decision_request(body), body.seen))


def scratch(body: TypedBody) -> Response:
    """What is typed on why."""
    return keep_box(body, open_workbench().adjudication.keep_why)


ROUTES = [
    Route("/bench/adjudicate", route_post(AdjudicationBody, adjudicate), methods=["POST"]),
    Route("/bench/why/scratch", route_post(TypedBody, scratch), methods=["POST"]),
]
