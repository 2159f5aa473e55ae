"""Find secrets and identities by their shape alone, anywhere in a text.

`SHAPES` is the table; each row names its rule in `docs/reference/redaction.md`.  Patterns are
possessive and match everything that may belong to a secret; a check then decides.  So no part of a
text is read twice by one pattern.

Invariant *linear*: searching takes time linear in the length of any text.
Invariant *words pass*: words, numbers and dates are not random, at any length.
"""

import base64
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

import attrs

from healthapi.redaction.normalize import Span

_Check = Callable[[re.Match[str]], Span | None]


def _secret(match: re.Match[str]) -> Span | None:
    """Return the group `secret`, None if it is not part of the match; all without such a group."""
    span = match.span("secret" if "secret" in match.re.groupindex else 0)
    return span if span[0] >= 0 else None


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE | re.DOTALL)


@attrs.frozen
class Shape:
    """A secret with a known shape; the group `secret` of its pattern, if any, is removed."""

    sign: str  # a part of every text with the shape; a fast first check
    pattern: re.Pattern[str] = attrs.field(converter=_compiled)
    check: _Check = _secret  # returns the part to remove; None for a candidate that is no secret
    rule: str = ""  # that of names that a privacy setting can turn off; empty for secrets


_MIN_BEARER: Final = 6
_MIN_CREDENTIAL: Final = 16
"""Characters of a credential; a word is shorter."""
_SIGNING: Final = re.compile(
    r"""assertion|awsaccesskeyid|challenge|code|confirmation|googleaccessid|hash|invitation|invite
      | key|keypairid|magic|otc|policy|sig|sign|signature|state|ticket|verification""",
    re.VERBOSE,
)
"""URL parameters that sign or authorize, although their names are innocent elsewhere."""


def _credential(match: re.Match[str]) -> Span | None:
    scheme, text = match[1].lower(), match["secret"]
    digits = any(map(str.isdigit, text))
    if scheme == "basic":
        secret = _is_user_and_password(text)
    elif scheme == "bearer":
        alone = match.span() == (0, len(match.string.rstrip()))
        secret = alone or len(text) >= _MIN_CREDENTIAL or (digits and len(text) >= _MIN_BEARER)
    else:
        secret = digits and len(text) >= _MIN_CREDENTIAL
    return match.span("secret") if secret else None


def _is_user_and_password(text: str) -> bool:
    try:
        return b":" in _decoded(text)
    except ValueError:
        return False


def _hardware_address(match: re.Match[str]) -> Span | None:
    """Return an address of a network device; one of digits only needs `:` or `-` between them."""
    is_address = match["seam"] in {":", "-"} or any(map(str.isalpha, match[0]))
    return match.span() if is_address else None


def _parameter(match: re.Match[str]) -> Span | None:
    signs = _SIGNING.fullmatch(re.sub(r"[^a-z]", "", match[1].lower()))
    return match.span("secret") if signs else None


_HEX2: Final = "[0-9A-Fa-f]{2}"
_HEX4: Final = "[0-9A-Fa-f]{4}"
_HOST: Final = r"[^\s/?#\"'<>]"
_PARAMETER: Final = r"""\w++[ ]?=[ ]?(?:"[^"]*+"|[^\s,"]++)"""

_MYSQL: Final = r"(?<!\w)(?:mysql|mariadb)\w{0,8}+\b"

SHAPES: Final = (
    Shape(  # text.pem
        "-----BEGIN",
        r"-----BEGIN[ ][A-Z0-9 ]{1,64}-----.*?(?:-----END[ ][A-Z0-9 ]{1,64}-----|\Z)",
    ),
    Shape(  # text.jwt: the second alternative consumes what is none, so that it is read once
        "eyJ",
        r"""(?<![A-Za-z0-9])(?:
            (?P<secret>eyJ[A-Za-z0-9_-]{5,}+(?=\.[A-Za-z0-9_.-])(?:\.[A-Za-z0-9_-]*+)++)
          | eyJ[A-Za-z0-9_-]*+)""",
    ),
    Shape(  # text.provider
        "",
        r"""(?<![A-Za-z0-9])(?:
        gh[opsur]_[A-Za-z0-9]{16,}+ | github_pat_[A-Za-z0-9_]{16,}+           # GitHub
      | gl[a-z]{2,8}-[A-Za-z0-9_-]{16,}+ | GR1348941[A-Za-z0-9_-]{16,}+       # GitLab
      | xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}+ | xapp-[A-Za-z0-9-]{8,}+    # Slack
      | (?<=hooks\.slack\.com/services/)[A-Za-z0-9/_-]++
      | AIza[A-Za-z0-9_-]{30,}+ | ya29\.[A-Za-z0-9_-]{8,}+                    # Google
      | GOCSPX-[A-Za-z0-9_-]{8,}+ | 1//0[A-Za-z0-9_-]{16,}+
      | (?:A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AKIA|ANPA|AROA|ASIA)[A-Z0-9]{16}+  # AWS
      | (?:[prs]k|rk)_(?:live|test)_[A-Za-z0-9]{8,}+ | whsec_[A-Za-z0-9+/=]{16,}+  # Stripe
      | sk-[A-Za-z0-9_-]{16,}+                                                # OpenAI and others
      | npm_[A-Za-z0-9]{16,}+ | pypi-[A-Za-z0-9_-]{16,}+ | hf_[A-Za-z0-9]{16,}+
      | do[oprt]_v1_[A-Za-z0-9]{16,}+ | SG\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+
      | shp(?:at|ca|pa|ss|tka)_[A-Za-z0-9]{16,}+ | sq0[a-z]{3}-[A-Za-z0-9_-]{16,}+
      | key-[0-9a-f]{32}+ | (?:AC|SK)[0-9a-f]{32}+ | EAA[A-Za-z0-9]{24,}+
      | AGE-SECRET-KEY-1[A-Z0-9]{16,}+ | [0-9]{8,12}:AA[A-Za-z0-9_-]{30,}+ )""",
    ),
    Shape(  # text.scheme
        "",
        r"""(?<![A-Za-z0-9])((?i:api-?key|basic|bearer|digest|dpop|hmac|negotiate|ntlm|oauth
            |sharedkey|ssws|token))[\s:="']{1,4}+(?P<secret>[A-Za-z0-9._~+/=-]++)""",
        _credential,
    ),
    Shape(  # text.scheme: with parameters
        "=",
        rf"""(?<![A-Za-z0-9])(?i:digest|hawk|hmac|oauth|signature|aws4-hmac-sha256)[ \t]++
        (?P<secret>{_PARAMETER}(?:[ ]?,\s*+{_PARAMETER})*+)""",
    ),
    Shape("@", rf"(?<=//)(?P<secret>{_HOST}+)@"),  # text.userinfo
    Shape(  # text.userinfo: a password with `/`, `?` or `#`, although that is no URL
        "@",
        r"""(?<=//)[^\s/?#@:"'<>]{0,64}+:(?![0-9]{1,5}[/?#])
            [^\s/?#@"'<>]{0,64}+[/?#][^\s@"'<>]{0,256}+(?=@)""",
    ),
    Shape(  # text.email
        "@",
        rf"""(?<=//)[^\s/?#@"'<>]++@{_HOST}*+  # the host behind a user
      | (?<![A-Za-z0-9._%+-])
        (?P<secret>[A-Za-z0-9._%+-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++)""",
        rule="identity.email",
    ),
    Shape(  # text.hardware-address
        "",
        rf"""(?<![0-9A-Za-z])(?:
        {_HEX2}(?P<seam>[:._ -]){_HEX2}(?:(?P=seam){_HEX2}){{4,30}}+
      | {_HEX4}\.{_HEX4}\.{_HEX4}
      | (?<!{_HEX4}-)(?:[0-9A-Fa-f]{{12}}|[0-9A-Fa-f]{{16}})
      )(?![0-9A-Za-z])""",
        _hardware_address,
    ),
    Shape(  # text.parameter
        "=",
        r"[?&#;]([\w.~%-]++)=(?P<secret>(?:\[removed\]|[^&#;\s\"'<>])++)",
        _parameter,
    ),
    Shape(  # text.segment: the id of an account at the provider
        "/",
        r"(?<=/)(?i:users?)/(?P<secret>[A-Z0-9]{5,12}+)(?![^\s/?#&;\"'<>\\])",
        rule="identity.account",
    ),
    Shape(  # key.member: of a JSON web key inside a text
        "kty", r"""["'](?:k|d|p|q|dp|dq|qi)["']\s*+:\s*+["'](?P<secret>[^"']++)"""
    ),
    Shape(  # text.flag: curl -u user:password
        "-",
        r"""(?<!\S)--?(?:u|U|user|proxy-user)[ \t]++(?:"[^":]*+:(?P<double>[^"]++)
            |'[^':]*+:(?P<single>[^']++)|[^\s"':-][^\s:]*+:(?P<word>\S++))""",
        lambda match: match.span(match.lastgroup or 0),
    ),
    Shape(  # text.flag: mysql -p, sshpass -p
        " -p",
        rf"""(?:(?<!\w)sshpass\b[^\n|;&]{{0,80}}?\s-p\s*+
          | {_MYSQL}(?:(?!{_MYSQL})[^\n|;&]){{0,256}}?\s-p)["']?+(?P<secret>[^\s"']++)""",
    ),
)
"""All shapes but two: random texts, and base64 of other texts."""

_PATH: Final = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*+://[^\s?#\"'<>]*+")
_RUN: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}+={0,2}+")
_UUID: Final = re.compile(
    rf"(?<![0-9A-Za-z]){_HEX4}{_HEX4}(?:-{_HEX4}){{3}}-(?:{_HEX4}){{3}}(?![0-9A-Za-z])"
)
_PIECE: Final = re.compile(r"[A-Za-z0-9]++")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{11,}+={0,2}+")
_MIN_BASE64: Final = 11
"""Characters in base64 of `pin=1234`."""
_HEX: Final = re.compile(r"[0-9a-f]{32,}+|[0-9A-F]{32,}+")
_SEGMENT: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++")
_MIN_RUN: Final = 32
_MIN_MASS: Final = 20
_FEW: Final = 2
"""Words and numbers in a piece such as `steps10`, `v2`."""
_WORD: Final = 5
"""Letters of a word; in random text so many in a row are rare."""
_MIN_SERIES: Final = 24
"""Bytes of a series of numbers."""
_WIDTHS: Final = (2, 4, 8)
"""Bytes of a number."""
_MIN_ROWS: Final = 4
_SMOOTH: Final = 6
"""Mean difference of neighbouring bytes in a series; of random ones it is 85, of words 8."""


def find_shapes(text: str, applies: Callable[[str], bool]) -> Iterator[Span]:
    """Yield the parts of a text that the table removes, and what looks random."""
    for shape in SHAPES:
        if shape.sign in text and (not shape.rule or applies(shape.rule)):
            for match in shape.pattern.finditer(text):
                span = shape.check(match)
                if span is not None:
                    yield span
    yield from find_random(text)


def find_random(text: str) -> Iterator[Span]:
    """Yield random runs of at least 32 characters, except in the path of a URL."""
    if "://" in text:
        text = _PATH.sub(lambda path: " " * len(path[0]), text)
    for match in _RUN.finditer(text):
        if _is_random(match[0]) and not _is_data(match[0]):
            yield match.span()


def encoded_texts(text: str) -> Iterator[tuple[Span, str]]:
    """Yield each span that is base64 of a text, and that text."""
    for match in _BASE64.finditer(text):
        start, end = match.span()
        plain = _plain(match[0])
        if plain is not None:
            if not (end - start >= _MIN_RUN and _is_smooth(plain.encode())):
                yield (start, end), plain
            continue
        for segment in match[0].split("/") if "/" in match[0] else ():
            plain = _plain(segment) if len(segment) >= _MIN_BASE64 else None
            if plain is not None:
                yield (start, start + len(segment)), plain
            start += len(segment) + 1


def _plain(code: str) -> str | None:
    """Decode base64 to text; return None if it is not base64 of a text."""
    if len(code.rstrip("=")) % 4 == 1:  # No number of bytes has this length.
        return None
    try:
        return _decoded(code).decode("utf-8")
    except ValueError:
        return None


def _decoded(code: str) -> bytes:
    """Decode base64 of either alphabet, padded or not; raise ValueError for other text."""
    plain = code.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _is_data(run: str) -> bool:
    """Check whether a run is base64 of numbers, or of a text (which is searched separately)."""
    try:
        data = b"" if _HEX.fullmatch(run.rstrip("=")) else _decoded(run)
        if len(data) < _MIN_SERIES:
            return False
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _is_series(data)
    except ValueError:
        return False
    return text.translate(_WHITE_SPACE).isprintable() or _is_smooth_series(data)


_WHITE_SPACE: Final = {ord(character): " " for character in "\t\r\n"}


def _columns(data: bytes, width: int) -> list[bytes]:
    """Return the bytes of each place in numbers of a width; nothing if no numbers fill the data."""
    return [] if len(data) % width else [data[place::width] for place in range(width)]


def _is_series(data: bytes) -> bool:
    """Check whether bytes are numbers of one width: their high bytes or neighbours are close."""
    return _is_smooth(data) or any(
        len(set(column)) <= len(column) // 4
        for width in _WIDTHS
        for column in _columns(data, width)
        if len(column) >= _MIN_ROWS
    )


def _is_smooth_series(data: bytes) -> bool:
    """Check whether bytes are numbers below 128 of one width whose neighbours are close.

    Text in UTF-16 has such bytes too, but its neighbours are not close.
    """
    used = ([c for c in _columns(data, width) if any(c)] for width in (1, *_WIDTHS))
    return any(len(columns) == 1 and _is_smooth(columns[0]) for columns in used)


def _is_smooth(data: bytes) -> bool:
    return sum(abs(one - other) for one, other in pairwise(data)) < _SMOOTH * len(data)


def _is_random(run: str) -> bool:
    """Check whether a run is random rather than words, numbers and UUIDs in a row.

    A long piece of it is random if there are digits among its letters, a mass of pieces of many
    segments if few of these are words.
    """
    run = _UUID.sub("", run)
    if len(run.rstrip("=")) < _MIN_RUN:
        return False
    mass = wordy = 0
    for piece in _PIECE.findall(run):
        segments = _SEGMENT.findall(piece)
        most_numbers = _FEW - (piece.islower() or piece.isupper())
        if len(piece) >= _MIN_RUN and sum(map(str.isdigit, segments)) > most_numbers:
            return True
        if len(segments) > _FEW:
            mass += len(piece)
            wordy += sum(
                len(segment) for segment in segments if segment.isalpha() and len(segment) >= _WORD
            )
    return mass >= _MIN_MASS and wordy * 2 < mass
