"""Prepare a snapshot for serving: its bytes in every content coding, each with validators.

Invariant *valid only*: bytes that `sitedata.parse` refuses are never published.
Invariant *computed once*: coded bodies and digests are computed when the snapshot is published,
never by a request.
Invariant *one tag, one body*: each coded body has its own strong entity tag, the digest of exactly
these bytes (RFC 9110 section 8.8.3).
Invariant *no future Last-Modified*: at any time, Last-Modified is in an earlier second, because a
second change in the same second would be missed (RFC 9110 sections 8.8.2.1 and 8.8.2.2).

Contract: SD-HTTP-12, SD-CACHE-05, SD-CACHE-06, SD-CODING-01, SD-CODING-03, SD-SOURCE-05.
"""

from collections.abc import Iterable, Mapping
from typing import Self

import attrs

from purewire.http.conditional import http_date
from purewire.http.content_coding import ContentCoding
from purewire.http.messages import Asset, etag_of
from purewire.instants import SECOND_MS
from sitedata.reading.decoder import encode, parse
from sitedata.reading.models import Snapshot


@attrs.frozen(eq=False, repr=False)
class Published:
    """A snapshot that is ready to be sent; `publish` creates it.

    Attributes:
        generated_at: build time of the snapshot, ms since the epoch.
        asset: the body without coding, with its validators.
        encoded: name of a content coding to the coded body, the smallest first; only codings that
            make the body smaller.

    """

    generated_at: int
    asset: Asset
    encoded: Mapping[str, Asset]

    def as_of(self, now: int) -> Self:
        """Return it as it may be sent at a time, ms since the epoch."""
        if self.generated_at // SECOND_MS < now // SECOND_MS:
            return self
        encoded = {
            name: attrs.evolve(asset, last_modified=None) for name, asset in self.encoded.items()
        }
        asset = attrs.evolve(self.asset, last_modified=None)
        return attrs.evolve(self, asset=asset, encoded=encoded)


def publish(source: bytes | Snapshot, codings: Iterable[ContentCoding] = ()) -> Published:
    """Prepare a snapshot, or the bytes of a file, for serving in some content codings.

    Bytes are sent unchanged; raises SiteDataError if they are not a valid snapshot.  Of codings of
    equal sizes the first is preferred.
    """
    body = encode(source) if isinstance(source, Snapshot) else source
    snapshot = parse(body)
    last_modified = http_date(snapshot.generated_at)
    bodies = [("", body), *((coding.name, coding.compress(body)) for coding in codings)]
    assets = {name: Asset(coded, etag_of(coded), last_modified) for name, coded in bodies}
    smaller = [name for name, coded in bodies if len(coded) < len(body)]
    smaller.sort(key=lambda name: len(assets[name].body))
    encoded = {name: assets[name] for name in smaller}
    return Published(snapshot.generated_at, assets[""], encoded)
