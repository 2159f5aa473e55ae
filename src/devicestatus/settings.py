"""Settings of a deployment: ingest token, lifetime policy, service name and catalog hosts.

Invariant *invalid values are accepted*: the constructor accepts any token and any lifetime; for
invalid ones `token` and `ttl_seconds` are None, and requests that need them yield 503.
Invariant *the token is never shown*: it is stored as a `Secret`.
"""

import re
from collections.abc import Mapping
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.music_urls import ITUNES, CatalogHosts
from status_contracts.messages import Secret

__all__ = ["DEFAULT_SERVICE_NAME", "Settings"]

DEFAULT_SERVICE_NAME: Final = "device-status"

_POLICIES: Final = {"eco": limits.TTL_ECO_SECONDS, "realtime": limits.TTL_REALTIME_SECONDS}
_DIGITS: Final = re.compile(r"[1-9][0-9]{1,3}")


def _secret(token: object) -> Secret | None:
    if isinstance(token, Secret):  # `attrs.evolve` passes converted values
        return token
    return Secret(token) if isinstance(token, str) else None


def _encodable(name: str) -> str:
    # Environment variables may contain surrogates for bytes that are not UTF-8.
    return name.encode("utf-8", "replace").decode("utf-8")


@attrs.frozen
class Settings:
    """The configuration of one service.

    Every value is accepted.  While the token is invalid, writes yield 503; while the lifetime is,
    so does every endpoint that needs the store.

    Attributes:
        ingest_token: the secret of the one agent, 32 to 1024 code points without white space;
            None if this deployment accepts no writes.
        status_ttl_seconds: lifetime of a v1 record: None (60 s), 60 to 3600 as an int or as
            decimal digits, `eco` (180 s) or `realtime` (60 s).
        service_name: the `service` member of the health body, and the badge's label.
        catalog: the music catalog's hosts.

    """

    ingest_token: Secret | None = attrs.field(converter=_secret)
    status_ttl_seconds: int | str | None = None
    service_name: str = attrs.field(default=DEFAULT_SERVICE_NAME, converter=_encodable)
    catalog: CatalogHosts = ITUNES

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Settings":
        """Build settings from environment variables.

        The names are INGEST_TOKEN, STATUS_TTL_SECONDS, SERVICE_NAME, CATALOG_ARTWORK_DOMAIN and
        CATALOG_TRACK_HOSTS (separated by commas); all are optional.
        """
        domain = environ.get("CATALOG_ARTWORK_DOMAIN", ITUNES.artwork_domain)
        hosts = environ.get("CATALOG_TRACK_HOSTS", ",".join(sorted(ITUNES.track_hosts)))
        return cls(
            environ.get("INGEST_TOKEN"),
            environ.get("STATUS_TTL_SECONDS"),
            environ.get("SERVICE_NAME", DEFAULT_SERVICE_NAME),
            CatalogHosts(domain.strip(), [host.strip() for host in hosts.split(",")]),
        )

    @property
    def ttl_seconds(self) -> int | None:
        """Lifetime of a v1 record in seconds; None if the configuration is invalid."""
        ttl = self.status_ttl_seconds
        if ttl is None:
            return limits.TTL_UNSET_SECONDS
        if isinstance(ttl, str):
            ttl = int(ttl) if _DIGITS.fullmatch(ttl) else _POLICIES.get(ttl, 0)
        is_valid = type(ttl) is int and limits.TTL_MIN_SECONDS <= ttl <= limits.TTL_MAX_SECONDS
        return ttl if is_valid else None

    @property
    def token(self) -> Secret | None:
        """The ingest token; None if it is missing or invalid."""
        token = self.ingest_token
        if token is None or token.has_whitespace:
            return None
        is_valid = limits.TOKEN_LENGTH_MIN <= token.text_length <= limits.TOKEN_LENGTH_MAX
        return token if is_valid else None
