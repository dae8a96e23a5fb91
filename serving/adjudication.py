"""Routes for adjudication, in which a person decides between other people's opinions: one route stores the decision, another
stores the reason while the person types it. Like the routes of the review desk, these routes accept POST requests only from
pages of this app, and report each error as one message."""

from starlette.responses import Response
from starlette.routing import Route

from serving.bodies import AdjudicationBody, TypedBody
from serving.desk import decision_request, keep_box, respond_decision, route_post
from workbench import open_workbench


def adjudicate(body: AdjudicationBody) -> Response:
    """Store a decision between people's opinions on an item; the field `seen` of the body is the hash of the opinions that the
    person saw."""
    return respond_decision(lambda: open_workbench().adjudication.settle(decision_request(body), body.seen))


def store_unsent_edit(body: TypedBody) -> Response:
    """Store the reason for a decision while the person types it."""
    return keep_box(body, open_workbench().adjudication.keep_why)


ROUTES = [
    Route("/bench/adjudicate", route_post(AdjudicationBody, adjudicate), methods=["POST"]),
    Route("/bench/why/scratch", route_post(TypedBody, store_unsent_edit), methods=["POST"]),
]
