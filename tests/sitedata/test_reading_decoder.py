"""Reading a file: the models, tolerance, errors; and writing it."""

import copy
import json
import pickle
from typing import Any

import attrs
import pytest

from sitedata import Problem, SiteDataError, check, encode, parse, structure
from sitedata.parsing import decode_json
from support.sitedata.site_examples import PLAIN, PROBLEM, SNAPSHOT, plain, snapshot


@pytest.mark.rule("SD-ORDER-06", "SD-PROBLEM-07")
class TestProblem:
    def test_equality_compares_the_text_of_a_time(self) -> None:
        """The offset is kept, so two texts of one instant are two problems."""
        other = attrs.evolve(PROBLEM, submitted_at="2026-01-31T11:00:00Z")
        assert other.instant == PROBLEM.instant
        assert other != PROBLEM

    def test_only_the_instant_is_derived(self) -> None:
        with pytest.raises(TypeError):
            Problem("", "", "", "", "", "", "", None, instant=1)  # type: ignore[call-arg]

    def test_undocumented_members_are_compared(self) -> None:
        other = attrs.evolve(PROBLEM, extra={"more": []})
        assert other != PROBLEM
        assert hash(other) == hash(PROBLEM)

    @pytest.mark.parametrize("model", [PROBLEM, SNAPSHOT, SNAPSHOT.repository], ids=type)
    def test_models_are_copied_and_pickled(self, model: Any) -> None:
        assert pickle.loads(pickle.dumps(model)) == model  # noqa: S301 - what was just made
        assert copy.deepcopy(model) == model


class TestReprs:
    def test_the_repr_of_a_snapshot_names_it(self) -> None:
        assert repr(SNAPSHOT) == "<Snapshot of someone/practice at main: 1 problem>"


def errors(value: object) -> list[tuple[str, str]]:
    """Return paths and rules of the errors of `structure`."""
    with pytest.raises(SiteDataError) as caught:
        structure(value)
    assert caught.value.code == "invalid_site_data"
    return [(finding.path, finding.rule) for finding in caught.value.findings]


class TestParse:
    def test_a_file(self) -> None:
        assert parse(encode(SNAPSHOT)) == SNAPSHOT
        assert parse(b"\xef\xbb\xbf" + json.dumps(PLAIN, indent=2).encode()) == SNAPSHOT

    @pytest.mark.parametrize("read", [parse, check])
    def test_text_is_not_bytes(self, read: Any) -> None:
        with pytest.raises(TypeError, match="bytes are needed, not str: encode the text as UTF-8"):
            read(encode(SNAPSHOT).decode())

    def test_syntax_errors_are_located(self) -> None:
        with pytest.raises(SiteDataError) as caught:
            parse(b'{"problems": [],\n "a" 1}')
        (finding,) = caught.value.findings
        assert finding.message == "line 2, column 6: expected a ':' delimiter"

    @pytest.mark.parametrize(
        "number", [b"1e999", b"-1e999", b"9" * 5000, b"1" + b"0" * 400 + b".5"]
    )
    def test_numbers_beyond_the_range_of_doubles(self, number: bytes) -> None:
        for name in ("commitCount", "more"):
            body = json.dumps(plain(**{name: "@"})).encode().replace(b'"@"', number)
            with pytest.raises(SiteDataError) as caught:
                parse(body)
            assert [finding.path for finding in caught.value.findings] == [f"/{name}"]
            assert {finding.rule for finding in caught.value.findings} == {"number.finite"}

    def test_a_plain_value_alone(self) -> None:
        assert decode_json(encode(SNAPSHOT)) == PLAIN
        with pytest.raises(SiteDataError):
            decode_json(b"{")


class TestErrors:
    @pytest.mark.parametrize(
        ("value", "found"),
        [
            (None, ("", "type")),
            (plain(generatedAt="0000-01-01T00:00:00.000Z"), ("/generatedAt", "time.format")),
            (plain(contributions={"": 1}), ("/contributions/", "date.real")),
            (plain(more="\ud800"), ("/more", "text.surrogate")),
            (plain(ratings={"x": float("nan")}), ("/ratings/x", "number.finite")),
        ],
    )
    def test_what_no_vector_has_has_its_path_and_rule(
        self, value: object, found: tuple[str, str]
    ) -> None:
        """The vectors have each member without a value and with one of each wrong kind."""
        assert errors(value) == [found]


@pytest.mark.rule("SD-ENCODE-03", "SD-TIME-02")
class TestEncode:
    def test_compact_with_one_line_feed(self) -> None:
        body = encode(SNAPSHOT)
        assert body == json.dumps(PLAIN, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def test_unknown_members_come_last_in_their_order(self) -> None:
        value = {"z": 1, **PLAIN, "a": 2}
        assert list(json.loads(encode(structure(value))))[-2:] == ["z", "a"]

    def test_days_ascend(self) -> None:
        days = {"2026-01-31": 2, "2026-01-30": 1}
        assert encode(snapshot(contributions=days)) == encode(SNAPSHOT)

    def test_the_offset_of_a_time_is_kept(self) -> None:
        assert PROBLEM.submitted_at is not None
        assert PROBLEM.submitted_at.encode() in encode(SNAPSHOT)
