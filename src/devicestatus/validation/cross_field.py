"""The rules that need neighbours, the catalog or the receive time.

Source: device-status specification, "Music" rules 1 to 4, "POST /api/update" rule 3 and "POST
/api/batch" rule 2.  The functions judge models, and as well the sound parts that the findings path
keeps of a faulty value: a rule is judged as soon as the members it needs are sound.

A model is judged whole and quickly first (`snapshot_holds`, `window_holds`); why one does not hold,
the findings say.

Invariant *sure that it holds*: what the quick judgement passes has no findings; what it does not
pass may have none either, for it leaves to them what takes more care.
Invariant *both ends included*: 120 s, 30 s and 900 s are allowed, one millisecond more is not; an
event may lie at both ends of its window, a gap may begin and end there.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import le, lt
from typing import Any, Final

from devicestatus import limits
from devicestatus.models.snapshot import Music, Snapshot
from devicestatus.models.window import Window, WindowChanges, WindowEvent, WindowGap
from devicestatus.validation.music_urls import CatalogHosts, artwork_fault, track_fault
from devicestatus.validation.rule_ids import RULES
from purewire.absent import ABSENT
from purewire.findings import Finding, Step, pointer
from purewire.instants import FIRST_INSTANT, LAST_INSTANT
from purewire.structuring.partial import MISSING
from purewire.text import is_blank

__all__ = [
    "has_order",
    "snapshot_findings",
    "snapshot_holds",
    "window_findings",
    "window_holds",
]

_Fault = tuple[tuple[Step, ...], str]

_PLAYED: Final = ("playing", "paused")


def snapshot_holds(snapshot: Snapshot, received_at: int | None, catalog: CatalogHosts) -> bool:
    """Tell quickly whether a snapshot keeps every rule."""
    return not _is_skewed(snapshot.collected_at, received_at) and _is_fine(snapshot.music, catalog)


def window_holds(window: Window, received_at: int | None, catalog: CatalogHosts) -> bool:
    """Tell quickly whether a window whose events have order keeps every rule."""
    changes = [event.changes for event in window.events]
    songs = [each.music for each in changes if each.music is not ABSENT]
    return (
        not _is_skewed(window.generated_at, received_at)
        and window.baseline.collected_at == window.window_start
        and next(_span(window), None) is None
        and next(_gaps(window.gaps, window), None) is None
        and not any(each.active_app is ABSENT and _is_empty(each) for each in changes)
        and _is_fine(window.baseline.music, catalog)
        and all(_is_fine(song, catalog) for song in songs)
    )


def has_order(window: Window) -> bool:
    """Tell whether the events have rising numbers, and instants in order inside of the window.

    Instants may be text of the millisecond form, which sorts as they do.
    """
    seqs = [event.seq for event in window.events]
    instants = [window.window_start, *(event.at for event in window.events), window.window_end]
    return all(map(lt, seqs, islice(seqs, 1, None))) and all(
        map(le, instants, islice(instants, 1, None))
    )


def snapshot_findings(
    snapshot: Snapshot, received_at: int | None, catalog: CatalogHosts
) -> Iterator[Finding]:
    """Judge a snapshot; without a receive time the clock rule is left out."""
    return map(_finding, _snapshot(snapshot, received_at, catalog))


def window_findings(
    window: Window, received_at: int | None, catalog: CatalogHosts
) -> Iterator[Finding]:
    """Judge a window; without a receive time the clock rule is left out."""
    return map(_finding, _window(window, received_at, catalog))


def _finding(fault: _Fault) -> Finding:
    steps, rule = fault
    return Finding(pointer(steps), rule, RULES[rule])


def _known(*members: object) -> bool:
    return MISSING not in members


def _snapshot(
    snapshot: Snapshot, received_at: int | None, catalog: CatalogHosts
) -> Iterator[_Fault]:
    yield from _below(("music",), _music(snapshot.music, catalog))
    if _is_skewed(snapshot.collected_at, received_at):
        yield ("collected_at",), "snapshot.skew"


def _is_skewed(device: int, received_at: int | None) -> bool:
    if received_at is None or not _known(device):
        return False
    return abs(device - received_at) > limits.CLOCK_SKEW_MS


def _below(steps: tuple[Step, ...], faults: Iterable[_Fault]) -> Iterator[_Fault]:
    return (((*steps, *inner), rule) for inner, rule in faults)


def _is_fine(music: Music, catalog: CatalogHosts) -> bool:
    """Tell quickly whether music keeps every rule."""
    artwork, page, track, artist = music.artwork_url, music.track_url, music.track, music.artist
    if artwork is page:
        return artwork is ABSENT or artwork is None
    return (
        type(artwork) is type(page) is str
        and catalog.common_artwork.fullmatch(artwork) is not None
        and catalog.common_track.fullmatch(page) is not None
        and music.state in _PLAYED
        and track is not None
        and artist is not None
        and not is_blank(track)
        and not is_blank(artist)
    )


def _music(music: Music, catalog: CatalogHosts) -> Iterator[_Fault]:
    artwork, page = music.artwork_url, music.track_url
    if _known(artwork, page) and type(artwork) is not type(page):
        yield (), "music.pair"
    if isinstance(artwork, str) and (rule := artwork_fault(artwork, catalog)):
        yield ("artwork_url",), rule
    if isinstance(page, str) and (rule := track_fault(page, catalog)):
        yield ("track_url",), rule
    if isinstance(artwork, str) or isinstance(page, str):
        yield from _url_conditions(music)


def _url_conditions(music: Music) -> Iterator[_Fault]:
    if music.state not in (*_PLAYED, MISSING):
        yield ("state",), "music.url-state"
    for name, title in (("track", music.track), ("artist", music.artist)):
        if title is None or (isinstance(title, str) and is_blank(title)):
            yield (name,), "music.url-title"


def _window(window: Window, received_at: int | None, catalog: CatalogHosts) -> Iterator[_Fault]:
    yield from _span(window)
    if _is_skewed(window.generated_at, received_at):
        yield ("generated_at",), "window.skew"
    collected = window.baseline.collected_at
    if _known(window.window_start, collected) and collected != window.window_start:
        yield ("baseline", "collected_at"), "window.baseline"
    yield from _below(("baseline", "music"), _music(window.baseline.music, catalog))
    yield from _below(("events",), _events(window.events, window, catalog))
    yield from _below(("gaps",), _gaps(window.gaps, window))


def _span(window: Window) -> Iterator[_Fault]:
    start, end, generated = window.window_start, window.window_end, window.generated_at
    if _known(start, end):
        if start > end:
            yield ("window_start",), "window.order"
        elif end - start > limits.WINDOW_SPAN_MS:
            yield ("window_start",), "window.span"
    if _known(end, generated):
        if end > generated:
            yield ("window_end",), "window.ahead"
        elif generated - end > limits.GENERATION_LAG_MS:
            yield ("generated_at",), "window.lag"


def _events(
    events: Iterable[WindowEvent], window: Window, catalog: CatalogHosts
) -> Iterator[_Fault]:
    events = tuple(events)
    yield from _sequence([event.seq for event in events])
    yield from _instants([event.at for event in events], window)
    for index, event in enumerate(events):
        changes = event.changes
        if changes.music is not ABSENT:
            yield from _below((index, "changes", "music"), _music(changes.music, catalog))
        elif isinstance(changes, WindowChanges) and _is_empty(changes):
            yield (index, "changes"), "changes.empty"


def _is_empty(changes: WindowChanges) -> bool:
    app, apps = changes.active_app, changes.running_apps
    return app is apps is changes.battery is changes.system is changes.music is ABSENT


def _ends(window: Window) -> tuple[int, int]:
    """Give the ends that events and gaps are held against; all of time where they are unsound."""
    start, end = window.window_start, window.window_end
    sound = _known(start, end) and start <= end
    return (start, end) if sound else (FIRST_INSTANT, LAST_INSTANT)


def _sequence(column: list[Any]) -> Iterator[_Fault]:
    last = 0
    for index, seq in enumerate(column):
        if seq is MISSING:
            continue
        if seq <= last:
            yield (index, "seq"), "events.seq"
        last = seq


def _instants(column: list[Any], window: Window) -> Iterator[_Fault]:
    first, end = _ends(window)
    last = first
    for index, at in enumerate(column):
        if at is MISSING:
            continue
        if not first <= at <= end:
            yield (index, "at"), "events.inside"
        elif at < last:
            yield (index, "at"), "events.order"
        last = at


def _gaps(gaps: Iterable[WindowGap], window: Window) -> Iterator[_Fault]:
    first, end = _ends(window)
    last = first
    for index, gap in enumerate(gaps):
        if not _known(gap.start_at, gap.end_at):
            continue
        if gap.start_at >= gap.end_at:
            yield (index,), "gaps.order"
        if gap.start_at < first or gap.end_at > end:
            yield (index,), "gaps.inside"
        elif gap.start_at < last:
            yield (index,), "gaps.overlap"
        last = gap.end_at
