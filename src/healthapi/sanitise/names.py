"""What the name of a member says about its value: a secret, an identity, or nothing of the kind.

Source: health facts, sections 16 and 18.1; rulings on the snapshot and on privacy.

A name is judged by its words as an eye reads them: `fitbitAccessToken2`, `FITBIT-ACCESS-TOKEN` and
`fitbit%20access%20token` have the same.  Where the seams lie does not matter (`apiKey`, `apikey`,
`a_p_i_key`).

Invariant *whole words*: a word that only holds a secret one within it (`secretion`, `spinning`,
`footprint`) condemns no name, except for stems that no innocent word has (`fitbittoken`).
Invariant *fails closed*: what may be either (`session`, `pin`, `cookie`) is a secret, unless a word
beside it says that it measures something (`session_minutes`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import attrs

from healthapi.sanitise.fold import fold, plain_letters

__all__ = [
    "NAME_RULES",
    "ORDINARY",
    "NameRule",
    "Verdict",
    "judge",
    "judge_label",
    "may_be_innocent",
]


@attrs.frozen
class NameRule:
    """One reason to remove a member.

    Attributes:
        id: stable id of the rule.
        about: the rule in words.
        phrases: one or more whole words each; those that begin with `=` are the whole name.
        stems: what stands within a word; a blank is the beginning or the end of one.
        soft: whether a measuring word beside it acquits the name.

    """

    id: str
    about: str
    phrases: tuple[str, ...]
    stems: tuple[str, ...] = ()
    soft: bool = False


def _listed(*phrases: str) -> tuple[str, ...]:
    """Give phrases that are written one after the other, commas between them."""
    return tuple(phrase for some in phrases for phrase in some.split(", "))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEY_KINDS: Final = _words(
    "access account admin aes api app application auth cipher client consumer crypto decryption"
    " deploy dsa ecdsa encrypt encryption gpg hmac integration license master partner pass pgp"
    " private rsa secret server service session shared sign signature signing ssh storage"
    " subscription webhook"
)
_CODE_KINDS: Final = _words(
    "2fa access activation auth backup device invite login mfa onetime recovery reset security sms"
    " user verification"
)


NAME_RULES: Final[tuple[NameRule, ...]] = (
    NameRule(
        "name.password",
        "a password, a passphrase or a passcode",
        _listed(
            "password, passwords, pass phrase, pass code, pass codes, =pw, user pw, login pw",
            "wifi pw, seed phrase, recovery phrase, mnemonic, mot de passe, senha, heslo, haslo",
        ),
        _listed(
            "passw, passphrase, passcode, pwd, kennwort, contrasena, wachtwoord, пароль, 密码",
            "密碼, 口令, パスワード, 비밀번호",
        ),
    ),
    NameRule(
        "name.token",
        "a token, or what belongs to one: its type, scope text or user",
        _listed("token, tokens, bearer, dpop, jws, jwe, jwts"),
        _listed("token, jwt, csrf, xsrf, токен, 令牌, トークン, 토큰"),
    ),
    NameRule(
        "name.expiry",
        "how long a token lasts",
        _listed("=expires in, =expires in s, =expires in sec, =expires in seconds"),
    ),
    NameRule(
        "name.secret",
        "a secret or a credential",
        _listed("secret, secrets, cred, creds, secret value, secret text, secret id, secret hash"),
        _listed("credential, secret , secrets , clientsecret, secretaccess, 密钥, 密鑰"),
    ),
    NameRule(
        "name.authorization",
        "an authorization header, or a part of OAuth, SAML or OpenID Connect",
        _listed(
            "oauth, oidc, saml, authorization, authorisation, assertion, client assertion",
            "saml assertion, saml request, saml response",
        ),
        _listed("authorization, authorisation,  oauth1,  oauth2,  oauthtoken,  oauthverifier"),
    ),
    NameRule(
        "name.key",
        "a key that opens or signs something",
        (
            *(f"{kind} key" for kind in _KEY_KINDS),
            *(f"{kind} keys" for kind in _KEY_KINDS),
            *_listed("key chain, key ring, key store, key tab, psk"),
        ),
        _listed("apikey, privatekey, secretkey, accesskey, signingkey, encryptionkey"),
    ),
    NameRule(
        "name.code",
        "a code, a link or an answer that is given once, to sign in",
        (
            *(f"{kind} code" for kind in _CODE_KINDS),
            *(f"{kind} codes" for kind in _CODE_KINDS),
            *_listed("otp, totp, hotp, nonce, one time code, one time pin, one time codes"),
            *_listed("code verifier, code challenge, security answer, security question"),
            *_listed("verifier, magic link, login link, reset link"),
        ),
    ),
    NameRule(
        "name.cookie",
        "a cookie",
        _listed("cookie, cookies, set cookie"),
        _listed("cookie "),
        soft=True,
    ),
    NameRule(
        "name.session",
        "the session of someone signed in",
        _listed("session, sessions, session id, session data, session hash, sid, connect sid"),
        _listed("sessionid, sessid"),
        soft=True,
    ),
    NameRule(
        "name.pin",
        "a PIN",
        _listed("pin, pin code, pin number, pin hash, user pin"),
        soft=True,
    ),
    NameRule(
        "name.sign-in",
        "what is shown to sign in",
        _listed(
            "auth, authn, authz, auth code, auth cookie, auth data, auth hash, auth header",
            "auth info, authentication, authenticator, basic auth, http auth, user auth, x auth",
            "aspx auth, pass, sso, =ticket, login ticket, service ticket",
        ),
        soft=True,
    ),
    NameRule(
        "name.signature",
        "the signature of a request",
        _listed("signature, hmac, =sig, x sig"),
        soft=True,
    ),
    NameRule(
        "identity.name",
        "what a person is called, except the name they show",
        _listed(
            "birth name, family name, first name, full name, given name, last name, legal name",
            "maiden name, middle name, real name, user name, sur name, about me",
        ),
    ),
    NameRule(
        "identity.birth",
        "when a person was born",
        _listed(
            "=birth, birth day, birth date, birth year, birth month, date of birth, year of birth",
            "born, dob",
        ),
        _listed("birthday, birthdate, dateofbirth"),
    ),
    NameRule(
        "identity.email",
        "an e-mail address",
        _listed("email, emails, e mail, e mails, =mail, mail address, email address"),
        _listed("email "),
    ),
    NameRule(
        "identity.phone",
        "a telephone number",
        _listed(
            "phone, phones, telephone, phone number, phone numbers, mobile phone, mobile number",
            "cell number, =mobile, fax",
        ),
        _listed("phonenumber"),
    ),
    NameRule(
        "identity.device",
        "the hardware address or number of a device",
        _listed(
            "=mac, mac addr, mac address, mac addresses, mac id, device mac, tracker mac",
            "bluetooth mac, ble mac, wifi mac, bluetooth address, hardware address, bssid, imei",
            "imsi, udid, idfa, serial number, serial no",
        ),
        _listed("macaddr"),
    ),
    NameRule(
        "identity.address",
        "where a person lives, or is",
        _listed(
            "address, addresses, address line, street, city, zip, zip code, postal, postal code",
            "post code, latitude, longitude, geo location, current location, home location",
            "start lat, start lng, start lon, end lat, end lng, end lon, lat lng, lat lon",
            "=lat, =lng, =lon, =long, =location, =coordinates, =gps, =geo, =town",
        ),
    ),
    NameRule(
        "identity.country",
        "the country of a person",
        _listed("country, country code, country name"),
    ),
    NameRule(
        "identity.account",
        "the id of an account at the provider",
        _listed("encoded id, user id, user uuid, owner id, account id, member id"),
    ),
    NameRule(
        "identity.document",
        "the number of a person's document, card or bank account",
        _listed(
            "ssn, social security, passport, national id, tax id, iban, cvv, cvc, card number",
            "credit card, driver license, drivers license, driver licence, insurance number",
        ),
    ),
)
"""The rules by which a name condemns its value; the first that applies counts."""

_EXEMPT: Final = frozenset({"tokenscope", "tokenscopes"})
"""The list of granted scopes is published."""

_MEASURING: Final = _words(
    "activity amount average avg breathing calories clock count counter counts date distance"
    " duration eaten enabled end ended exercise fail goal goals gym hours kind length level limit"
    " log logs max mean meditation mindfulness min minutes ms num rate rating relax required run"
    " running score sec seconds sleep start started steps summary swim therapy time total training"
    " type walk week workout yoga zone zones"
)
_NEUTRAL: Final = _words(
    "a addr address confirm current data enter fitbit hash header http https id is key my name new"
    " number of old one proxy raw refresh scheme set text the time type value web x your"
).union(_KEY_KINDS)
"""Words that may stand beside a secret one in a label of several words."""

_INNOCENT: Final = _words(
    "auth authentication authenticator bearer cookie cookies pass pin secret secrets session"
    " sessions signature sso ticket token tokens"
)
"""Words of prose that need not be about a secret."""
_ARTICLES: Final = _words("a my new old one the your")

_PICTURES: Final = _words(
    "avatar avatars gravatar photo photos picture pictures portrait profileimage userimage"
)
_REGIONS: Final = frozenset({"state", "province", "region", "county"})
_LABELS: Final = _words(
    "attr attribute column columns field fieldname fields header headername headers id k key keys"
    " kind label labels n name names option param parameter paramname property title type var"
    " variable"
)
_CONTENTS: Final = _words(
    "answer content contents data default input payload raw row rows string text v val value values"
)
_VALUES: Final = ("value", "values")
"""How the names of contents end, as in `stringValue`."""

_SPLIT: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++|[^\W\d_A-Za-z]++")
_NO_LABEL: Final = re.compile(r"[/=?&{}<>\"\\]|\[removed\]")
"""What is in no name; a text that was cleaned names nothing, so that cleaning it again is idle."""
_AROUND: Final = " \t\r\n\"'`:=?*"
"""What may stand around a name."""
_LONGEST_PHRASE: Final = 5
"""Words that are taken together, at most; `P.I.N code` has four."""
_LONG: Final = 8
"""Letters of a stem that does not arise by chance, within a word or where two meet."""
_LONGEST_LABEL: Final = 256
"""Characters of a text that may be a name."""
_SHORT: Final = 64
"""Characters of a name that is remembered; longer ones are judged each time."""
_ESCAPED: Final = 3
"""How often a name may be escaped: for JSON, for a URL, for a page."""


@attrs.frozen
class Verdict:
    """What is known of a name.

    Attributes:
        rule: the rule by which the name condemns its value.
        picture: whether the value is a picture of the person.
        region: whether the value is a region, where it stands in an address.
        label: whether the value may be the name of what stands beside it.
        content: whether the value may be what the name beside it names.

    """

    rule: NameRule | None = None
    picture: bool = False
    region: bool = False
    label: bool = False
    content: bool = False


ORDINARY: Final = Verdict()
"""The verdict on a name of which nothing is known."""


def judge(name: str) -> Verdict:
    """Judge the name of a member."""
    return _remembered(name) if len(name) <= _SHORT else _judged(name)


def judge_label(label: str) -> NameRule | None:
    """Judge text that may be a name: `{"name": "Set-Cookie"}`, but not `{"name": "Secret Garden"}`.

    Of several words all have to be about the secret.
    """
    if len(label) > _LONGEST_LABEL:
        return None
    label = _as_read(label).strip(_AROUND)
    if _NO_LABEL.search(label):
        return None
    rule = judge(label).rule
    if rule is None or len(label.split()) == 1:
        return rule
    words = _words_of(label)
    covered = {place for start, end, _ in _phrases(words) for place in range(start, end)}
    rest = (word for place, word in enumerate(words) if place not in covered)
    return rule if all(word in _NEUTRAL or word.isdecimal() for word in rest) else None


def may_be_innocent(label: str) -> bool:
    """Tell whether a condemned name, in a text, may be no more than words of it: `Session 3`."""
    words = [word for word in label.lower().split() if not word.isdecimal()]
    return words[-1:] != [] and words[-1] in _INNOCENT and _ARTICLES.issuperset(words[:-1])


def _judged(name: str) -> Verdict:
    words = _words_of(name)
    found = [rule for *_, rule in _phrases(words)]
    spaced = f" {' '.join(words)} "
    found += (rule for stem, rule in (*_STEMS, *_PHRASE_STEMS) if stem in spaced)
    joined = "".join(word for word in words if not word.isdecimal())
    seamless = f" {joined} "
    found += (rule for stem, rule in _SEAMLESS if stem in seamless)
    verdict = Verdict(
        None if not found or joined in _EXEMPT else _first(found, words),
        picture=joined in _PICTURES or not _PICTURES.isdisjoint(words),
        region=joined in _REGIONS,
        label=joined in _LABELS,
        content=joined in _CONTENTS or joined.endswith(_VALUES) or words[-1:] == ["val"],
    )
    return ORDINARY if verdict == ORDINARY else verdict


_remembered: Final = lru_cache(maxsize=4096)(_judged)


def _first(found: list[int], words: list[str]) -> NameRule | None:
    acquitted = not _MEASURING.isdisjoint(words)
    rules = (NAME_RULES[place] for place in sorted(found))
    return next((rule for rule in rules if not (rule.soft and acquitted)), None)


def _words_of(name: str) -> list[str]:
    words = [word.lower() for word in _SPLIT.findall(_as_read(name))]
    if len(words) > _LONGEST_PHRASE and all(len(word) == 1 for word in words):
        return ["".join(words)]  # s p a c e d
    return words


def _as_read(name: str) -> str:
    """Give a name as an eye reads it, escapes undone."""
    for _ in range(_ESCAPED):
        folded = fold(name)
        if folded is None:
            break
        name = folded.text
    return plain_letters(name)


def _phrases(words: list[str]) -> Iterator[tuple[int, int, int]]:
    """Give where condemning phrases begin and end, and the places of their rules."""
    for start in range(len(words)):
        phrase = ""
        for end in range(start, min(start + _LONGEST_PHRASE, len(words))):
            phrase += words[end]
            if phrase in _PLACE_OF_PHRASE:
                yield start, end + 1, _PLACE_OF_PHRASE[phrase]
    whole = f"={''.join(word for word in words if not word.isdecimal())}"
    if whole in _PLACE_OF_PHRASE:
        yield 0, len(words), _PLACE_OF_PHRASE[whole]


_PLACE_OF_PHRASE: Final = {
    phrase.replace(" ", ""): place
    for place, rule in reversed(tuple(enumerate(NAME_RULES)))
    for phrase in rule.phrases
}
_STEMS: Final = tuple(
    (stem if stem.isascii() else " ".join(_words_of(stem)), place)
    for place, rule in enumerate(NAME_RULES)
    for stem in rule.stems
)
_SEAMLESS: Final = tuple(
    (stem, place) for stem, place in _STEMS if len(stem) >= _LONG or " " in stem
)
"""Stems that are looked for across the seams of a name, where shorter ones arise by chance."""
_PHRASE_STEMS: Final = tuple(
    (phrase, place)
    for phrase, place in _PLACE_OF_PHRASE.items()
    if len(phrase) >= _LONG
    and not phrase.startswith("=")
    and NAME_RULES[place].id.startswith("name.")
    and not NAME_RULES[place].soft
)
"""Phrases that are looked for within a word, for some write all words as one."""
