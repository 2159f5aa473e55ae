"""Hosts: parsing of remote URLs, and the URLs of a file."""

from urllib.parse import urljoin

import pytest

from sitedata.building.hosts import HostKind, Remote, file_urls_of, is_host, kind_of, parse_remote
from sitedata.parsing import is_https

GITHUB = Remote("github.com", "ada", "practice")


class TestRemote:
    @pytest.mark.parametrize(
        ("url", "remote"),
        [
            ("https://github.com/ada/practice", GITHUB),
            ("https://github.com/ada/practice.git", GITHUB),
            ("https://github.com/ada/practice/", GITHUB),
            ("https://github.com//ada/practice.git/", GITHUB),
            ("https://github.com:443/ada/practice", GITHUB),
            ("https://github.com:/ada/practice", GITHUB),
            ("HTTPS://GitHub.com/ada/practice.git", GITHUB),
            ("http://github.com:8080/ada/practice.git", GITHUB),
            ("git://github.com/ada/practice.git", GITHUB),
            ("ssh://git@github.com:22/ada/practice.git", GITHUB),
            ("git+ssh://git@github.com/ada/practice.git", GITHUB),
            ("ssh://git@ssh.github.com:443/ada/practice.git", GITHUB),
            ("git@github.com:ada/practice.git", GITHUB),
            ("github.com:ada/practice", GITHUB),
            ("git@github.com:/ada/practice.git", GITHUB),
            ("https://gitlab.com/a/b/c.git", Remote("gitlab.com", "a/b", "c")),
            ("https://git.example.org:8443/a/b", Remote("git.example.org:8443", "a", "b")),
            ("ssh://git@git.example.org:2222/a/b", Remote("git.example.org", "a", "b")),
            ("git@git.sr.ht:~ada/practice", Remote("git.sr.ht", "~ada", "practice")),
            ("git@server:a/b.c.git", Remote("server", "a", "b.c")),
        ],
    )
    def test_every_form_keeps_owner_host_and_port(self, url: str, remote: Remote) -> None:
        assert parse_remote(url) == remote

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "practice",
            "/home/ada/practice.git",
            "./a:b/c",
            "C:/ada/practice",
            "file:///home/ada/practice",
            "ext::sh -c true",
            "https://github.com/",
            "https://github.com/practice",
            "https://github.com/ada/..",
            "https://github.com/../practice",
            "https://github.com/ada/.git",
            "https://github.com/ada//practice",
            "https://github.com/ada/prac tice",
            "https://github.com/ada/practice?token=secret",
            "https://github.com/ada/practice#x",
            "https://github.com/ada/%2e%2e",
            "https://git\nhub.com/ada/practice",
            "https://a@b@github.com/ada/practice",
            "https://user:p/w@github.com/ada/practice",
            "https://[::1]/ada/practice",
            "https://-x.org/ada/practice",
            "https://1.2.3.999/ada/practice",
            "https://github.com:99999/ada/practice",
            "https://github.com:x/ada/practice",
            "https://ex\u00e4mple.org/ada/practice",
            "https://github.com/ada/pr\u0430ctice",
            "-oProxyCommand=x:a/b",
            "javascript://github.com/ada/practice",
            "https://github.com/" + "a/" * 2000,
        ],
    )
    def test_other_texts_have_no_remote(self, url: str) -> None:
        assert parse_remote(url) is None


class TestHost:
    @pytest.mark.parametrize("text", ["github.com", "a", "a.b:8443", "git_x.local", "127.0.0.1"])
    def test_a_plain_host_is_valid(self, text: str) -> None:
        assert is_host(text)

    @pytest.mark.parametrize(
        "text", ["", "A.org", "a/b", "u@a", "a.", ".a", "a:b", "a:99999", "a b", "[::1]", "a\n"]
    )
    def test_others_are_invalid(self, text: str) -> None:
        assert not is_host(text)


@pytest.mark.rule("SD-LINK-08")
class TestLinks:
    @pytest.mark.parametrize(
        ("host", "owner", "kind", "web", "raw"),
        [
            (
                "github.com",
                "ada",
                None,
                "blob/main",
                "https://raw.githubusercontent.com/ada/p/main",
            ),
            ("github.example.org", "ada", None, "blob/main", "raw/main"),
            ("gitlab.com", "a/b", None, "-/blob/main", "-/raw/main"),
            ("codeberg.org", "ada", None, "src/branch/main", "raw/branch/main"),
            ("git.example.org:3000", "ada", "gitea", "src/branch/main", "raw/branch/main"),
            ("bitbucket.org", "ada", None, "src/main", "raw/main"),
            ("gitee.com", "ada", None, "blob/main", "raw/main"),
            ("git.sr.ht", "~ada", None, "tree/main/item", "blob/main"),
        ],
    )
    def test_a_file_has_a_web_view_and_a_raw_form(
        self, host: str, owner: str, kind: HostKind | None, web: str, raw: str
    ) -> None:
        kind = kind or kind_of(host)
        assert kind is not None
        urls = file_urls_of(Remote(host, owner, "p"), kind, "main")
        base = f"https://{host}/{owner}/p/"
        assert urls("x/A b.cpp") == tuple(
            f"{urljoin(base, place)}/x/A%20b.cpp" for place in (web, raw)
        )

    def test_the_kind_of_an_unknown_host_is_unknown(self) -> None:
        assert kind_of("git.example.org") is None

    def test_names_are_percent_encoded(self) -> None:
        """Invariant *always https*."""
        remote = Remote("example.org", "{name}/?#", "a/{path}%s")
        web, raw = file_urls_of(remote, "gitlab", "a b/\u202e%s")("x")
        base = "https://example.org/%7Bname%7D/%3F%23/a/%7Bpath%7D%25s/-"
        assert web == f"{base}/blob/a%20b/%E2%80%AE%25s/x"
        assert raw == f"{base}/raw/a%20b/%E2%80%AE%25s/x"
        assert is_https(web)
