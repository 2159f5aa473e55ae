"""Explore windows in a notebook: what readers see at each server time, and why.

`explore` returns a widget with a slider for Jupyter, VS Code and marimo, or for a saved page.  The
page computes each status itself, by the player of the status page; everything that it needs is in
it.  In a notebook it is in an `iframe`, which isolates its style and its script.

Invariant *self-contained*: the page loads nothing; its content security policy allows its own
script and style alone, by their hashes.
Invariant *any text*: names of apps and tracks are text, in the page as in the notebook.
Invariant *true without JavaScript*: the page then shows a table of every status, and the picture.
Invariant *the latest upload counts*: at each server time the service has the window that arrived
last, and no other; the status is that of `devicestatus.engine.explanation`.
Invariant *what the service responds*: the responses are those of `/api/timeline`, at each instant
at which they change; a reader of the session reads at exactly these instants.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib.resources import files
from itertools import groupby, islice, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import attrs

from devicestatus import limits
from devicestatus.engine.deadlines import window_deadline
from devicestatus.engine.projection import NoData, Projection
from devicestatus.engine.record import WindowRecord
from devicestatus.engine.status_text import (
    CHARGING,
    DEADLINE_RULES,
    GAPS,
    POWER,
    REASONS,
    format_time,
    reason_text,
)
from devicestatus.errors import ContractError
from devicestatus.http.views import timeline_json
from devicestatus.models import Snapshot, Window
from devicestatus.rendering.timeline import draw
from devicestatus.validation.parse import check_window
from purewire.adapters.files import replace
from purewire.findings import Finding, pointer
from purewire.html_table import MAX_TEXT, html_table
from purewire.instants import FIRST_INSTANT, LAST_INSTANT, MINUTE_MS
from purewire.json import codec
from purewire.primitives import plural, printable_xml
from purewire.svg.labels import format_date_range
from purewire.svg.palette import PAPERS

__all__ = ["MAX_UPLOADS", "TimeTravel", "explore"]

MAX_UPLOADS: Final = 100
"""Uploads that one page may have: each adds its window and two pictures."""

_WIDTHS: Final = (960, 360)
"""Widths of the pictures of wide and of narrow pages, px."""
_MAX_LISTED: Final = 200
_HEIGHT: Final = 920
"""Height of the frame in a notebook, px; people can change it."""
_FILE_MODE: Final = 0o666
_LIGHT, _DARK = PAPERS["light"], PAPERS["dark"]
_DARK_PICTURE: Final = f"""\
.picture rect[fill="{_LIGHT.background}"] {{ fill: none; }}
@media (prefers-color-scheme: dark) {{
  .picture [fill="{_LIGHT.title}"] {{ fill: {_DARK.title}; }}
  .picture [fill="{_LIGHT.text}"] {{ fill: {_DARK.text}; }}
  .picture [{_LIGHT.rule}] {{ {_DARK.rule.replace('="', ": ").rstrip('"')}; }}
}}
"""
"""Colours of the pictures on dark pages: a picture more for each scheme would double the page."""
_PLACEHOLDER: Final = re.compile(r"/\*([a-z]+)\*/")


@attrs.frozen
class Upload:
    """A window and the server time at which it arrived; None: the service has it all the time."""

    arrived_at: int | None
    window: Window
    record: WindowRecord = attrs.field(init=False)

    @record.default
    def _default_record(self) -> WindowRecord:
        return WindowRecord(self.since, self.window, window_deadline(self.window.window_end))

    @property
    def since(self) -> int:
        """The first instant at which the service has it, ms since the epoch."""
        return FIRST_INSTANT if self.arrived_at is None else self.arrived_at


class Read(NamedTuple):
    """The body of `/api/timeline` at a server time."""

    at: int
    body: bytes


class Span(NamedTuple):
    """A span of server time, its end excluded, with one state; None before the first upload."""

    start: int
    end: int
    projection: Projection | None


class Session:
    """Uploads in the order of their arrival."""

    def __init__(self, uploads: Iterable[Upload]) -> None:
        self.uploads = tuple(sorted(uploads, key=lambda upload: upload.since))
        self._arrivals = [upload.since for upload in self.uploads]

    @property
    def start(self) -> int:
        """The first server time to look at: a minute before something is to be seen."""
        first = self.uploads[0]
        begin = first.window.window_start + limits.PLAYBACK_DELAY_MS
        since = begin if first.arrived_at is None else first.arrived_at
        return min(LAST_INSTANT, max(FIRST_INSTANT, since - MINUTE_MS))

    @property
    def end(self) -> int:
        """The last server time to look at: a minute after the last deadline."""
        ends = (window_deadline(upload.window.window_end) for upload in self.uploads)
        return min(LAST_INSTANT, max(*ends, *self._arrivals, self.start) + MINUTE_MS)

    def reads(self) -> Iterator[Read]:
        """Generate the responses of `/api/timeline`, each at the first instant that has it.

        A window that is there all the time is read once, when it was generated.
        """
        first = self.uploads[0]
        if first.arrived_at is None:
            at = first.window.generated_at
            yield Read(at, _timeline(attrs.evolve(first, arrived_at=at), at))
            return
        yield Read(self.start, _timeline(None, self.start))
        later = (*self._arrivals[1:], LAST_INSTANT)
        for upload, replaced_at in zip(self.uploads, later, strict=True):
            deadline = window_deadline(upload.window.window_end)
            yield Read(upload.since, _timeline(upload, upload.since))
            if deadline < replaced_at:
                yield Read(deadline, _timeline(upload, deadline))

    def spans(self) -> Iterator[Span]:
        """Generate the spans from `start` to `end`, in order and adjacent."""
        if self.start < self._arrivals[0]:
            yield Span(self.start, self._arrivals[0], None)
        later = (*self._arrivals[1:], self.end)
        for upload, until in zip(self.uploads, later, strict=True):
            prepared, since = upload.record.prepared, max(self.start, upload.since)
            changes = (at + limits.PLAYBACK_DELAY_MS for at in prepared.changes)
            inside = (at for at in changes if since < at < until)
            for start, end in pairwise((since, *inside, until)):
                if start < end:
                    yield Span(start, end, prepared.project(start))


def _timeline(upload: Upload | None, now: int) -> bytes:
    record = None if upload is None else upload.record
    return timeline_json(record, now=now, ttl_seconds=limits.TTL_UNSET_SECONDS)


@attrs.frozen(repr=False)
class TimeTravel:
    """A page that shows what readers see at each server time; notebooks show it as it is.

    Attributes:
        html: the page, which is a complete HTML document.

    """

    html: str
    _summary: str

    def save(self, path: str | Path) -> None:
        """Write the page to a file; it works in any browser, without a network.

        Raises:
            OSError: the file cannot be written; an old one is unchanged.

        """
        replace(Path(path), self.html.encode(), created=_FILE_MODE)

    def __repr__(self) -> str:
        return f"<TimeTravel of {self._summary}>"

    def _repr_html_(self) -> str:
        # Escaping only what ends the attribute keeps the page readable, and a third smaller.
        page = self.html.replace("&", "&amp;").replace("'", "&#39;")
        summary = escape(self._summary)
        return (
            f"<figure style='margin:0'><iframe sandbox='allow-scripts' title='Time travel:"
            f" {summary}' srcdoc='{page}' style='width:100%;height:{_HEIGHT}px;border:0;"
            f"resize:vertical'></iframe><figcaption>Time travel: {summary}. If no slider is"
            " above, trust this notebook.</figcaption></figure>"
        )


def explore(
    uploads: Window | Iterable[tuple[int, Window]],
    *,
    at: int | None = None,
    title: str = "Time travel",
) -> TimeTravel:
    """Build a page with a slider over server time, which shows the status at each time, and why.

    Args:
        uploads: a window, which the service then has all the time, as `prepare` assumes; or each
            upload of a session as the server time at which it arrived, ms since the epoch, and its
            window, in any order: each is shown from its arrival until the next one.
        at: the server time at which the slider starts, ms since the epoch; by default the first at
            which the status is online.
        title: any text.

    Raises:
        ContractError: a window is invalid, or was not valid when it arrived; the path of a finding
            starts with the number of the upload, from 0.
        ValueError: there is no upload, there are more than `MAX_UPLOADS`, or a time is outside the
            years 0001 to 9999.
        TypeError: an upload is not a pair of a time and a window.

    """
    session = Session(_checked(uploads))
    return TimeTravel(_page(session, at, title), _summarize(session))


def _checked(uploads: Window | Iterable[tuple[int, Window]]) -> list[Upload]:
    if isinstance(uploads, Window):
        _raise_for(check_window(uploads))
        return [Upload(None, uploads)]
    checked = [_upload(number, upload) for number, upload in enumerate(uploads)]
    if not 0 < len(checked) <= MAX_UPLOADS:
        raise ValueError(f"expected 1 to {MAX_UPLOADS} uploads, not {len(checked)}")
    return checked


def _upload(number: int, upload: object) -> Upload:
    match upload:
        case (int() as arrived_at, Window() as window) if not isinstance(arrived_at, bool):
            pass
        case _:
            raise TypeError(f"upload {number} is not a pair of a time in ms and a Window")
    if not FIRST_INSTANT <= arrived_at <= LAST_INSTANT:
        raise ValueError(f"upload {number} arrived outside the years 0001 to 9999")
    prefix = pointer((number,))
    findings = check_window(window, received_at=arrived_at)
    _raise_for(tuple(attrs.evolve(finding, path=f"{prefix}{finding.path}") for finding in findings))
    return Upload(arrived_at, window)


def _raise_for(findings: tuple[Finding, ...]) -> None:
    if findings:
        raise ContractError("invalid_payload", findings)


def _summarize(session: Session) -> str:
    first = session.uploads[0]
    start = min(upload.window.window_start for upload in session.uploads)
    end = max(upload.window.window_end for upload in session.uploads)
    what = "one window" if first.arrived_at is None else plural(len(session.uploads), "upload")
    return f"{what}, {format_date_range(start, end)}"


def _page(session: Session, at: int | None, title: str) -> str:
    start, end = session.start, session.end
    online = (span.start for span in session.spans() if isinstance(span.projection, Snapshot))
    summary = _summarize(session)
    uploads = session.uploads
    pictures = [[_picture(upload.window, width) for width in _WIDTHS] for upload in uploads]
    data = {
        "start": start,
        "end": end,
        "at": min(max(start, next(online, start) if at is None else at), end),
        "delayMs": limits.PLAYBACK_DELAY_MS,
        "isHeld": uploads[0].arrived_at is None,
        "reads": [{"at": read.at, "body": codec.decode(read.body)} for read in session.reads()],
        "pictures": pictures,
        "words": {
            "reasons": dict(REASONS),
            "gaps": dict(GAPS),
            "deadline": DEADLINE_RULES["projection"],
            "power": dict(POWER),
            "charging": {codec.encode(key).decode(): text for key, text in CHARGING.items()},
        },
    }
    script = "".join((_read("site", "player.js"), *(map(_own, ("travel.js", "explore.js")))))
    style = _own("explore.css") + _DARK_PICTURE
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)};"
        " base-uri 'none'; form-action 'none'"
    )
    shown = printable_xml(title if len(title) <= MAX_TEXT else f"{title[: MAX_TEXT - 1]}…")
    parts = {
        "policy": policy,
        "title": escape(shown),
        "style": style,
        "summary": escape(f"{summary[0].upper()}{summary[1:]}"),
        "caption": "The first window.",
        "picture": pictures[0][0]["svg"],
        "table": _table(session),
        # `<` could end the element that holds the data.
        "data": codec.encode(data).decode().replace("<", "\\u003c"),
        "script": script,
    }
    return _PLACEHOLDER.sub(lambda match: parts[match[1]], _own("explore.html"))


def _picture(window: Window, width: int) -> Mapping[str, Any]:
    """Return a picture, and where in it the lanes are, as shares of its width and height."""
    drawn = draw(window, at=None, title="The window", width=width, theme="light")
    return {**attrs.asdict(drawn), "svg": drawn.svg.decode()}


def _table(session: Session) -> str:
    """Return a table of every status; neighbours with equal texts are one row."""
    runs = ((texts, list(run)) for texts, run in groupby(session.spans(), key=_status))
    rows = (
        (format_time(spans[0].start), *texts, format_time(spans[-1].end)) for texts, spans in runs
    )
    head = ("from", "status", "app or reason", "until")
    shown = list(islice(rows, _MAX_LISTED))
    more = sum(1 for _ in rows)
    return html_table("Server time in UTC", head, shown, more=more, is_styled=False)


def _status(span: Span) -> tuple[str, str]:
    projection = span.projection
    if projection is None:
        return "offline", REASONS["no-record"]
    if isinstance(projection, NoData):
        return "offline", reason_text(projection.reason, projection.gap)
    return "online", projection.active_app or "foreground app unknown"


def _own(name: str) -> str:
    return _read("notebook", name)


def _read(folder: str, name: str) -> str:
    # Text mode: browsers hash LF line ends, and a checkout may have converted them.
    return (files("devicestatus.adapters") / folder / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
