"""Checks of every resource: its envelope, its members, the order of its members."""

from functools import partial
from typing import Final

from healthapi.catalog_keys import CHARTS, DATASETS, SECTIONS, TABLES
from healthapi.conformance.deployment import (
    DOCUMENT,
    JSON_ENDPOINTS,
    SUITE,
    Deployment,
    expect_json,
    paths_of,
    problem_of_form,
    read_envelope,
)
from healthapi.http.api_docs.openapi import BODIES
from healthapi.http.api_docs.schemas import MOMENT
from healthapi.http.endpoints import KEYS, ROOT, Endpoint
from purewire.conformance.checks import Steps, Unchecked, expect, expect_equal
from purewire.conformance.json_schema import find_misplaced_member, find_problem
from purewire.conformance.reads import get

_RULES: Final = {
    "index": ("HA-HTTP-01", "HA-HTTP-02", "HA-INDEX-01", "HA-INDEX-02", "HA-INDEX-03"),
    "profiles": ("HA-HTTP-06", "HA-INDEX-06", "HA-INDEX-07"),
    "profile": (
        *("HA-HTTP-06", "HA-INDEX-13", "HA-LINK-04", "HA-LINK-05"),
        *("HA-PERSON-01", "HA-PERSON-02", "HA-PERSON-03", "HA-PERSON-17"),
    ),
    "dashboard": ("HA-HTTP-07", "HA-DASHBOARD-01", "HA-DASHBOARD-05"),
    "catalog": (
        *("HA-HTTP-07", "HA-CATALOG-01", "HA-CATALOG-05"),
        *("HA-CATALOG-20", "HA-CATALOG-21", "HA-CATALOG-22"),
    ),
    "overview": ("HA-HTTP-07", "HA-OVERVIEW-01", "HA-OVERVIEW-02"),
    "coverage": ("HA-HTTP-07", "HA-COVERAGE-01"),
    "metrics": ("HA-HTTP-07", "HA-CARD-10"),
    "metric": ("HA-HTTP-08", "HA-CARD-10"),
    "correlations": ("HA-HTTP-07", "HA-CORRELATION-02"),
    "snapshot-status": ("HA-HTTP-07", "HA-SNAPSHOT-16"),
    "datasets": ("HA-HTTP-09", "HA-DATASET-01"),
    "dataset": ("HA-HTTP-09", "HA-KEY-07", "HA-DATASET-03", "HA-DATASET-04", "HA-DAY-07"),
    "series": ("HA-HTTP-09", "HA-KEY-08", "HA-DATASET-07", "HA-DATASET-08", "HA-DATASET-11"),
    "sections": ("HA-HTTP-08", "HA-SECTION-01", "HA-SECTION-02"),
    "section": ("HA-HTTP-08", "HA-KEY-09", "HA-SECTION-01", "HA-SECTION-02", "HA-SECTION-16"),
    "tables": ("HA-HTTP-10", "HA-TABLE-01"),
    "table": ("HA-HTTP-10", "HA-KEY-10", "HA-TABLE-02", "HA-TABLE-03"),
    "snapshot": ("HA-HTTP-11", "HA-SNAPSHOT-09", "HA-SNAPSHOT-11"),
    "snapshot-endpoints": ("HA-HTTP-11", "HA-SNAPSHOT-14"),
    "snapshot-endpoint": ("HA-HTTP-11", "HA-SNAPSHOT-11", "HA-SNAPSHOT-15"),
}
"""Resource to the rules about its members."""
_MEMBERS: Final = ("api_version", "resource", "generated_at", "profile_id", "data", "meta")


@SUITE.check(
    "envelope.{0}",
    *(f"HA-ENVELOPE-{number:02}" for number in (1, 2, 3, 4, 8, 9, 11)),
    cases={endpoint.name: (endpoint,) for endpoint in JSON_ENDPOINTS},
)
def _has_envelope(deployment: Deployment, endpoint: Endpoint) -> Steps:
    """The envelope of {0} has its members and nothing else."""
    paths = yield from paths_of(deployment, endpoint)
    if not paths:
        raise Unchecked("the snapshot has no endpoint")
    members = [name for name in _MEMBERS if endpoint.of_profile or name != "profile_id"]
    for path in paths:
        body = expect_json((yield from get(path)))
        expect_equal("members", list(body), members)
        expect_equal("api_version", body["api_version"], "v1", rule="HA-ENVELOPE-02")
        expect_equal("resource", body["resource"], endpoint.name, rule="HA-ENVELOPE-03")
        problem = find_problem(MOMENT, body["generated_at"], DOCUMENT)
        written = "generated_at as YYYY-MM-DDThh:mm:ss"
        expect(not problem, written, body["generated_at"], rule="HA-ENVELOPE-04")
        if endpoint.of_profile:
            owner = path[len(f"{ROOT}/profiles/") :].partition("/")[0]
            expect_equal("profile_id", body["profile_id"], owner, rule="HA-ENVELOPE-08")
        for name, rule in (("data", "HA-ENVELOPE-09"), ("meta", "HA-ENVELOPE-11")):
            expect(isinstance(body[name], dict), f"an object as {name}", body[name], rule=rule)


def _has_shape(endpoint: Endpoint, deployment: Deployment) -> Steps:
    paths = yield from paths_of(deployment, endpoint)
    if not paths:
        raise Unchecked("the snapshot has no endpoint")
    for path in paths:
        reply = yield from get(path)
        expect_json(reply)
        problem = problem_of_form(endpoint.name, reply.body)
        expect(problem is None, f"the members and types of {endpoint.name}", f"{path} {problem}")


for _endpoint in JSON_ENDPOINTS:
    SUITE.add(
        f"shape.{_endpoint.name}",
        f"{_endpoint.name} has the members and types of its schema, for every key",
        (*_RULES[_endpoint.name], "HA-ENVELOPE-13"),
        partial(_has_shape, _endpoint),
    )


@SUITE.check("shape.order", "HA-ENVELOPE-14", "HA-DAY-03", "HA-PERIOD-04")
def _order(deployment: Deployment) -> Steps:
    """Members of objects come in the order of the rules."""
    for endpoint in JSON_ENDPOINTS:
        for path in (yield from paths_of(deployment, endpoint))[:1]:
            body = expect_json((yield from get(path)))
            found = find_misplaced_member(BODIES[endpoint.name], body, DOCUMENT)
            expect(found is None, "members in the order of the schema", f"{path}: {found}")


@SUITE.check("shape.counts", "HA-ENVELOPE-12", "HA-ENVELOPE-10")
def _counts(deployment: Deployment) -> Steps:
    """`meta.count` of a list is its length."""
    names = {"catalog": "domains", "snapshot-endpoints": "endpoints"}
    for endpoint in JSON_ENDPOINTS:
        if endpoint.key is not None:
            continue
        for path in (yield from paths_of(deployment, endpoint)):
            body = yield from read_envelope(path, endpoint.name)
            found = body["data"].get(names.get(endpoint.name, endpoint.name))
            if isinstance(found, list):
                expect_equal(f"meta.count of {path}", body["meta"].get("count"), len(found))


@SUITE.check("index.keys", "HA-KEY-07", "HA-KEY-09", "HA-KEY-10", "HA-KEY-11", "HA-INDEX-04")
def _index_keys(_: Deployment) -> Steps:
    """The index lists the keys of datasets, sections, tables and charts in their order."""
    data = expect_json((yield from get(ROOT))).get("data")
    found = data if isinstance(data, dict) else {}
    for name, keys in (
        ("datasets", DATASETS),
        ("sections", SECTIONS),
        ("tables", TABLES),
        ("charts", CHARTS),
    ):
        expect_equal(name, found.get(name), list(keys))


@SUITE.check("index.profiles", "HA-INDEX-03", "HA-INDEX-05")
def _index_profiles(_: Deployment) -> Steps:
    """The index counts the listed profiles, and its sample is the first that can be read."""
    index = (yield from read_envelope(ROOT, "index"))["data"]
    listed = (yield from read_envelope(f"{ROOT}/profiles", "profiles"))["data"]["profiles"]
    expect_equal("profiles.count", index["profiles"]["count"], len(listed))
    readable = [entry["id"] for entry in listed if entry["available"]]
    sample = index["sample_profile"]
    expect(
        sample in readable if readable else sample is None,
        f"a sample of {readable}" if readable else "no sample",
        sample,
    )
    expect((index["sample_links"] is None) is (sample is None), "links of the sample", sample)


@SUITE.check("profiles.list", "HA-INDEX-09", "HA-KEY-04", "HA-INDEX-10")
def _profile_list(_: Deployment) -> Steps:
    """The list of profiles is sorted by name and id, and its ids are unique and well-formed."""
    listed = (yield from read_envelope(f"{ROOT}/profiles", "profiles"))["data"]["profiles"]
    order = [(entry["display_name"] or entry["id"], entry["id"]) for entry in listed]
    expect(order == sorted(order), "the list sorted by display_name, then id", order)
    ids = [entry["id"] for entry in listed]
    expect(len(ids) == len({*ids}), "each profile once", ids)
    wrong = [each for each in ids if KEYS["profile_id"].pattern.fullmatch(each) is None]
    expect(not wrong, "ids of 1 to 128 letters, digits, _ and -", wrong)


@SUITE.check("profiles.dates", "HA-ENVELOPE-07", "HA-ENVELOPE-06")
def _list_is_dated(deployment: Deployment) -> Steps:
    """The list of profiles is dated by its newest profile, and each profile by its own data."""
    envelope = yield from read_envelope(f"{ROOT}/profiles", "profiles")
    readable = [entry["id"] for entry in envelope["data"]["profiles"] if entry["available"]]
    deployment.profile()
    moments = []
    for profile_id in readable[:_MOST_PROFILES]:
        path = f"{ROOT}/profiles/{profile_id}/overview"
        moments.append((yield from read_envelope(path, "overview"))["generated_at"])
    newest = max(moments)
    is_newest = envelope["generated_at"] == newest
    if len(readable) > _MOST_PROFILES:
        is_newest = envelope["generated_at"] >= newest
    expect(is_newest, f"generated_at {newest}", envelope["generated_at"])


_MOST_PROFILES: Final = 20
"""Profiles that one check reads."""
