"""The conformance kit of site data: the rules of the file, and the table of how it is served.

`conformance.toml` has the rows that need no code.  The right answers are those of `Service` with
the bytes and the validators of the deployment; what is right of the file itself, `check` knows.
"""

import re
from collections.abc import Generator, Iterator
from functools import partial
from itertools import product
from typing import Final

import attrs

from sitedata.models import Snapshot
from sitedata.parsing import check
from sitedata.service import PATH, Published, Service
from status_contracts.conditional import http_date, is_valid_etag, parse_http_date
from status_contracts.conformance import read_rows, requests
from status_contracts.conformance.answers import Difference
from status_contracts.conformance.http import Reply, Send
from status_contracts.conformance.runner import Kit, NotTestable, Run, Section, Step, Steps
from status_contracts.exchange import drive
from status_contracts.instants import MINUTE_MS, format_instant
from status_contracts.messages import Response
from status_contracts.structuring.converter import unstructure

__all__ = ["KIT"]

_ROWS: Final = read_rows("sitedata")


@attrs.frozen
class Model:
    """The answers of the engine with the file of a deployment, at its path below the URL.

    A host that only has files has other headers and errors of its own.
    """

    path: str
    file: Reply
    is_host: bool

    def answer(self, state: object, send: Send, at: int) -> tuple[Response, object]:
        """Return the right answer, at any instant."""
        del at
        request = send.request("")
        if request.path == self.path.encode():
            request = attrs.evolve(request, path=PATH.encode())
        right = drive(Service().router(request), lambda _: Published(0, self.file.asset))
        if self.is_host and right.status in {200, 304}:
            right = attrs.evolve(right, headers=self.file.headers)
        return right, state


def _learn(run: Run) -> Generator[Send, Reply, tuple[Model, None]]:
    """Read the file, at the URL itself if that ends with `.json`."""
    path = "" if run.client.url.endswith(".json") else PATH
    reply = yield Send("GET", path)
    if reply.status != 200:
        place = reply.header("location")
        leads = f" and leads to {place}: test that URL" if place else ""
        raise NotTestable(f"GET {run.client.url}{path} has status {reply.status}{leads}")
    return Model(path, reply, run.profile == "file"), None


def _file(run: Run) -> Steps:
    """Check the file: its form, the publishing rules, what must agree, and conditions."""
    run.tested.update({*_ROWS["findings"].values(), *_ROWS["forms"]})
    run.tested.update(("SD-SNAPSHOT-04", "SD-FILE-06", "SD-CACHE-01"))
    path, file = run.model.path, run.model.file
    yield Step("SD-FILE-01", Send("GET", path), "", partial(_judge_file, run))
    yield from requests.conditional_steps(run, "SD-CACHE-02", path, file)


def _judge_file(run: Run, reply: Reply) -> Iterator[Difference]:
    """Judge the file and its validators.

    There is one; an ETag is strong, and a date is that of the build, or of the file on a host.
    """
    checked, date = check(reply.body), reply.header("last-modified")
    for finding in checked.findings:
        rule = _ROWS["findings"].get(finding.rule, "")
        yield Difference("member", finding.path, finding.message, "another value", rule)
    if checked.snapshot is not None:
        latest = run.now() + 5 * MINUTE_MS  # the clocks of builder and host may differ
        yield from _judge_members(latest, checked.snapshot)
        built = http_date(checked.snapshot.generated_at)
        if date not in {None, built} and not run.model.is_host:
            yield Difference("header", "last-modified", built, date)
    tag = reply.header("etag")
    if not (tag or date) or (tag and (tag.startswith("W/") or not is_valid_etag(tag))):
        yield Difference("header", "etag", "a strong ETag, or a Last-Modified", tag)
    if date is not None and parse_http_date(date) is None:
        yield Difference("header", "last-modified", "a date of HTTP", date)


def _judge_members(latest: int, snapshot: Snapshot) -> Iterator[Difference]:
    """Judge members of a valid file that `check` does not."""
    forms = _ROWS["forms"].items()
    if snapshot.generated_at > latest:
        last, at = format_instant(latest), format_instant(snapshot.generated_at)
        yield Difference("member", "/generatedAt", last, at, "SD-SNAPSHOT-04")
    for name, value in snapshot.extra.items():
        if "commit" in name.lower() and isinstance(value, list | dict):
            yield Difference("member", f"/{name}", "no recent commits", "some", "SD-FILE-06")
    for index, problem in enumerate(snapshot.problems):
        for (name, value), (rule, form) in product(unstructure(problem).items(), forms):
            if re.fullmatch(form["members"], name) and re.search(form["other"], value):
                path = f"/problems/{index}/{name}"
                yield Difference("member", path, "another form", value, rule)


def _serving(run: Run) -> Steps:
    """Request the file with all methods and with what changes nothing, and other paths."""
    path = run.model.path
    yield from requests.same_steps(run, path)
    if path == PATH:  # beside another one there may be other files
        yield from requests.unlike_steps(run, path)
        yield from requests.missing_steps(run, "unknown")


KIT: Final = Kit("sitedata", _ROWS, _learn, (Section("file", _file), Section("serving", _serving)))
"""The conformance kit of site data; its answers do not depend on the time."""
