"""The schemas of the resources are complete and closed, and accept extreme profiles."""

from collections.abc import Iterator
from typing import Any

import pytest

from healthapi.endpoints import ENDPOINTS
from healthapi.resources import OF_PROFILE
from healthapi.schemas import COMPONENTS, DATA, META
from support.healthapi.health_client import HealthClient, make_profile

FOREIGN = {"range", "fetch_summary", "endpoints", "data"}
"""Members with JSON of the account."""


def objects(schema: object, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every schema of an object, with the name of the member it describes."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield name, schema
        for key, inner in schema.items():
            below = inner.items() if key == "properties" else [(name, inner)]
            for member, each in below:
                yield from objects(each, member)
    elif isinstance(schema, list):
        for each in schema:
            yield from objects(each, name)


class TestSchemas:
    def test_each_enveloped_resource_has_its_schemas(self) -> None:
        named = {endpoint.name for endpoint in ENDPOINTS if endpoint.schema}
        assert DATA.keys() == META.keys() == named
        assert OF_PROFILE.keys() == named - {"index", "profiles"}

    def test_every_object_except_account_data_is_closed(self) -> None:
        """Invariant *closed*."""
        every = [*COMPONENTS.values(), *DATA.values(), *META.values()]
        for name, schema in objects(every):
            assert schema.get("additionalProperties") is False or name in FOREIGN

    @pytest.mark.parametrize(
        ("days", "snapshot"),
        [
            *((days, None) for days in (0, 1, 2, 8, 100)),
            (3, {}),
            (3, {"endpoints": {}}),
            (3, {"endpoints": {"profile": None, "devices": {"ok": True, "data": [None, 1, {}]}}}),
            (
                3,
                {"endpoints": {"profile": {"ok": True, "data": {"user": []}}}, "range": [], "x": 1},
            ),
            (
                3,
                {"fetch_summary": {"ok": "many", "total": -1.5}, "saved_at": 7, "token_scope": "a"},
            ),
        ],
    )
    def test_schemas_accept_any_profile(self, days: int, snapshot: dict[str, Any] | None) -> None:
        client = HealthClient([make_profile(days=days, snapshot=snapshot)])
        for endpoint in ENDPOINTS:
            if endpoint.of_profile and endpoint.key is None:
                path = endpoint.path.format(profile_id="anna").removeprefix("/")
                assert client.send("GET", path).status == 200
