"""Stable ids and messages of the rules of the contract.

Ids are part of the public API: they are added, never renamed.  The documentation has the same
table; a test compares the two.
"""

from typing import Final

from devicestatus import limits
from purewire.structuring import constraints

__all__ = ["RULES"]

RULES: Final = {
    "body.size": "the body is no longer than its endpoint allows",
    "json.text": "the body is JSON text in UTF-8, with nothing before or after it",
    "json.depth": "the body is not nested deeper than the contract's objects are",
    **constraints.RULES,
    "music.pair": "the two URLs are both absent, both null or both text",
    "music.url-state": "URLs are given only while playing or paused",
    "music.url-title": "URLs are given only with a track and an artist that are not blank",
    "url.trimmed": "no white space at either end of a URL",
    "url.parse": "the URL is valid by the WHATWG URL Standard",
    "url.scheme": "the scheme is https",
    "url.credentials": "no user name and no password",
    "url.port": "no port but 443",
    "url.host": "the host is one of the configured catalog's",
    "snapshot.skew": f"collected_at is within {limits.CLOCK_SKEW_MS} ms of the receive time",
    "changes.empty": "an event changes something",
    "window.order": "window_start is not after window_end",
    "window.span": f"the window spans at most {limits.WINDOW_SPAN_MS} ms",
    "window.ahead": "window_end is not after generated_at",
    "window.lag": f"generated_at is at most {limits.GENERATION_LAG_MS} ms after window_end",
    "window.skew": f"generated_at is within {limits.CLOCK_SKEW_MS} ms of the receive time",
    "window.baseline": "the baseline is collected exactly at window_start",
    "events.seq": "seq is strictly increasing",
    "events.order": "at does not go backwards",
    "events.inside": "every event is inside the window, both ends included",
    "gaps.order": "a gap starts before it ends",
    "gaps.inside": "every gap is inside the window, both ends included",
    "gaps.overlap": "gaps are sorted and do not overlap",
    "icons.source-url": "sourceUrl is null or a valid https URL",
    "icons.image-url": "imageUrl is /api/icons/<id>.png with the icon's own id",
}
"""Rule id to the message of its findings."""
