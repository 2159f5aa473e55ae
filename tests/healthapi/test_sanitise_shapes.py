"""Secrets and identities that are known by their shape alone."""

import base64
import hashlib
from collections.abc import Callable, Iterator

import pytest

from costs import assert_linear
from healthapi.sanitise import shapes
from healthapi.sanitise.fold import Span

Finder = Callable[[str], Iterator[Span]]

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
RANDOM = "q7Zr1Kd93mWxT0vLb5Ys8Hn2Pc6Gf4Ja"
"""32 characters."""


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def found(finder: Finder, text: str) -> list[str]:
    return [text[start:end] for start, end in finder(text)]


class TestPemBlocks:
    def test_are_found_whole(self) -> None:
        assert found(shapes.pem_blocks, f"key: {PEM} end") == [PEM]

    def test_each_is_found(self) -> None:
        assert found(shapes.pem_blocks, f"{PEM}\n{PEM}") == [PEM, PEM]

    def test_without_an_end_reach_to_the_end_of_the_text(self) -> None:
        torn = "-----BEGIN CERTIFICATE-----\nMIIEow"
        assert found(shapes.pem_blocks, f"x {torn}") == [torn]

    @pytest.mark.parametrize("text", ["-----", "-----BEGIN-----", "BEGIN RSA PRIVATE KEY", "---"])
    def test_rules_and_words_are_none(self, text: str) -> None:
        assert found(shapes.pem_blocks, text) == []


class TestJwts:
    @pytest.mark.parametrize(
        "token", [JWT, "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJkaXIiLCJlbmMiOiJBIn0..iv.text.tag"]
    )
    def test_are_found(self, token: str) -> None:
        assert found(shapes.jwts, f"got {token}, kept") == [token]

    @pytest.mark.parametrize("text", ["eyJ", "eyJhbGciOiJIUzI1NiJ9", "eyJ.a.b", "greyJacket.png.a"])
    def test_need_a_header_and_another_part(self, text: str) -> None:
        assert found(shapes.jwts, text) == []


class TestProviderTokens:
    @pytest.mark.parametrize(
        "token",
        [
            "ghp_" + "a1B2" * 9,
            "github_pat_" + "a1B2_" * 9,
            "glpat-" + "a1B2" * 5,
            "xoxb-" + "123-abc-" * 3 + "x",
            "AIza" + "a1B-" * 8,
            "ya29.a0AfH6SMB",
            "GOCSPX-a1B2c3D4",
            "1//0a1B2c3D4e5F6g7H8",
            "AKIAIOSFODNN7EXAMPLE",
            "sk_live_a1B2c3D4",
            "whsec_a1B2c3D4a1B2c3D4",
            "sk-proj-a1B2c3D4a1B2c3D4",
            "npm_a1B2c3D4a1B2c3D4",
            "hf_a1B2c3D4a1B2c3D4",
            "SG.a1B2c3D4.a1B2c3D4",
            "shpat_a1B2c3D4a1B2c3D4",
            "AGE-SECRET-KEY-1A1B2C3D4A1B2C3D4",
            "123456789:AA" + "a1B2-" * 6,
        ],
    )
    def test_are_found(self, token: str) -> None:
        assert found(shapes.provider_tokens, f"use {token} now") == [token]

    def test_of_a_hook_are_its_path(self) -> None:
        assert found(shapes.provider_tokens, "https://hooks.slack.com/services/T0/B0/x1") == [
            "T0/B0/x1"
        ]

    @pytest.mark.parametrize(
        "text", ["ghp_short", "task-list-of-the-week", "sk-8", "Xaki", "ASIA", "key-note", "1//2"]
    )
    def test_other_words_are_none(self, text: str) -> None:
        assert found(shapes.provider_tokens, text) == []


class TestSchemeCredentials:
    @pytest.mark.parametrize(
        ("text", "secret"),
        [
            ("Bearer abc", "abc"),
            ("bearer abc123 ok", "abc123"),
            ("sent Bearer abcdefghijklmnop today", "abcdefghijklmnop"),
            ("BEARER: abc123", "abc123"),
            ("Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
            ("Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="),
            ("token abcdefgh12345678", "abcdefgh12345678"),
            ("ApiKey abcdefgh12345678", "abcdefgh12345678"),
            ("NTLM TlRMTVNTUAABAAAAB4II", "TlRMTVNTUAABAAAAB4II"),
            ('Digest realm="a", response="b c"', 'realm="a", response="b c"'),
            ("Hawk id=dh37, mac=6R4rV5i", "id=dh37, mac=6R4rV5i"),
            (
                "AWS4-HMAC-SHA256 Credential=AK/2026, Signature=fe5f80",
                "Credential=AK/2026, Signature=fe5f80",
            ),
        ],
    )
    def test_are_found(self, text: str, secret: str) -> None:
        assert found(shapes.scheme_credentials, text) == [secret]

    @pytest.mark.parametrize(
        "text",
        [
            *("Bearer of good news", "Basic training", "Basic 500 kcal", "basic", "Basic plan=a"),
            *("token of love", "token abc123", "digest this", "HMAC", "Digest: 12 facts", "oauth"),
            *("unbearer abc123", "negotiate a truce", "Basic abc!", "Basic dXNlcg=="),
        ],
    )
    def test_words_behind_the_name_are_none(self, text: str) -> None:
        assert found(shapes.scheme_credentials, text) == []


class TestUserinfos:
    @pytest.mark.parametrize(
        ("text", "secret"),
        [
            ("https://user:pass@example.org/a", "user:pass"),
            ("redis://:pass@host", ":pass"),
            ("//user@host", "user"),
            ("https://a@b@c/", "a@b"),
            ("postgres://u:pa#ss/w?d@host/db", "u:pa#ss/w?d"),
        ],
    )
    def test_are_found(self, text: str, secret: str) -> None:
        assert found(shapes.userinfos, text) == [secret]

    @pytest.mark.parametrize(
        "text",
        [
            *("https://example.org/@anna", "https://example.org:8080/a@b", "https://example.org/"),
            *("https://example.org:443?to=a@b", "a // b @ c", "https://example.org#a@b", "//@host"),
        ],
    )
    def test_urls_without_are_none(self, text: str) -> None:
        assert found(shapes.userinfos, text) == []


class TestEmails:
    @pytest.mark.parametrize("address", ["anna@example.org", "a.b+c%d@mail.example.co.uk"])
    def test_are_found(self, address: str) -> None:
        assert found(shapes.emails, f"to {address}, now") == [address]

    @pytest.mark.parametrize(
        "text", ["@anna", "a@b", "5 km @ 5:30", "a @ b.c", "a@.b", "//a:b@x.org/"]
    )
    def test_other_texts_are_none(self, text: str) -> None:
        assert found(shapes.emails, text) == []


class TestHardwareAddresses:
    @pytest.mark.parametrize(
        "address",
        [
            *("7C:E9:D3:0A:4B:F1", "7c-e9-d3-0a-4b-f1", "7CE9D30A4BF1", "7ce9.d30a.4bf1"),
            *(
                "7C:E9:D3:FF:FE:0A:4B:F1",
                "7CE9D3FFFE0A4BF1",
                "00:11:22:33:44:55",
                "7C E9 D3 0A 4B F1",
            ),
        ],
    )
    def test_are_found(self, address: str) -> None:
        assert found(shapes.hardware_addresses, f"<{address}>") == [address]

    @pytest.mark.parametrize(
        "text",
        [
            *(
                "12:34:56",
                "2026-01-31T08:15:27",
                "123456789012",
                "01 02 03 04 05 06",
                "1234.5678.9012",
            ),
            *("550e8400-e29b-41d4-a716-446655440000", "AB:CD", "12.34.56.78.90.12", "7CE9D30A4BF"),
            *("x7CE9D30A4BF1", "57824137216"),
        ],
    )
    def test_times_ids_and_numbers_are_none(self, text: str) -> None:
        assert found(shapes.hardware_addresses, text) == []


class TestOpaqueRuns:
    @pytest.mark.parametrize(
        "secret",
        [
            RANDOM,
            RANDOM + "==",
            RANDOM.lower(),
            RANDOM.upper(),
            "0123456789abcdef0123456789abcdef",
            "a3f" * 11,
            "QmFzZTY0/c29tZXRoaW5n+c2VjcmV0LWhlcmU",
        ],
    )
    def test_are_found(self, secret: str) -> None:
        assert found(shapes.opaque_runs, f"id {secret}; more") == [secret]

    @pytest.mark.parametrize(
        "text",
        [
            *("a" * 60, "-" * 60, "0" * 60, "1234567890" * 4, RANDOM[:31]),
            "time_in_heart_rate_zone_fat_burn_minutes_per_day",
            "restingHeartRateVariabilityRootMeanSquareOfSuccessiveDifferences",
            "activity-log-2026-01-31-57824137216-morning-run",
            "pneumonoultramicroscopicsilicovolcanoconiosis",
            "550e8400-e29b-41d4-a716-446655440000",
            "550e8400-e29b-41d4-a716-446655440000/550e8400-e29b-41d4-a716-446655440001",
            f"https://example.org/images/{RANDOM}.png",
        ],
    )
    def test_words_numbers_days_uuids_and_paths_are_none(self, text: str) -> None:
        """Invariant *words pass*: what is made of words, numbers and dates is no random text."""
        assert found(shapes.opaque_runs, text) == []

    def test_behind_the_path_of_a_url_are_found(self) -> None:
        assert found(shapes.opaque_runs, f"https://example.org/a?{RANDOM}") == [RANDOM]

    def test_of_chance_are_found_nearly_always(self) -> None:
        digests = (hashlib.sha256(b"%d" % number).digest() for number in range(300))
        texts = [base64.urlsafe_b64encode(each).decode().rstrip("=") for each in digests]
        missed = [text for text in texts if found(shapes.opaque_runs, text) != [text]]
        assert len(missed) <= 3, missed


class TestDecoded:
    @pytest.mark.parametrize("text", ["pin=1234", '{"password": "x"}', "grüße und küsse"])
    def test_texts_in_base64_are_found_with_what_they_say(self, text: str) -> None:
        code = in_base64(text)
        for each in (code, code.rstrip("="), code.replace("+", "-").replace("/", "_")):
            whole = f"a {each} b"
            assert list(shapes.decoded(whole)) == [(2, 2 + len(each), text)]

    def test_in_the_path_of_a_url_are_found(self) -> None:
        code = in_base64('{"a": 1, "b": 2}')
        url = f"https://example.org/{code}/x"
        start = url.index(code)
        assert (start, start + len(code), '{"a": 1, "b": 2}') in list(shapes.decoded(url))

    @pytest.mark.parametrize(
        "text", ["short", "x" * 13, "cardiovascular", RANDOM, "//////////////"]
    )
    def test_words_and_bytes_are_none(self, text: str) -> None:
        assert list(shapes.decoded(text)) == []


class TestCost:
    """Invariant *linear*: no finder needs more than time linear in its text."""

    @pytest.mark.parametrize(
        ("finder", "motif"),
        [
            (shapes.pem_blocks, "-----BEGIN A-----"),
            (shapes.jwts, "eyJhbGci."),
            (shapes.jwts, "eyJ-"),
            (shapes.provider_tokens, "sk-"),
            (shapes.scheme_credentials, "Digest a=b,"),
            (shapes.userinfos, "//a:b"),
            (shapes.userinfos, "//a:/"),
            (shapes.emails, "a@b."),
            (shapes.hardware_addresses, "0a:"),
            (shapes.opaque_runs, "https://a-"),
            (shapes.opaque_runs, "0aX-"),
            (shapes.decoded, "YWJjZGVmZ2hp/"),
        ],
    )
    def test_grows_with_the_text(
        self, finder: Callable[[str], Iterator[object]], motif: str
    ) -> None:
        assert_linear(
            lambda text: list(finder(text)), lambda size: motif * size, 40_000 // len(motif)
        )
