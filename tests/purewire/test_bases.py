"""Invariants *plain or nothing* and *only URL characters*."""

import re
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costs import assert_linear
from purewire.http.bases import base_url

hosts = st.text("aB1.-_:[]@/\\?#% ,\r\né", max_size=12).map(lambda text: text.encode("latin-1"))


class TestHost:
    @pytest.mark.parametrize(
        ("host", "base"),
        [
            (b"example.org", "http://example.org"),
            (b"Example.ORG.", "http://example.org."),
            (b"localhost:8000", "http://localhost:8000"),
            (b"a_b-c.d:0", "http://a_b-c.d:0"),
            (b"127.0.0.1:65535", "http://127.0.0.1:65535"),
            (b"xn--bcher-kva.example", "http://xn--bcher-kva.example"),
            (b"[::1]", "http://[::1]"),
            (b"[2001:DB8::1]:443", "http://[2001:db8::1]:443"),
            (b"[::ffff:192.0.2.1]:80", "http://[::ffff:192.0.2.1]:80"),
        ],
    )
    def test_a_plain_one_is_the_authority(self, host: bytes, base: str) -> None:
        assert base_url("http", (host,)) == base

    @pytest.mark.parametrize(
        "host",
        [
            b"",
            b" ",
            b"a b",
            b"a\r\nX: y",
            b"a\x00",
            b"a/b",
            b"a?b",
            b"a#b",
            b"a\\b",
            b"a%41",
            b"a,b",
            b"user@a",
            b"user:pass@a",
            b"http://a",
            b'a"><script>',
            b".",
            b".a",
            b"a..b",
            b"-a",
            b"a-",
            "bücher.example".encode(),
            b"a:",
            b":80",
            b"a:b",
            b"a:-1",
            b"a:080",
            b"a:65536",
            b"a:999999",
            b"a:1:2",
            "a:\u00b2".encode("latin-1"),
            b"::1",
            b"[]",
            b"[::1",
            b"[:::]",
            b"[1.2.3.4]",
            b"[::1%25eth0]",
            b"[v1.a]",
            b"[::1]80",
            b"a" * 64,
            b".".join([b"a" * 63] * 4),
        ],
    )
    def test_anything_else_gives_no_base(self, host: bytes) -> None:
        assert base_url("http", (host,)) == ""

    def test_missing_or_repeated_it_gives_no_base(self) -> None:
        assert base_url("http", ()) == ""
        assert base_url("http", (b"a", b"a")) == ""

    def test_the_longest_name_is_one(self) -> None:
        name = b".".join([b"a" * 63] * 3 + [b"a" * 61])
        assert len(name) == 253
        assert base_url("http", (name + b":80",)) == f"http://{name.decode()}:80"


class TestScheme:
    @pytest.mark.parametrize("scheme", ["", "ws", "HTTP", "javascript", "http:", "http\n"])
    def test_only_http_and_https_have_a_base(self, scheme: str) -> None:
        assert base_url(scheme, (b"a",)) == ""

    def test_https(self) -> None:
        assert base_url("https", (b"a",), b"/m") == "https://a/m"


class TestMount:
    @pytest.mark.parametrize(
        ("mount", "path"),
        [
            (b"", ""),
            (b"/", ""),
            (b"///", ""),
            (b"/x", "/x"),
            (b"/x/", "/x"),
            (b"x/y", "/x/y"),
            (b"//evil.example", "/evil.example"),
            (b"/\\evil", "/%5Cevil"),
            (b"/a b/\xc3\xbc", "/a%20b/%C3%BC"),
            (b"/\r\nX: y\x00\xff", "/%0D%0AX:%20y%00%FF"),
            (b"/a?b#c%2F", "/a%3Fb%23c%252F"),
            (b"/\"'<>&()", "/%22%27%3C%3E%26%28%29"),
            (b"/:@!$*+,;=-._~", "/:@!$*+,;=-._~"),
        ],
    )
    def test_its_path_is_encoded_and_ends_without_a_slash(self, mount: bytes, path: str) -> None:
        assert base_url("http", (b"a",), mount) == f"http://a{path}"


class TestLaws:
    @given(hosts, st.binary(max_size=12))
    def test_a_base_is_a_url_of_that_host_and_mount_point(self, host: bytes, mount: bytes) -> None:
        base = base_url("https", (host,), mount)
        if base:
            assert re.fullmatch(r"[!$%*+,./0-9:;=@A-Z\[\]_a-z~-]+", base)
            parts = urlsplit(f"{base}/a?b#c")
            assert (parts.scheme, parts.netloc) == ("https", host.decode().lower())
            assert (parts.query, parts.fragment, parts.username) == ("b", "c", None)
            assert unquote_to_bytes(parts.path).strip(b"/") == (mount.strip(b"/") + b"/a").strip(
                b"/"
            )

    @pytest.mark.parametrize("piece", [b"a", b"a.", b"a-", b"-", b":", b"[", b"1"])
    def test_costs_are_linear(self, piece: bytes) -> None:
        assert_linear(lambda host: base_url("http", (host,), host), lambda n: piece * n, 5000)
