"""What earlier versions wrote is read by this one; `tools/version_files.py` made the files."""

import json
import shutil
import tarfile
from pathlib import Path
from typing import Final

import pytest

from devicestatus import parse_snapshot, parse_window
from devicestatus.adapters.agent_settings import load_agent_settings
from devicestatus.adapters.checkpoint_file import CheckpointFile, Confirmed, ConfirmedFile
from devicestatus.adapters.sqlite import SQLiteStore
from devicestatus.agent.checkpoint import Checkpoint, parse_checkpoint
from devicestatus.engine.record import SnapshotRecord, WindowRecord, decode
from devicestatus.limits import STORE_KEY
from devicestatus.validation.music_urls import ITUNES
from healthapi.adapters.column_mapping import parse_column_mapping
from healthapi.importing.gaps import parse_report
from purewire.adapters.pages.settings_file import load_page_settings
from sitedata.adapters.config import read_config
from support.servers.commands import run

PROJECT: Final = Path(__file__).parents[1]
VERSIONS: Final = sorted(PROJECT.glob("tests/data/versions/*"))
FINGERPRINT: Final = "0" * 64
SAVED_AT: Final = 1_769_861_702_000


@pytest.fixture(params=VERSIONS, ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    copy = tmp_path / "version"
    shutil.copytree(request.param, copy)
    for name in ("confirmed.json", "status.db"):  # git keeps no such modes
        (copy / name).chmod(0o600)
    return copy


class TestStored:
    def test_a_snapshot_is_what_was_sent(self, folder: Path) -> None:
        record = decode((folder / "snapshot-record.json").read_bytes(), ITUNES)
        assert isinstance(record, SnapshotRecord)
        body = (folder / "snapshot.json").read_bytes()
        assert record.data == parse_snapshot(body, received_at=record.received_at)

    def test_a_window_is_what_was_sent(self, folder: Path) -> None:
        store = SQLiteStore(folder / "status.db")
        record = decode(store.get(STORE_KEY), ITUNES)
        store.close()
        assert isinstance(record, WindowRecord)
        assert record == decode((folder / "window-record.json").read_bytes(), ITUNES)
        body = (folder / "window.json").read_bytes()
        assert record.data == parse_window(body, received_at=record.received_at)


class TestAgent:
    def test_a_checkpoint_is_resumed(self, folder: Path) -> None:
        checkpoint = parse_checkpoint(
            (folder / "checkpoint.json").read_bytes(),
            fingerprint=FINGERPRINT,
            now_ms=SAVED_AT + 1,
            catalog=ITUNES,
        )
        assert isinstance(checkpoint, Checkpoint)
        body = (folder / "window.json").read_bytes()
        assert checkpoint.window == parse_window(body, received_at=SAVED_AT)
        assert (checkpoint.batch_seq, checkpoint.seq) == (6, 42)

    def test_confirmed_names_stay_confirmed(self, folder: Path) -> None:
        file = ConfirmedFile(CheckpointFile(folder / "confirmed.json"), FINGERPRINT)
        assert file.load() == Confirmed("x11", frozenset({"Code Editor"}))

    def test_names_that_a_later_version_saved_are_not_confirmed(self, folder: Path) -> None:
        path = folder / "confirmed.json"
        path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":2'))
        assert ConfirmedFile(CheckpointFile(path), FINGERPRINT).load() == Confirmed()


def test_reasons_of_an_import_are_kept(folder: Path) -> None:
    missing = parse_report((folder / "import-report.json").read_bytes())
    assert missing == {("sleep", "efficiency"): {"value.none": {739_000, 739_001}}}


class TestSettings:
    def test_of_an_agent(self, folder: Path) -> None:
        settings = load_agent_settings(folder / "settings/agent.toml")
        assert (settings.url, settings.mode) == ("https://status.example.org", "realtime")
        assert settings.token_file == folder / "settings/token"
        apps = ("Code", "Firefox", "Signal", "Games")
        assert [settings.rules.shown(name) for name in apps] == [
            "Code",
            "Browser",
            "System",
            "System",
        ]

    def test_of_a_page(self, folder: Path) -> None:
        settings = load_page_settings(folder / "settings/page.toml")
        assert (settings.name, len(settings.links), len(settings.pages)) == ("Ada", 1, 2)
        assert settings.artwork
        assert settings.frame_ancestors == ("self", "https://example.org")

    def test_of_the_columns_of_other_tables(self, folder: Path) -> None:
        mapping = parse_column_mapping((folder / "settings/columns.toml").read_bytes())
        assert all((mapping.activity, mapping.sleep, mapping.hrv, mapping.rhr))

    def test_of_a_practice_repository(self, folder: Path) -> None:
        settings = read_config((folder / "settings/site-data.toml").read_bytes())
        assert (settings.owner, settings.name, settings.dates) == ("ada", "practice", "first-added")
        assert "drafts" in settings.ignored_roots


@pytest.mark.parametrize("product", ["devicestatus", "healthapi", "sitedata"])
def test_the_contract_breaks_nothing_of_an_earlier_version(folder: Path, product: str) -> None:
    with tarfile.open(folder / "contract.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    module = f"status_contracts.{product}"
    ended = run("compatible", folder / product, PROJECT, "--json", module=module)
    report = json.loads(ended.out)
    assert [each for each in report["findings"] if each["verdict"] == "breaks"] == []
    assert report["order"] is not None
