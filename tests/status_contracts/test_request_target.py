"""Invariant *undecoded*, and which of two paths counts."""

from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.messages import wire_path
from support.checks.costs import assert_linear

paths = st.text("/ab%2fF.;?#é", max_size=12).map(lambda text: b"/" + text.encode())


class TestWithTheRawTarget:
    @pytest.mark.parametrize(
        ("target", "decoded", "path"),
        [
            (b"/api/now?a=b?c#d", b"/api/now", b"/api/now"),
            (b"/api/%6eow", b"/api/now", b"/api/%6eow"),
            (b"/api%2Fnow", b"/api/now", b"/api%2Fnow"),
            (b"/%zz%4", b"/%zz%4", b"/%zz%4"),
            (b"*", b"*", b"*"),
            (b"", b"", b""),
            (b"//api/now", b"/api/now", b"//api/now"),  # the gateway collapsed slashes
            (b"/api/now#x", b"/api/now", b"/api/now#x"),  # cut a fragment
            (b"/a%ff", "/a\ufffd".encode(), b"/a%ff"),  # or replaced bytes
        ],
    )
    def test_the_encoding_is_kept_and_the_query_is_cut(
        self, target: bytes, decoded: bytes, path: bytes
    ) -> None:
        assert wire_path(target, decoded) == path

    @pytest.mark.parametrize(
        ("target", "path"),
        [
            (b"http://host/api/now", b"/api/now"),
            (b"HTTPS://user@host:80/api/%6eow?x", b"/api/%6eow"),
            (b"http://host", b"/"),
            (b"http://host?x", b"/"),
        ],
    )
    def test_an_absolute_target_is_reduced_to_its_path(self, target: bytes, path: bytes) -> None:
        split = unquote_to_bytes(path)
        unsplit = unquote_to_bytes(target.partition(b"?")[0])
        assert wire_path(target, split) == path
        assert wire_path(target, unsplit) == path

    @given(paths)
    def test_whatever_it_is(self, raw: bytes) -> None:
        path = raw.partition(b"?")[0]
        assert wire_path(raw, unquote_to_bytes(path)) == path


class TestMounted:
    @pytest.mark.parametrize(
        ("target", "decoded", "mount", "path"),
        [
            (b"/%78/api/now", b"/api/now", b"/x", b"/api/now"),
            (b"/x%2Fapi/now", b"/api/now", b"/x", b"%2Fapi/now"),
            (b"/x", b"", b"/x", b""),
            (b"/a%20b/%C3%BC/c", b"/c", "/a b/ü".encode(), b"/c"),
            (b"/x/x/api", b"/x/api", b"/x", b"/x/api"),
        ],
    )
    def test_the_mount_point_is_cut_however_it_is_spelled(
        self, target: bytes, decoded: bytes, mount: bytes, path: bytes
    ) -> None:
        assert wire_path(target, decoded, mount) == path

    @pytest.mark.parametrize(
        ("target", "decoded"), [(b"/api/%6eow", b"/api/now"), (b"/x", b"/x"), (b"/", b"/")]
    )
    def test_a_mount_point_that_a_proxy_cut_is_not_missed(
        self, target: bytes, decoded: bytes
    ) -> None:
        assert wire_path(target, decoded, b"/proxy") == target

    @pytest.mark.parametrize("mount", [b"/proxy/x", b"/a/b/c/x", b"/x/x/x"])
    def test_nor_is_the_part_of_it_that_a_proxy_cut(self, mount: bytes) -> None:
        assert wire_path(b"/x/api/%6eow", b"/api/now", mount) == b"/api/%6eow"

    @pytest.mark.parametrize("target", [b"/y/api/%6eow", b"/a/x/api/%6eow"])
    def test_what_is_no_end_of_the_mount_point_is_not_cut(self, target: bytes) -> None:
        assert wire_path(target, b"/api/now", b"/b/x") == b"/api/now"

    def test_the_gateway_decides_what_is_mount_point_and_what_is_path(self) -> None:
        assert wire_path(b"/api/now", b"/api/now", b"/api") == b"/api/now"
        assert wire_path(b"/api/now", b"/now", b"/api") == b"/now"


class TestWithoutTheRawTarget:
    @pytest.mark.parametrize(
        ("decoded", "path"),
        [
            (b"//api/now", b"//api/now"),
            (b"", b""),
            (b"/a b?c#d%", b"/a%20b%3Fc%23d%25"),
            (b"/\x00\n\xff", b"/%00%0A%FF"),
            (b"/:@!$&'()*+,;=-._~", b"/:@!$&'()*+,;=-._~"),
            (b"http://host/api/now", b"/api/now"),
        ],
    )
    def test_the_decoded_path_is_encoded(self, decoded: bytes, path: bytes) -> None:
        assert wire_path(None, decoded) == path

    def test_also_where_something_rewrote_it_and_not_the_target(self) -> None:
        assert wire_path(b"/status/api/now", b"/api/now") == b"/api/now"
        assert wire_path(b"/api/now", b"/api/now?", b"") == b"/api/now%3F"


class TestCost:
    def test_is_linear_in_the_mount_point(self) -> None:
        assert_linear(
            lambda mount: wire_path(mount + b"/%61", b"/b", mount), lambda n: b"/%" * n, 500
        )

    @pytest.mark.parametrize("piece", [b"a", b"%", b"%61", b"/", b"//a", b"http://", b"#"])
    def test_is_linear(self, piece: bytes) -> None:
        assert_linear(
            lambda raw: wire_path(raw, unquote_to_bytes(raw), b"/x"),
            lambda n: b"/" + piece * (n // len(piece)),
            20_000,
        )
