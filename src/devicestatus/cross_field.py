"""Ids and messages of all rules, and the rules that one member alone cannot break.

Ids are part of the public API: they are added, never renamed.  The rules checked here relate
several members, the music catalog or the receive time.

Findings come in two rounds: the functions take values without a fault of type, limit or member.
Only `part_findings` also takes a window as the fast decoder decodes it, before models are built;
if it finds something, `parsing` collects the findings of both rounds anew.  They are generated
lazily: a value is valid if there is no first one.

Invariant *both ends included*: 120 s, 30 s and 900 s are allowed, one millisecond more is not; an
event may lie at both ends of its window, a gap may begin and end there.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, compress, count
from operator import ge
from typing import Final

from devicestatus import limits
from devicestatus.models import Music, Snapshot, Window
from devicestatus.music_urls import CatalogHosts, artwork_fault, track_fault
from status_contracts.findings import Finding, Step, pointer
from status_contracts.instants import LOOKS_LIKE_SECONDS, SECOND_MS, SECONDS
from status_contracts.primitives import ABSENT, WHITE_SPACE
from status_contracts.structuring import constraints

_SKEW: Final = f"{limits.CLOCK_SKEW_MS // SECOND_MS} s"

RULES: Final = {
    "body.size": "must be no longer than its endpoint allows",
    "json.text": "must be JSON text in UTF-8, with nothing before or after it",
    "json.depth": "must not be nested deeper than the contract's objects are",
    **constraints.RULES,
    "music.pair": "must have two URLs that are both absent, both null or both text",
    "music.url-state": "must be playing or paused where a URL is given",
    "music.url-title": "must not be null or blank where a URL is given",
    "url.trimmed": "must have no white space at either end",
    "url.parse": "must be valid by the WHATWG URL Standard",
    "url.scheme": "must have the scheme https",
    "url.credentials": "must have no user name and no password",
    "url.port": "must have no port but 443",
    "url.host": "must have a host of the configured catalog",
    "snapshot.skew": f"must be at most {_SKEW} from the receive time",
    "changes.empty": "must change something",
    "window.order": "must not be after window_end",
    "window.span": f"must be at most {limits.WINDOW_SPAN_MS // SECOND_MS} s before window_end",
    "window.ahead": "must not be after generated_at",
    "window.lag": f"must be at most {limits.GENERATION_LAG_MS // SECOND_MS} s after window_end",
    "window.skew": f"must be at most {_SKEW} from the receive time",
    "window.baseline": "must be equal to window_start",
    "events.seq": "must be greater than the seq of the event before",
    "events.order": "must not be earlier than the event before",
    "events.inside": "an event must be inside the window, both ends included",
    "gaps.order": "must start before it ends",
    "gaps.inside": "a gap must be inside the window, both ends included",
    "gaps.overlap": "must not start before the end of the gap before",
    "icons.source-url": "must be null or a valid https URL",
    "icons.image-url": "must be /api/icons/<id>.png with the icon's own id",
}
"""Rule id to the message of its findings: what must be, said of the part at their path."""

_Fault = tuple[tuple[Step, ...], str]
"""The path to a fault, and the id of the rule."""


def snapshot_findings(
    snapshot: Snapshot, received_at: int | None, catalog: CatalogHosts
) -> Iterator[Finding]:
    """Validate a snapshot."""
    for path, rule in _music_faults(snapshot.music, catalog):
        yield _finding(catalog, received_at, (("music", *path), rule))
    if _is_skewed(snapshot.collected_at, received_at):
        yield _finding(catalog, received_at, (("collected_at",), "snapshot.skew"))


def window_findings(
    window: Window, received_at: int | None, catalog: CatalogHosts, *, has_parts: bool = True
) -> Iterator[Finding]:
    """Validate a window; without `has_parts`, `part_findings` has found nothing."""
    faults = _window_faults(window, received_at, catalog)
    parts = _part_faults(window, catalog) if has_parts else ()
    return map(partial(_finding, catalog, received_at), chain(faults, parts))


def part_findings(window: Window, catalog: CatalogHosts) -> Iterator[Finding]:
    """Validate events and gaps; texts in millisecond form sort as their instants do."""
    return map(partial(_finding, catalog, None), _part_faults(window, catalog))


def _finding(catalog: CatalogHosts, received_at: int | None, fault: _Fault) -> Finding:
    path, rule = fault
    message = RULES[rule]
    if rule == "url.host":
        allowed = (
            f"a host below {catalog.artwork_domain}"
            if path[-1] == "artwork_url"
            else f"one of the hosts {', '.join(sorted(catalog.track_hosts))}"
        )
        message = f"must have {allowed}"
    elif rule in {"snapshot.skew", "window.skew"} and received_at in SECONDS:
        message = f"{message}: received_at {LOOKS_LIKE_SECONDS}"
    return Finding(pointer(path), rule, message)


def _is_skewed(device_time: int, received_at: int | None) -> bool:
    return received_at is not None and abs(device_time - received_at) > limits.CLOCK_SKEW_MS


def _music_faults(music: Music, catalog: CatalogHosts) -> Sequence[_Fault]:
    artwork, page = music.artwork_url, music.track_url
    if artwork is page and not isinstance(page, str):
        return ()
    faults: list[_Fault] = []
    if type(artwork) is not type(page):
        faults.append(((), "music.pair"))
    if isinstance(artwork, str) and (rule := artwork_fault(artwork, catalog)):
        faults.append((("artwork_url",), rule))
    if isinstance(page, str) and (rule := track_fault(page, catalog)):
        faults.append((("track_url",), rule))
    if isinstance(artwork, str) or isinstance(page, str):
        if music.state not in {"playing", "paused"}:
            faults.append((("state",), "music.url-state"))
        if not (music.track or "").strip(WHITE_SPACE):
            faults.append((("track",), "music.url-title"))
        if not (music.artist or "").strip(WHITE_SPACE):
            faults.append((("artist",), "music.url-title"))
    return faults


def _window_faults(
    window: Window, received_at: int | None, catalog: CatalogHosts
) -> Iterator[_Fault]:
    yield from _span_faults(window)
    if _is_skewed(window.generated_at, received_at):
        yield ("generated_at",), "window.skew"
    if window.baseline.collected_at != window.window_start:
        yield ("baseline", "collected_at"), "window.baseline"
    for path, rule in _music_faults(window.baseline.music, catalog):
        yield ("baseline", "music", *path), rule


def _part_faults(window: Window, catalog: CatalogHosts) -> Iterator[_Fault]:
    yield from _event_faults(window, catalog)
    yield from _gap_faults(window)


def _span_faults(window: Window) -> Iterator[_Fault]:
    start, end, generated = window.window_start, window.window_end, window.generated_at
    if start > end:
        yield ("window_start",), "window.order"
    elif end - start > limits.WINDOW_SPAN_MS:
        yield ("window_start",), "window.span"
    if end > generated:
        yield ("window_end",), "window.ahead"
    elif generated - end > limits.GENERATION_LAG_MS:
        yield ("generated_at",), "window.lag"


def _event_faults(window: Window, catalog: CatalogHosts) -> Iterator[_Fault]:
    """Yield the faults of all numbers, then those of all instants, then those of all changes."""
    numbers = [event.seq for event in window.events]
    for index in compress(count(), map(ge, chain((0,), numbers), numbers)):
        yield ("events", index, "seq"), "events.seq"
    yield from _instant_faults(window, [event.at for event in window.events])
    for index, event in enumerate(window.events):
        changes = event.changes
        if (music := changes.music) is not ABSENT:
            for path, rule in _music_faults(music, catalog):
                yield ("events", index, "changes", "music", *path), rule
        elif (
            changes.active_app
            is changes.running_apps
            is changes.battery
            is changes.system
            is ABSENT
        ):
            yield ("events", index, "changes"), "changes.empty"


def _instant_faults(window: Window, instants: Sequence[int]) -> Iterator[_Fault]:
    start, end = window.window_start, window.window_end
    is_bounded, last = start <= end, start
    if is_bounded and [start, *instants, end] == sorted([start, *instants, end]):
        return
    for index, instant in enumerate(instants):
        if is_bounded and not start <= instant <= end:
            yield ("events", index, "at"), "events.inside"
        elif index and instant < last:
            yield ("events", index, "at"), "events.order"
        last = instant


def _gap_faults(window: Window) -> Iterator[_Fault]:
    first, last = window.window_start, window.window_end
    is_bounded, last_end = first <= last, first
    for index, gap in enumerate(window.gaps):
        if gap.start_at >= gap.end_at:
            yield ("gaps", index), "gaps.order"
        if is_bounded and (gap.start_at < first or gap.end_at > last):
            yield ("gaps", index), "gaps.inside"
        elif index and gap.start_at < last_end:
            yield ("gaps", index), "gaps.overlap"
        last_end = gap.end_at
