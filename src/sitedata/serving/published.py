"""A snapshot as it is published: its bytes in every coding, each with its validators.

Source: site-data specification, "Endpoints"; rulings under "Site-data file".

Invariant *valid or not at all*: there is nothing published that `sitedata.parse` refuses.
Invariant *made once*: coded bodies and digests are made when the snapshot is, never by a request.
Invariant *one tag, one body*: each coded body has a strong entity tag of its own, the digest of
exactly these bytes (RFC 9110 section 8.8.3).
Invariant *no time to come*: what is published at a time has no Last-Modified in the same second or
later, where a second change could hide (RFC 9110 sections 8.8.2.1 and 8.8.2.2).
"""

from collections.abc import Iterable, Mapping
from typing import Self

import attrs

from purewire.http.assets import Asset
from purewire.http.conditional import http_date
from purewire.http.responses import etag_of
from purewire.instants import SECOND_MS
from sitedata.reading.decoder import encode, parse
from sitedata.reading.models import Snapshot
from sitedata.serving.codings import Coding

__all__ = ["Published", "publish"]


@attrs.frozen(eq=False, repr=False)
class Published:
    """What the service sends; `publish` makes it.

    Attributes:
        generated_at: when the snapshot was built, ms since the epoch.
        asset: the body as it is, with its validators.
        coded: name of a content coding to the coded body, the smallest first; only codings that
            make the body smaller.

    """

    generated_at: int
    asset: Asset
    coded: Mapping[str, Asset]

    def as_of(self, now: int) -> Self:
        """Give it as it may be sent at a time, ms since the epoch."""
        if self.generated_at // SECOND_MS < now // SECOND_MS:
            return self
        coded = {name: _undated(asset) for name, asset in self.coded.items()}
        return attrs.evolve(self, asset=_undated(self.asset), coded=coded)


def publish(source: bytes | Snapshot, codings: Iterable[Coding] = ()) -> Published:
    """Prepare a snapshot for being served.

    Args:
        source: the bytes of a file, which are sent as they are, or a snapshot, which is encoded.
        codings: in which content codings it is sent as well; the first of equal sizes leads.

    Raises SiteDataError for bytes that are no snapshot.

    """
    body = encode(source) if isinstance(source, Snapshot) else source
    generated_at = parse(body).generated_at
    changed = http_date(generated_at)
    bodies = {coding.name: coding.compress(body) for coding in codings}
    sizes = {name: len(coded) for name, coded in bodies.items() if len(coded) < len(body)}
    coded = {name: _asset(bodies[name], changed) for name in sorted(sizes, key=sizes.__getitem__)}
    return Published(generated_at, _asset(body, changed), coded)


def _asset(body: bytes, changed: str) -> Asset:
    return Asset(body, etag_of(body), changed)


def _undated(asset: Asset) -> Asset:
    return attrs.evolve(asset, last_modified=None)
