"""The conformance kit of site data: the rules of the file, and the table of how it is served.

`conformance.toml` has the rows that need no code.  The right answers are those of `Service` with
the bytes and the validators of the deployment; what is right of the file itself, `check` knows.
"""

import re
from collections.abc import Generator, Iterator
from functools import partial
from typing import Final

import attrs

from sitedata.models import Snapshot
from sitedata.parsing import check
from sitedata.service import PATH, Published, Service
from status_contracts.conditional import http_date, is_valid_etag, parse_http_date
from status_contracts.conformance import read_rows
from status_contracts.conformance.answers import Difference
from status_contracts.conformance.http import Line, Reply, Send
from status_contracts.conformance.requests import (
    conditional_steps,
    missing_steps,
    same_steps,
    unlike_steps,
)
from status_contracts.conformance.runner import Kit, NotTestable, Run, Section, Step, Steps
from status_contracts.exchange import drive
from status_contracts.instants import MINUTE_MS, format_instant
from status_contracts.messages import Response

__all__ = ["KIT"]

_ROWS: Final = read_rows("sitedata")
_FRESHNESS: Final = re.compile(r"(max-age|s-maxage)=|no-cache|no-store")
_SKEW_MS: Final = 5 * MINUTE_MS
"""How far the clocks of a builder and a host may be apart."""
_HOST: Final = "file"
"""The profile of a host that only has files: its other headers and its errors are its own."""

# The reference engine as a model of one deployment


@attrs.frozen
class Model:
    """The answers of the engine with the file of a deployment, at its path below the URL."""

    path: str
    file: Reply
    is_host: bool

    def answer(self, state: object, send: Send, at: int) -> tuple[Response, object]:
        """Return the right answer, at any instant."""
        del at
        request = send.request("")
        if request.path == self.path.encode():
            request = attrs.evolve(request, path=PATH.encode())
        published = Published(0, self.file.asset)
        right = drive(Service().router(request), lambda _: published)
        if right.status in {200, 304}:
            right = attrs.evolve(right, headers=tuple(self._headers(right)))
        return right, state

    def _headers(self, right: Response) -> Iterator[Line]:
        """Generate the headers beside the file; a deployment chooses how long it is fresh."""
        if self.is_host:
            is_whole = right.status == 200
            yield from (
                line for line in self.file.headers if is_whole or line[0].lower() not in _OPTIONAL
            )
            return
        control, expires = self.file.header("cache-control"), self.file.header("expires")
        is_fresh = expires is not None or _FRESHNESS.search(control or "") is not None
        yield from (line for line in right.headers if line[0] != "Cache-Control" or not is_fresh)
        if is_fresh and control is not None:
            yield "Cache-Control", control


_OPTIONAL: Final = {"content-type", "content-length", "content-encoding", "last-modified"}
"""Headers that hosts leave out of 304."""


def _learn(run: Run) -> Generator[Send, Reply, tuple[Model, None]]:
    """Read the file, at the URL itself if that ends with `.json`."""
    path = "" if run.client.url.endswith(".json") else PATH
    reply = yield Send("GET", path)
    if reply.status != 200:
        place = reply.header("location")
        leads = f" and leads to {place}: test that URL" if place else ""
        raise NotTestable(f"GET {run.client.url}{path} has status {reply.status}{leads}")
    return Model(path, reply, run.profile == _HOST), None


# The file


def _file(run: Run) -> Steps:
    """Check the file: its form, the publishing rules, and what must agree."""
    run.tested.update({*_ROWS["findings"].values(), *_ROWS["forms"]})
    run.tested.update(("SD-SNAPSHOT-04", "SD-FILE-06", "SD-CACHE-01"))
    judge = partial(_judge_file, run.now() + _SKEW_MS)
    yield Step("SD-FILE-01", Send("GET", run.model.path), "", judge)


def _judge_file(latest: int, reply: Reply) -> Iterator[Difference]:
    """Judge the file, which is not built after an instant, and its validators.

    There is one; an ETag is strong, and a date is one of HTTP.
    """
    checked = check(reply.body)
    for finding in checked.findings:
        rule = _ROWS["findings"].get(finding.rule, "")
        yield Difference("member", finding.path, finding.message, "another value", rule)
    if checked.snapshot is not None:
        yield from _judge_members(latest, checked.snapshot)
    tag, modified = reply.header("etag"), reply.header("last-modified")
    if not (tag or modified) or (tag and (tag.startswith("W/") or not is_valid_etag(tag))):
        yield Difference("header", "etag", "a strong ETag, or a Last-Modified", tag)
    if modified is not None and parse_http_date(modified) is None:
        yield Difference("header", "last-modified", "a date of HTTP", modified)


def _judge_members(latest: int, snapshot: Snapshot) -> Iterator[Difference]:
    """Judge members of a valid file that `check` does not."""
    if snapshot.generated_at > latest:
        last, at = format_instant(latest), format_instant(snapshot.generated_at)
        yield Difference("member", "/generatedAt", last, at, "SD-SNAPSHOT-04")
    for name, value in snapshot.extra.items():
        if "commit" in name.lower() and isinstance(value, list | dict):
            yield Difference("member", f"/{name}", "no recent commits", "some", "SD-FILE-06")
    for index, problem in enumerate(snapshot.problems):
        urls = {"problemUrl": problem.problem_url, "githubUrl": problem.github_url}
        for name, value in {**urls, "rawUrl": problem.raw_url, "title": problem.title}.items():
            for rule, form in _ROWS["forms"].items():
                if re.fullmatch(form["members"], name) and re.search(form["other"], value):
                    path = f"/problems/{index}/{name}"
                    yield Difference("member", path, "another form", value, rule)


# How it is served


def _conditions(run: Run) -> Steps:
    """Request the file with conditions on its own validators and on others."""
    return conditional_steps(run, "SD-CACHE-02", run.model.path, run.model.file)


def _serving(run: Run) -> Steps:
    """Request the file with all methods and with what changes nothing, and other paths."""
    path = run.model.path
    yield Step("SD-HTTP-01", Send("GET", path), "", _judge_date)
    yield from same_steps(run, path)
    if path == PATH:  # beside another one there may be other files
        yield from unlike_steps(run, path)
        yield from missing_steps(run, "unknown")


def _judge_date(reply: Reply) -> Iterator[Difference]:
    """Judge Last-Modified: it is the time of the build, in whole seconds."""
    snapshot, modified = check(reply.body).snapshot, reply.header("last-modified")
    if snapshot is not None and modified not in {None, http_date(snapshot.generated_at)}:
        yield Difference("header", "last-modified", http_date(snapshot.generated_at), modified)


KIT: Final = Kit(
    "sitedata",
    _ROWS,
    _learn,
    (Section("file", _file), Section("conditions", _conditions), Section("serving", _serving)),
)
"""The conformance kit of site data; its answers do not depend on the time."""
