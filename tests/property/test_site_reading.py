"""Properties of parsing: equal results of both decoders, one error, no losses, no quotations.

Bodies are valid, valid with members replaced, removed or added, valid with bytes changed, invalid,
or arbitrary bytes.
"""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from purewire.findings import Finding, Undecided
from purewire.json import codec
from purewire.structuring.decoder import ModelDecoder
from purewire.structuring.to_builtins import to_builtins
from sitedata import SiteDataError, Snapshot, check, encode, parse, read
from sitedata.limits import FINDINGS_CAP
from sitedata.reading.decoder import decode_json
from sitedata.testing.strategies import (
    Faulty,
    bodies,
    faulty_bodies,
    json_values,
    snapshots,
    times,
)

SOME = settings(max_examples=30)
DECODER = ModelDecoder(Snapshot, cap=FINDINGS_CAP)
CANARY = "c4n4ry"
VALUES = st.one_of(
    json_values(),
    times(),
    st.sampled_from(
        [
            None,
            True,
            -1,
            0.5,
            1.0,
            -0.0,
            2**64,
            1e308,
            "2026-01-31",
            "2026-01-31T12:00:00.000Z",
            "\x00",
        ]
    ),
)
NAMES = st.sampled_from(
    ["path", "submittedAt", "submitted_at", "commitCount", "2026-01-31", "extra", "instant", ""]
) | st.text(max_size=3)
FRAGMENTS = st.sampled_from(
    [
        *(bytes([code]) for code in b'{}[]:,"\\ \n019.-eEnt'),
        *(b"\x00", b"\x7f", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
        *(b"\\ud800", b"\\u0000", b"\\n", b"null", b"1e999", b'"more":1,', b'"path":'),
    ]
) | st.binary(max_size=3)


def accepted(body: bytes) -> Snapshot | None:
    """Return the values that the fast decoder accepts."""
    try:
        return DECODER._decoder.decode(body)
    except Undecided:
        return None


def check_body(body: bytes) -> bool:
    """Check all properties of one body; return whether it is accepted."""
    report = check(body)
    assert len(report.errors) <= FINDINGS_CAP
    if report.snapshot is None:
        check_refusal(body, report.errors)
        return False
    snapshot = parse(body)
    assert (report.snapshot, report.errors) == (snapshot, ())
    plain = codec.decode(body)
    assert DECODER.validate(plain) == (snapshot, ())
    fast = accepted(body)
    event("findings path" if fast is None else "fast path")
    assert fast is None or repr(to_builtins(fast)) == repr(to_builtins(snapshot))
    assert decode_json(encode(snapshot)) == plain
    assert encode(parse(encode(snapshot))) == encode(snapshot)
    return True


def check_refusal(body: bytes, errors: tuple[Finding, ...]) -> None:
    """All functions report the same errors and code, and the fast decoder accepts nothing."""
    with pytest.raises(SiteDataError) as caught:
        parse(body)
    assert caught.value.findings == errors != ()
    is_text = errors[0].rule != "json.text"
    assert caught.value.code == ("invalid_site_data" if is_text else "invalid_json")
    assert accepted(body) is None


def places(value: object) -> list[tuple[Any, Any]]:
    """Yield every member and item of a plain value with its container."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else range(len(value))
    held: Any = value
    return [(held, key) for key in keys] + [place for key in keys for place in places(held[key])]


@st.composite
def mutated_values(draw: st.DrawFn) -> dict[str, Any]:
    """Draw plain snapshots with one or two members replaced, removed or added."""
    value = deepcopy(to_builtins(draw(snapshots(3))))
    for _ in range(draw(st.integers(1, 2))):
        holder, key = draw(st.sampled_from(places(value) or [(value, "more")]))
        action = draw(st.sampled_from(["replace", "drop", "insert"]))
        if action == "replace":
            holder[key] = draw(VALUES)
        elif action == "drop":
            holder.pop(key, None) if isinstance(holder, dict) else holder.pop(key)
        elif isinstance(holder, dict):
            holder[draw(NAMES)] = draw(VALUES)
        else:
            holder.insert(key, draw(VALUES))
    return value


@st.composite
def damaged_bodies(draw: st.DrawFn) -> bytes:
    """Draw valid bodies with a few bytes replaced, removed or added."""
    body = draw(bodies(2))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(body)))
        end = draw(st.integers(start, min(len(body), start + 4)))
        body = body[:start] + draw(FRAGMENTS) + body[end:]
    return body


class TestDecoders:
    """Invariants *accept or leave*, *two paths, one result*, *one error*, *round trip*."""

    @SOME
    @given(bodies())
    def test_valid_bodies(self, body: bytes) -> None:
        assert check_body(body)

    @settings(max_examples=40)
    @given(mutated_values())
    def test_mutated_values(self, value: dict[str, Any]) -> None:
        body = codec.encode(value)
        assert (
            check_body(body)
            == check_body(json.dumps(value, indent=1).encode())
            == (check(value).errors == ())
        )

    @settings(max_examples=40)
    @given(damaged_bodies())
    def test_damaged_bodies(self, body: bytes) -> None:
        check_body(body)

    @settings(max_examples=40)
    @given(faulty_bodies())
    def test_faulty_bodies(self, faulty: Faulty) -> None:
        assert not check_body(faulty.body)

    @given(st.binary(max_size=40) | st.lists(FRAGMENTS, max_size=12).map(b"".join))
    @example(b"")
    @example(b"{}")
    @example(b"[" * 16_000)
    @example(b"[" * 8000 + b"]" * 8000)
    def test_arbitrary_bytes(self, body: bytes) -> None:
        assert not check_body(body)

    @SOME
    @given(VALUES)
    def test_arbitrary_values(self, value: object) -> None:
        if isinstance(value, str):  # text is no file, and no plain value of one
            with pytest.raises(TypeError):
                check(value)
        else:
            assert check(value).snapshot is None
        assert not check_body(codec.encode(value))

    @SOME
    @given(snapshots())
    def test_the_fast_decoder_accepts_bodies_without_unknown_members(
        self, snapshot: Snapshot
    ) -> None:
        """This includes control characters and escapes."""
        plain = to_builtins(snapshot)
        named = {"repository": ("owner", "name", "branch"), "problems": ("path", "platform")}
        unknown = snapshot.extra or snapshot.repository.extra
        assert named.keys() <= plain.keys()
        if unknown or any(problem.extra for problem in snapshot.problems):
            assert accepted(encode(snapshot)) is None
        else:
            big = any(
                count >= 2**63
                for count in (snapshot.commit_count, *plain["contributions"].values())
            )
            assert big or accepted(encode(snapshot)) == snapshot


class TestRoundTrip:
    @SOME
    @given(snapshots())
    def test_a_snapshot_equals_its_parsed_bytes(self, snapshot: Snapshot) -> None:
        assert parse(encode(snapshot)) == read(to_builtins(snapshot)) == snapshot
        assert hash(parse(encode(snapshot))) == hash(snapshot)

    @SOME
    @given(snapshots(), snapshots())
    def test_different_snapshots_have_different_bytes(self, one: Snapshot, other: Snapshot) -> None:
        assert encode(one) != encode(other) or one == other


class TestNoQuotations:
    """Invariant *findings quote no input*."""

    @SOME
    @given(mutated_values() | faulty_bodies().map(lambda faulty: faulty.body))
    def test_no_finding_quotes_a_value(self, value: object) -> None:
        report = check(damaged_value(plain_value(value)))
        assert report.errors != ()
        assert CANARY not in "".join(finding.message for finding in report.errors)


def plain_value(value: object) -> object:
    if not isinstance(value, bytes):
        return value
    try:
        return codec.decode(value)
    except ValueError:
        return [value.decode("latin-1")]


def damaged_value(value: object) -> object:
    """Return a plain value with the canary in every text."""
    if isinstance(value, dict):
        return {name: damaged_value(member) for name, member in value.items()}
    if isinstance(value, list):
        return [damaged_value(each) for each in value]
    return f"{value}{CANARY}" if isinstance(value, str) else value
