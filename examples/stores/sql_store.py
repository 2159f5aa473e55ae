"""A store in a table of your own database: PostgreSQL, MySQL, SQLite; pip install sqlalchemy."""

from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

metadata = MetaData()
records = Table(
    "device_status",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", LargeBinary(1_048_576), nullable=False),
    Column("expires_at_ms", BigInteger, nullable=False),
)


class TableStore:
    """Keep each key as a row; safe for threads, because each call has its own connection."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        metadata.create_all(engine)

    def get(self, key: str) -> bytes | None:
        """Return the value of the key, or None."""
        with self._engine.connect() as connection:
            query = select(records.c.value).where(records.c.key == key)
            value: bytes | None = connection.execute(query).scalar()
            return value

    def put(self, key: str, value: bytes, *, expires_at_ms: int) -> None:
        """Replace the value of the key; return when the transaction is committed."""
        row = {"value": value, "expires_at_ms": expires_at_ms}
        if not self._update(key, row):
            try:
                with self._engine.begin() as connection:
                    connection.execute(insert(records).values(key=key, **row))
            except IntegrityError:  # another writer was first
                self._update(key, row)

    def _update(self, key: str, row: dict[str, object]) -> bool:
        with self._engine.begin() as connection:
            done = connection.execute(update(records).where(records.c.key == key).values(row))
            return done.rowcount > 0
