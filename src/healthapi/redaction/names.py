"""Classify member names: does the value contain a secret, an identity, or neither?

Source: health facts, sections 16 and 18.1; decisions on the snapshot and on privacy.

`NAME_RULES` is the table, `classify` the matching function.  Names are compared by their words:
`fitbitAccessToken2`, `FITBIT-ACCESS-TOKEN` and `fitbit%20access%20token` have the same, and so have
`apiKey`, `apikey` and `a_p_i_key`.

Invariant *whole words*: a word that only contains a secret one (`secretion`, `spinning`,
`footprint`) redacts no name, except for stems that no innocent word contains (`fitbittoken`).
Invariant *fails closed*: an ambiguous word (`session`, `pin`, `cookie`) is a secret, unless a word
of measurement is beside it (`session_minutes`).

Contract: HA-PRIVACY-03, HA-PRIVACY-05.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

import attrs

from healthapi.redaction.normalize import needs_normalizing, normalize, plain_letters

__all__ = [
    "CONTENTS",
    "LABELS",
    "NAME_RULES",
    "ORDINARY",
    "PLACES",
    "Meaning",
    "NameRule",
    "Role",
    "classify",
    "classify_label",
    "has_health_word",
    "is_ordinary",
    "may_be_innocent",
    "may_contain_name",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases_of(text: str) -> tuple[str, ...]:
    return tuple(text.split(", ")) if text else ()


_MEASURING: Final = _words(
    "activity amount average avg breathing calories clock count counter counts date distance"
    " duration eaten enabled end ended exercise fail goal goals gym hours kind length level limit"
    " log logs max mean meditation mindfulness min minutes ms num rate rating relax required run"
    " running score sec seconds sleep start started steps summary swim therapy time total training"
    " type walk week workout yoga zone zones"
)
"""Words of measurement: with one, a soft rule does not apply."""
_COUNTING: Final = _words("count counts minutes hours seconds duration enabled")
"""Words of counting: with one, a rule of contact data does not apply."""
_EARNING: Final = _words("earned won spent collected redeemed reward rewards bonus game sugar food")
"""Words beside `token` in games and rewards."""
_HEALTH: Final = _words(
    "calories distance steps duration minutes hours pace workout exercise sport reps sets run swim"
    " walk yoga amount eaten sleep kcal"
)
"""Words in the member names of workouts and foods."""
PLACES: Final = _words(
    "beach gym home indoor indoors outdoor outdoors park pool road track trail treadmill"
    " left right wrist"
)
"""Words of a `location` that is no address."""


@attrs.frozen
class NameRule:
    """A rule that removes members by their name.

    Attributes:
        id: stable id, as in the documentation.
        phrases: one or more whole words each; one that starts with `=` has to be the whole name.
            Of secrets, one of 8 and more letters that is not `soft` also matches inside a word.
        stems: parts of words; a blank is the start or the end of a word.
        beside: words in the name with which the rule does not apply; beside a token all other words
            must be of these.
        soft: whether the phrases also occur in prose and in health data.

    """

    id: str
    phrases: tuple[str, ...] = attrs.field(converter=_phrases_of)
    stems: tuple[str, ...] = attrs.field(converter=_phrases_of, default="")
    beside: frozenset[str] = frozenset()
    soft: bool = False

    @property
    def is_secret(self) -> bool:
        """True for a rule about secrets, False for one about identities."""
        return self.id.startswith("name.")


_KEY_KINDS: Final = _words(
    "access account admin aes api app application auth cipher client consumer crypto decryption"
    " deploy dsa ecdsa encrypt encryption gpg hmac integration license master partner pass pgp"
    " private rsa secret server service session shared sign signature signing ssh storage"
    " subscription webhook"
)
_CODE_KINDS: Final = _words(
    "2fa access activation auth backup device invite login mfa onetime pairing recovery reset"
    " security sms unlock user verification"
)


def _kinds(kinds: frozenset[str], *nouns: str) -> str:
    return ", ".join(f"{kind} {noun}" for kind in sorted(kinds) for noun in nouns)


NAME_RULES: Final = (
    NameRule(
        "name.password",
        "password, passwords, pass phrase, pass code, pass codes, =pw, user pw, login pw, wifi pw,"
        " seed phrase, recovery phrase, mnemonic, mot de passe, senha, heslo, haslo",
        "passw, passphrase, passcode, pwd, kennwort, contrasena, wachtwoord, пароль, 密码, 密碼,"
        " 口令, パスワード, 비밀번호",
    ),
    NameRule(
        "name.token",
        "token, tokens, tok, bearer, dpop, jws, jwe, jwts, =refresh",
        "token, jwt, csrf, xsrf, токен, 令牌, トークン, 토큰",
        beside=_EARNING,
    ),
    NameRule(
        "name.expiry",
        "=expires in, =expires in s, =expires in sec, =expires in seconds",
    ),
    NameRule(
        "name.secret",
        "secret, secrets, cred, creds, secret value, secret text, secret id, secret hash,"
        " mfa seed, otp seed, totp seed",
        "credential, secret , secrets , clientsecret, secretaccess, 密钥, 密鑰",
    ),
    NameRule(
        "name.authorization",
        "oauth, oidc, saml, authorization, authorisation, assertion, client assertion,"
        " saml assertion, saml request, saml response",
        "authorization, authorisation,  oauth1,  oauth2,  oauthtoken,  oauthverifier",
    ),
    NameRule(
        "name.key",
        f"{_kinds(_KEY_KINDS, 'key', 'keys')}, key chain, key ring, key store, key tab, psk",
        "apikey, privatekey, secretkey, accesskey, signingkey, encryptionkey",
    ),
    NameRule(
        "name.code",
        f"{_kinds(_CODE_KINDS, 'code', 'codes')}, otp, totp, hotp, nonce, one time code,"
        " one time pin, one time codes, code verifier, code challenge, security answer,"
        " security question, verifier, magic link, login link, reset link",
    ),
    NameRule("name.cookie", "cookie, cookies, set cookie", "cookie ", _MEASURING, soft=True),
    NameRule(
        "name.session",
        "session, sessions, session id, session data, session hash, sid, connect sid",
        "sessionid, sessid",
        _MEASURING | {"name", "title"},
        soft=True,
    ),
    NameRule(
        "name.pin", "pin, pin code, pin number, pin hash, user pin", "", _MEASURING, soft=True
    ),
    NameRule(
        "name.sign-in",
        "auth, authn, authz, auth code, auth cookie, auth data, auth hash, auth header, auth info,"
        " authentication, authenticator, basic auth, http auth, user auth, x auth, aspx auth, pass,"
        " sso, pat, =ticket, login ticket, service ticket",
        "",
        _MEASURING,
        soft=True,
    ),
    NameRule("name.signature", "signature, hmac, =sig, x sig", "", _MEASURING, soft=True),
    NameRule(
        "identity.name",
        "birth name, family name, first name, full name, given name, last name, legal name,"
        " maiden name, middle name, real name, user name, sur name, about me",
    ),
    NameRule(
        "identity.birth",
        "=birth, birth day, birth date, birth year, birth month, date of birth, year of birth,"
        " born, dob",
        "birthday, birthdate, dateofbirth",
    ),
    NameRule(
        "identity.email",
        "email, emails, e mail, e mails, =mail, mail address, email address",
        "email ",
        _COUNTING,
    ),
    NameRule(
        "identity.phone",
        "phone, phones, telephone, phone number, phone numbers, mobile phone, mobile number,"
        " cell number, =mobile, fax",
        "phonenumber",
        _COUNTING,
    ),
    NameRule(
        "identity.device",
        "=mac, mac addr, mac address, mac addresses, mac id, device mac, tracker mac,"
        " bluetooth mac, ble mac, wifi mac, bluetooth address, hardware address, bssid, imei,"
        " imsi, udid, idfa, serial number, serial no",
        "macaddr",
    ),
    NameRule(
        "identity.address",
        "address, addresses, address line, street, city, zip, zip code, postal, postal code,"
        " post code, latitude, longitude, geo location, current location, home location,"
        " start lat, start lng, start lon, end lat, end lng, end lon, lat lng, lat lon,"
        " =lat, =lng, =lon, =long, =location, =coordinates, =gps, =geo, =town",
    ),
    NameRule("identity.country", "country, country code, country name"),
    NameRule(
        "identity.account",
        "encoded id, user id, user uuid, owner id, account id, member id",
    ),
    NameRule(
        "identity.document",
        "ssn, social security, passport, national id, tax id, iban, cvv, cvc, card number,"
        " credit card, driver license, drivers license, driver licence, insurance number",
    ),
)
"""All rules by which a name redacts its value; the first match counts."""

_EXEMPT: Final = frozenset({"tokenscope", "tokenscopes"})
"""The list of granted scopes is published."""
_NEUTRAL: Final = _KEY_KINDS | _words(
    "a addr address confirm current data enter fitbit hash header http https id is key my name new"
    " number of old one proxy raw refresh scheme set text the time type value web x your"
)
"""Words that may be beside a secret one in a label of several words."""
_INNOCENT: Final = _words(
    "auth authentication authenticator bearer cookie cookies pass pat pin secret secrets session"
    " sessions signature sso ticket token tokens"
)
"""Words of prose that need not be about a secret."""
_ARTICLES: Final = _words("a my new old one the your")

_PICTURES: Final = _words(
    "avatar avatars gravatar photo photos picture pictures portrait profileimage userimage"
)
_REGIONS: Final = _words("state province region county")
LABELS: Final = _words(
    "attr attribute column columns field fieldname fields header headername headers id k key keys"
    " kind label labels n name names option param parameter paramname property title type var"
    " variable"
)
CONTENTS: Final = _words(
    "answer content contents data default input payload raw row rows string text v val value values"
)
_CONTENT_ENDS: Final = ("value", "values")
"""How the names of contents end, as in `stringValue`."""

_SPLIT: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++|[^\W\d_A-Za-z]++")
_TOKENIZER: Final = re.compile(r"tokeni[sz](?!e?secret)[a-z]*+")
_NO_LABEL: Final = re.compile(r"[/=?&{}<>\"\\]|\[removed\]")
"""Parts of a text that is no name.  A mark is one, so that cleaning is idempotent."""
_AROUND: Final = " \t\r\n\"'`:=?*"
"""What may be around a name."""
_MAX_PHRASE: Final = 5
"""Words that are taken together, at most; `P.I.N code` has four."""
_LONG: Final = 8
"""Letters of a stem that does not occur by chance, within a word or where two meet."""
_MAX_LABEL: Final = 256
"""Characters of a text that may be a name."""
_SHORT: Final = 64
"""Characters of a name whose meaning is cached."""
_ESCAPED: Final = 3
"""How often a name may be escaped: for JSON, for a URL, for a page."""


Role = Literal["picture", "region", "label", "content"]
"""What the value is: a picture of the person, a region (a part of an address), the name of what is
beside it, or the content that the name beside it describes."""


@attrs.frozen
class Meaning:
    """The meaning of a name: the rule by which it redacts its value, and its role."""

    rule: NameRule | None = None
    role: Role | None = None


ORDINARY: Final = Meaning()
"""The meaning of a name without rule and role."""


def classify(name: str) -> Meaning:
    """Return what the name of a member means."""
    if is_ordinary(name):
        return ORDINARY
    return _cached(name) if len(name) <= _SHORT else _classified(name)


def is_ordinary(name: str) -> bool:
    """Check fast whether a plain name means nothing."""
    letters = _letters(name)
    is_known = letters in _ROLES or _IN_NAMES.search(letters) is not None
    return not is_known and not needs_normalizing(name)


def may_contain_name(text: str) -> bool:
    """Check fast whether a normal text may contain a name that redacts its value."""
    if _IN_TEXTS.search(_letters(text)):
        return True
    return not text.isascii() and _FOREIGN.search(text) is not None


def classify_label(label: str) -> NameRule | None:
    """Return the rule for a text that may be a name: `Set-Cookie`, but not `Secret Garden`.

    All of several words have to belong to the name of the secret.
    """
    if len(label) > _MAX_LABEL or is_ordinary(label):
        return None
    label = _decoded(label).strip(_AROUND)
    if _NO_LABEL.search(label):
        return None
    rule = classify(label).rule
    if rule is None or len(label.split()) == 1:
        return rule
    words = _words_of(label)
    covered = {place for start, end, _ in _phrases(words) for place in range(start, end)}
    rest = (word for place, word in enumerate(words) if place not in covered)
    return rule if all(word in _NEUTRAL or word.isdecimal() for word in rest) else None


def may_be_innocent(label: str) -> bool:
    """Check whether a redacted name may, in a text, be words of prose: `Session 3`."""
    words = [word for word in label.lower().split() if not word.isdecimal()]
    return words[-1:] != [] and words[-1] in _INNOCENT and _ARTICLES.issuperset(words[:-1])


def has_health_word(name: str) -> bool:
    """Check whether the name of a member is one that workouts and foods have."""
    return not _HEALTH.isdisjoint(_words_of(name))


def _letters(text: str) -> bytes:
    """Return the plain letters of a text in lower case, without anything between them."""
    return text.encode("ascii", "ignore").translate(_LOWER, _NO_LETTERS)


_LOWER: Final = bytes(range(128)).lower().ljust(256)
_NO_LETTERS: Final = bytes(code for code in range(128) if not chr(code).isalpha())


def _classified(name: str) -> Meaning:
    words = _words_of(name)
    joined = _joined(words)
    spaced = f" {' '.join(words)} "
    places = {place for *_, place in _phrases(words)}
    places.update(place for stem, place in _STEMS if stem in spaced)
    places.update(place for stem, place in _RULE_STEMS if len(stem) >= _LONG and stem in joined)
    rules = (NAME_RULES[place] for place in sorted(places))
    rule = next((rule for rule in rules if not _is_allowed(rule, words)), None)
    if joined in _EXEMPT:
        rule = None
    role = _role_of(joined, words)
    return Meaning(rule, role) if rule or role else ORDINARY


def _joined(words: list[str]) -> str:
    return "".join(word for word in words if not word.isdecimal())


def _role_of(joined: str, words: list[str]) -> Role | None:
    if not _PICTURES.isdisjoint((joined, *words)):
        return "picture"
    if joined in _REGIONS:
        return "region"
    if joined in LABELS:
        return "label"
    is_content = joined in CONTENTS or joined.endswith(_CONTENT_ENDS) or words[-1:] == ["val"]
    return "content" if is_content else None


_cached: Final = lru_cache(maxsize=4096)(_classified)


def _is_allowed(rule: NameRule, words: list[str]) -> bool:
    """Check whether words in a name exclude a rule; for a token, all other words have to."""
    if rule.beside is not _EARNING:
        return not rule.beside.isdisjoint(words)
    others = set(words) - {"token", "tokens"}
    return bool(others) and rule.beside.issuperset(others)


def _words_of(name: str) -> list[str]:
    words = [word.lower() for word in _SPLIT.findall(_decoded(name))]
    if len(words) > _MAX_PHRASE and all(len(word) == 1 for word in words):
        return ["".join(words)]  # s p a c e d
    return [word for word in words if not _TOKENIZER.fullmatch(word)]


def _decoded(name: str) -> str:
    """Return a name without escapes, in plain letters."""
    for _ in range(_ESCAPED):
        normal = normalize(name)
        if normal is None:
            break
        name = normal.text
    return plain_letters(name)


def _phrases(words: list[str]) -> Iterator[tuple[int, int, int]]:
    """Yield where redacting phrases start and end, and the places of their rules."""
    for start in range(len(words)):
        phrase = ""
        for end in range(start, min(start + _MAX_PHRASE, len(words))):
            phrase += words[end]
            if phrase in _PLACE_OF_PHRASE:
                yield start, end + 1, _PLACE_OF_PHRASE[phrase]
    whole = f"={_joined(words)}"
    if whole in _PLACE_OF_PHRASE:
        yield 0, len(words), _PLACE_OF_PHRASE[whole]


_PLACE_OF_PHRASE: Final = {
    phrase.replace(" ", ""): place
    for place, rule in reversed(tuple(enumerate(NAME_RULES)))
    for phrase in rule.phrases
}
_RULE_STEMS: Final = tuple(
    (stem if stem.isascii() else " ".join(_words_of(stem)), place)
    for place, rule in enumerate(NAME_RULES)
    for stem in rule.stems
)
_STEMS: Final = _RULE_STEMS + tuple(
    (phrase, place)
    for phrase, place in _PLACE_OF_PHRASE.items()
    if len(phrase) >= _LONG and "=" not in phrase
    if NAME_RULES[place].is_secret and not NAME_RULES[place].soft
)
"""Stems, and phrases of secrets that some write as a part of one word."""


def _any_of(texts: set[str]) -> re.Pattern[bytes]:
    """Return a pattern that finds any of the texts, as a tree of two levels for speed."""
    letters = {re.sub("[^a-z]", "", text) for text in texts if text.isascii()}
    least = {each for each in letters if not any(o in each for o in letters if o != each)}
    starts = sorted({each[0] for each in least})
    ends = ("|".join(sorted(each[1:] for each in least if each[0] == start)) for start in starts)
    tree = "|".join(f"{start}(?:{end})" for start, end in zip(starts, ends, strict=True))
    return re.compile(tree.encode())


_REDACTING: Final = {*_PLACE_OF_PHRASE, *(stem for stem, _ in _RULE_STEMS)}
_SCHEMES: Final = _words("basic digest negotiate ntlm hawk ssws sha")
"""Words in the names of authentication schemes, that redact no member."""
_IN_TEXTS: Final = _any_of(_REDACTING | _SCHEMES)
_IN_NAMES: Final = _any_of({*_REDACTING, *_PICTURES, *_CONTENT_ENDS, "val"})
_FOREIGN: Final = re.compile(
    "|".join(each[0] for each in sorted(_REDACTING) if not each.isascii()), re.IGNORECASE
)
_ROLES: Final = frozenset(each.encode() for each in (*_REGIONS, *LABELS, *CONTENTS))
