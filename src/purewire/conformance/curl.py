"""Requests of checks as commands: curl lines, and scripts that send them with times of now."""

import re
import shlex
from collections.abc import Iterator
from typing import Final

from purewire.conformance.checks import Send
from purewire.conformance.run import Result, RoundTrip
from purewire.instants import DAY_MS, SECOND_MS, parse_utc

FOLDER: Final = "checks"
"""Folder of scripts and bodies, beside the report."""
_LONGEST_BODY: Final = 400
"""Bytes of a body in a curl line; a longer one is read from a file."""
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_HEAD: Final = """\
#!/bin/sh
# {title}
# Sends the requests of the check {check} again, with times of now.
# Usage: [INGEST_TOKEN=...] sh {file} [URL]
cd "$(dirname "$0")" || exit 1
url=${{1:-{url}}}
at() {{ # the time so many seconds from now, by date of GNU and BusyBox, or of BSD and macOS
  then=$(($(date +%s) + $1))
  date -u -d "@$then" +%Y-%m-%dT%H:%M:%S 2>/dev/null || date -u -r "$then" +%Y-%m-%dT%H:%M:%S
}}
"""


def curl_line(url: str, request: Send, file: str = "body") -> str:
    """Return the command for a request below a base URL.

    The token is read from the environment variable INGEST_TOKEN by the shell.  A long body, or one
    that is not text, is read from a file.
    """
    text = inline_text(request)
    data = "" if request.body is None else f"@{file}" if text is None else text
    return _command(shlex.quote(f"{url.rstrip('/')}{request.path}"), request, shlex.quote(data))


def _command(target: str, request: Send, data: str, *options: str) -> str:
    parts = ["curl", *options, "--include", "--path-as-is"]
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
        parts += ["--data-binary", data]
    return " ".join([*parts, target])


def inline_text(request: Send) -> str | None:
    """Return the body as text for a curl line; None if there is none or it needs a file."""
    text = _text(request.body)
    if text is None or len(text) > _LONGEST_BODY or text.startswith("@"):
        return None
    return text


def _text(body: bytes | None) -> str | None:
    """Return a body as text that a shell can hold; None for any other."""
    try:
        text = None if body is None else body.decode()
    except UnicodeDecodeError:
        return None
    return None if text is None or "\0" in text else text


def body_file(result: Result, number: int) -> str:
    """Return the name of the file with the body of a request of a check, numbered from 1."""
    return f"{result.check.id}-{number}.body"


def reproduction(url: str, result: Result) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of files that repeat a check: its script, and its bodies as sent."""
    file = f"{result.check.id}.sh"
    head = _HEAD.format(
        title=result.check.title.replace("\n", " "),
        check=result.check.id,
        file=file,
        url=shlex.quote(url.rstrip("/")),
    )
    lines = [head]
    last = 0
    for number, round_trip in enumerate(result.round_trips, 1):
        sent_at = 0 if round_trip.reply is None else round_trip.reply.sent_at
        if last and sent_at - last >= SECOND_MS:
            lines.append(f"sleep {round((sent_at - last) / SECOND_MS)}\n")
        last = sent_at or last
        name = body_file(result, number)
        lines.append(_sent(round_trip, name, number, last))
        if round_trip.request.body:
            yield name, round_trip.request.body
    yield file, "".join(lines).encode()


def _sent(round_trip: RoundTrip, file: str, number: int, sent_at: int) -> str:
    """Return the lines of a script for a request."""
    request = round_trip.request
    status = "none" if round_trip.reply is None else round_trip.reply.status
    text = _text(request.body)
    data = "@-" if text else f"@{file}" if request.body else "''"
    target = f'"$url"{shlex.quote(request.path)}'
    command = _command(target, request, data, "--silent", "--show-error")
    if text:
        command = f"printf %s {_with_times(text, sent_at)} | {command}"
    return f"echo; echo '{number}: {request.method}, status in the run: {status}'\n{command}\n"


def _with_times(text: str, sent_at: int) -> str:
    """Return text as a word of a shell; times within a day of sending are computed anew."""
    word, end = "", 0
    for match in _TIME.finditer(text):
        try:
            seconds = (parse_utc(f"{match[0]}Z") - sent_at) // SECOND_MS
        except ValueError:
            continue
        if abs(seconds) * SECOND_MS <= DAY_MS:
            word += f'{shlex.quote(text[end : match.start()])}"$(at {seconds})"'
            end = match.end()
    return word + shlex.quote(text[end:])
