"""A request as a curl command line that repeats it, without the token."""

import shlex

from purewire.conformance.checks import Send

_LONGEST_BODY = 2_000
"""Characters of a body that stand in the line; a longer one is read from a file."""


def curl_line(url: str, request: Send) -> str:
    """Return the command for a request below a base URL.

    The token is read from the environment variable INGEST_TOKEN by the shell.
    A long body, or one that is not text, is read from the file `body`.
    """
    parts = ["curl", "--include", "--path-as-is"]
    if request.method == "HEAD":
        parts.append("--head")
    elif request.method != "GET":
        parts += ["--request", shlex.quote(request.method)]
    for name, value in request.headers:
        parts += ["--header", shlex.quote(f"{name}: {value}" if value else f"{name};")]
    if request.authorized:
        value = request.token_form.shell_text("INGEST_TOKEN")
        parts += ["--header", f'"Authorization: {value}"']
    if request.body is not None:
        parts += ["--data-binary", _data(request.body)]
    return " ".join([*parts, shlex.quote(f"{url.rstrip('/')}{request.path}")])


def _data(body: bytes) -> str:
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return "@body"
    if len(text) > _LONGEST_BODY or "\0" in text or text.startswith("@"):
        return "@body"
    return shlex.quote(text)
