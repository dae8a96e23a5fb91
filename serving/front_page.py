"""The front page of a server with several workspaces, which lists the workspaces that the person may enter. The page's script
runs in the browser and asks the membership route of each workspace, with the browser's cookies, whether the person may
enter."""

import json
from html import escape

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from serving.actor import SESSION_KEY
from serving.base_path import find_base
from serving.gate.sign_in_view import fill_page, respond_page
from workbench import actor, open_workbench
from workbench.setup.sign_in_session import SignInSession
from workbench.setup.sign_in_settings import FRONT_PATH, load_workspaces

MEMBERSHIP = "/bench/membership"

_SCRIPT = """
const list = document.querySelector("ul")
const bases = JSON.parse(document.querySelector("main script").textContent)
const answers = await Promise.all(bases.map(async base => {
  try {
    const response = await fetch(`${base}MEMBERSHIP`, { headers: { accept: "application/json" }, cache: "no-store" })
    return { status: response.status, ...(await response.json()) }
  } catch {
    return { status: 0 }
  }
}))
bases.forEach((base, index) => {
  const { status, workspace, role } = answers[index]
  if (status === 403) return
  const row = document.createElement("li")
  const link = document.createElement(status === 0 || status >= 500 ? "span" : "a")
  link.textContent = workspace ?? base.slice(1)
  if (link instanceof HTMLAnchorElement) link.href = `${base}/`
  const note = document.createElement("span")
  note.className = "quiet"
  note.textContent = status === 200 ? role ?? "" : status === 401 ? "sign in" : "does not answer"
  row.append(link, note)
  list.append(row)
})
document.querySelector("#none").hidden = list.children.length > 0
list.hidden = list.children.length === 0
"""


async def membership(request: Request) -> Response:
    """Respond with the name of this workspace and with the name and role of the person who sends the request."""
    session: SignInSession | None = request.scope.get(SESSION_KEY)
    person, bench = actor.get_name() or "", open_workbench()
    answer = {
        "ok": True,
        "workspace": bench.database.path.stem if bench.database.path else ":memory:",
        "person": person,
        "name": session.name if session else person,
        "role": bench.people.role(person),
        "began_at": session.began_at if session else 0.0,
    }
    return JSONResponse(answer, headers={"cache-control": "no-store"})


async def front_page(request: Request) -> Response:
    """Respond with the front page, which lists only this workspace if no others are configured."""
    session: SignInSession | None = request.scope.get(SESSION_KEY)
    base = find_base()
    return respond_page(
        show_front_page(list(load_workspaces()) or [base], session.name if session else "", f"{base}/bench/sign-out")
    )


def show_front_page(bases: list[str], name: str, sign_out: str) -> str:
    """Return the front page as HTML: it lists the workspaces with these base paths. `name` is that of the person who signed in;
    "" on a server without sign-in."""
    paths = json.dumps(bases).replace("<", "\\u003c")
    parts = [
        "<ul hidden></ul>",
        '<p id="none" hidden>You may enter none of the workspaces here yet: ask an admin of one.</p>',
        f'<p class="quiet">Signed in as {escape(name)}. <a href="{escape(sign_out)}">Sign out</a></p>' if name else "",
        f'<script type="application/json">{paths}</script>',
        f'<script type="module">{_SCRIPT.replace("MEMBERSHIP", MEMBERSHIP)}</script>',
    ]
    return fill_page("Workspaces", "\n".join(parts))


ROUTES = [Route(MEMBERSHIP, membership), Route(FRONT_PATH, front_page)]
