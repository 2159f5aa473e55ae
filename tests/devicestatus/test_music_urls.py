"""The rules for music URLs, part by part, for both kinds of URL.

Source: device-status specification, "Music", rules 3 and 4; design decisions under "URLs" and
"Configuration".  All cases of the public URL suite are in `test_corpora`.
"""

import pytest

from devicestatus.music_urls import ITUNES, CatalogHosts, artwork_fault, is_https, track_fault
from support.checks.costs import assert_linear

ARTWORK = "https://is1-ssl.mzstatic.com/image/cover.jpg"
PAGE = "https://music.apple.com/us/album/1?i=2"


@pytest.mark.rule("DS-CONFIG-05")
class TestCatalogHosts:
    """The catalog is configuration: hosts in any form, compared as the parser gives them."""

    def test_the_preset_is_the_itunes_search_catalog(self) -> None:
        assert CatalogHosts() == ITUNES
        assert ITUNES.artwork_domain == "mzstatic.com"
        assert ITUNES.track_hosts == {"music.apple.com", "itunes.apple.com"}

    def test_hosts_are_configured_in_any_form(self) -> None:
        own = CatalogHosts(".IMG.Example", ["M\u00dcSIC.example", "b.example"])
        assert own == CatalogHosts("img.example", {"xn--msic-0ra.example", "b.example"})
        assert track_fault("https://m\u00fcsic.EXAMPLE/", own) is None
        assert artwork_fault("https://a.img.example/", own) is None

    def test_one_host_may_be_given_as_text(self) -> None:
        assert CatalogHosts("img.example", "a.example").track_hosts == {"a.example"}

    @pytest.mark.parametrize("host", ["", ".", " ", "a b", "a<b", "[::1", "\ud800"])
    def test_what_is_no_host_matches_nothing(self, host: str) -> None:
        none = CatalogHosts(host, [host])
        for url in (ARTWORK, PAGE, "https://a/", "https://./", "https://a./"):
            assert artwork_fault(url, none) == track_fault(url, none) == "url.host"

    @pytest.mark.parametrize(
        "text",
        [
            "a.example/x",
            "a.example:8443",
            "me@a.example",
            "a@b.example",
            "a.example?",
            "a.example#x",
        ],
    )
    def test_text_that_only_holds_a_host_is_none(self, text: str) -> None:
        assert CatalogHosts(text, [text]) == CatalogHosts("", [""])

    def test_without_track_hosts_no_page_is_accepted(self) -> None:
        assert track_fault(PAGE, CatalogHosts("mzstatic.com", ())) == "url.host"


class TestParsing:
    """What the parser makes of text that is no plain URL."""

    @pytest.mark.parametrize("label", ["xn--a", "xn--", "xn--zzzz", "XN--A", "xn--pokxncvks"])
    def test_malformed_punycode_is_refused(self, label: str) -> None:
        assert artwork_fault(f"https://{label}.mzstatic.com/", ITUNES) == "url.parse"
        assert track_fault(f"https://{label}.music.apple.com/", ITUNES) == "url.parse"
        assert CatalogHosts(f"{label}.example").artwork_domain == ""
        assert not is_https(f"https://{label}/")

    @pytest.mark.parametrize("part", ["a", "a.", "a-", "-", ".", "%", "/", "a-a.", "mzstatic.com."])
    def test_any_text_is_validated_in_linear_time(self, part: str) -> None:
        def make(size: int) -> str:
            return "https://" + part * (size // len(part)) + "!"

        assert_linear(lambda url: track_fault(url, ITUNES), make, 20_000)
        assert_linear(lambda url: artwork_fault(url, ITUNES), make, 20_000)
