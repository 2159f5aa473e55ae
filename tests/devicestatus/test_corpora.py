"""Public hostile input at both entry points: JSON documents, naughty strings, URLs.

What each corpus is and where it comes from: `tests/data/corpora/README.md`.
"""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devicestatus.cross_field import RULES
from devicestatus.music_urls import ITUNES, CatalogHosts, artwork_fault, is_https, track_fault
from devicestatus.parsing import parse_snapshot
from status_contracts.primitives import WHITE_SPACE
from status_contracts.structuring.converter import unstructure
from support.devicestatus.entry_points import put, refusal, snapshot_faults, window_refusal
from support.devicestatus.examples import COVERED_SONG, NOON, body, plain, snapshot, window

pytestmark = pytest.mark.check

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
REFUSED = {"invalid_json", "invalid_payload"}


class TestJsonDocuments:
    """JSONTestSuite as the value of a member."""

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
                is_expected = code in REFUSED
            elif expect == "accept":
                is_valid = fits(path, json.loads(text))
                is_expected = code == ("accepted" if is_valid else "invalid_payload")
            else:
                is_expected = code in {"accepted", *REFUSED} and set(rules) <= RULES.keys()
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
                assert unstructure(parse_snapshot(body(value), received_at=NOON)) == value

    def test_titles_beside_urls(self) -> None:
        for text in self.STRINGS:
            faults = snapshot_faults(put(SNAPSHOT, "music/track", text))
            assert (faults == []) == (is_name(text, 500) and text.strip(WHITE_SPACE) != "")

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


URLS: list[dict[str, Any]] = [
    case
    for name in ("wpt_urltestdata.json", "wpt_urltestdata_javascript_only.json")
    for case in load(name)
    if isinstance(case, dict)
]
MALFORMED = re.compile("xn--(pokxncvks$|/)", re.IGNORECASE)
"""Punycode that no name has: the standard lets it pass in ASCII hosts, and our rule refuses it."""
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
    if case.get("failure") or re.search("[\ud800-\udfff]", url) or MALFORMED.search(url):
        return "url.parse"
    if case["protocol"] != "https:":
        return "url.scheme"
    if case["username"] or case["password"]:
        return "url.credentials"
    return "url.port" if case["port"] else None
