"""Device status with `/metrics` for Prometheus.

Start it by `uvicorn metrics:app`, with the token in INGEST_TOKEN.
"""

import os
from collections import Counter

from devicestatus import Settings
from devicestatus.adapters.application import asgi_app
from devicestatus.adapters.sqlite import SQLiteStore
from status_contracts.adapters.asgi import App, Message, Receive, Scope, Send

METHODS = {"GET", "HEAD", "OPTIONS", "POST"}  # a label must not grow with what clients send
responses: Counter[tuple[str, int]] = Counter()


def with_metrics(app: App) -> App:
    """Return the application with a count of its responses at `/metrics`."""

    async def measured(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/metrics":
            lines = [
                f'http_responses_total{{method="{method}",status="{status}"}} {count}\n'
                for (method, status), count in sorted(responses.items())
            ]
            text = "# TYPE http_responses_total counter\n" + "".join(lines)
            headers = [(b"content-type", b"text/plain; version=0.0.4")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": text.encode()})
            return

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in METHODS else "other"
                responses[method, message["status"]] += 1
            await send(message)

        await app(scope, receive, counted if scope["type"] == "http" else send)

    return measured


app = with_metrics(asgi_app(Settings.from_environ(os.environ), store=SQLiteStore("status.db")))
