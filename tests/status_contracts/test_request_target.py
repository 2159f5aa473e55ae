"""Invariant *undecoded*, and which of two paths counts."""

from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from status_contracts.messages import wire_path
from support.checks.costs import assert_linear

paths = st.text("/ab%2fF.;?#é", max_size=12).map(lambda text: b"/" + text.encode())


PROXY = b"/proxy"


@pytest.mark.parametrize(
    ("target", "decoded", "mount", "path"),
    [
        # the encoding is kept and the query is cut
        (b"/api/now?a=b?c#d", b"/api/now", b"", b"/api/now"),
        (b"/api/%6eow", b"/api/now", b"", b"/api/%6eow"),
        (b"/api%2Fnow", b"/api/now", b"", b"/api%2Fnow"),
        (b"/%zz%4", b"/%zz%4", b"", b"/%zz%4"),
        (b"*", b"*", b"", b"*"),
        (b"", b"", b"", b""),
        (b"//api/now", b"/api/now", b"", b"//api/now"),  # the gateway collapsed slashes
        (b"/api/now#x", b"/api/now", b"", b"/api/now#x"),  # cut a fragment
        (b"/a%ff", "/a\ufffd".encode(), b"", b"/a%ff"),  # or replaced bytes
        # the mount point is cut however it is spelled
        (b"/%78/api/now", b"/api/now", b"/x", b"/api/now"),
        (b"/x%2Fapi/now", b"/api/now", b"/x", b"%2Fapi/now"),
        (b"/x", b"", b"/x", b""),
        (b"/a%20b/%C3%BC/c", b"/c", "/a b/ü".encode(), b"/c"),
        (b"/x/x/api", b"/x/api", b"/x", b"/x/api"),
        # one that a proxy cut, or a part of it, is not missed
        (b"/api/%6eow", b"/api/now", PROXY, b"/api/%6eow"),
        (b"/x", b"/x", PROXY, b"/x"),
        (b"/", b"/", PROXY, b"/"),
        *(
            (b"/x/api/%6eow", b"/api/now", mount, b"/api/%6eow")
            for mount in (b"/proxy/x", b"/a/b/c/x", b"/x/x/x")
        ),
        # what is no end of the mount point is not cut
        (b"/y/api/%6eow", b"/api/now", b"/b/x", b"/api/now"),
        (b"/a/x/api/%6eow", b"/api/now", b"/b/x", b"/api/now"),
        # the gateway decides what is mount point and what is path
        (b"/api/now", b"/api/now", b"/api", b"/api/now"),
        (b"/api/now", b"/now", b"/api", b"/now"),
        # without a raw target the decoded path is encoded
        (None, b"//api/now", b"", b"//api/now"),
        (None, b"", b"", b""),
        (None, b"/a b?c#d%", b"", b"/a%20b%3Fc%23d%25"),
        (None, b"/\x00\n\xff", b"", b"/%00%0A%FF"),
        (None, b"/:@!$&'()*+,;=-._~", b"", b"/:@!$&'()*+,;=-._~"),
        (None, b"http://host/api/now", b"", b"/api/now"),
        # also where something rewrote it and not the target
        (b"/status/api/now", b"/api/now", b"", b"/api/now"),
        (b"/api/now", b"/api/now?", b"", b"/api/now%3F"),
    ],
)
def test_a_path_is_that_of_the_target_where_both_agree(
    target: bytes | None, decoded: bytes, mount: bytes, path: bytes
) -> None:
    assert wire_path(target, decoded, mount) == path


class TestWithTheRawTarget:
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
