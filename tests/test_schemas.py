"""The published schemas: made from the models, valid, portable, and cited as they are."""

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import attrs
import pytest
from jsonschema_rs import Draft202012Validator, meta
from openapi_spec_validator import OpenAPIV31SpecValidator

from devicestatus.endpoints import ENDPOINTS
from devicestatus.errors import STATUS_OF
from devicestatus.responses import IconManifest
from devicestatus.schemas import EXAMPLES, REFINEMENTS
from healthapi.models import DailyRow
from status_contracts.days import parse_day
from status_contracts.instants import parse_millisecond, parse_utc
from status_contracts.structuring.constraints import TimestampFormat
from status_contracts.structuring.json_schema import CALENDAR_DAY, CONTROL, SchemaBuilder, describe
from support.schemas.validators import schema_set

ROOT = Path(__file__).parents[1]
PRODUCTS = ("devicestatus", "healthapi", "sitedata")
TYPES = {"type", "$ref", "const", "enum", "anyOf", "oneOf"}
OPTIONAL = {
    "devicestatus": {
        *("active_app", "running_apps", "battery", "music", "system", "collected_at"),
        *("artwork_url", "track_url", "playback", "expires_at", "sha256"),
    },
    "healthapi": {
        *("omissions", "rejected_rows", "unreadable_cells", "partial_periods", "detail"),
        *("exercise_examples", "avg7", "avg30", "trend", "days", "alarms_count"),
        *("granted_scopes", "missing_scopes", "requested_scopes"),
        *(field.name for field in attrs.fields(DailyRow) if field.name != "date"),
    },
    "sitedata": set[str](),
}
"""Members that an object of the product may lack, of whatever object."""
each_product = pytest.mark.parametrize("product", PRODUCTS)


def schema_parts(schema: Any) -> Iterator[dict[str, Any]]:
    """Generate every object in a schema that is no example."""
    if isinstance(schema, dict):
        yield schema
        for name, each in schema.items():
            if name not in {"examples", "example"}:
                yield from schema_parts(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from schema_parts(each)


def test_the_files_are_part_of_the_wheel() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert '"schemas" = "status_contracts/schemas"' in text


@each_product
class TestDocuments:
    def test_each_is_a_schema_by_itself(self, product: str) -> None:
        for name, schema in schema_set(product).documents.items():
            assert meta.is_valid(schema), name
            defined = schema.get("$defs", {}).keys()
            used = {
                each["$ref"].removeprefix("#/$defs/")
                for each in schema_parts(schema)
                if isinstance(each.get("$ref"), str)
            }
            assert used == defined, name

    def test_each_has_id_title_description(self, product: str) -> None:
        found = schema_set(product)
        for name, schema in found.documents.items():
            assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
            assert schema["$id"] == f"urn:status-contracts:{found.product}:{name}"
            assert schema["title"]
            assert schema["description"].endswith("."), name

    def test_each_object_is_closed_and_requires_all_but_the_optional_members(
        self, product: str
    ) -> None:
        """What else it takes is said; every member has a type but for any JSON."""
        for name, schema in schema_set(product).documents.items():
            for part in schema_parts(schema):
                if part.get("type") == "object" and "properties" in part:
                    if "required" in part and "$ref" not in part:
                        assert "additionalProperties" in part, (name, part)
                    optional = part["properties"].keys() - set(part.get("required", ()))
                    assert optional <= OPTIONAL[product], name
                    for member, each in part["properties"].items():
                        is_typed = TYPES & each.keys()
                        assert is_typed or each["description"].startswith("Any JSON"), member

    def test_validators_of_all_languages_agree_on_the_forms(self, product: str) -> None:
        """ASCII classes, no look-around, controls refused apart, patterns beside formats."""
        for name, schema in schema_set(product).documents.items():
            for part in schema_parts(schema):
                assert not isinstance(part.get("type"), list), name
                pattern = part.get("pattern")
                if isinstance(pattern, str):
                    assert not re.search(r"\\[dDwWsSbBpP]|\(\?[=!<P]", pattern), (name, pattern)
                    re.compile(pattern)
                    is_guarded = "not" in part or pattern.startswith((CONTROL, "^(?:.*[Tt]"))
                    assert is_guarded or not pattern.endswith("$"), (name, pattern)
                if isinstance(part.get("format"), str):
                    assert "pattern" in part, name

    def test_examples_are_valid(self, product: str) -> None:
        count = 0
        for schema in schema_set(product).documents.values():
            definitions = {"$defs": schema.get("$defs", {})}
            for part in schema_parts(schema):
                if isinstance(part.get("examples"), list):
                    validator = Draft202012Validator({**definitions, **part})
                    for example in part["examples"]:
                        validator.validate(example)
                        count += 1
        assert count > 0

    def test_openapi_is_valid_and_uses_each_component(self, product: str) -> None:
        document = schema_set(product).openapi
        if product != "healthapi":  # test_openapi validates it
            OpenAPIV31SpecValidator(dict(document)).validate()
        text = json.dumps(document)
        assert json.loads(text) == document
        assert '"$id"' not in text
        for kind in ("schemas", "responses"):
            for name in document["components"][kind]:
                assert f'"#/components/{kind}/{name}"' in text

    def test_each_member_of_health_data_has_a_meaning(self, product: str) -> None:
        schemas = schema_set(product).openapi["components"]["schemas"]
        members = [
            (name, each.get("description"))
            for part in schema_parts(schemas)
            if part.get("type") == "object"
            for name, each in part.get("properties", {}).items()
        ]
        assert product != "healthapi" or [name for name, text in members if not text] == []

    def test_operations_refer_to_the_bodies_of_their_responses(self, product: str) -> None:
        """Each is a component once."""
        for methods in schema_set(product).openapi["paths"].values():
            for operation in methods.values():
                for response in operation["responses"].values():
                    for content in response.get("content", {}).values():
                        assert "properties" not in content["schema"] or "$ref" in content["schema"]
                        assert "anyOf" not in content["schema"]


class TestHealthData:
    def test_examples_are_responses_of_the_service(self) -> None:
        documents = schema_set("healthapi").documents
        without = {name for name, schema in documents.items() if "examples" not in schema}
        assert without == {"profile", "dashboard"}  # they consist of other resources
        for name, schema in documents.items():
            for example in schema.get("examples", ()):
                assert name == "error" or example["resource"] == name


class TestDeviceStatus:
    def test_tables_name_models_and_members_that_exist(self) -> None:
        found = schema_set("devicestatus")
        defined = [document.get("$defs", {}) for document in found.documents.values()]
        defined.append(found.openapi["components"]["schemas"])
        made = {name: each[name].get("properties", {}) for each in defined for name in each}
        for table in (EXAMPLES, REFINEMENTS):
            for path in table:
                model, _, member = path.partition(".")
                assert model in made, path
                assert not member or member in made[model], path

    def test_every_path_of_the_service_has_its_operation_and_errors(self) -> None:
        paths = schema_set("devicestatus").openapi["paths"]
        assert list(paths) == [path for endpoint in ENDPOINTS for path in endpoint.paths]
        for endpoint in ENDPOINTS:
            for path in endpoint.paths:
                (operation,) = paths[path].items()
                assert operation[0].upper() == endpoint.methods[0]
                errors = {int(status) for status in operation[1]["responses"] if status >= "400"}
                codes = {*endpoint.error_codes, "method_not_allowed"}
                assert errors == {status for code, status in STATUS_OF.items() if code in codes}


class TestCalendar:
    """Patterns have exactly the days and times that the parsers read."""

    DAYS = tuple(
        f"{year:04}-{month:02}-{day:02}"
        for year in (0, 1, 4, 99, 100, 400, 1000, 1900, 2000, 2023, 2024, 9999)
        for month in range(14)
        for day in (*range(3), *range(27, 33))
    )

    def test_days(self) -> None:
        for day in self.DAYS:
            assert bool(re.fullmatch(CALENDAR_DAY, day)) == _parses(parse_day, day), day
        assert sum(_parses(parse_day, day) for day in self.DAYS) > 500
        assert date(2024, 2, 29).isoformat() in self.DAYS

    @pytest.mark.parametrize("form", TimestampFormat)
    def test_instants(self, form: TimestampFormat) -> None:
        builder = SchemaBuilder()
        reference = builder.of(Annotated[int, form])
        schema = builder.definitions[reference["$ref"].rpartition("/")[2]]
        validator = Draft202012Validator(schema)
        parse = parse_millisecond if form is TimestampFormat.MILLISECOND else parse_utc
        texts = [f"{day}T12:00:00.000Z" for day in self.DAYS]
        for clock in ("00:00:00", "23:59:59", "24:00:00", "12:60:00", "12:00:60", "1:00:00"):
            for end in ("Z", ".1Z", ".12Z", ".123Z", ".1234Z", ".Z", "z", "", "+00:00", ".123Z\n"):
                texts.append(f"2026-01-31T{clock}{end}")  # noqa: PERF401 - a table in two loops
        for text in texts:
            assert validator.is_valid(text) == _parses(parse, text), text


def _parses(parse: Any, text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


@attrs.frozen
class Base:
    """A base.

    More about it.

    Attributes:
        number: ABSENT or None,
            in two lines.
        other: its own words.

    Raises:
        ValueError: never.

    """

    number: int


@attrs.frozen
class Derived(Base):
    """A model."""


class TestGenerator:
    def test_descriptions_are_those_of_the_docstrings(self) -> None:
        summary, members = describe(Derived)
        assert summary == "A model."
        assert members == {"number": "absent or null, in two lines.", "other": "its own words."}

    def test_other_classes_and_constraints_have_no_schema(self) -> None:
        builder = SchemaBuilder()
        with pytest.raises(TypeError, match="no schema for 'text'"):
            builder.of(Annotated[str, "text"])
        with pytest.raises(TypeError, match="no schema for Plain"):
            builder.of(bytes)
        for kind, name in ((bool, "boolean"), (str, "string"), (float, "number"), (None, "null")):
            assert builder.of(kind) == {"type": name}
        assert builder.of(bool | None)["anyOf"][1] == {"type": "null"}

    def test_a_model_is_defined_once(self) -> None:
        builder = SchemaBuilder()
        assert builder.reference(IconManifest) == builder.reference(IconManifest)
        assert list(builder.definitions) == ["IconManifest", "InstalledAppIcon"]
