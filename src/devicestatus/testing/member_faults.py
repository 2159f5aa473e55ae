"""Faults of the members that snapshots, baselines and changes of events have in common.

A fault is a function that draws how to break one rule and breaks it, in place, in a valid plain
JSON object that has `active_app`, `battery`, `system` and `music`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.testing.strategies import running_apps, track_urls
from purewire.text import WHITE_SPACE

__all__ = ["MEMBER_FAULTS", "NOT_FINITE", "WRONG_TYPES", "Fault", "Plain", "replacing"]

Plain = dict[str, Any]
"""A plain JSON object."""
Fault = Callable[[st.DrawFn, Plain], None]
"""A function that breaks one rule of a plain object, in place."""

NOT_FINITE: Final = (float("inf"), float("-inf"), float("nan"))
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
_CONTROLS: Final = (*range(0x20), 0x7F)
_SURROGATES: Final = range(0xD800, 0xE000)
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
_HOSTS: Final = {"music/artwork_url": "a.mzstatic.com", "music/track_url": "itunes.apple.com"}
_WRONG_HOSTS: Final = {
    "music/artwork_url": (
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
    "music/track_url": (
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


def replacing(
    wrong: Mapping[str, Sequence[object]], prepare: Callable[[Plain], None] | None = None
) -> Fault:
    """Return the fault that gives the member at one path one of its wrong values.

    Args:
        wrong: path of a member, with `/` between names, to its wrong values.
        prepare: prepares the plain object before.

    """
    paths = st.sampled_from(sorted(wrong))

    def replace(draw: st.DrawFn, plain: Plain) -> None:
        if prepare is not None:
            prepare(plain)
        path = draw(paths)
        *parents, name = path.split("/")
        for parent in parents:
            plain = plain[parent]
        plain[name] = draw(st.sampled_from(wrong[path]))

    return replace


def _replacing_text(texts: Mapping[str, Sequence[str]]) -> Fault:
    """Return the fault of a wrong text; in a list it is the only item."""
    apps = [[text] for text in texts["running_apps"]]
    return replacing({**texts, "running_apps": apps})


def _containing(codes: Sequence[int]) -> Fault:
    """Return the fault of a text that contains a character that is not allowed."""
    characters = [chr(code) for code in codes]
    around = (("", ""), ("x", ""), ("", "x"), ("x", "x"))
    texts = tuple(f"{before}{each}{after}" for before, after in around for each in characters)
    return _replacing_text(dict.fromkeys(_TEXTS, texts))


def _too_long(most: int) -> list[str]:
    lengths = (0, most + 1, most + 2, most + 3)
    return [each * length for length in lengths for each in "x\u00e9\u6f22\U0001f3b5"]


def _required(draw: st.DrawFn, plain: Plain) -> None:
    parent = draw(st.sampled_from(sorted(_REQUIRED)))
    del plain[parent][draw(st.sampled_from(_REQUIRED[parent]))]


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


def _url_title(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    blank = st.none() | st.text(st.sampled_from(_BLANKS), min_size=1, max_size=3)
    plain["music"][draw(st.sampled_from(("track", "artist")))] = draw(blank)


def _set_music(plain: Plain) -> None:
    """Set music with valid URLs in a plain object."""
    plain["music"] = {"state": "playing", "track": "Song", "artist": "Band"} | _URLS


def _wrong_urls(forms: Sequence[str]) -> Fault:
    """Return the fault of a URL in one of the forms, with a host of the catalog."""
    urls = {path: [form.format(host=host) for form in forms] for path, host in _HOSTS.items()}
    return replacing(urls, _set_music)


def _url_trimmed(draw: st.DrawFn, plain: Plain) -> None:
    _set_music(plain)
    url = draw(track_urls().filter(lambda url: len(url) < limits.URL_LENGTH))
    blank = draw(st.sampled_from(_BLANKS))
    plain["music"]["track_url"] = draw(st.sampled_from((f"{url}{blank}", f"{blank}{url}")))


MEMBER_FAULTS: Final[dict[str, tuple[Fault, ...]]] = {
    "type": (replacing({path: WRONG_TYPES[kind] for path, kind in _TYPES.items()}),),
    "required": (_required,),
    "unknown": (replacing({f"{a}/{b}": _VALUES for a in _REQUIRED for b in _UNKNOWN}),),
    "constant": (
        replacing(dict.fromkeys(("battery/power_source", "music/state"), _NOT_CONSTANTS)),
    ),
    "text.length": (
        _replacing_text({path: _too_long(most) for path, most in _LENGTHS.items()}),
        replacing(
            {f"music/{n}": (url.ljust(limits.URL_LENGTH + 1, "x"),) for n, url in _URLS.items()},
            _set_music,
        ),
    ),
    "text.control": (_containing(_CONTROLS),),
    "text.surrogate": (_containing(_SURROGATES),),
    "number.finite": (replacing(dict.fromkeys(_RANGES, NOT_FINITE)),),
    "number.range": (
        replacing(
            {
                path: (most + 1, -1, most + 0.5, -5e-324, 10**40, -(10**40), 1.7e308)
                for path, most in _RANGES.items()
            }
        ),
    ),
    "items.count": (_items_count,),
    "items.unique": (_items_unique,),
    "music.pair": (_music_pair,),
    "music.url-state": (replacing({"music/state": ("stopped", "unavailable")}, _set_music),),
    "music.url-title": (_url_title,),
    "url.trimmed": (_url_trimmed,),
    "url.parse": (_wrong_urls(_INVALID_URLS),),
    "url.scheme": (_wrong_urls(_SCHEMES),),
    "url.credentials": (_wrong_urls(_CREDENTIALS),),
    "url.port": (_wrong_urls(_WRONG_PORTS),),
    "url.host": (
        replacing(
            {path: [f"https://{h}/x" for h in hosts] for path, hosts in _WRONG_HOSTS.items()},
            _set_music,
        ),
    ),
}
"""Rule id to its faults."""
