"""Classification of member names."""

from collections.abc import Callable

import pytest

from healthapi.redaction.name_rules import NAME_RULES
from healthapi.redaction.names import (
    ORDINARY,
    classify,
    classify_label,
    may_be_innocent,
)
from support.checks.costs import assert_linear

SECRET = {
    "name.password": (
        *("password", "passwd", "user_password", "passphrase", "pass_code", "wifiPwd", "db-pwd"),
        *("pw", "seed_phrase", "mnemonic", "htpasswd", "Kennwort", "contraseña", "пароль", "密码"),
        *("パスワード", "비밀번호", "passwordless", "password_minutes"),
    ),
    "name.token": (
        *("token", "tokens", "access_token", "refreshToken", "id_token", "x-amz-security-token"),
        *("tokenType", "token_user_id", "token_scope_raw", "fcmToken", "csrf", "XSRF-TOKEN"),
        *("jwt", "idJwt", "bearer", "dpop", "令牌", "accesstokens", "mytoken"),
        *("refresh", "tok", "auth_tok", "tokenized_token", "auth_tokens_earned"),
    ),
    "name.expiry": ("expires_in", "expiresIn", "EXPIRES-IN", "expires_in_seconds"),
    "name.secret": (
        *("secret", "client_secret", "appSecret", "consumerSecrets", "credential", "credentials"),
        *("aws_secret_access_key", "creds", "cred", "密钥", "clientsecretv2"),
        *("mfaSeed", "totp_seed"),
    ),
    "name.authorization": (
        *("Authorization", "proxy_authorization", "oauth", "oauth2", "oauth_verifier", "saml"),
        *("SAMLResponse", "client_assertion", "assertion", "oidc"),
    ),
    "name.key": (
        *("api_key", "apiKey", "X-API-Key", "private_key", "encryptionKey", "masterkey", "sshKeys"),
        *("license_key", "session_keys", "key_store", "wifi_psk", "mymasterkey"),
    ),
    "name.code": (
        *("otp", "totp", "nonce", "mfa_code", "login-code", "deviceCode", "smsCodes"),
        *("code_verifier", "codeChallenge", "pkce_verifier", "verifier", "security_answer"),
        *(
            "magic_link",
            "reset_link",
            "recovery_codes",
            "mydevicecode",
            "unlock_code",
            "pairingCode",
        ),
    ),
    "name.cookie": ("cookie", "Set-Cookie", "cookies", "sessioncookie"),
    "name.session": (
        "session",
        "session_id",
        "sessions",
        "JSESSIONID",
        "PHPSESSID",
        "connect.sid",
        "jsession_id",
    ),
    "name.pin": ("pin", "PIN", "pin_code", "userPin", "P.I.N"),
    "name.sign-in": (
        "auth",
        "x-auth",
        "authn",
        "basicAuth",
        "pass",
        "sso",
        "ticket",
        ".ASPXAUTH",
        "oura_pat",
    ),
    "name.signature": ("signature", "hmac", "sig", "X-Sig"),
    "identity.name": ("fullName", "first_name", "LAST-NAME", "userName", "aboutMe"),
    "identity.birth": ("dateOfBirth", "birthday", "dob", "birth_date", "birth"),
    "identity.email": ("email", "e-mail", "userEmail", "emailaddress", "mail"),
    "identity.phone": ("phone", "phoneNumber", "mobile", "fax", "homephonenumber"),
    "identity.device": ("mac", "macAddress", "bluetoothMac", "imei", "serial_number", "bssid"),
    "identity.address": ("address", "city", "zip", "postalCode", "latitude", "lon", "homeLocation"),
    "identity.country": ("country", "countryCode"),
    "identity.account": ("encodedId", "user_id", "ownerId", "account_id"),
    "identity.document": ("ssn", "passport", "iban", "credit_card", "cvv"),
}

INNOCENT = {
    "name.password": ("passive_minutes", "compass", "passage", "pulse_pw", "powder"),
    "name.token": (
        *("token_scope", "tokenScopes", "took", "toke", "refresh_rate"),
        *("tokenize", "tokenizer", "tokenisation", "tokens_earned", "sugar_token"),
    ),
    "name.expiry": ("expires", "expiry", "battery_expires_in_days"),
    "name.secret": ("secretion", "secretary", "sacred", "increase", "poppy_seed"),
    "name.authorization": ("author", "authored", "assert"),
    "name.key": ("key", "keys", "metric_key", "keyword", "monkey", "primary_key", "monkey_store"),
    "name.code": ("code", "infoCode", "status_code", "errorCode", "verification_status"),
    "name.cookie": ("cookie_calories", "cookies_eaten", "cook"),
    "name.session": (
        "session_minutes",
        "sessionLength",
        "workout_sessions",
        "obsession",
        "side",
        "session_name",
    ),
    "name.pin": ("spinning", "pins", "pinned", "pin_count", "opinion", "pine"),
    "name.sign-in": ("author", "pass_rate", "auth_type", "passenger", "authority", "tickets"),
    "name.signature": ("signature_count", "sign", "significance", "design", "sigma"),
    "identity.name": ("name", "displayName", "shortName", "foodName", "deviceName", "nickname"),
    "identity.birth": ("birthmark", "stillbirths"),
    "identity.email": ("mailing", "female", "email_count"),
    "identity.phone": ("phonetic", "mobile_minutes", "headphones", "phone_free_minutes"),
    "identity.device": ("macro", "machine", "macros", "device", "deviceVersion"),
    "identity.address": ("state", "location_count", "latest", "platform", "longest", "ziplock"),
    "identity.country": ("counter", "countries"),
    "identity.account": ("id", "logId", "userIds", "foodId"),
    "identity.document": ("card", "passportless", "taxi"),
}

HOMOGLYPHS = str.maketrans("aeopcx", "аеорсх")

NOTATIONS: dict[str, Callable[[tuple[str, ...]], str]] = {
    "snake": "_".join,
    "kebab": "-".join,
    "spaced": " ".join,
    "dotted": ".".join,
    "slashed": "/".join,
    "joined": "".join,
    "upper": lambda words: "_".join(words).upper(),
    "upper, joined": lambda words: "".join(words).upper(),
    "camel": lambda words: words[0] + "".join(map(str.title, words[1:])),
    "pascal": lambda words: "".join(map(str.title, words)),
    "train": lambda words: "-".join(map(str.title, words)),
    "letters": lambda words: " ".join("".join(words)),
    "prefixed": lambda words: f"x_fitbit_{'_'.join(words)}_v2",
    "numbered": lambda words: f"{'_'.join(words)}2",
    "indexed": lambda words: f"{'_'.join(words)}[0]",
    "in brackets": lambda words: f"user[{'_'.join(words)}]",
    "in quotes": lambda words: f'"{"_".join(words)}"',
    "shell": lambda words: f"${'_'.join(words).upper()}",
    "padded": lambda words: f" {'_'.join(words)}\n",
    "full width": lambda words: "".join(chr(ord(each) + 0xFEE0) for each in "_".join(words)),
    "bold": lambda words: "_".join(
        "".join(chr(0x1D41A + ord(each) - ord("a")) for each in word) for word in words
    ),
    "look-alike": lambda words: "_".join(words).translate(HOMOGLYPHS),
    "zero width": lambda words: "\u200b".join("_".join(words)),
    "soft hyphen": lambda words: "\u00ad".join("_".join(words)),
    "accents": lambda words: "_".join(words).replace("e", "e\u0301").replace("o", "ö"),
    "NUL": lambda words: "\x00".join("_".join(words)),
    "percent": lambda words: "".join(f"%{ord(each):02x}" for each in "_".join(words)),
    "percent, twice": lambda words: "_".join(words).replace("_", "%255F").replace("e", "%2565"),
    "escaped": lambda words: "".join(f"\\u{ord(each):04x}" for each in "_".join(words)),
    "entities": lambda words: "".join(f"&#{ord(each)};" for each in "_".join(words)),
    "thrice": lambda words: "_".join(words).replace("e", "%26%2337%3B65"),
    "entities in percent": lambda words: "_".join(words).replace("e", "%26%23101%3B"),
}

WORDS = (
    *(("access", "token"), ("refresh", "token"), ("client", "secret"), ("api", "key")),
    *(("proxy", "authorization"), ("set", "cookie"), ("session", "id"), ("code", "verifier")),
    *(("user", "password"), ("private", "keys"), ("id", "tokens")),
)


def rule_of(name: str) -> str | None:
    rule = classify(name).rule
    return None if rule is None else rule.id


class TestRules:
    def test_all_have_examples_of_both_kinds(self) -> None:
        ids = {rule.id for rule in NAME_RULES}
        assert ids == SECRET.keys() == INNOCENT.keys()

    def test_redact_the_names_they_are_about(self) -> None:
        found = {name: (rule, rule_of(name)) for rule, names in SECRET.items() for name in names}
        failures = {name: rules for name, rules in found.items() if rules[0] != rules[1]}
        assert not failures, failures

    def test_allow_what_only_looks_like_it(self) -> None:
        """Invariant *whole words*: a word that only contains a secret one redacts no name."""
        failures = [name for names in INNOCENT.values() for name in names if rule_of(name)]
        assert not failures, failures

    def test_of_all_that_apply_the_first_counts(self) -> None:
        assert rule_of("emailPassword") == "name.password"

    @pytest.mark.parametrize("name", ["session_password", "auth_token_count", "pin_secret_minutes"])
    def test_a_measuring_word_allows_none_that_is_certain(self, name: str) -> None:
        """Invariant *fails closed*: only ambiguous words are allowed."""
        found = classify(name).rule
        assert found is not None
        assert not found.soft


class TestNotations:
    def test_do_not_matter(self) -> None:
        written = {
            (notation, words): rule_of(write(words))
            for words in WORDS
            for notation, write in NOTATIONS.items()
        }
        failures = [case for case, rule in written.items() if not (rule or "").startswith("name.")]
        assert not failures, failures

    def test_a_long_name_is_classified_like_a_short_one(self) -> None:
        assert classify("x" * 100 + "_access_token").rule is not None
        assert classify("x" * 100).rule is None

    @pytest.mark.parametrize("name", ["", " ", "_", "1", "é", "日付", "\ud800", "🏃"])
    def test_a_name_of_nothing_in_particular_is_ordinary(self, name: str) -> None:
        assert classify(name) is ORDINARY


class TestRoles:
    @pytest.mark.parametrize(
        ("role", "names"),
        [
            ("picture", ("avatar", "avatar640", "userPhoto", "profile_image")),
            ("region", ("state", "Province", "region", "county")),
            ("label", ("name", "Key", "header_name", "type", "fields", "columns")),
            ("content", ("value", "values", "stringValue", "content", "intVal")),
            (None, ("image", "badgeImage50px", "tcxLink")),
            (None, ("steps", "dateTime", "valued", "interval", "labelled")),
        ],
    )
    def test_are_those_of_the_words(self, role: str | None, names: tuple[str, ...]) -> None:
        assert {classify(name).role for name in names} == {role}
        assert not any(classify(name).rule for name in names if role == "region")


class TestLabels:
    @pytest.mark.parametrize(
        "label",
        [
            *("Set-Cookie", "access_token", "Access token", "Your password", "Password:", "PIN"),
            *('"password"', "`token`", "password?", "api key =", "Enter new password", "token 2"),
            *("acc%65ss token", "passw&#111;rd", "to\u200bken", "X-Auth-Token", "session"),
        ],
    )
    def test_of_secrets_are_known(self, label: str) -> None:
        assert classify_label(label) is not None

    @pytest.mark.parametrize(
        "label",
        [
            *("Secret Garden", "Token of love", "Pin bowling", "Morning run", "", "2026-01-31"),
            *("https://example.org/token", "password=x", "a & token", "token [removed]"),
            *("[removed]", "He lost his password yesterday", "token" + "n" * 300),
        ],
    )
    def test_of_other_things_are_none(self, label: str) -> None:
        assert classify_label(label) is None

    @pytest.mark.parametrize("label", ["Session", "session 3", "the secret", "Your token", "PIN"])
    def test_may_be_words_of_prose(self, label: str) -> None:
        assert may_be_innocent(label)

    @pytest.mark.parametrize("label", ["session_id", "client secret", "password", "", "3"])
    def test_may_be_no_words_of_prose(self, label: str) -> None:
        assert not may_be_innocent(label)


class TestCost:
    @pytest.mark.parametrize("motif", ["aB", "pass", "1a", "é", "%61"])
    def test_grows_with_the_name(self, motif: str) -> None:
        assert_linear(classify, lambda size: motif * size, 6000 // len(motif))
