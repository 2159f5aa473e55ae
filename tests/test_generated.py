"""What `make generate` writes into the repository is what the source says now."""

import shutil
from pathlib import Path
from types import ModuleType

import generate
import pytest


def test_scripts_pages_tables_and_schemas_are_those_of_the_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """After an intended change: `make generate`."""
    assert generate.main(["--check"]) == 0, capsys.readouterr().out


def test_a_file_that_differs_lacks_or_has_no_source_is_reported_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "docs" / "explanation" / "delay.md"
    page.parent.mkdir(parents=True)
    page.write_text("1<!-- PLAYBACK_DELAY_SECONDS --> s\n")
    shutil.copytree(generate.ROOT / "schemas", tmp_path / "schemas")
    (tmp_path / "schemas" / "site-data" / "openapi.json").write_text("{}")
    (tmp_path / "schemas" / "health-api" / "openapi.json").unlink()
    (tmp_path / "schemas" / "site-data" / "old.json").write_text("{}")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "docs/explanation/delay.md",
        "schemas/health-api/openapi.json",
        "schemas/site-data/openapi.json",
        "schemas/site-data/old.json",
    ]
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    assert page.read_text() == "420<!-- PLAYBACK_DELAY_SECONDS --> s\n"


@pytest.mark.parametrize(
    ("suffix", "before", "after"),
    [
        (".js", "const A = 1; // MOST_BYTES: of", "const A = 1_024; // MOST_BYTES: of"),
        (".md", "1<!-- LONGEST_MS/1000 --> s", "90<!-- LONGEST_MS/1000 --> s"),
    ],
)
def test_a_limit_is_written_before_its_name(suffix: str, before: str, after: str) -> None:
    limits = ModuleType("limits")
    vars(limits).update(MOST_BYTES=1024, LONGEST_MS=90_000)
    assert generate.updated(before, suffix, limits) == after
