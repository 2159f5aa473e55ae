"""Content codings: the choice by Accept-Encoding (RFC 9110 section 12.5.3), tags, Vary."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from purewire.http.content_coding import (
    MIN_BYTES,
    choose_coding,
    is_codable,
    with_coding,
    with_plain_tags,
    with_tag_of_copy,
    with_vary,
)
from purewire.http.messages import Request, Response
from support.checks.costs import assert_linear

BOTH = ("zstd", "gzip")


def choose(*lines: str) -> str | None:
    return choose_coding([line.encode("latin-1") for line in lines], BOTH)


class TestChoose:
    @pytest.mark.parametrize(
        ("field", "coding"),
        [
            ("gzip", "gzip"),
            ("gzip, zstd", "zstd"),
            ("GZip", "gzip"),
            ("x-gzip", "gzip"),
            ("gzip;q=1.0, zstd;q=0.999", "gzip"),
            ("gzip ; q=0.5 ,zstd\t;\tq=0.4", "gzip"),
            ("gzip;Q=1", "gzip"),
            ("*", "zstd"),
            ("*;q=0.5, zstd;q=0.4", "gzip"),
            ("*;q=0.1, gzip;q=0", "zstd"),
            ("identity;q=0, gzip", "gzip"),
            ("identity;q=0.5, gzip;q=0.5", "gzip"),
            (", ,gzip,,", "gzip"),
        ],
    )
    def test_the_greatest_weight_is_chosen(self, field: str, coding: str) -> None:
        assert choose(field) == coding

    @pytest.mark.parametrize(
        "field",
        [
            "",
            "identity",
            "br, deflate",
            "gzip;q=0.000, zstd;q=0.",
            "identity, gzip;q=0.5",
            "*;q=0, identity",
            "*;q=0.5, gzip;q=0.3, zstd;q=0.3",
        ],
    )
    def test_identity_if_it_is_preferred_or_nothing_else_is_acceptable(self, field: str) -> None:
        assert choose(field) is None

    def test_without_a_header_there_is_no_coding(self) -> None:
        assert choose() is None

    @pytest.mark.parametrize(
        "field", ["identity;q=0", "*;q=0", "identity;q=0, br", "br;q=1, *;q=0"]
    )
    def test_without_an_acceptable_coding_identity_is_sent(self, field: str) -> None:
        assert choose(field) is None

    @pytest.mark.parametrize(
        "member",
        [
            "gzip;q=1.001",
            "gzip;q=0.0001",
            "gzip;q=.5",
            "gzip;q=",
            "gzip;level=9",
            "gzip q=1",
            "gzip;q =1",
            "gzip\xff",
            "gzip;q=\u00b2",
        ],
    )
    def test_an_invalid_member_is_ignored(self, member: str) -> None:
        assert choose(member) is None
        assert choose(f"{member}, zstd;q=0.1") == "zstd"

    def test_lines_are_one_list(self) -> None:
        assert choose("zstd;q=0.2", "gzip;q=0.3") == "gzip"

    @pytest.mark.parametrize("field", ["gzip, gzip;q=0", "gzip;q=0, gzip", "x-gzip;q=0, gzip"])
    def test_of_several_weights_the_lowest_counts(self, field: str) -> None:
        """Invariant *refusal wins*."""
        assert choose(field) is None

    def test_without_codings_there_is_no_choice(self) -> None:
        assert choose_coding([b"gzip, *"], ()) is None

    @settings(max_examples=60)
    @given(st.lists(st.binary(max_size=30), max_size=3))
    def test_any_bytes_get_a_choice(self, lines: list[bytes]) -> None:
        """Invariant *always a choice*."""
        assert choose_coding(lines, BOTH) in {None, *BOTH}

    @settings(max_examples=40)
    @given(st.dictionaries(st.sampled_from([*BOTH, "identity", "*", "br"]), st.integers(0, 1000)))
    def test_the_choice_is_the_best_of_what_is_acceptable(self, weights: dict[str, int]) -> None:
        field = ", ".join(f"{name};q={weight / 1000:.3f}" for name, weight in weights.items())
        others = weights.get("*", 0)
        offered = {coding: weights.get(coding, others) for coding in BOTH}
        plain = weights.get("identity", weights.get("*"))
        found = choose(field)
        if found is None:
            assert max(offered.values()) < max(1, plain or 0)
        else:
            assert offered[found] == max(offered.values()) > 0
            assert plain is None or offered[found] >= plain

    @pytest.mark.parametrize("piece", [",", "gzip;q=0.5,"])
    def test_the_time_is_linear(self, piece: str) -> None:
        assert_linear(choose, lambda size: piece * (size // len(piece)), 100_000)


PAGE = b"<p>text</p>" * 200
TAG = '"abc"'


def answer(status: int = 200, body: bytes = PAGE, **headers: str) -> Response:
    """Return a response; names of headers have `_` for `-`, an empty value leaves one out."""
    defaults = {"Content_Type": "text/html", "ETag": TAG, "Content_Length": str(len(body))}
    lines = {name.replace("_", "-"): value for name, value in (defaults | headers).items() if value}
    return Response(status, tuple(lines.items()), body)


def asking(tags: str = "") -> Request:
    return Request("GET", b"/", ((b"if-none-match", tags.encode()), (b"host", b'a-gzip"')))


class TestWhichBodies:
    @pytest.mark.parametrize(
        "kind", ["text/html; charset=utf-8", "application/json", "image/svg+xml; charset=utf-8"]
    )
    def test_texts_of_some_size_with_a_tag_are_coded(self, kind: str) -> None:
        assert is_codable(answer(Content_Type=kind))
        assert is_codable(answer(Content_Type=kind, body=b"", Content_Length="1024"))

    @pytest.mark.parametrize(
        "response",
        [
            answer(404),
            answer(body=b"x" * (MIN_BYTES - 1)),
            answer(ETag=""),
            answer(Content_Length="", body=b""),
            answer(Content_Type=""),
            answer(Content_Type="image/png"),
            answer(Content_Type="application/jsonp"),
            answer(Content_Encoding="gzip"),
            answer(Cache_Control="public, no-transform"),
        ],
        ids=str,
    )
    def test_others_are_sent_as_they_are(self, response: Response) -> None:
        assert not is_codable(response)


class TestTags:
    def test_coded_content_has_a_tag_of_its_own(self) -> None:
        coded = with_coding(answer(), "gzip", b"coded")
        assert coded.body == b"coded"
        assert dict(coded.headers) == {
            "Content-Type": "text/html",
            "ETag": '"abc-gzip"',
            "Content-Length": "5",
            "Content-Encoding": "gzip",
        }

    def test_repeated_headers_of_others_stay(self) -> None:
        links = (("Link", "</a>"), ("Link", "</b>"))
        response = Response(200, (*links, ("ETag", TAG), ("Content-Length", "2000")), PAGE)
        assert with_coding(response, "gzip", b"coded").headers[:2] == links

    def test_a_service_compares_the_tag_of_the_content_of_a_coded_copy(self) -> None:
        request = with_plain_tags(asking('"x", W/"abc-gzip"'), "gzip")
        assert request.headers == (
            (b"if-none-match", b'"x", W/"abc-gzip", "x", W/"abc"'),
            (b"host", b'a-gzip"'),
        )

    def test_a_copy_with_another_coding_is_not_current(self) -> None:
        assert with_plain_tags(asking('"abc-gzip"'), "zstd") == asking('"abc-gzip"')

    def test_unchanged_content_keeps_the_tag_of_the_copy(self) -> None:
        unchanged = Response(304, (("ETag", TAG),))
        found = with_tag_of_copy(asking('"abc-gzip"'), unchanged, "gzip")
        assert found.headers == (("ETag", '"abc-gzip"'),)
        assert with_tag_of_copy(asking(TAG), unchanged, "gzip") == unchanged


class TestVary:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("", "Accept-Encoding"),
            ("Origin", "Origin, Accept-Encoding"),
            ("accept-encoding, Origin", "accept-encoding, Origin"),
        ],
    )
    def test_a_response_says_that_it_depends_on_the_codings(self, before: str, after: str) -> None:
        assert dict(with_vary(answer(Vary=before)).headers)["Vary"] == after
