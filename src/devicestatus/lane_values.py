"""The values that a timeline of a window shows: their names, colours, and description in text.

Invariant *shown values only*: values that look the same are one interval; an artwork URL, a power
source or the names of running apps do not split intervals.

Invariant *no claim while locked*: an empty list of running apps, which a locked screen also has, is
no number.
Invariant *complete in text*: the description states for each lane its longest values or its range,
for each of the first gaps its time and reason, and the number of the others.
Invariant *distinct colours*: of one window, the apps that were longest in front, as many as there
are colours, have different ones, and all others have `OTHER`, whichever was longer of those.  The
status page, whose `page_files/colors.js` has a port of `app_colors`, and pictures have the same.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.durations import Interval, intervals, total_durations
from devicestatus.models import SENSITIVE_APP, Music, Window
from devicestatus.status_text import GAPS
from status_contracts.instants import to_datetime
from status_contracts.primitives import ABSENT
from status_contracts.svg.axis import NO_DATA
from status_contracts.svg.labels import (
    format_day,
    format_duration,
    format_number,
    format_time,
    shorten,
)
from status_contracts.svg.palette import APPS, GREEN, GREY, MAGENTA
from status_contracts.svg.text import initial

LANES: Final = {  # member of a snapshot to the name of its lane, here and on the status page
    "active_app": "Apps",
    "running_apps": "Open apps",
    "music": "Music",
    "battery": "Battery",
    "system": "Load",
}
NO_APP: Final = "This device is on"  # of cards and pages without a foreground app
NO_APPS: Final = "no apps shown"  # in a lane, of an empty list, which a locked screen also has
NOT_REPORTED: Final = "app not reported"  # in a lane, of other times without a foreground app
NO_MUSIC: Final = "music not reported"  # in a lane that has music at other times
APP_COLORS: Final = len(APPS)
MUSIC: Final = MAGENTA
CHARGING: Final = GREEN  # of the level of a battery that is charging
OTHER: Final = GREY  # of other levels, of private apps, and of apps that were rarely in front
GAP: Final = "#767676"

_OFFSET, _PRIME, _32_BITS = 0x811C9DC5, 0x0100_0193, 0xFFFF_FFFF


def app_initial(app: str) -> str:
    """Return the letter or digit that stands for an app on its colour."""
    return initial("" if app == SENSITIVE_APP else app)


def app_signs(apps: Collection[str]) -> dict[str, str]:
    """Return the initial of each app, and another letter where several have that initial."""
    counts, signs = Counter(map(app_initial, apps)), dict[str, str]()
    for app in apps:
        letter, name = app_initial(app), "" if app == SENSITIVE_APP else app
        others = [sign.lower()[0] for sign in name if sign.isalnum()][1:]
        pairs = (letter + other for other in others if not counts[letter + other])
        signs[app] = next(pairs, letter) if counts[letter] > 1 else letter
        counts[signs[app]] += 1
    return signs


def app_label(app: str) -> str:
    """Return the name of an app as people read it; `System` stands for a private one."""
    return "Private app" if app == SENSITIVE_APP else app


def song_name(track: str, artist: str | None) -> str:
    """Return track and artist, or the track alone."""
    return f"{track} — {artist}" if artist else track


def app_colors(*windows: Collection[str], others: Collection[str] = ()) -> dict[str, int | None]:
    """Return the index in `APPS` of each app's colour, which it has in all windows that are shown.

    It is `color_index` of the name or the next one that no app before has in one of its windows;
    apps of most windows are first, then by name.  None is that of `System` and of those without.

    Args:
        windows: the apps of each; those have colours that were longest in front, and are first.
        others: apps that are shown besides.

    """
    free = defaultdict[str, list[set[int]]](list)
    for window in windows:
        own = {*range(APP_COLORS)}
        for app in dict.fromkeys((*window, *others)):
            free[app].append(own)
    named = ([*filter(SENSITIVE_APP.__ne__, window)][:APP_COLORS] for window in windows)
    order = sorted(chain(*named), key=lambda app: app.encode("utf-16-be", "surrogatepass"))
    order.sort(key=lambda app: -len(free[app]))
    indexes = dict.fromkeys(free)
    for app in filter(SENSITIVE_APP.__ne__, dict.fromkeys((*order, *others))):
        start, left = color_index(app), {*range(APP_COLORS)}.intersection(*free[app])
        indexes[app] = min(left, key=lambda index: (index - start) % APP_COLORS, default=None)
        for own in free[app]:
            own.discard(indexes[app])
    return indexes


def color_index(name: str) -> int:
    """Return the index of the colour of a name in `APPS`.

    It is the 32-bit FNV-1a hash of the UTF-8 of the name, without its lowest byte, modulo the
    number of colours; a surrogate, which no app name can contain, counts as its three bytes.
    """
    value = _OFFSET
    for byte in name.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * _PRIME & _32_BITS
    return (value >> 8) % APP_COLORS


def music_text(music: Music) -> str:
    """Return track and artist, after the state if it is paused; the state alone without a track.

    The text is empty for music that is neither played nor paused.
    """
    if music.state not in {"playing", "paused"}:
        return ""
    if not music.track:
        return music.state
    name = song_name(music.track, music.artist)
    return name if music.state == "playing" else f"{music.state}: {name}"


@attrs.frozen
class NumberValue:
    """A number, None where it is unknown, and whether the battery was charging at it."""

    number: float | None
    is_charging: bool = False


@attrs.frozen(repr=False)
class LaneValues:
    """The values of all lanes: names and numbers of apps, music, battery in percent, load.

    `colors` and `signs` are of each app, and `no_app` is what is said of the times without one.
    """

    apps: tuple[Interval[str | None], ...]
    no_app: tuple[Interval[str], ...]
    running: tuple[Interval[NumberValue], ...]
    music: tuple[Interval[Music], ...]
    battery: tuple[Interval[NumberValue], ...]
    load: tuple[Interval[NumberValue], ...]
    colors: Mapping[str, str]
    signs: Mapping[str, str]


def lane_values(window: Window) -> LaneValues:
    """Return the values that a timeline of a window shows."""
    apps = intervals(window, "active_app")
    indexes = app_colors(total_durations(apps))
    return LaneValues(
        apps,
        tuple(_without_app(window, apps)),
        intervals(
            window,
            "running_apps",
            lambda apps: NumberValue(None if apps is ABSENT else len(apps) or None),
        ),
        intervals(window, "music", lambda music: Music(music.state, music.track, music.artist)),
        intervals(
            window,
            "battery",
            lambda battery: NumberValue(battery.percent, battery.charging is True),
        ),
        intervals(window, "system", lambda system: NumberValue(system.load_1m)),
        {app: OTHER if index is None else APPS[index] for app, index in indexes.items()},
        app_signs(indexes),
    )


def _without_app(window: Window, apps: Sequence[Interval[str | None]]) -> Iterator[Interval[str]]:
    running = intervals(
        window, "running_apps", lambda names: NO_APPS if names == () else NOT_REPORTED
    )
    starts = [held.start for held in running]
    for held in apps:
        if held.value is None:
            first, last = bisect_right(starts, held.start) - 1, bisect_left(starts, held.end)
            for other in running[first:last]:
                start, end = max(held.start, other.start), min(held.end, other.end)
                yield Interval(start, end, other.value)


_MAX_LISTED: Final = 5


def format_date_range(start: int, end: int) -> str:
    """Write dates and times: `1 Jan 2026, 12:00:00 to 12:15:00 UTC`."""
    first, last = format_time(start), format_time(end)
    day, end_day = (format_day(to_datetime(instant)) for instant in (start, end))
    return f"{day}, {first} to {last if day == end_day else f'{end_day}, {last}'} UTC"


def format_time_range(start: int, end: int) -> str:
    """Write times and their distance: `12:00:00 to 12:15:00 (15 min)`."""
    return f"{format_time(start)} to {format_time(end)} ({format_duration(end - start)})"


def describe(window: Window, values: LaneValues, at: int | None) -> str:
    """Return the description of a timeline, and what is shown at an instant `at`."""
    apps = _list_longest(values.apps, app_label)
    music = [Interval(held.start, held.end, music_text(held.value)) for held in values.music]
    sentences = [
        format_date_range(window.window_start, window.window_end),
        f"{LANES['active_app']}: {apps}",
        f"{LANES['running_apps']}: {_describe_numbers(values.running)}",
        f"{LANES['music']}: {_list_longest(music)}",
        f"{LANES['battery']}: {_describe_numbers(values.battery, ' %')}",
        f"{LANES['system']} over 1 minute: {_describe_numbers(values.load)}",
    ]
    if window.gaps:
        gaps = [
            f"{GAPS[gap.reason]} {format_time_range(gap.start_at, gap.end_at)}"
            for gap in window.gaps
        ]
        sentences.append(f"Gaps: {_list(gaps)}")
    if at is not None:
        sentences.append(outside_text(window, at) or _describe_instant(window, values, at))
    return "".join(f"{sentence}. " for sentence in sentences).rstrip()


def outside_text(window: Window, at: int) -> str:
    """Return what is said of an instant `at` that is outside a window; empty for another."""
    end, kept = window.window_end, limits.WINDOW_LIFETIME_MS - limits.PLAYBACK_DELAY_MS
    paused = end + kept, f"Paused at {format_time(end)}"
    said = (window.window_start, "Not shown yet"), (end, ""), paused
    return next((text for before, text in said if at < before), "Not shown any more")


def format_range(lane: Iterable[Interval[NumberValue]], unit: str = "") -> str:
    """Write the least and the greatest of some numbers; empty where there are none."""
    known = [interval.value.number for interval in lane if interval.value.number is not None]
    if not known:
        return ""
    ends = dict.fromkeys(map(format_number, (min(known), max(known))))
    return f"{' to '.join(ends)}{unit}"


def _list_longest(lane: Iterable[Interval[str | None]], label: Callable[[str], str] = str) -> str:
    totals = total_durations(lane).items()
    return _list([f"{shorten(label(name))} {format_duration(ms)}" for name, ms in totals if name])


def _list(items: Sequence[str]) -> str:
    more = len(items) - _MAX_LISTED
    return ", ".join([*items[:_MAX_LISTED], *([f"{more:,} more"] if more > 0 else [])]) or NO_DATA


def _describe_numbers(lane: Sequence[Interval[NumberValue]], unit: str = "") -> str:
    charging = sum(interval.duration for interval in lane if interval.value.is_charging)
    numbers = format_range(lane, unit) or NO_DATA
    return f"{numbers}, charging for {format_duration(charging)}" if charging else numbers


def _describe_instant(window: Window, values: LaneValues, at: int) -> str:
    gaps = [GAPS[gap.reason] for gap in window.gaps if gap.start_at <= at < gap.end_at]
    app = next((held.value for held in values.apps if held.start <= at < held.end), None) or ""
    return " ".join(filter(None, ("Shown:", format_time(at), *gaps, shorten(app_label(app)))))
