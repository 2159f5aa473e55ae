"""Stable ids and messages of the rules of the contract.

Ids are part of the public API: they are added, never renamed.  The documentation has the same
table; a test compares the two.
"""

from typing import Final

from devicestatus import limits
from purewire.instants import SECOND_MS
from purewire.structuring import constraints

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
    "snapshot.skew": f"collected_at must be at most {_SKEW} from the receive time",
    "changes.empty": "must change something",
    "window.order": "must not be after window_end",
    "window.span": f"must be at most {limits.WINDOW_SPAN_MS // SECOND_MS} s before window_end",
    "window.ahead": "must not be after generated_at",
    "window.lag": f"must be at most {limits.GENERATION_LAG_MS // SECOND_MS} s after window_end",
    "window.skew": f"generated_at must be at most {_SKEW} from the receive time",
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
