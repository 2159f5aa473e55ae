"""Secrets and identities that are known by their shape alone, wherever in a text they stand.

Source: health facts, section 18.1; rulings on the snapshot and on privacy.

Each finder gives the parts of a text that it condemns.  A finder for which a start is not enough
takes all that could belong to it first and judges it then, so that no text is read twice.

Invariant *linear*: no finder needs more than time linear in its text, whatever the text is.
Invariant *words pass*: what is made of words, numbers and dates is no random text, however long.
"""

import base64
import re
from collections.abc import Iterator
from typing import Final

from healthapi.sanitise.fold import Span

__all__ = [
    "decoded",
    "emails",
    "hardware_addresses",
    "jwts",
    "opaque_runs",
    "pem_blocks",
    "provider_tokens",
    "scheme_credentials",
    "userinfos",
]

_PEM: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]{1,64}-----.*?(?:-----END [A-Z0-9 ]{1,64}-----|\Z)", re.DOTALL
)

_JWT: Final = re.compile(r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]*+(?P<parts>(?:\.[A-Za-z0-9_-]*+)*+)")
_LEAST_HEADER: Final = len("eyJhbGci")

_PROVIDERS: Final = re.compile(
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
      | AGE-SECRET-KEY-1[A-Z0-9]{16,}+ | [0-9]{8,12}:AA[A-Za-z0-9_-]{30,}+
      )""",
    re.VERBOSE,
)

_SCHEME: Final = re.compile(
    r"(?<![A-Za-z0-9])(api-?key|basic|bearer|digest|dpop|hmac|negotiate|ntlm|oauth|sharedkey"
    r"|ssws|token)"
    r"[\s:=\"']{1,4}+([A-Za-z0-9._~+/=-]++)",
    re.IGNORECASE,
)
_SCHEME_FIELDS: Final = re.compile(
    r"""(?<![A-Za-z0-9])(?:digest|hawk|hmac|oauth|signature|aws4-hmac-sha256)[ \t]++
        (\w++[ ]?=[ ]?(?:"[^"]*+"|[^\s,"]++)(?:[ ]?,\s*+\w++[ ]?=[ ]?(?:"[^"]*+"|[^\s,"]++))*+)""",
    re.IGNORECASE | re.VERBOSE,
)
_SHORTEST_BEARER: Final = 6
_LONG: Final = 16
"""Characters from which on a text without white space beside the name of a scheme is no word."""

_AUTHORITY: Final = re.compile(r"(?<=//)[^\s/?#\"'<>]++")
_ODD_USERINFO: Final = re.compile(
    r"(?<=//)[^\s/?#@:\"'<>]{0,64}+:(?![0-9]{1,5}[/?#])"
    r"[^\s/?#@\"'<>]{0,64}+[/?#][^\s@\"'<>]{0,256}+(?=@)"
)
"""With a password that holds `/`, `?` or `#`, as is written though it is no URL."""
_EMAIL: Final = re.compile(
    r"""(?<=//)[^\s/?#@"'<>]++@[^\s/?#"'<>]*+          # the host behind a user
      | (?<![A-Za-z0-9._%+-])
        (?P<address>[A-Za-z0-9._%+-]++@[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++)""",
    re.VERBOSE,
)

_HEX2: Final = "[0-9A-Fa-f]{2}"
_HEX4: Final = "[0-9A-Fa-f]{4}"
_ADDRESS: Final = re.compile(
    rf"""(?<![0-9A-Za-z])(?:
        {_HEX2}(?P<seam>[:._ -]){_HEX2}(?:(?P=seam){_HEX2}){{4,30}}+
      | {_HEX4}\.{_HEX4}\.{_HEX4}
      | (?<!{_HEX4}-)(?:[0-9A-Fa-f]{{12}}|[0-9A-Fa-f]{{16}})
      )(?![0-9A-Za-z])""",
    re.VERBOSE,
)
_LETTER: Final = re.compile(r"[A-Za-z]")

_PATH: Final = re.compile(r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*+://[^\s?#\"'<>]*+")
_RUN: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}+={0,2}+")
_UUID: Final = re.compile(
    rf"(?<![0-9A-Za-z]){_HEX4}{_HEX4}(?:-{_HEX4}){{3}}-(?:{_HEX4}){{3}}(?![0-9A-Za-z])"
)
_PIECE: Final = re.compile(r"[A-Za-z0-9]++")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{11,}+={0,2}+")
_LEAST_BASE64: Final = 11
"""Characters in base64 of `pin=1234`."""
_HEX: Final = re.compile(r"[0-9a-f]{32,}+|[0-9A-F]{32,}+")
_SEGMENT: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++")
_LEAST_RUN: Final = 32
_LEAST_MASS: Final = 20
_FEW: Final = 2
"""Words and numbers in one piece that mean nothing: `steps10`, `v2`."""
_WORD: Final = 5
"""Letters of a word that chance seldom writes."""


def pem_blocks(text: str) -> Iterator[Span]:
    """Find keys and certificates as PEM, to the end of the text where none is marked."""
    for found in _PEM.finditer(text):
        yield found.span()


def jwts(text: str) -> Iterator[Span]:
    """Find JSON web tokens: a header in base64 that opens an object, and two parts or more."""
    for found in _JWT.finditer(text):
        parts = found["parts"]
        header = found.end() - found.start() - len(parts)
        if header >= _LEAST_HEADER and len(parts) > 1:
            yield found.span()


def provider_tokens(text: str) -> Iterator[Span]:
    """Find tokens that begin as the tokens of a well-known provider do."""
    for found in _PROVIDERS.finditer(text):
        yield found.span()


def scheme_credentials(text: str) -> Iterator[Span]:
    """Find what stands behind the name of an authentication scheme and is no word."""
    for found in _SCHEME.finditer(text):
        alone = found.span() == (0, len(text.rstrip()))
        if _is_credential(found[1].lower(), found[2], alone=alone):
            yield found.span(2)
    for found in _SCHEME_FIELDS.finditer(text):
        yield found.span(1)


def userinfos(text: str) -> Iterator[Span]:
    """Find user names and passwords before the host of a URL."""
    for found in _AUTHORITY.finditer(text):
        at = found[0].rfind("@")
        if at > 0:
            yield found.start(), found.start() + at
    for found in _ODD_USERINFO.finditer(text):
        yield found.span()


def emails(text: str) -> Iterator[Span]:
    """Find e-mail addresses."""
    for found in _EMAIL.finditer(text):
        if found["address"]:
            yield found.span("address")


def hardware_addresses(text: str) -> Iterator[Span]:
    """Find the addresses of network devices; digits alone are one only between `:` or `-`."""
    for found in _ADDRESS.finditer(text):
        if (found["seam"] or "") in {":", "-"} or _LETTER.search(found[0]):
            yield found.span()


def opaque_runs(text: str) -> Iterator[Span]:
    """Find runs of 32 and more characters that no words make; not in the path of a URL."""
    if "://" in text:
        text = _PATH.sub(lambda path: " " * len(path[0]), text)
    for found in _RUN.finditer(text):
        if _is_opaque(found[0]):
            yield found.span()


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Find texts in base64, with what they say."""
    for found in _BASE64.finditer(text):
        plain = _plain(found[0])
        if plain is not None:
            yield *found.span(), plain
        elif "/" in found[0]:
            yield from _decoded_segments(found)


def _decoded_segments(run: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Find texts in base64 that are segments of a path."""
    start = run.start()
    for segment in run[0].split("/"):
        plain = _plain(segment) if len(segment) >= _LEAST_BASE64 else None
        if plain is not None:
            yield start, start + len(segment), plain
        start += len(segment) + 1


def _plain(code: str) -> str | None:
    """Decode base64 to text; None where it is none."""
    try:
        return _decoded(code).decode("utf-8")
    except ValueError:
        return None


def _decoded(code: str) -> bytes:
    """Decode base64 of either alphabet, padded or not; raises ValueError where it is none."""
    plain = code.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _is_credential(scheme: str, text: str, *, alone: bool) -> bool:
    if scheme == "basic":
        return _is_user_and_password(text)
    digits = any(each.isdigit() for each in text)
    if scheme == "bearer":
        return alone or len(text) >= _LONG or (digits and len(text) >= _SHORTEST_BEARER)
    return digits and len(text) >= _LONG


def _is_user_and_password(text: str) -> bool:
    try:
        return b":" in _decoded(text)
    except ValueError:
        return False


def _is_opaque(run: str) -> bool:
    """Tell random characters from words, numbers and UUIDs that are strung together."""
    run = _UUID.sub("", run)
    if len(run.rstrip("=")) < _LEAST_RUN:
        return False
    mass = wordy = 0
    for piece in _PIECE.findall(run):
        segments = _SEGMENT.findall(piece)
        if _is_random(piece, segments):
            return True
        if len(segments) > _FEW:
            mass += len(piece)
            wordy += sum(len(each) for each in segments if each.isalpha() and len(each) >= _WORD)
    return mass >= _LEAST_MASS and wordy * 2 < mass


def _is_random(piece: str, segments: list[str]) -> bool:
    """Tell whether one long piece is random: hexadecimal, or digits strewn among its letters."""
    if len(piece) < _LEAST_RUN:
        return False
    numbers = sum(each.isdigit() for each in segments)
    if _HEX.fullmatch(piece):
        return 0 < numbers < len(segments)
    return numbers >= (_FEW if piece.islower() or piece.isupper() else _FEW + 1)
