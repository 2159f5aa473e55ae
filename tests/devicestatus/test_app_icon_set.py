"""The icons that ship: complete, and honest about their origin."""

import hashlib
from pathlib import Path

import pytest
from PIL import Image

import devicestatus.adapters
from devicestatus.icons import index_icons, normalize_name, parse_manifest
from devicestatus.responses import IconManifest, InstalledAppIcon
from status_contracts.primitives import ABSENT

FOLDER = Path(devicestatus.adapters.__file__).parents[1] / "app_icons"


def manifest_in(folder: Path) -> IconManifest:
    """Read the manifest of a folder by the specification."""
    manifest = parse_manifest((folder / "index.json").read_bytes())
    assert manifest is not None
    return manifest


MANIFEST = manifest_in(FOLDER)
each_icon = pytest.mark.parametrize("icon", MANIFEST.icons, ids=lambda icon: icon.id)


@pytest.mark.rule("DS-ICON-14")
class TestFiles:
    @each_icon
    def test_the_picture_is_a_png_of_the_usual_size(self, icon: InstalledAppIcon) -> None:
        with Image.open(FOLDER / f"{icon.id}.png") as image:
            image.load()
            assert (image.format, image.size, image.mode) == ("PNG", (128, 128), "RGBA")

    @each_icon
    def test_the_digest_is_the_picture_s(self, icon: InstalledAppIcon) -> None:
        assert icon.sha256 is not ABSENT
        assert icon.sha256 == hashlib.sha256((FOLDER / f"{icon.id}.png").read_bytes()).hexdigest()

    def test_no_file_is_astray(self) -> None:
        expected = {f"{icon.id}.png" for icon in MANIFEST.icons} | {"index.json", "CREDITS.md"}
        assert {path.name for path in FOLDER.iterdir()} == expected


class TestManifest:
    def test_no_name_is_repeated(self) -> None:
        """A name in two icons would depend on their order, one twice in an icon is idle."""
        named = [name for icon in MANIFEST.icons for name in (icon.app, *icon.aliases)]
        assert len(named) == len(set(map(normalize_name, named)))

    @pytest.mark.parametrize(
        ("app", "icon"),
        [
            ("firefox", "web-browser"),
            ("Google Chrome", "web-browser"),
            ("msedge.exe", "web-browser"),
            ("Gnome-terminal", "terminal"),
            ("WINDOWSTERMINAL.EXE", "terminal"),
            ("Code", "code-editor"),
            ("Spotify", "music-player"),
            ("org.gnome.Nautilus", "files"),
            ("Finder", "files"),
            ("System Settings", "settings"),
        ],
    )
    def test_real_names_find_their_icon(self, app: str, icon: str) -> None:
        assert index_icons(MANIFEST).describe(app).icon_url == f"/app-icons/{icon}.png"
