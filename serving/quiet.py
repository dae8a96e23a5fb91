"""Turns off Streamlit's dialog for a lost connection to the server, because the dialog would take the focus from a text box in
which somebody is typing. A banner (pages/parts/ui/away.py) replaces the dialog."""

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST_CONFIG = "/_stcore/host-config"


class Quiet:
    """Middleware that turns off Streamlit's error dialogs: it sets blockErrorDialogs in the settings that the browser loads
    when it connects."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(HOST_CONFIG) or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        held: list[Message] = []

        async def send_changed(message: Message) -> None:
            held.append(message)
            if message["type"] == "http.response.start" or message.get("more_body"):
                return
            start, *parts = held
            body = b"".join(part.get("body", b"") for part in parts)
            if start["status"] == 200:
                body = json.dumps({**json.loads(body), "blockErrorDialogs": True}).encode()
            others = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
            await send({**start, "headers": [*others, (b"content-length", str(len(body)).encode())]})
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, send_changed)
