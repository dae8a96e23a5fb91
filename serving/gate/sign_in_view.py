"""HTML of the sign-in page. The page needs no scripts or other files, because the server serves nothing else before sign-in.
The front page of a server with several workspaces has the same design."""

from collections.abc import Sequence
from html import escape
from string import Template

from starlette.responses import HTMLResponse

from workbench.setup.access.passwords import MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>$title · Benchwright</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --ink: #1d2326; --paper: #fcfcfa; --line: #dddcd4; --accent: #0f6e69; --on: #fff;
  --trouble: #a3434b; --muted: #5b6468; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e5e1; --paper: #15191b; --line: #333b3f; --accent: #55b8ac; --on: #10211f; --trouble: #e99aa0;
    --muted: #a3acaf; }
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; color: var(--ink); background: var(--paper);
  font: 15px/1.5 "Source Sans", sans-serif; }
main { width: min(23rem, 88vw); padding: 2rem 0; }
.product { margin: 0; font-weight: 600; color: var(--accent); }
h1 { font-size: 1.5rem; font-weight: 650; margin: 0 0 1.2rem; }
label { display: block; margin: 0 0 .9rem; }
input { display: block; box-sizing: border-box; width: 100%; margin-top: .2rem; padding: .5rem .6rem; font: inherit;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
button, a.button { display: block; box-sizing: border-box; width: 100%; padding: .55rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; color: var(--on); background: var(--accent); border: 1px solid var(--accent);
  border-radius: 6px; cursor: pointer; }
ul { list-style: none; margin: 0 0 1.2rem; padding: 0; }
li { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; padding: .55rem 0;
  border-top: 1px solid var(--line); }
li:last-child { border-bottom: 1px solid var(--line); }
a { color: var(--accent); }
li a { font-weight: 600; overflow-wrap: anywhere; }
.quiet { color: var(--muted); }
a.button { margin-top: .7rem; color: var(--accent); background: transparent; border-color: var(--line); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.trouble { color: var(--trouble); }
</style>
</head>
<body><main><p class="product">Benchwright</p>
<h1>$title</h1>
$parts
</main></body>
</html>
""")


def show_sign_in(action: str, providers: Sequence[tuple[str, str]], has_local: bool, trouble: str = "", name: str = "") -> str:
    """Return the sign-in page: a form for name and password if `has_local` is true, and a link for each provider. `providers`
    has the (label, address) of each provider."""
    parts = [_tell(trouble)]
    if has_local:
        parts.append(_form(action, "Sign in", name, "current-password"))
    parts += [f'<a class="button" href="{escape(address)}">Sign in with {escape(label)}</a>' for label, address in providers]
    if not has_local and not providers:
        parts.append("<p>Open the app at the address of the proxy that signs you in.</p>")
    return fill_page("Sign in", "\n".join(parts))


def show_invite(action: str, trouble: str = "", name: str = "") -> str:
    """Return the page with the form by which an invited person creates an account."""
    password = f"a password of at least {MIN_PASSWORD_CHARACTERS} characters"
    about = f"<p>Choose a name, which is shown beside your decisions, and {password}.</p>"
    form = _form(action, "Make the account", name, "new-password")
    return fill_page("Make an account", f"{_tell(trouble)}\n{about}\n{form}")


def show_useless_invite(why: str, sign_in: str) -> str:
    """Return the page for an invite that cannot be used; `sign_in` is the address of the sign-in page."""
    return fill_page("Make an account", f'{_tell(why)}\n<a class="button" href="{escape(sign_in)}">Sign in</a>')


def show_sign_out(action: str) -> str:
    """Return the page with a sign-out button, for a person who followed a sign-out link on another site."""
    form = f'<form method="post" action="{escape(action)}"><button>Sign out in every browser</button></form>'
    return fill_page("Sign out", form)


def show_proxy_sign_out() -> str:
    """Return the page that asks a person whom a proxy signs in at every request to sign out at the proxy."""
    about = "<p>A proxy before this app signs you in at every request: sign out there.</p>"
    return fill_page("Sign out", about)


def show_refusal(why: str, sign_out: str, front: str = "") -> str:
    """Return the page for a person who has signed in but may not enter this workspace; `sign_out` and `front` are the addresses
    of the sign-out page and of the front page."""
    link = f'<a class="button" href="{escape(front)}">Other workspaces</a>' if front else ""
    out = f'<a class="button" href="{escape(sign_out)}">Sign out</a>'
    return fill_page("You may not enter", f"{_tell(why)}\n{link}\n{out}")


def fill_page(title: str, parts: str) -> str:
    """Return a complete HTML page with this title and these parts of its body."""
    return _PAGE.substitute(title=escape(title), parts=parts)


def respond_page(page: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(page, status, {"cache-control": "no-store"})


def _tell(trouble: str) -> str:
    return f'<p class="trouble" role="alert">{escape(trouble)}</p>' if trouble else ""


def _form(action: str, button: str, name: str, password: str) -> str:
    length = MAX_PASSWORD_CHARACTERS
    return f"""<form method="post" action="{escape(action)}">
<label>Name<input name="name" value="{escape(name)}" maxlength="80" autocomplete="username" required autofocus></label>
<label>Password<input name="password" type="password" maxlength="{length}" autocomplete="{password}" required></label>
<button>{button}</button></form>"""
