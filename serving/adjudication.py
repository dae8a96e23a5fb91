"""The routes of adjudication: a decision between opinions, and what is typed on why. They take what a page of ours posts, and
answer trouble in one sentence, as the desk's do."""

from starlette.responses import Response
from starlette.routing import Route

from serving.desk import Body, boxed, posted, press_of, settled, text
from workbench import opened


def adjudicate(body: Body) -> Response:
    """Decided between the opinions that were on the screen (`seen`)."""
    press, seen = press_of(body), text(body, "seen")
    return settled(lambda: opened().adjudication.settle(press, seen))


def scratch(body: Body) -> Response:
    """What is typed on why."""
    return boxed(body, opened().adjudication.keep_why)


ROUTES = [
    Route("/bench/adjudicate", posted(adjudicate), methods=["POST"]),
    Route("/bench/why/scratch", posted(scratch), methods=["POST"]),
]
