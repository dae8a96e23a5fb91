"""The routes of adjudication: one decides between opinions, one stores the reason as it is typed. Only pages of this app can
post, and an error is one sentence, as at the desk's routes."""

from starlette.responses import Response
from starlette.routing import Route

from serving.bodies import AdjudicationBody, TypedBody
from serving.desk import decision_request, keep_box, respond_decision, route_post
from workbench import open_workbench


def adjudicate(body: AdjudicationBody) -> Response:
    """Store a decision between the opinions that were on the screen (`seen`)."""
    return respond_decision(lambda: open_workbench().adjudication.settle(decision_request(body), body.seen))


def scratch(body: TypedBody) -> Response:
    """Store the reason while the person types it."""
    return keep_box(body, open_workbench().adjudication.keep_why)


ROUTES = [
    Route("/bench/adjudicate", route_post(AdjudicationBody, adjudicate), methods=["POST"]),
    Route("/bench/why/scratch", route_post(TypedBody, scratch), methods=["POST"]),
]
