"""What sites show of a shared link: title, description, and a picture where the owner wants one."""

import re
import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from devicestatus.adapters.asgi import create_app
from devicestatus.settings import Settings
from purewire.adapters.commands.exit_codes import Failed
from purewire.adapters.commands.page_settings import (
    is_social_image,
    page_settings,
    social_files,
)
from purewire.adapters.pages.settings_file import load_page_settings
from purewire.adapters.pages.social_image import draw_social_image
from purewire.exchange import drive
from purewire.http.messages import Request, Response
from purewire.pages.page import PageParts, build_page
from purewire.pages.settings import PageSettings
from purewire.structuring.decoder import SettingsError
from support.servers.commands import run
from support.sitedata.site_versions import body_of

EXAMPLES: Final = Path(__file__).parents[2] / "examples" / "lifesnaps"
HEALTH, PRACTICE = "status_contracts.healthapi", "status_contracts.sitedata"
URL: Final = "https://example.org/social.png"
PARTS: Final = PageParts("<main></main>", "Title & more", "<svg/>", description='A "page".')
DRAWING: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="10">'
    b'<rect width="100" height="10" fill="#1454de"/></svg>'
)
ICON: Final = (
    Path(__file__).parents[2] / "src" / "devicestatus" / "adapters" / "app_icons" / "calendar.png"
)


def metas(settings: PageSettings, parts: PageParts = PARTS) -> Mapping[str, str]:
    text = build_page(parts, settings).body.decode()
    return dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', text))


class TestTags:
    def test_every_page_has_title_and_description(self) -> None:
        found = metas(PageSettings("Ada"))
        assert found["og:title"] == "Ada · Title &amp; more"
        assert found["description"] == found["og:description"] == "A &quot;page&quot;."
        assert found["og:type"] == "website"
        assert found["twitter:card"] == "summary"
        assert not any(name.startswith("og:image") for name in found)

    def test_a_picture_is_named_with_its_size_where_the_owner_wants_it(self) -> None:
        found = metas(PageSettings("Ada", social_image=URL))
        assert found["og:image"] == URL
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
        assert found["og:image:alt"] == "Ada · Title &amp; more"
        assert found["twitter:card"] == "summary_large_image"

    def test_a_page_without_a_description_has_none(self) -> None:
        assert "og:description" not in metas(PageSettings(), PageParts("", "Title", "<svg/>"))


class TestSettings:
    @pytest.mark.parametrize("url", ["social.png", "http://example.org/a.png", "https://x", '"'])
    def test_the_picture_has_an_https_url(self, url: str, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="must be the https URL of the picture"):
            PageSettings(social_image=url)
        path = tmp_path / "page.toml"
        path.write_text(f"social_image = '{url}'", "utf-8")
        with pytest.raises(SettingsError, match="https URL of the picture"):
            load_page_settings(path)

    def test_it_is_read_from_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "page.toml"
        path.write_text(f"social_image = '{URL}'", "utf-8")
        assert page_settings(str(path)) == PageSettings(social_image=URL)

    def test_without_the_package_a_command_names_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "page.toml"
        path.write_text(f"social_image = '{URL}'", "utf-8")
        monkeypatch.setitem(sys.modules, "resvg_py", None)
        with pytest.raises(Failed, match=r"pip install 'status-contracts\[social\]'"):
            page_settings(str(path))


class TestPicture:
    @pytest.mark.parametrize(
        "settings",
        [
            PageSettings(),
            PageSettings("Ada Example", line="Builds tools"),
            PageSettings("<&>" * 40, line="\u200f" * 200),
            PageSettings("Ada", avatar=ICON.read_bytes()),
        ],
        ids=["nobody", "owner", "long", "avatar"],
    )
    def test_it_is_a_png_of_the_size_that_sites_expect(self, settings: PageSettings) -> None:
        picture = draw_social_image(settings, "Health", "Sleep and activity. " * 20)
        assert is_social_image(picture)
        with Image.open(BytesIO(picture)) as image:
            assert (image.format, image.size) == ("PNG", (1200, 630))

    def test_a_drawing_stands_below_the_owner(self) -> None:
        picture = draw_social_image(PageSettings("Ada"), "Practice", "Problems.", DRAWING)
        with Image.open(BytesIO(picture)) as image:
            assert image.convert("RGB").getpixel((600, 455)) == (0x14, 0x54, 0xDE)

    def test_it_is_off_unless_the_owner_wants_it(self) -> None:
        assert social_files(PageSettings(), "Title", "Text.") == {}
        assert list(social_files(PageSettings(social_image=URL), "T", "Text.")) == ["social.png"]


class TestService:
    @staticmethod
    def get(settings: Any, page: PageSettings, path: str = "/social.png") -> Response:
        app = create_app(settings, store=None, page=page)
        return drive(app.handler(Request("GET", path.encode())), lambda _: None)

    @pytest.mark.parametrize(
        "settings", [Settings(None), {"laptop": Settings(None)}], ids=["one", "several"]
    )
    def test_the_picture_is_beside_the_page(self, settings: Any) -> None:
        response = self.get(settings, PageSettings("Ada", social_image=URL))
        headers = dict(response.headers)
        assert (response.status, headers["Content-Type"]) == (200, "image/png")
        assert headers["Cache-Control"] == "public, max-age=3600"
        assert is_social_image(response.body)
        assert self.get(settings, PageSettings("Ada")).status == 404

    def test_several_devices_share_one(self) -> None:
        page = PageSettings("Ada", social_image=URL)
        settings = {"laptop": Settings(None)}
        assert self.get(settings, page, "/laptop/social.png").status == 404
        assert f'content="{URL}"'.encode() in self.get(settings, page, "/laptop/").body


class TestCommands:
    @staticmethod
    def settings(folder: Path) -> Path:
        path = folder / "page.toml"
        path.write_text(f'name = "Ada"\nsocial_image = "{URL}"', "utf-8")
        return path

    def test_the_site_of_a_snapshot_has_it_and_keeps_other_pictures(self, tmp_path: Path) -> None:
        data, site = tmp_path / "data.json", tmp_path / "site"
        data.write_bytes(body_of(3))
        options = (data, "-o", site, "--page-settings", self.settings(tmp_path))
        assert run("page", *options, module=PRACTICE).code == 0
        assert is_social_image((site / "social.png").read_bytes())
        assert run("page", *options, module=PRACTICE).code == 0
        (site / "social.png").write_bytes(ICON.read_bytes())
        ended = run("page", *options, module=PRACTICE)
        assert ended.code == 1
        assert "social.png exists and is not a picture of shared links" in ended.err
        assert (site / "social.png").read_bytes() == ICON.read_bytes()
