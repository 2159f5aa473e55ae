"""Clean what a device reports, so that the contract accepts it and it names no document.

Invariant *valid or None*: `clean_app_name` and `clean_title` return text that the contract accepts
and of which a reader sees something, else None; `clean_number` a finite number within its limit, or
None.
Invariant *no document*: a title is never a path, a URL, a part of one, or a media file's name.
Invariant *idempotent*: what is clean stays as it is.
"""

import re
from math import isfinite
from typing import Final
from unicodedata import normalize

import attrs

from devicestatus import limits
from devicestatus.models import Music, Snapshot
from status_contracts.primitives import (
    ABSENT,
    DEFAULT_IGNORABLE,
    WHITE_SPACE,
    has_control,
    is_visible,
)
from status_contracts.structuring.fast_decoder import canonical

__all__ = [
    "COMPARED",
    "clean_app_name",
    "clean_number",
    "clean_title",
    "drop_invisible",
    "names_document",
]

_CONTROLS: Final = dict.fromkeys((*range(0x20), 0x7F))
_BREAKS: Final = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")  # keeps words apart
_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
_REPLACEMENTS: Final = _CONTROLS | _BREAKS | _SURROGATES
COMPARED: Final[dict[int, str | None]] = {
    **_REPLACEMENTS,
    0x85: " ",
    **{code: None for codes in DEFAULT_IGNORABLE for code in codes},
}
"""What is replaced, for `str.translate`, before texts are compared; then they are normalized."""

_MAX_TITLE: Final = 4096
"""Longest title that is read, in code points; a longer one is taken for a document's."""
_PLAIN: Final = COMPARED | dict.fromkeys(map(ord, "\u2044\u2215\u29f8"), "/")
_DOCUMENT: Final = re.compile(
    r"""
      ^(?:/+|~\w*/|\.{1,2}[/\\]|[a-z]:[\\/]|\\\\)[\w.%@?-]               # a path
    | (?<=\w)(?-i:(?<!\b[A-Z])(?<!\b[A-Z]{2})\\|\\(?![A-Z]{1,2}\b))(?=\w)    # but AC\DC
    | (?:^|[\s"'(<\[=])(?:/|~/|[a-z]:[\\/])[^\s/\\][^/\\]*[/\\]\S      # one inside a text
    | ://|%(?:20|2f|3a|5c)|[?&][\w.%\[\]-]+=                          # a URL, or a part of one
    | ^(?:blob|data|file|ftp|https?|ipfs|magnet|mms|rtmp|rtsp|smb|spotify|urn):\S | ^[\w+-]{2,}:/\S
    | (?:^|\s)(?:[\w-]+\.)+[a-z]{2,}(?:(?::\d+)?/\S|:\d{2,5}(?!\S)) | \bwww\.\w
    | \b(?:localhost:\d|\d{1,3}(?:\.\d{1,3}){3}[:/]) | \[[\da-f]*:[\da-f]*:[^]\s]*\][:/]
    | (?:^|\s)\w[^\s:@]*:[^\s@]*@\w | \w@[\w.-]+:(?:\S|\s+[~/])
    | (?:^|[^\s.][\s.]*)\.(?:                                         # a media file's name
        3g[2ap]|aac|aax|ac3|aiff?|alac|amr|asf|asx|av[1i]|avif|bmp|caf|cda|d[st]f|dff|divx|dts
      | dvr-ms|eac3|evo|f[4l]v|flac|h26[45]|hei[cf]|hevc|ifo|ivf|jpe?g|m2?ts|m2v|m3u8?|m4[abprv]
      | mk[av]|mov|mp[1-4cdegv]|mpeg|mxf|og[agmvx]|pls|png|rmvb|s3m|shn|spx|srt|strm|svg|swf
      | tiff?|trp|ts|tta|vob|voc|wav|web[mp]|wm[av]|wpl|wtv|wv|xspf|xvid|y4m)(?!\w)
    | (?:^|[^\s.])\.(?:ape|au|cue|gif|iso|midi?|mod|opus|r[am]|tod)(?!\w)    # a word
    """,
    re.IGNORECASE | re.VERBOSE,
)


def clean_app_name(text: str | None) -> str | None:
    """Return the text as the name of an app, at most 200 code points; None if nothing is left.

    It shortens, so apply privacy rules before.
    """
    return _clean(text, limits.NAME_LENGTH)


def clean_title(text: str | None) -> str | None:
    """Return the text as track or artist, at most 500 code points.

    None if nothing is left, or what is left names a document.
    """
    title = None if text is None or names_document(text) else _clean(text, limits.TITLE_LENGTH)
    return None if title is None or names_document(title) else title


def names_document(text: str) -> bool:
    """Check whether a title is a path, a URL, a part of one, or a media file's name.

    Players without tags report these, with folders, addresses and passwords in them.  Invisible
    characters and other forms of letters and slashes make no difference.
    """
    if len(text) > _MAX_TITLE:
        return True
    # One by one, because many marks in a row take quadratic time.
    plain = "".join(normalize("NFKC", one) for one in text.translate(_PLAIN)).strip()
    return _DOCUMENT.search(plain) is not None


def drop_invisible(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot without the names and titles that show nothing; the same one if none do.

    Music without a title or an artist has no URLs.  What the contract refuses, an empty text and
    one with control characters, stays.
    """
    apps, music = snapshot.running_apps, snapshot.music
    if isinstance(apps, tuple):
        apps = tuple(app for app in apps if _shown(app) is not None)
    front, track, artist = map(_shown, (snapshot.active_app, music.track, music.artist))
    if (track, artist) != (music.track, music.artist):
        urls = ABSENT if music.artwork_url is ABSENT else None
        music = Music(music.state, track, artist, urls, urls)
    shown = attrs.evolve(snapshot, active_app=front, running_apps=apps, music=music)
    return snapshot if shown == snapshot else shown


def _shown(text: str | None) -> str | None:
    return text if not text or is_visible(text) or has_control(text) else None


def clean_number(value: float | None, maximum: int, digits: int) -> float | None:
    """Return a number from 0 to `maximum` rounded to `digits` decimals; None for other values."""
    if value is None or not isfinite(value) or not 0 <= value <= maximum:
        return None
    return canonical(round(value, digits))


def _clean(text: str | None, max_length: int) -> str | None:
    if text is None:
        return None
    trimmed = text.translate(_REPLACEMENTS).strip(WHITE_SPACE)
    cut = trimmed[:max_length].rstrip(WHITE_SPACE)
    return cut if is_visible(cut) else None
