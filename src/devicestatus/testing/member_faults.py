"""Faults of the members that snapshots, baselines and changes of events have in common.

A fault is a function that draws how to break one rule and breaks it, in place, in a valid plain
JSON object that has `active_app`, `battery`, `system` and `music`.
"""

from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.testing.strategies import running_apps, track_urls
from purewire.text import WHITE_SPACE

__all__ = ["MEMBER_FAULTS", "NOT_FINITE", "WRONG_TYPES", "Fault", "Plain"]

Plain = dict[str, Any]
"""A plain JSON object."""
Fault = Callable[[st.DrawFn, Plain], None]
"""A function that breaks one rule of a plain object, in place."""

NOT_FINITE: Final = st.sampled_from((float("inf"), float("-inf"), float("nan")))
WRONG_TYPES: Final[dict[str, tuple[object, ...]]] = {
    "text or null": (0, 1.5, True, [], {}, ["x"]),
    "text": (None, 0, 1.5, True, [], {}),
    "number or null": ("50", "", True, False, [], {}, [1]),
    "number": (None, "1", True, [], {}),
    "boolean or null": (0, 1, "true", "", [], {}),
    "object": (None, 0, True, "", "{}", [], [{}]),
    "array": (None, 0, False, "", "[]", {}, {"0": "x"}),
}
_BLANKS: Final = sorted(set(WHITE_SPACE) - set("\t\n\v\f\r"))
_BLANK: Final = st.sampled_from(_BLANKS)
_CONTROLS: Final = [chr(code) for code in (*range(0x20), 0x7F)]
_TYPES: Final = {
    "active_app": "text or null",
    "music/track": "text or null",
    "music/artist": "text or null",
    "music/artwork_url": "text or null",
    "music/track_url": "text or null",
    "battery/percent": "number or null",
    "system/load_1m": "number or null",
    "system/load_15m": "number or null",
    "battery/charging": "boolean or null",
    "battery": "object",
    "system": "object",
    "music": "object",
    "running_apps": "array",
}
_LENGTHS: Final = {
    "active_app": limits.NAME_LENGTH,
    "running_apps": limits.NAME_LENGTH,
    "music/track": limits.TITLE_LENGTH,
    "music/artist": limits.TITLE_LENGTH,
}
_RANGES: Final = {
    "battery/percent": limits.BATTERY_PERCENT_MAX,
    "system/load_1m": limits.LOAD_MAX,
    "system/load_5m": limits.LOAD_MAX,
    "system/load_15m": limits.LOAD_MAX,
}
_TEXTS: Final = (*_LENGTHS, "music/artwork_url", "music/track_url")
_REQUIRED: Final = {
    "battery": ("percent", "charging", "power_source"),
    "system": ("load_1m", "load_5m", "load_15m"),
    "music": ("state", "track", "artist"),
}
_UNKNOWN: Final = ("updated_at", "expires_at", "ttl", "", "State", "state ", "__class__")
_VALUES: Final[tuple[object, ...]] = (None, 0, "", [[]], {})
_NOT_CONSTANTS: Final[tuple[object, ...]] = (
    None,
    "",
    "AC",
    "ac ",
    "Playing",
    "off",
    0,
    True,
    [],
    ["ac"],
)
_URLS: Final = {
    "artwork_url": "https://is1-ssl.mzstatic.com/image/cover.jpg",
    "track_url": "https://music.apple.com/us/album/1",
}
_HOSTS: Final = {"artwork_url": "a.mzstatic.com", "track_url": "itunes.apple.com"}
_WRONG_HOSTS: Final = {
    "artwork_url": (
        "mzstatic.com",
        "notmzstatic.com",
        "a.mzstatic.com.",
        "a.mzstatic.com.evil.example",
        "a-mzstatic.com",
        "a.mzstatic.co",
        "music.apple.com",
        "127.0.0.1",
        "[::1]",
    ),
    "track_url": (
        "apple.com",
        "a.music.apple.com",
        "music.apple.com.",
        "music.apple.com.evil.example",
        "evilitunes.apple.com",
        "a.mzstatic.com",
        "itunes.apple.com.evil",
        "0x7f.1",
        "m\u00fcsic.apple.com",
    ),
}
_INVALID_URLS: Final = (
    "",
    "cover.jpg",
    "//{host}/x",
    "https://",
    "https://{host}:65536/",
    "https://{host}:4x/",
    "https://a b.{host}/",
    "https://%00.{host}/",
    "https://[::1/{host}",
    "https://a<b.{host}/",
)
_SCHEMES: Final = (
    "http://{host}/",
    "HTTP://{host}:443/",
    "ftp://{host}/",
    "wss://{host}/",
    "httpss://{host}/",
    "data:,https://{host}/",
    "javascript:https://{host}/",
    "blob:https://{host}/x",
)
_CREDENTIALS: Final = (
    "https://me@{host}/",
    "https://:word@{host}/",
    "https://me:word@{host}:443/",
    "https://{host}@{host}/",
    "https://%20@{host}/",
)
_WRONG_PORTS: Final = (
    "https://{host}:80/",
    "https://{host}:444/",
    "https://{host}:0/",
    "https://{host}:65535/",
    "https://{host}:04430/",
)


def _put(plain: Plain, path: str, value: object) -> None:
    *parents, name = path.split("/")
    for parent in parents:
        plain = plain[parent]
    plain[name] = value


def _put_text(plain: Plain, path: str, text: str) -> None:
    """Put text at a path; into a list as its only item."""
    _put(plain, path, [text] if path == "running_apps" else text)


def _type(draw: st.DrawFn, plain: Plain) -> None:
    path = draw(st.sampled_from(sorted(_TYPES)))
    _put(plain, path, draw(st.sampled_from(WRONG_TYPES[_TYPES[path]])))


def _required(draw: st.DrawFn, plain: Plain) -> None:
    parent = draw(st.sampled_from(sorted(_REQUIRED)))
    del plain[parent][draw(st.sampled_from(_REQUIRED[parent]))]


def _unknown(draw: st.DrawFn, plain: Plain) -> None:
    parent = draw(st.sampled_from(sorted(_REQUIRED)))
    plain[parent][draw(st.sampled_from(_UNKNOWN))] = draw(st.sampled_from(_VALUES))


def _constant(draw: st.DrawFn, plain: Plain) -> None:
    path = draw(st.sampled_from(("battery/power_source", "music/state")))
    _put(plain, path, draw(st.sampled_from(_NOT_CONSTANTS)))


def _text_length(draw: st.DrawFn, plain: Plain) -> None:
    path = draw(st.sampled_from(sorted(_LENGTHS)))
    character = draw(st.sampled_from("x\u00e9\u6f22\U0001f3b5"))
    lengths = st.just(0) | st.integers(_LENGTHS[path] + 1, _LENGTHS[path] + 3)
    _put_text(plain, path, character * draw(lengths))


def _text_control(draw: st.DrawFn, plain: Plain) -> None:
    _put_text(plain, draw(st.sampled_from(_TEXTS)), _around(draw, draw(st.sampled_from(_CONTROLS))))


def _text_surrogate(draw: st.DrawFn, plain: Plain) -> None:
    lone = chr(draw(st.integers(0xD800, 0xDFFF)))
    _put_text(plain, draw(st.sampled_from(_TEXTS)), _around(draw, lone))


def _around(draw: st.DrawFn, character: str) -> str:
    before, after = draw(st.sampled_from((("", ""), ("x", ""), ("", "x"), ("x", "x"))))
    return f"{before}{character}{after}"


def _number_finite(draw: st.DrawFn, plain: Plain) -> None:
    _put(plain, draw(st.sampled_from(sorted(_RANGES))), draw(NOT_FINITE))


def _number_range(draw: st.DrawFn, plain: Plain) -> None:
    path = draw(st.sampled_from(sorted(_RANGES)))
    most = _RANGES[path]
    wrong = (most + 1, -1, most + 0.5, -5e-324, 10**40, -(10**40), 1.7e308)
    _put(plain, path, draw(st.sampled_from(wrong)))


def _items_count(draw: st.DrawFn, plain: Plain) -> None:
    count = limits.RUNNING_APPS + draw(st.integers(1, 3))
    plain["running_apps"] = [str(number) for number in range(count)]


def _items_unique(draw: st.DrawFn, plain: Plain) -> None:
    apps = draw(running_apps().filter(lambda apps: 0 < len(apps) < limits.RUNNING_APPS))
    plain["running_apps"] = [*apps, draw(st.sampled_from(apps))]


def _music_pair(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    one, other = draw(st.permutations(sorted(_URLS)))
    halves: tuple[Plain, ...] = ({one: None}, {one: _URLS[one]}, {one: _URLS[one], other: None})
    for name in _URLS:
        del plain["music"][name]
    plain["music"] |= draw(st.sampled_from(halves))


def _url_state(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    plain["music"]["state"] = draw(st.sampled_from(("stopped", "unavailable")))


def _url_title(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    blank = st.none() | st.text(_BLANK, min_size=1, max_size=3)
    plain["music"][draw(st.sampled_from(("track", "artist")))] = draw(blank)


def _set_music(plain: Plain) -> None:
    """Set music with valid URLs in a plain object."""
    plain["music"] = {"state": "playing", "track": "Song", "artist": "Band"} | _URLS


def _url_from(forms: tuple[str, ...]) -> Fault:
    def put(draw: st.DrawFn, plain: Plain) -> None:
        _set_music(plain)
        name = draw(st.sampled_from(sorted(_HOSTS)))
        plain["music"][name] = draw(st.sampled_from(forms)).format(host=_HOSTS[name])

    return put


def _url_trimmed(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    url, blank = draw(track_urls().filter(lambda url: len(url) < limits.URL_LENGTH)), draw(_BLANK)
    plain["music"]["track_url"] = draw(st.sampled_from((f"{url}{blank}", f"{blank}{url}")))


def _url_length(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    name = draw(st.sampled_from(sorted(_URLS)))
    plain["music"][name] = plain["music"][name].ljust(limits.URL_LENGTH + 1, "x")


def _url_host(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    name = draw(st.sampled_from(sorted(_WRONG_HOSTS)))
    plain["music"][name] = f"https://{draw(st.sampled_from(_WRONG_HOSTS[name]))}/x"


MEMBER_FAULTS: Final[dict[str, tuple[Fault, ...]]] = {
    "type": (_type,),
    "required": (_required,),
    "unknown": (_unknown,),
    "constant": (_constant,),
    "text.length": (_text_length, _url_length),
    "text.control": (_text_control,),
    "text.surrogate": (_text_surrogate,),
    "number.finite": (_number_finite,),
    "number.range": (_number_range,),
    "items.count": (_items_count,),
    "items.unique": (_items_unique,),
    "music.pair": (_music_pair,),
    "music.url-state": (_url_state,),
    "music.url-title": (_url_title,),
    "url.trimmed": (_url_trimmed,),
    "url.parse": (_url_from(_INVALID_URLS),),
    "url.scheme": (_url_from(_SCHEMES),),
    "url.credentials": (_url_from(_CREDENTIALS),),
    "url.port": (_url_from(_WRONG_PORTS),),
    "url.host": (_url_host,),
}
"""Rule id to its faults."""
