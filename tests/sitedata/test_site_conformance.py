"""The conformance kit of site data: right services and hosts, what is left free, what is not."""

from typing import Any

import attrs
import pytest

from sitedata.adapters.application import asgi_app
from sitedata.conformance import KIT
from sitedata.service import PATH
from status_contracts.conformance.http import Reply, Send
from status_contracts.conformance.runner import NotTestable
from status_contracts.conformance.testing import ServiceConformance
from status_contracts.exchange import Clock
from support.sitedata.site_examples import SNAPSHOT
from support.status_contracts.kit_runs import Change, edited, found_by, run_kit


class TestOverAsgi(ServiceConformance):
    kit = KIT

    def make_app(self, clock: Clock) -> object:
        return asgi_app(SNAPSHOT, clock=clock)


class TestOfAFile(TestOverAsgi):
    profile = "file"

    def test_every_answer_is_right(self) -> None:
        try:
            super().test_every_answer_is_right()
        except pytest.skip.Exception as skipped:
            pytest.fail(str(skipped))


def causes(change: Change, profile: str = "full") -> list[str]:
    run = run_kit(KIT, lambda clock: asgi_app(SNAPSHOT, clock=clock), change, profile=profile)
    return found_by(run)


def bare(reply: Reply, *names: str) -> Reply:
    lines = tuple(line for line in reply.headers if line[0].lower() not in names)
    return attrs.evolve(reply, headers=lines)


def without(*names: str) -> Change:
    return lambda _, reply: bare(reply, *names)


def of_a_host(_: Send, reply: Reply) -> Reply:
    """Change an answer to that of a host that only has files."""
    if reply.status in {404, 405}:
        return attrs.evolve(reply, status=404, body=b"<h1>404</h1>")
    own = (("Content-Security-Policy", "x"), ("Expires", "Thu, 01 Jan 2026 00:00:00 GMT"))
    plain = bare(reply, "cache-control", "x-content-type-options")
    return attrs.evolve(plain, headers=(*plain.headers, *own))


def shortly_fresh(_: Send, reply: Reply) -> Reply:
    lines = {**dict(reply.headers)}
    if reply.status in {200, 304}:
        lines["Cache-Control"] = "max-age=5"
    return attrs.evolve(reply, headers=tuple(lines.items()))


@pytest.mark.parametrize(
    ("change", "profile"),
    [
        (shortly_fresh, "full"),
        (of_a_host, "file"),
        (edited(PATH, lambda value: value.update(extra=[1], problems=[])), "file"),
    ],
)
def test_what_the_contract_leaves_free_is_no_difference(change: Change, profile: str) -> None:
    assert causes(change, profile) == []


def first(**members: Any) -> Change:
    """Return a change of the first problem of the file."""
    return edited(PATH, lambda value: value["problems"][0].update(members))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (without("etag", "last-modified"), "SD-CACHE-05 etag: null; expected a strong ETag"),
        (without("cache-control"), "SD-CACHE-03 cache-control: none; expected public, max-age"),
        (first(path=""), "SD-PUBLISH-02 /problems/*/path: another value; expected must be relat"),
        (first(title="A"), "SD-PROBLEM-08 /problems/*/title: A; expected another form"),
        (first(rawUrl="https://me:x@a.example/"), "SD-LINK-09 /problems/*/rawUrl: https://me:x"),
        (first(rawUrl="https://a.example/a b"), "SD-LINK-07 /problems/*/rawUrl: https://a.ex"),
        (first(submittedAt="noon"), "SD-TIME-01 /problems/*/submittedAt: another value"),
        (edited(PATH, lambda value: value.pop("sourceRef")), "SD-SNAPSHOT-01 /sourceRef: "),
        (
            edited(PATH, lambda value: value.update(commits=[])),
            "SD-FILE-06 /commits: some; expected no recent commits",
        ),
        (
            edited(PATH, lambda value: value.update(generatedAt="2036-01-01T00:00:00.000Z")),
            "SD-SNAPSHOT-04 /generatedAt: 2036-01-01T00:00:00.000Z; expected 2026-",
        ),
        (
            lambda send, reply: attrs.evolve(reply, status=200) if send.method == "PUT" else None,
            f"SD-HTTP-11 PUT {PATH}: status 200; expected 405",
        ),
    ],
)
def test_what_it_does_not_is_one(change: Change, line: str) -> None:
    found = causes(change)
    assert any(cause.startswith(line) for cause in found), found


def test_what_is_not_the_file_is_not_tested() -> None:
    moved = (("Location", "https://a.example/x.json"),)
    with pytest.raises(NotTestable, match="status 301 and leads to https://a"):
        causes(lambda _, reply: attrs.evolve(reply, status=301, headers=moved))
    with pytest.raises(NotTestable, match="has status 404"):
        causes(lambda _, reply: attrs.evolve(reply, status=404))
