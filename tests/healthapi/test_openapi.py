"""The OpenAPI document: valid, complete, and what the service really does.

Requests are made from the document by schemathesis, with data that it allows and data that it does
not, and sent to the application in process; every answer is held against what the document says.
"""

import json
from collections import Counter
from typing import Any
from urllib.parse import urljoin

import pytest
import schemathesis
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished

from healthapi.endpoints import ENDPOINTS, ROOT
from healthapi.schemas import openapi_document
from healthapi.service import Service
from status_contracts.adapters.asgi import Application
from support.healthapi.health_client import HealthClient, ProfileSource, anna, empty

pytestmark = pytest.mark.check

DOCUMENT = openapi_document("https://health.example")


class TestDocument:
    def test_it_is_openapi_3_1(self) -> None:
        OpenAPIV31SpecValidator(DOCUMENT).validate()

    def test_the_server_is_where_the_links_begin(self) -> None:
        assert DOCUMENT["servers"] == [{"url": "https://health.example"}]
        (server,) = openapi_document(None)["servers"]
        assert urljoin(f"http://h/x{ROOT}/openapi.json", server["url"]) == "http://h/x/"

    def test_every_component_is_used_and_every_reference_is_there(self) -> None:
        text = json.dumps(DOCUMENT)
        for name in DOCUMENT["components"]["schemas"]:
            assert f'"#/components/schemas/{name}"' in text
        assert text.count("#/components/schemas/") > 20


class TestNoSecondSource:
    """Invariant *no second source*."""

    def test_the_paths_are_those_of_the_table(self) -> None:
        assert list(DOCUMENT["paths"]) == [f"{ROOT}{endpoint.path}" for endpoint in ENDPOINTS]

    def test_the_served_document_is_this_one(self) -> None:
        client = HealthClient(base_url="https://health.example")
        assert json.loads(client.send("GET", "openapi.json").body) == DOCUMENT


def outcomes_of(*, fixed: dict[str, Any], examples: int) -> tuple[Counter[str], list[str]]:
    """Let schemathesis try the service: how often each check was made, and what failed.

    Args:
        fixed: values of parameters that are not left to chance.
        examples: requests by chance, for each endpoint; systematic ones come beside.

    """
    load_all_checks()
    app = Application(Service(), source=ProfileSource(anna(), empty()))
    schema = schemathesis.openapi.from_asgi(f"{ROOT}/openapi.json", app)
    schema.config.generation.update(
        modes=list(GenerationMode), max_examples=examples, deterministic=True
    )
    schema.config.parameters.update(fixed)
    made: Counter[str] = Counter()
    failed: list[str] = []
    for event in from_schema(schema).execute():
        if isinstance(event, FatalError | NonFatalError):
            failed.append(repr(event))
        if isinstance(event, ScenarioFinished):
            for case, checks in event.recorder.checks.items():
                made.update(check.name for check in checks)
                sent = event.recorder.cases[case].value
                failed += [
                    f"{check.name}: {sent.method} {sent.formatted_path} {sent.query}"
                    for check in checks
                    if check.failure_info is not None
                ]
    return made, failed


class TestService:
    """Every response of the service is documented."""

    def test_any_response_is_as_documented(self) -> None:
        """Mostly of profiles that are not there."""
        made, failed = outcomes_of(fixed={}, examples=1)
        assert failed == []
        assert made.keys() == set(CHECKS.get_all_names())
        assert made.total() > 1000

    def test_any_response_for_a_profile_is_as_documented(self) -> None:
        """The one check that fails is ruled out: no query is an error, it is clamped."""
        fixed = {"profile_id": "anna", "endpoint_key": "profile"}
        made, failed = outcomes_of(fixed=fixed, examples=2)
        refusals = [each for each in failed if each.startswith("negative_data_rejection: GET ")]
        assert failed == refusals
        assert not any(each.endswith((" {}", " None")) for each in refusals)
        assert made["response_schema_conformance"] > 100
