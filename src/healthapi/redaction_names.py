"""The names by which a member is removed, and the names that a text may consist of.

A name is compared by its words: `fitbitAccessToken2`, `FITBIT-ACCESS-TOKEN` and
`fitbit_access_token` have the same, after NFKC and in lower case.

Invariant *one table*: `SECRETS` and `IDENTITIES` are all names that remove a value.
"""

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import normalize

SECRET: Final = "secret"  # noqa: S105 # the name of a kind
"""The kind of the names of secrets; no privacy setting has this name."""
UNDISCLOSED: Final = "undisclosed"
"""The kind of identities that no privacy setting publishes."""

# In the tables a comma separates phrases of one or more whole words.  A phrase with `=` has to be
# the whole name, a word with `$` its end; a phrase with `~` may be a part of a word.
SECRETS: Final = (
    # passwords
    "~passwor, ~passwd, ~passphrase, ~passcode, pass word, pass phrase, pass code, pwd, pw, "
    "=pass, user pass, seed phrase, recovery phrase, mnemonic, ~kennwort, ~passwort, clave, "
    "senha, heslo, ~contrasena, ~contraseña, ~wachtwoord, mot de passe, ~пароль, ~密码, ~密碼, "
    # tokens, and what belongs to one: its type, scope text, expiry and user
    "~token, tok, tkn, ~jwt, jws, jwe, dpop, csrf, xsrf, bearer, =pat, =refresh, =expires in, "
    "=expires in s, =expires in sec, =expires in seconds, =expires at, ~токен, ~令牌, ~トークン, "
    # secrets, keys and signatures
    "secret, secrets, ~clientsecret, ~credential, cred, creds, psk, hmac, =signature, =sig, "
    "x signature, x sig, ~apikey, ~privatekey, ~accesskey, ~secretkey, api key, api keys, "
    "rapidapi key, access key, access keys, account key, admin key, app key, application key, "
    "client key, consumer key, crypto key, decryption key, deploy key, encryption key, "
    "integration key, license key, master key, private key, private keys, rsa key, server key, "
    "service key, session key, shared key, sign key, signing key, ssh key, storage key, "
    "subscription key, webhook key, key chain, key ring, key store, ~密钥, ~密鑰, "
    # what signs someone in
    "auth, authn, authz, ~oauth, oidc, saml, sso, authentication, authenticator, ~authorization, "
    "~authorisation, assertion, =basic, digest, ntlm, negotiate, otp, totp, hotp, nonce, pin, "
    "access code, activation code, backup code, code challenge, code verifier, invite code, "
    "login code, mfa code, one time code, pairing code, recovery code, reset code, security code, "
    "sms code, unlock code, user code, verification code, mfa seed, unlock pattern, login ticket, "
    "=ticket, security answer, security question, magic link, login link, reset link, "
    "registration id, "
    # cookies and sessions; a session alone is a workout, and cookies are food
    "=cookie, set cookie, cookie jar, session id, session ids, sess id, j session id, "
    "php sess id, session cookie, session hash, =sid, connect sid"
)
"""Names of secrets."""

IDENTITIES: Final = {
    UNDISCLOSED: (
        "=mac, mac addr, mac address, mac addresses, mac id, ~macaddr, device mac, tracker mac, "
        "bluetooth mac, ble mac, wifi mac, bluetooth address, hardware address, ssid, bssid, "
        "imei, imsi, udid, idfa, =sn, =serial, device serial, serial number, serial no, ip$, "
        "ip address, ip addresses, ssn, social security, passport, national id, tax id, iban, "
        "cvv, cvc, card number, credit card, driver license, drivers license, driver licence, "
        "insurance number"
    ),
    "full_name": (
        "birth name, family name, first name, full name, given name, last name, legal name, "
        "maiden name, middle name, real name, user name, sur name, about me, =bio"
    ),
    "birth_date": (
        "=birth, birth day, birth date, birth year, birth month, date of birth, year of birth, "
        "born, dob"
    ),
    "email": "email, emails, e mail, e mails, =mail, mail address",
    "phone": (
        "phone, phones, tele phone, phone number, phone numbers, =mobile, mobile number, "
        "cell number, fax, tel$, msisdn, whatsapp, emergency contact"
    ),
    "encoded_id": "encoded id, user id, user uuid, owner id, account id, member id",
    "country": "country$, country code, country name",
    "address": (
        "address$, addresses$, address line, street$, street name, street number, city$, "
        "city name, zip$, zip code, postal, post code, latitude, longitude, geo location, "
        "current location, home location, start lat, start lng, start lon, end lat, end lng, "
        "end lon, lat lng, lat lon, =lat, =lng, =lon, =long, =location, =coordinates, =coords, "
        "=gps, =geo, =town, =state, =province, =region, =county"
    ),
}
"""Attribute of `PrivacySettings` to the names of identities that it publishes."""

_COUNTS: Final = frozenset({"count", "counts", "total", "earned", "calories"})
"""Last words of a name that says a count: `token_count`, `tokens_earned`, `email_count`."""
_HUMPS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD: Final = re.compile(r"[^\W\d_]+")
_PHRASES: Final = [
    (phrase, kind)
    for kind, table in ({SECRET: SECRETS} | IDENTITIES).items()
    for phrase in table.split(", ")
]
_STEMS: Final = [(phrase[1:], kind) for phrase, kind in _PHRASES if phrase[0] == "~"]
_KIND_OF: Final = {
    spelling: kind
    for phrase, kind in reversed(_PHRASES)
    for spelling in (phrase, phrase.replace(" ", ""))
}
_STARTS: Final = frozenset(phrase.split()[0] for phrase in _KIND_OF)
_LONGEST: Final = max(len(phrase.split()) for phrase, _ in _PHRASES)


def words_of(name: str) -> list[str]:
    """Return the words of a name or text in lower case, without digits and signs."""
    if not name.isascii():
        name = normalize("NFKC", name)
    return _WORD.findall(name if name.islower() else _HUMPS.sub(" ", name).lower())


def kind_of(words: list[str], *, is_count: bool = True) -> str | None:
    """Return what a name with these words says: `SECRET`, `UNDISCLOSED`, a privacy setting, None.

    None is for all other names, and for counts: with `is_count` false, as for the name of a text,
    none is a count.
    """
    if not words or (is_count and words[-1] in _COUNTS):
        return None
    kinds = set(_kinds(words, f"{words[-1]}$", f"={''.join(words)}"))
    return next((kind for kind in (SECRET, *IDENTITIES) if kind in kinds), None)


def has_forbidden_name(text: str) -> bool:
    """Check whether a text has the name of a secret, or of an identity in several words.

    `Email` and `Birthday run` are texts without, `birth date: 1 May` is one with such a name.
    """
    words = words_of(text)
    return SECRET in _kinds(words) or any(" " in run and run in _KIND_OF for run in _runs(words))


def _kinds(words: list[str], *others: str) -> Iterator[str]:
    """Yield the kinds of the phrases among words, and of other phrases."""
    yield from (_KIND_OF[phrase] for phrase in (*_runs(words), *others) if phrase in _KIND_OF)
    text = " ".join(words)
    yield from (kind for stem, kind in _STEMS if stem in text)


def _runs(words: list[str]) -> Iterator[str]:
    for start, word in enumerate(words):
        if word in _STARTS:
            for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
                yield " ".join(words[start:end])


_KEYS: Final = """
activity cardio_fitness electrocardiogram heartrate irregular_rhythm_notifications location
nutrition oxygen_saturation profile respiratory_rate settings sleep social temperature
weight badges devices sleep_goal activity_goals_daily activity_goals_weekly
today_activity_summary lifetime_stats activity_log_list recent_activity_types
frequent_activity_types favorite_activity_types weight_goal weight_log_recent fat_goal
fat_log_recent food_goal food_log_today recent_foods frequent_foods favorite_foods meals
water_goal water_log_today breathing_rate_today breathing_rate_recent spo2_today spo2_recent
skin_temperature_today skin_temperature_recent device_alarms SpO2
"""
KEYS: Final = frozenset(_KEYS.split())
"""The producer's own names of scopes and endpoints, and the word in its labels with a digit."""
