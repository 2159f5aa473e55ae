"""The rules by which the name of a member redacts its value."""

from typing import Final

import attrs


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_MEASURING: Final = word_set(
    "activity amount average avg breathing calories clock count counter counts date distance"
    " duration eaten enabled end ended exercise fail goal goals gym hours kind length level limit"
    " log logs max mean meditation mindfulness min minutes ms num rate rating relax required run"
    " running score sec seconds sleep start started steps summary swim therapy time total training"
    " type walk week workout yoga zone zones"
)
"""Words of measurement: with one, a soft rule does not apply."""
_COUNTING: Final = word_set("count counts minutes hours seconds duration enabled")
"""Words of counting: with one, a rule of contact data does not apply."""
EARNING: Final = word_set(
    "earned won spent collected redeemed reward rewards bonus game sugar food"
)
"""Words beside `token` in games and rewards."""
KEY_KINDS: Final = word_set(
    "access account admin aes api app application auth cipher client consumer crypto decryption"
    " deploy dsa ecdsa encrypt encryption gpg hmac integration license master partner pass pgp"
    " private rsa secret server service session shared sign signature signing ssh storage"
    " subscription webhook"
)
_CODE_KINDS: Final = word_set(
    "2fa access activation auth backup device invite login mfa onetime pairing recovery reset"
    " security sms unlock user verification"
)


def _listed(text: str) -> tuple[str, ...]:
    """Return the entries of a text, in which commas separate them and `_` stands for a blank."""
    return tuple(text.replace("_", " ").split(", ")) if text else ()


@attrs.frozen
class NameRule:
    """A rule that removes members by their name.

    Attributes:
        id: stable id, as in the documentation.
        phrases: one or more whole words each; one that starts with `=` has to be the whole name.
            Of secrets, one of 8 and more letters that is not `soft` also matches inside a word.
        stems: parts of words; `_` is the start or the end of a word.
        beside: words in the name with which the rule does not apply; beside a token all other words
            must be of these.
        soft: whether the phrases also occur in prose and in health data.

    """

    id: str
    phrases: tuple[str, ...] = attrs.field(converter=_listed)
    stems: tuple[str, ...] = attrs.field(default="", converter=_listed)
    beside: frozenset[str] = frozenset()
    soft: bool = False

    @property
    def is_secret(self) -> bool:
        """True for a rule about secrets, False for one about identities."""
        return self.id.startswith("name.")


def _kinds(kinds: frozenset[str], *nouns: str) -> str:
    """Return the phrases of each kind with each noun: `access key, access keys`."""
    return ", ".join(f"{kind} {noun}" for kind in sorted(kinds) for noun in nouns)


NAME_RULES: Final = (
    NameRule(
        "name.password",
        phrases=(
            "password, passwords, pass phrase, pass code, pass codes, =pw, user pw, login pw, wifi "
            "pw, seed phrase, recovery phrase, mnemonic, mot de passe, senha, heslo, haslo"
        ),
        stems=(
            "passw, passphrase, passcode, pwd, kennwort, contrasena, wachtwoord, пароль, 密码, "
            "密碼, 口令, パスワード, 비밀번호"
        ),
    ),
    NameRule(
        "name.token",
        phrases="token, tokens, tok, bearer, dpop, jws, jwe, jwts, =refresh",
        stems="token, jwt, csrf, xsrf, токен, 令牌, トークン, 토큰",
        beside=EARNING,
    ),
    NameRule(
        "name.expiry",
        phrases="=expires in, =expires in s, =expires in sec, =expires in seconds",
    ),
    NameRule(
        "name.secret",
        phrases=(
            "secret, secrets, cred, creds, secret value, secret text, secret id, secret hash, mfa "
            "seed, otp seed, totp seed"
        ),
        stems="credential, secret_, secrets_, clientsecret, secretaccess, 密钥, 密鑰",
    ),
    NameRule(
        "name.authorization",
        phrases=(
            "oauth, oidc, saml, authorization, authorisation, assertion, client assertion, saml "
            "assertion, saml request, saml response"
        ),
        stems="authorization, authorisation, _oauth1, _oauth2, _oauthtoken, _oauthverifier",
    ),
    NameRule(
        "name.key",
        phrases=_kinds(KEY_KINDS, "key", "keys") + ", key chain, key ring, key store, key tab, psk",
        stems="apikey, privatekey, secretkey, accesskey, signingkey, encryptionkey",
    ),
    NameRule(
        "name.code",
        phrases=_kinds(_CODE_KINDS, "code", "codes")
        + ", otp, totp, hotp, nonce, one time code, one time pin, one time codes, code verifier"
        ", code challenge, security answer, security question, verifier, magic link, login link"
        ", reset link",
    ),
    NameRule(
        "name.cookie",
        phrases="cookie, cookies, set cookie",
        stems="cookie_",
        beside=_MEASURING,
        soft=True,
    ),
    NameRule(
        "name.session",
        phrases="session, sessions, session id, session data, session hash, sid, connect sid",
        stems="sessionid, sessid",
        beside=_MEASURING | {"name", "title"},
        soft=True,
    ),
    NameRule(
        "name.pin",
        phrases="pin, pin code, pin number, pin hash, user pin",
        beside=_MEASURING,
        soft=True,
    ),
    NameRule(
        "name.sign-in",
        phrases=(
            "auth, authn, authz, auth code, auth cookie, auth data, auth hash, auth header, auth "
            "info, authentication, authenticator, basic auth, http auth, user auth, x auth, aspx "
            "auth, pass, sso, pat, =ticket, login ticket, service ticket"
        ),
        beside=_MEASURING,
        soft=True,
    ),
    NameRule(
        "name.signature",
        phrases="signature, hmac, =sig, x sig",
        beside=_MEASURING,
        soft=True,
    ),
    NameRule(
        "identity.name",
        phrases=(
            "birth name, family name, first name, full name, given name, last name, legal name, "
            "maiden name, middle name, real name, user name, sur name, about me"
        ),
    ),
    NameRule(
        "identity.birth",
        phrases=(
            "=birth, birth day, birth date, birth year, birth month, date of birth, year of birth, "
            "born, dob"
        ),
        stems="birthday, birthdate, dateofbirth",
    ),
    NameRule(
        "identity.email",
        phrases="email, emails, e mail, e mails, =mail, mail address, email address",
        stems="email_",
        beside=_COUNTING,
    ),
    NameRule(
        "identity.phone",
        phrases=(
            "phone, phones, telephone, phone number, phone numbers, mobile phone, mobile number, "
            "cell number, =mobile, fax"
        ),
        stems="phonenumber",
        beside=_COUNTING,
    ),
    NameRule(
        "identity.device",
        phrases=(
            "=mac, mac addr, mac address, mac addresses, mac id, device mac, tracker mac, "
            "bluetooth mac, ble mac, wifi mac, bluetooth address, hardware address, bssid, imei, "
            "imsi, udid, idfa, serial number, serial no"
        ),
        stems="macaddr",
    ),
    NameRule(
        "identity.address",
        phrases=(
            "address, addresses, address line, street, city, zip, zip code, postal, postal code, "
            "post code, latitude, longitude, geo location, current location, home location, start "
            "lat, start lng, start lon, end lat, end lng, end lon, lat lng, lat lon, =lat, =lng, "
            "=lon, =long, =location, =coordinates, =gps, =geo, =town"
        ),
    ),
    NameRule(
        "identity.country",
        phrases="country, country code, country name",
    ),
    NameRule(
        "identity.account",
        phrases="encoded id, user id, user uuid, owner id, account id, member id",
    ),
    NameRule(
        "identity.document",
        phrases=(
            "ssn, social security, passport, national id, tax id, iban, cvv, cvc, card number, "
            "credit card, driver license, drivers license, driver licence, insurance number"
        ),
    ),
)
"""All rules by which a name redacts its value; the first match counts."""
