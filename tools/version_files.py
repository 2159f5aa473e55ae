"""Write what a version stores, so that later versions are tested to read it.

    python tools/version_files.py 1.0

The files are in tests/data/versions, a folder for each minor version, and stay as they are from its
release on.  Those in its folder `settings` are written by people and by hand.
"""

import io
import json
import sys
import tarfile
from pathlib import Path
from typing import Any, Final

from devicestatus import parse_snapshot, parse_window
from devicestatus.adapters.checkpoint_file import CheckpointFile, ConfirmedFile
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.agent.checkpoint import Checkpoint, encode_checkpoint
from devicestatus.engine.deadlines import window_deadline
from devicestatus.engine.record import Record, SnapshotRecord, WindowRecord, encode
from devicestatus.limits import STORE_KEY
from healthapi.importing.gaps import Missing, encode_report
from purewire.instants import MINUTE_MS

_PROJECT: Final = Path(__file__).parents[1]
_PRODUCTS: Final = {
    "devicestatus": "device-status",
    "healthapi": "health-api",
    "sitedata": "site-data",
}
FINGERPRINT: Final = "0" * 64
"""Of the privacy rules of the files that an agent keeps."""
RECEIVED_AT: Final = 1_769_861_702_000
"""When the service got the window, 2026-01-31T12:15:02Z; it got the snapshot 15 minutes before."""


def main(version: str) -> None:
    """Write the files of a version."""
    folder = _PROJECT / "tests/data/versions" / version
    folder.mkdir(parents=True, exist_ok=True)
    bodies = {
        name: json.dumps(_example(schema, name)).encode()
        for schema, name in (
            ("device-status", "snapshot"),
            ("device-status", "window"),
            ("site-data", "site-data"),
        )
    }
    for name, body in bodies.items():
        (folder / f"{name}.json").write_bytes(body)
    _write_device_files(folder, bodies)
    missing: Missing = {("sleep", "efficiency"): {"value.none": {739_000, 739_001}}}
    (folder / "import-report.json").write_bytes(encode_report(missing))
    _write_contract(folder / "contract.tar.gz")


def _example(schema: str, name: str) -> Any:  # noqa: ANN401 - plain JSON
    document = json.loads((_PROJECT / f"schemas/{schema}/{name}.json").read_text("utf-8"))
    return document["examples"][0]


def _write_device_files(folder: Path, bodies: dict[str, bytes]) -> None:
    collected_at = RECEIVED_AT - 15 * MINUTE_MS
    snapshot = parse_snapshot(bodies["snapshot"], received_at=collected_at)
    window = parse_window(bodies["window"], received_at=RECEIVED_AT)
    deadline = window_deadline(window.window_end)
    values: dict[str, Record] = {
        "snapshot": SnapshotRecord(collected_at, snapshot, collected_at + MINUTE_MS),
        "window": WindowRecord(RECEIVED_AT, window, deadline),
    }
    for name, value in values.items():
        (folder / f"{name}-record.json").write_bytes(encode(value))
    database = folder / "status.db"
    database.unlink(missing_ok=True)
    store = SQLiteStore(database)
    store.put(STORE_KEY, encode(values["window"]), expires_at_ms=deadline)
    store.close()
    checkpoint = Checkpoint(RECEIVED_AT, FINGERPRINT, window.session_id, 6, 42, window, ())
    (folder / "checkpoint.json").write_bytes(encode_checkpoint(checkpoint))
    confirmed = ConfirmedFile(CheckpointFile(folder / "confirmed.json"), FINGERPRINT)
    confirmed.save("x11", ["Code Editor"])


def _write_contract(path: Path) -> None:
    """Write the schemas and the rules of the contracts, for `compatible`."""
    with tarfile.open(path, "w:gz", compresslevel=9) as archive:
        for product, name in _PRODUCTS.items():
            paths = sorted((_PROJECT / "schemas" / name).glob("*.json"))
            for file in [*paths, _PROJECT / "src" / product / "contract/rules.toml"]:
                member = tarfile.TarInfo(f"{product}/{file.name}")
                member.size = file.stat().st_size
                archive.addfile(member, io.BytesIO(file.read_bytes()))


if __name__ == "__main__":
    main(*sys.argv[1:])
