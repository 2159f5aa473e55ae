"""Public hostile input at both entry points: JSON documents, naughty strings, URLs, schema cases.

What each corpus is and where it comes from: `tests/data/corpora/README.md`.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import attrs
import pytest

from devicestatus.validation.cross_field import RULES
from devicestatus.validation.music_urls import (
    ITUNES,
    CatalogHosts,
    artwork_fault,
    is_https,
    track_fault,
)
from devicestatus.validation.parse import parse_snapshot
from status_contracts.findings import Undecided
from status_contracts.primitives import WHITE_SPACE, is_blank, is_integral
from status_contracts.structuring.constraints import Integer, Number, Text
from status_contracts.structuring.fast_decoder import FastDecoder
from status_contracts.structuring.to_builtins import to_builtins
from status_contracts.structuring.validator import Validator
from support.devicestatus.entry_points import (
    put,
    refusal,
    snapshot_faults,
    window_faults,
    window_refusal,
)
from support.devicestatus.examples import COVERED_SONG, NOON, body, plain, snapshot, window

CORPORA = Path(__file__).parents[1] / "data" / "corpora"
SNAPSHOT = plain(snapshot(music=COVERED_SONG, running_apps=("a",)))
WINDOW = plain(window())
INVALID_JSON = ("invalid_json", ["json.text"])
DEEPEST = 64
"""Levels up to which the code of a refusal is fixed."""
CONTROLS = {chr(code) for code in (*range(0x20), 0x7F)}


def load(name: str) -> Any:
    return json.loads((CORPORA / name).read_text("utf-8"))


def documents() -> Iterator[tuple[str, str, bytes]]:
    """Generate the name, the expected result and the text of every document."""
    for name in ("json_test_suite.jsonl", "json_test_suite_transform.jsonl"):
        for line in (CORPORA / name).read_text("utf-8").splitlines():
            case = json.loads(line)
            text = base64.b64decode(case["body_b64"])
            is_deep = text.count(b"[") > DEEPEST
            yield case["name"], "refuse" if is_deep else case["expect"], text


DOCUMENTS = tuple(documents())
CODES = {
    "accept": {"invalid_payload"},
    "reject": {"invalid_json"},
    "either": {"invalid_json", "invalid_payload"},
    "refuse": {"invalid_json", "invalid_payload"},
}


class TestJsonDocuments:
    """JSONTestSuite as bodies, and as the value of a member."""

    def test_no_document_is_a_body(self) -> None:
        """JSON is still no snapshot and no window; other text is invalid_json."""
        failures = []
        for name, expect, text in DOCUMENTS:
            small = CODES[expect] if len(text) <= 16_384 else {"payload_too_large"}
            found = refusal(text)[0], window_refusal(text)[0]
            if found[0] not in small or found[1] not in CODES[expect]:
                failures.append((name, expect, found))
        assert not failures, failures

    @pytest.mark.parametrize("path", ["active_app", "battery/percent", "music", "running_apps"])
    def test_a_document_in_the_place_of_a_member(self, path: str) -> None:
        before, after = body(put(SNAPSHOT, path, "@here@")).split(b'"@here@"')
        failures = []
        for name, expect, text in DOCUMENTS:
            spliced = before + text + after
            code, rules = refusal(spliced) if len(spliced) <= 16_384 else window_refusal(spliced)
            if expect == "reject":
                is_expected = (code, rules) == INVALID_JSON
            elif expect == "refuse":
                is_expected = code in CODES["refuse"]
            elif expect == "accept":
                is_valid = fits(path, json.loads(text))
                is_expected = code == ("accepted" if is_valid else "invalid_payload")
            else:
                is_expected = code in {"accepted", *CODES["either"]} and set(rules) <= RULES.keys()
            if not is_expected:
                failures.append((name, expect, code, rules))
        assert not failures, failures


def fits(path: str, value: object) -> bool:
    """Check whether a value is valid in a place, by the specification."""
    if path == "battery/percent":
        if isinstance(value, int | float) and not isinstance(value, bool):
            return 0 <= value <= 100
        return value is None
    if path == "active_app":
        return value is None or is_name(value, 200)
    if path == "running_apps":
        return isinstance(value, list) and all(is_name(each, 200) for each in value)
    return False


def is_name(value: object, most: int) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= most and not CONTROLS & set(value)


class TestNaughtyStrings:
    """Text is accepted exactly by the stated rules, and returned unchanged."""

    STRINGS: tuple[str, ...] = tuple(dict.fromkeys(load("blns.json")))

    @pytest.mark.parametrize(
        ("path", "most"),
        [("active_app", 200), ("running_apps/0", 200), ("music/track", 500), ("music/artist", 500)],
    )
    def test_text_fields(self, path: str, most: int) -> None:
        base = put(SNAPSHOT, "music", {"state": "paused", "track": None, "artist": None})
        for text in self.STRINGS:
            value = put(base, path, text)
            is_valid = is_name(text, most)
            assert (snapshot_faults(value) == []) == is_valid
            if is_valid:
                assert to_builtins(parse_snapshot(body(value), received_at=NOON)) == value

    def test_titles_beside_urls(self) -> None:
        for text in self.STRINGS:
            faults = snapshot_faults(put(SNAPSHOT, "music/track", text))
            assert (faults == []) == (is_name(text, 500) and not is_blank(text))

    @pytest.mark.parametrize("path", ["music/artwork_url", "music/track_url"])
    def test_none_is_a_url_of_the_catalog(self, path: str) -> None:
        for text in self.STRINGS:
            ((where, rule),) = snapshot_faults(put(SNAPSHOT, path, text))
            assert where == f"/{path}"
            expected = {"text.length"} if len(text) > 2048 else {"text.control"}
            if len(text) <= 2048 and not CONTROLS & set(text):
                expected = {"url.parse", "url.scheme", "url.credentials", "url.port", "url.host"}
                if text and (text[0] in WHITE_SPACE or text[-1] in WHITE_SPACE):
                    expected = {"url.trimmed"}
            assert rule in expected

    @pytest.mark.parametrize("path", ["collected_at", "music/state", "battery/power_source"])
    def test_none_is_a_timestamp_or_a_constant(self, path: str) -> None:
        for text in self.STRINGS:
            assert snapshot_faults(put(SNAPSHOT, path, text)) != []

    def test_none_is_a_member_name(self) -> None:
        for text in self.STRINGS:
            ((_, rule),) = snapshot_faults({text: None, **SNAPSHOT})
            assert rule == "unknown"

    def test_none_is_a_session(self) -> None:
        for text in self.STRINGS:
            faults = window_faults(put(WINDOW, "session_id", text))
            assert faults == [("/session_id", "text.pattern")]


URLS: list[dict[str, Any]] = [
    case
    for name in ("wpt_urltestdata.json", "wpt_urltestdata_javascript_only.json")
    for case in load(name)
    if isinstance(case, dict)
]
ABSOLUTE = [case for case in URLS if case.get("base") is None]


class TestUrls:
    """The URL suite of the web platform, with the expected parts as the oracle of our rules."""

    def test_every_case_has_a_rule_or_none(self) -> None:
        for case in URLS:
            faults = {fault(case["input"], ITUNES) for fault in (artwork_fault, track_fault)}
            assert faults <= {None, *RULES}

    def test_a_page_on_the_host_of_the_case(self) -> None:
        failures = []
        for case in ABSOLUTE:
            hostname, url = case.get("hostname", ""), case["input"]
            catalog = CatalogHosts("img.example", [hostname] if hostname else [])
            expected = rule_of(case), rule_of(case) or "url.host"
            found = track_fault(url, catalog), track_fault(url, ITUNES)
            if found != expected:
                failures.append((url, found, expected))
        assert not failures, failures

    def test_artwork_on_the_host_of_the_case(self) -> None:
        """The host is strictly below a domain: the host itself is refused, its parent accepted."""
        failures = []
        for case in ABSOLUTE:
            hostname: str = case.get("hostname", "")
            expected: dict[str, str | None] = {hostname: rule_of(case) or "url.host"}
            label, _, domain = hostname.partition(".")
            if label and domain and not domain.split(".")[-1][:1].isdigit():
                expected[domain] = rule_of(case)
            found = {each: artwork_fault(case["input"], CatalogHosts(each)) for each in expected}
            if found != expected:
                failures.append((case["input"], found, expected))
        assert not failures, failures

    def test_the_suite_reaches_every_rule(self) -> None:
        assert {rule_of(case) for case in ABSOLUTE} == {
            None,
            "url.trimmed",
            "text.control",
            "url.parse",
            "url.scheme",
            "url.credentials",
            "url.port",
        }

    def test_is_https_agrees_with_the_suite(self) -> None:
        for case in ABSOLUTE:
            is_valid = rule_of(case) in {None, "url.credentials", "url.port"}
            assert is_https(case["input"]) == is_valid


def rule_of(case: dict[str, Any]) -> str | None:
    """Return the rule that a case breaks on its own host, from its expected parts."""
    url: str = case["input"]
    if url and (url[0] in WHITE_SPACE or url[-1] in WHITE_SPACE):
        return "url.trimmed"
    if CONTROLS & set(url):
        return "text.control"
    if case.get("failure") or re.search("[\ud800-\udfff]", url):
        return "url.parse"
    if case["protocol"] != "https:":
        return "url.scheme"
    if case["username"] or case["password"]:
        return "url.credentials"
    return "url.port" if case["port"] else None


def schemas(name: str) -> Iterator[tuple[dict[str, Any], Any, bool]]:
    """Return schema, data and verdict of every case of a file."""
    for group in load(f"json_schema/{name}.json"):
        for case in group["tests"]:
            yield group["schema"], case["data"], case["valid"]


def both_paths(annotation: Any, data: object) -> bool:
    """Validate data by a model made for it, on both paths; return whether it is valid."""
    members = {"data": attrs.field(type=annotation), "more": attrs.field(type=bool)}
    model: type[Any] = attrs.make_class("Made", members, frozen=True)
    value = {"data": data, "more": True}
    read, findings = Validator(model, cap=9).validate(value)
    try:
        decoded = FastDecoder(model).decode(json.dumps(value).encode())
    except Undecided:
        return findings == ()
    assert (decoded, ()) == (read, findings)
    return True


PLACES: dict[str, Callable[[object], list[Any]]] = {
    "integer": lambda data: window_faults(put(WINDOW, "dropped_events", data)),
    "number": lambda data: snapshot_faults(put(SNAPSHOT, "battery/percent", data)),
    "boolean": lambda data: snapshot_faults(put(SNAPSHOT, "battery/charging", data)),
    "string": lambda data: snapshot_faults(put(SNAPSHOT, "active_app", data)),
    "array": lambda data: snapshot_faults(put(SNAPSHOT, "running_apps", data)),
    "object": lambda data: snapshot_faults(put(SNAPSHOT, "music", data)),
}
NULLABLE = ("number", "boolean", "string")


class TestSchemaTypes:
    """`type`: booleans are no numbers, `1.0` is an integer, text that looks like one is not."""

    @pytest.mark.parametrize("kind", PLACES)
    @pytest.mark.parametrize("name", ["type", "optional__bignum"])
    def test_the_type_is_found(self, kind: str, name: str) -> None:
        for schema, data, valid in schemas(name):
            if schema.get("type") == kind:
                rules = {rule for _, rule in PLACES[kind](data)}
                wrong = not valid and not (data is None and kind in NULLABLE)
                if kind == "integer" and isinstance(data, float):
                    assert (rules == {"number.integral"}) == wrong
                else:
                    assert (rules == {"type"}) == wrong

    def test_a_huge_float_is_integral(self) -> None:
        for _, data, valid in schemas("optional__float-overflow"):
            assert is_integral(data) == valid


class TestSchemaLimits:
    @pytest.mark.parametrize("name", ["minLength", "maxLength"])
    def test_lengths_are_code_points(self, name: str) -> None:
        for schema, data, valid in schemas(name):
            if isinstance(data, str):
                limit = int(schema[name])
                shape = Text(limit) if name == "minLength" else Text(0, limit)
                assert both_paths(Annotated[str, shape], data) == valid

    @pytest.mark.parametrize("name", ["minimum", "maximum"])
    def test_numbers_lie_within_their_limits(self, name: str) -> None:
        """`1.1` is no limit that the vocabulary can state; all whole ones are."""
        for schema, data, valid in schemas(name):
            limit = schema[name]
            if is_integral(limit) and isinstance(data, int | float):
                span = (int(limit), 10**6) if name == "minimum" else (-(10**6), int(limit))
                assert both_paths(Annotated[int | float, Number(*span)], data) == valid
                if is_integral(data):
                    assert both_paths(Annotated[int, Integer(*span)], data) == valid

    def test_names_are_unique(self) -> None:
        for schema, data, valid in schemas("uniqueItems"):
            if schema["uniqueItems"] and isinstance(data, list) and all(map(is_text, data)):
                faults = snapshot_faults(put(SNAPSHOT, "running_apps", data))
                assert (faults == []) == valid

    @pytest.mark.parametrize("name", ["const", "enum"])
    def test_constants_are_of_their_own_type(self, name: str) -> None:
        """False is not 0, and true is not 1; `2.0` is 2."""
        for schema, data, valid in schemas(name):
            constants = [schema["const"]] if name == "const" else schema.get("enum", [])
            constants = [int(each) if isinstance(each, float) else each for each in constants]
            if constants and all(isinstance(each, int | str | None) for each in constants):
                literal: Any = Literal[tuple(constants)]
                made = attrs.make_class("Made", {"data": attrs.field(type=literal)})
                _, findings = Validator(made, cap=9).validate({"data": data})
                assert (findings == ()) == valid


def is_text(value: object) -> bool:
    return isinstance(value, str)


class TestSchemaFormats:
    OURS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]{1,3})?Z")

    def test_dates_are_days_that_exist(self) -> None:
        for _, data, valid in schemas("optional__format__date"):
            if isinstance(data, str):
                value = put(SNAPSHOT, "collected_at", f"{data}T12:00:00Z")
                assert self._is_time(snapshot_faults(value)) == valid

    def test_timestamps_are_our_part_of_rfc_3339(self) -> None:
        """UTC with a capital Z, at most milliseconds, no leap second."""
        for _, data, valid in schemas("optional__format__date-time"):
            if isinstance(data, str):
                ours = valid and self.OURS.fullmatch(data) is not None
                assert self._is_time(snapshot_faults(put(SNAPSHOT, "collected_at", data))) == ours
                exact = ours and data.find(".") == len("YYYY-MM-DDTHH:MM:SS")
                exact = exact and len(data) == len("YYYY-MM-DDTHH:MM:SS.mmmZ")
                assert self._is_time(window_faults(put(WINDOW, "generated_at", data))) == exact

    def test_sessions_are_lower_case_uuids(self) -> None:
        for _, data, valid in schemas("optional__format__uuid"):
            if isinstance(data, str):
                faults = window_faults(put(WINDOW, "session_id", data))
                assert (faults == []) == (valid and data == data.lower())

    def test_every_uri_has_a_result(self) -> None:
        """The web platform reads more than RFC 3986 allows, so only the rules are compared."""
        for _, data, _ in schemas("optional__format__uri"):
            if isinstance(data, str):
                assert track_fault(data, ITUNES) in RULES
                assert not is_https(data) or data.startswith("https:")

    @pytest.mark.parametrize(("pattern", "blank"), [(r"^\s$", True), (r"^\S$", False)])
    def test_white_space_is_ecmascripts(self, pattern: str, blank: bool) -> None:
        cases = [
            (str(data), valid)
            for schema, data, valid in schemas("optional__ecmascript-regex")
            if schema.get("pattern") == pattern
        ]
        assert cases
        for text, valid in cases:
            assert is_blank(text) == (valid == blank)

    def _is_time(self, faults: list[tuple[str, str]]) -> bool:
        return "time.format" not in {rule for _, rule in faults}
