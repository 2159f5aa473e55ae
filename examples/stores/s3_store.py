"""A store in a bucket of S3, or of anything that speaks its protocol; pip install obstore.

    store = BucketStore(open_bucket("status", endpoint="https://s3.example.org"))
    app = asgi_app(settings, store=store)

Objects are replaced whole, and S3 has been strongly consistent since 2020: a read after an
acknowledged write returns it.  A bucket does not expire objects by the second; the service checks
the deadline itself, so this is left to a lifecycle rule.
"""

from datetime import timedelta

import obstore
from obstore.store import S3Store


def open_bucket(
    name: str,
    *,
    endpoint: str | None = None,
    region: str | None = None,
    access_key_id: str | None = None,
    secret_access_key: str | None = None,
) -> S3Store:
    """Return a bucket whose calls end within some seconds, as the protocol of stores requires.

    Args:
        name: the bucket.
        endpoint: URL of the service; None for that of the region.
        region: the region; None for AWS_REGION.
        access_key_id: None for AWS_ACCESS_KEY_ID.
        secret_access_key: None for AWS_SECRET_ACCESS_KEY.

    """
    given = {
        "endpoint": endpoint,
        "region": region,
        "access_key_id": access_key_id,
        "secret_access_key": secret_access_key,
    }
    return S3Store(
        name,
        config={key: value for key, value in given.items() if value is not None},  # type: ignore[arg-type] # a TypedDict
        client_options={
            "timeout": timedelta(seconds=4),
            "connect_timeout": timedelta(seconds=2),
            "allow_http": endpoint is not None and endpoint.startswith("http://"),
        },
        retry_config={"max_retries": 1, "retry_timeout": timedelta(seconds=5)},
    )


class BucketStore:
    """Keep each key as an object; safe for threads."""

    def __init__(self, bucket: S3Store, prefix: str = "devicestatus/") -> None:
        self._bucket = bucket
        self._prefix = prefix

    def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None."""
        try:
            return bytes(obstore.get(self._bucket, self._prefix + key).bytes())
        except FileNotFoundError:
            return None

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:  # noqa: ARG002
        """Replace the value of the key; return when the bucket has acknowledged it."""
        obstore.put(self._bucket, self._prefix + key, value)
