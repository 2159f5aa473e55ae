"""The conformance kit of health data: right services, what is left free, what is not."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import attrs
import pytest

from healthapi import PrivacySettings, load
from healthapi.adapters.application import asgi_app
from healthapi.conformance import KIT
from healthapi.profile import Profile
from status_contracts.conformance.http import Reply, Send
from status_contracts.conformance.runner import NotTestable, Run
from status_contracts.conformance.testing import ServiceConformance
from status_contracts.exchange import Clock
from support.healthapi.health_client import GENERATED_AT, ProfileSource, csv_files, empty, short
from support.healthapi.health_snapshots import snapshot_value
from support.status_contracts.kit_runs import Change, edited, found_by, replaced, run_kit


@pytest.mark.check
class TestOverAsgi(ServiceConformance):
    kit = KIT

    def make_app(self, clock: Clock) -> object:
        source = ProfileSource(short(), empty())
        return asgi_app(source, clock=clock, base_url="https://health.example/x")


def service(*profiles: Profile) -> Callable[[Clock], object]:
    source = ProfileSource(*(profiles or (short(),)))
    return lambda clock: asgi_app(source, clock=clock)


def run_on(
    change: Change = lambda _, __: None,
    *profiles: Profile,
    sections: Sequence[str] = ("resources", "requests"),
) -> Run:
    return run_kit(KIT, service(*profiles), change, sections=sections)


def with_endpoints(*names: str) -> Profile:
    """Return a profile whose snapshot has endpoints of these names before the others."""
    value = snapshot_value()
    more = dict.fromkeys(names, value["endpoints"]["devices"])
    value["endpoints"] = {**more, **value["endpoints"]}
    files = {"cache/fitbit_profile_snapshot.json": json.dumps(value).encode()}
    return load("dora", files, generated_at=GENERATED_AT)


@pytest.mark.check
class TestRightServices:
    def test_owners_publish_what_they_like_and_days_may_be_open(self) -> None:
        files = csv_files(days=9)
        files["cache/fitbit_profile_snapshot.json"] = json.dumps(snapshot_value()).encode()
        settings = PrivacySettings(**{each.name: True for each in attrs.fields(PrivacySettings)})
        profile = load("carl", files, generated_at="2025-12-18T12:00:00", privacy=settings)
        assert profile.overview.latest_is_partial
        assert profile.person.full_name
        run = run_on(lambda _, __: None, profile)
        assert found_by(run) == []

    def test_of_many_profiles_some_are_read(self) -> None:
        many = [load(f"p{number:02}", {}, generated_at=GENERATED_AT) for number in range(12)]
        run = run_kit(KIT, service(*many), sections=["resources"])
        assert found_by(run) == []
        assert sum(profile is not None for profile in run.model.profiles.values()) == 8

    def test_no_path_reaches_some_endpoints_of_snapshots(self) -> None:
        assert found_by(run_on(lambda _, __: None, with_endpoints("", "a/b"))) == []

    @pytest.mark.parametrize("body", [b"", b"[]", b'{"ok":true}'])
    def test_another_service_is_not_tested(self, body: bytes) -> None:
        with pytest.raises(NotTestable, match="no JSON object with resource"):
            run_on(lambda _, reply: attrs.evolve(reply, status=200, body=body))


def other_texts(value: Any) -> None:
    """Give labels and messages other words."""
    for name, member in value.items() if isinstance(value, dict) else enumerate(value):
        if name in {"label", "hint", "message", "recovery_label"} and isinstance(member, str):
            value[name] = f"{member} in other words"
        elif isinstance(member, dict | list):
            other_texts(member)


def skipped(value: Any) -> None:
    rows = value["data"].get("rows", [])
    for row in rows:
        if row.get("status") == "failed":
            row["status"] = "skipped"


def unavailable(send: Send, reply: Reply) -> Reply | None:
    body = b'{"error":{"code":"service_unavailable"}}'
    is_it = "/profiles/" in send.path and reply.status == 200
    return attrs.evolve(reply, status=503, body=body) if is_it else None


def listed_as_unavailable(send: Send, reply: Reply) -> Reply | None:
    listed = edited("/profiles", lambda value: value["data"]["profiles"][0].update(available=False))
    return unavailable(send, reply) or listed(send, reply)


FREE: Final = (
    edited("/metrics", other_texts),
    edited("/sections", other_texts),
    edited("/tables/endpoints", skipped),
    edited("/coverage", lambda value: value["data"]["rhr"].update(omissions=[])),
    edited("/openapi.json", lambda value: value["info"].update(title="Mine")),
    replaced("/docs", b"<h1", b"<h1 id='x'"),
    replaced(".svg", b"stroke-width", b"opacity='1' stroke-width"),
)


def all_free(send: Send, reply: Reply) -> Reply:
    for change in FREE:
        reply = change(send, reply) or reply
    return reply


@pytest.mark.check
@pytest.mark.parametrize("change", [all_free, listed_as_unavailable])
def test_what_the_contract_leaves_free_is_no_difference(change: Change) -> None:
    assert found_by(run_on(change)) == []


def of_host(send: Send, reply: Reply) -> Reply | None:
    host = dict(send.headers).get("Host")
    other = reply.body.replace(b'"../', f'"https://{host}/../'.encode())
    return attrs.evolve(reply, body=other) if host else None


def tagged_error(_: Send, reply: Reply) -> Reply | None:
    headers = (*reply.headers, ("ETag", '"x"'))
    return attrs.evolve(reply, headers=headers) if reply.status == 404 else None


@pytest.mark.check
def test_a_tag_of_an_error_or_a_link_by_the_host_is_a_difference() -> None:
    found = found_by(run_on(tagged_error, with_endpoints("a/b")))
    assert found == ['HA-CACHE-05 etag: "x"; expected none']
    found = found_by(run_on(of_host))
    link = "HA-SERVICE-08 /data/links/catalog: https://other.example/../profiles/anna/"
    assert any(cause.startswith(link) for cause in found), found


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            edited("/overview", lambda value: value["data"].update(recovery_score=1)),
            "HA-OVERVIEW-03 /data/recovery_score: 1; expected 75",
        ),
        (
            edited("/datasets/hrv", lambda value: value["data"].pop("rows")),
            "HA-ENVELOPE-13 GET /api/public/v1/profiles/anna/datasets/hrv: body: KeyError: 'rows';",
        ),
        (unavailable, "HA-ENVELOPE-13 GET /api/public/v1/profiles/anna: body: KeyError: 'data';"),
        (
            edited("/datasets/sleep", lambda value: value["data"]["rows"][0].update(nap_count=101)),
            "HA-ENVELOPE-13 GET /api/public/v1/profiles/anna/snapshot: body: ValueError: nap_count",
        ),
        (
            edited("/endpoints/devices", lambda value: value["data"].update(refresh_token="x")),
            "HA-SNAPSHOT-15 /data/refresh_token: x; expected none",
        ),
        (
            edited("/snapshot", lambda value: value["data"]["range"].update(end="eyJhbGciOi.x.y")),
            "HA-SNAPSHOT-10 /data/range/end: eyJhbGciOi.x.y; expected [removed]",
        ),
        (replaced(".svg", b"</svg>", b"<script/></svg>"), "HA-CHART-10 GET /api/public/v1/"),
        (
            replaced("/docs", b"catalog", b""),
            "HA-HTTP-03 GET /api/public/v1/docs: nothing; expected something about catalog",
        ),
        (
            replaced("/docs.md", b"series", b""),
            "HA-HTTP-04 GET /api/public/v1/docs.md: nothing; expected something about series",
        ),
        (
            edited("/openapi.json", lambda value: value.clear()),
            "HA-HTTP-05 GET /api/public/v1/openapi.json: nothing; expected something about docs",
        ),
    ],
)
def test_what_it_does_not_is_one(change: Change, line: str) -> None:
    found = found_by(run_on(change, sections=["resources"]))
    assert any(cause.startswith(line) for cause in found), found
