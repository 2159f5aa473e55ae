"""Checks that only read."""

from typing import Final

from devicestatus.conformance.deployment import (
    JSON_TYPE,
    OFFLINE,
    Deployment,
    expect_model,
    get,
)
from devicestatus.conformance.suite import SUITE
from devicestatus.models.responses import Health, OnlineStatus
from purewire.conformance.checks import Steps, expect, expect_equal

__all__: list[str] = []

NO_STORE: Final = "no-store, max-age=0"


@SUITE.check("health.body", "DS-HEALTH-01")
def health_body(_: Deployment) -> Steps:
    """`/api/health` reports that the service responds, and its name."""
    reply = yield from get("/api/health")
    expect_model(reply, Health)
    expect_equal("Cache-Control", reply.header("cache-control"), NO_STORE)


@SUITE.check("now.shape", "DS-NOW-01")
def now_shape(_: Deployment) -> Steps:
    """`/api/now` is either exactly offline or an online status."""
    reply = yield from get("/api/now")
    if reply.json() != OFFLINE:
        expect_model(reply, OnlineStatus)


@SUITE.check("paths.trailing-slash", "DS-HTTP-01")
def trailing_slash(_: Deployment) -> Steps:
    """A path with a trailing slash is unknown."""
    reply = yield from get("/api/now/")
    expect_equal("status", reply.status, 404)
    expect_equal("Content-Type", reply.header("content-type"), JSON_TYPE)
    expect(reply.json() == {"error": "not_found"}, '{"error": "not_found"}', reply.body)
