"""Secrets inside a text, replaced by one mark."""

import base64
import hashlib
import json
from itertools import chain

import pytest

from healthapi.redaction import text as redaction
from healthapi.redaction.shapes import encoded_texts, find_random
from healthapi.redaction.text import REMOVED, Redactor, without_parameters
from healthapi.redaction.walk import clean_text
from support.checks.costs import assert_linear
from support.healthapi.redaction_cases import INNOCENT, SECRETS

CANARY = "cAnArY7Zq81hRt20Kp9x"


def any_rule(rule: str) -> bool:
    return True


def rule_of_secrets(rule: str) -> bool:
    return not rule.startswith("identity.")


def redacted(text: str) -> str:
    return Redactor(any_rule).redacted(text)


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


class TestCases:
    def test_only_the_secret_part_is_removed(self) -> None:
        """Invariants *only the secret part* and *idempotent*."""
        failures = [
            (text, found, clean_text(found))
            for text, cleaned in chain.from_iterable(SECRETS.values())
            if (found := clean_text(text)) != cleaned or clean_text(cleaned) != cleaned
        ]
        assert not failures, failures

    def test_the_secret_part_is_removed_from_json_in_texts(self) -> None:
        failures = []
        for text, cleaned in chain.from_iterable(SECRETS.values()):
            given = json.dumps({"note": text})
            is_clean = json.loads(clean_text(given)) == {"note": cleaned}
            if not is_clean or ("abc" in cleaned and "abc" in clean_text(f"{given} and more")):
                failures.append(text)
        assert not failures, failures

    def test_innocent_texts_stay(self) -> None:
        texts = chain.from_iterable(INNOCENT.values())
        failures = [text for text in texts if clean_text(text) != text]
        assert not failures, failures

    @pytest.mark.parametrize(
        "text",
        [
            *("to anna@example.org", "/user/9QZ4XW/x", "city=Berlin", "<city>Berlin</city>"),
            *('<a name="city" value="Berlin">', "--city Berlin"),
        ],
    )
    def test_about_a_person_stay_where_that_is_disclosed(self, text: str) -> None:
        assert Redactor(rule_of_secrets).redacted(text) == text
        assert redacted(text) != text


class TestReading:
    """A text is searched as given and in its normal form."""

    @pytest.mark.parametrize("inner", ["pin=1234", '{"password": "x"}', "token=abc", "a:b@c.org"])
    def test_decodes_base64(self, inner: str) -> None:
        code = in_base64(inner)
        assert redacted(f"a {code} b") == "a [removed] b"
        assert redacted(code.rstrip("=")) == REMOVED

    def test_decodes_base64_again_and_again(self) -> None:
        code = "pin=1234"
        for _ in range(5):
            code = in_base64(code)
            assert redacted(f"a {code}") == "a [removed]"

    @pytest.mark.parametrize("inner", ["Morning run", '{"steps": 100}', "Crème brûlée"])
    def test_leaves_base64_of_health_data(self, inner: str) -> None:
        code = in_base64(inner)
        assert redacted(f"a {code} b") == f"a {code} b"

    def test_replaces_parts_that_touch_by_one_mark(self) -> None:
        assert redacted("https://a:b@x?Bearer abc123").count(REMOVED) == 2
        assert redacted(f"token=Bearer {CANARY}") == "token=[removed] [removed]"


class TestPasses:
    def test_end_with_the_mark_alone_if_they_never_converge(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(redaction, "_PASSES", 1)
        assert redacted("token=abc") == REMOVED
        assert redacted("steps=100") == "steps=100"


class TestWithoutParameters:
    @pytest.mark.parametrize(
        ("url", "bare"),
        [
            ("https://a:b@x.org/p.png?s=1#t", "https://x.org/p.png"),
            ("https://x.org/p.png", "https://x.org/p.png"),
            ("//x.org/p?s", "//x.org/p"),
            ("/p.png?s=1", "/p.png"),
            ("p/q#t", "p/q"),
            ("why?", "why?"),
            ("", ""),
        ],
    )
    def test_keeps_scheme_host_and_path(self, url: str, bare: str) -> None:
        assert without_parameters(url) == bare


class TestCost:
    @pytest.mark.parametrize(
        "motif", ["a ", "token=", '{"token":"a"}', "%3D", "é=", "<token>a</token>", '"a","b",']
    )
    def test_grows_with_the_text(self, motif: str) -> None:
        assert_linear(redacted, lambda size: motif * size, 4000 // len(motif))

    @pytest.mark.parametrize(
        "motif",
        [
            *(
                "a-",
                "a ",
                "[0]",
                "token:\n  ",
                "token=[",
                "token is [",
                "is authorization ",
                "'token' is token: ",
            ),
            *("Authorization: ", 'Session: "', "pin a1-", "'pin',\"", '"token","a",', "token,a\n"),
            *(
                "name=token value={",
                "token=",
                "a=\"pin='",
                ' name="pin',
                "<token>",
                "<key>pin</key>",
            ),
            *("-token ", "/token", "token a b c d ", "mysql -", "sshpass ", "-u a:", "/user/A"),
            *("-----BEGIN A-----", "eyJhbGci.", "eyJ-", "sk-", "Digest a=b,", "//a:b", "//a:/"),
            *("a@b.", "0a:", "https://a-", "0aX-", "YWJjZGVmZ2hp/", '"kty":"', "'k':'kty"),
        ],
    )
    def test_of_every_form_grows_with_the_text(self, motif: str) -> None:
        assert_linear(redacted, lambda size: motif * size, 4000 // len(motif))


class TestRandomTexts:
    def test_of_chance_are_found_nearly_always(self) -> None:
        digests = (hashlib.sha256(b"%d" % number).digest() for number in range(300))
        texts = [base64.urlsafe_b64encode(each).decode().rstrip("=") for each in digests]
        missed = [text for text in texts if list(find_random(text)) != [(0, len(text))]]
        assert len(missed) <= 3, missed


class TestEncodedTexts:
    @pytest.mark.parametrize("text", ["pin=1234", '{"password": "x"}', "grüße und küsse"])
    def test_are_found_with_what_they_contain(self, text: str) -> None:
        code = in_base64(text)
        for each in (code, code.rstrip("="), code.replace("+", "-").replace("/", "_")):
            assert list(encoded_texts(f"a {each} b")) == [((2, 2 + len(each)), text)]

    def test_in_the_path_of_a_url_are_found(self) -> None:
        code = in_base64('{"a": 1, "b": 2}')
        url = f"https://example.org/{code}/x"
        start = url.index(code)
        assert ((start, start + len(code)), '{"a": 1, "b": 2}') in list(encoded_texts(url))

    @pytest.mark.parametrize("text", ["short", "x" * 13, "cardiovascular", "//////////////"])
    def test_words_and_bytes_are_none(self, text: str) -> None:
        assert list(encoded_texts(text)) == []
