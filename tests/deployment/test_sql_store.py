"""The example store in a database keeps the contract of stores, also among several writers."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from stores.sql_store import TableStore

from devicestatus.store_contract import AnyStore, StoreContract

pytestmark = pytest.mark.check


def open_store(path: Path) -> TableStore:
    return TableStore(create_engine(f"sqlite:///{path}"))


class TestTableStore(StoreContract):
    durable = True

    @pytest.fixture(autouse=True)
    def _file(self, tmp_path: Path) -> None:
        self.folder, self.count = tmp_path, 0

    def make_store(self) -> TableStore:
        self.count += 1
        return open_store(self.folder / f"{self.count}.db")

    def reopen(self, store: AnyStore) -> TableStore:
        assert isinstance(store, TableStore)
        return open_store(self.folder / f"{self.count}.db")


def test_writers_that_insert_at_once_do_not_fail(tmp_path: Path) -> None:
    stores = [open_store(tmp_path / "shared.db") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        writes = [
            pool.submit(store.put, "now", bytes([number]), expires_at_ms=1)
            for number, store in enumerate(stores)
        ]
        for write in writes:
            write.result()
    assert stores[0].get("now") in {bytes([number]) for number in range(4)}
