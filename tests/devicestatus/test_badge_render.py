"""Badges as browsers draw them: the text of each half stays inside it and fills it well."""

import subprocess
from base64 import b64decode, b64encode
from io import BytesIO
from pathlib import Path

import attrs
import pytest
from PIL import Image, ImageChops

from devicestatus.badge import HEIGHT, PADDING, render
from support.checks.fonts import need_font
from support.checks.xml_reading import read_xml
from support.servers.services import need
from support.servers.webdriver import Session

pytestmark = pytest.mark.check

SCALE = 4  # device pixels of a px: edges are measured to a quarter px
ROW = 24  # px; the height of the row of each badge of a page
PAGE_WIDTH = 1800
FAINT = 48  # a channel that differs less from the background is the edge of a letter
LEAST_MARGIN = 2.0  # px beside the text: a third of the padding
LARGEST_GAP = PADDING + 2.0  # px beside the text, in addition to 4 % of its width
LARGEST_SHARE = 0.04

DEJAVU, CJK, EMOJI, SCRIPTS = (
    ("♫", "fonts-dejavu-core"),
    ("夜", "fonts-noto-cjk"),
    ("😀", "fonts-noto-color-emoji"),
    ("ก", "fonts-noto-core"),
)
TOWER = "\u0300\u0301\u0302\u0303\u0308\u030a\u0316\u0317\u0323\u0324\u0331" * 2

TEXTS = {
    "latin": ("Never Gonna Give You Up — Rick Astley", DEJAVU),
    "capitals": ("WE ARE THE CHAMPIONS — QUEEN", DEJAVU),
    "accents": ("♫ Für Elise, Pt. II — Björk Guðmundsdóttir & Šárka", DEJAVU),
    "decomposed": ("♫ Fu\u0308r Elise — Bjo\u0308rk Tie\u0302\u0301ng Vie\u0323\u0302t", DEJAVU),
    "greek": ("♫ Ζεϊμπέκικο της Ευδοκίας — Μάνος Λοΐζος", DEJAVU),
    "cyrillic": ("♫ Группа крови — Кино (Виктор Цой)", DEJAVU),
    "window title": ("main.py - project - Visual Studio Code [1/23]", DEJAVU),
    "spaces": ("  a  b  ", DEJAVU),
    "narrow": ("i" * 64, DEJAVU),
    "wide": ("W" * 64, DEJAVU),
    "one letter": ("l", DEJAVU),
    "towers": (f"Z{TOWER}A{TOWER}L{TOWER}G{TOWER}O tower", DEJAVU),
    "arabic": ("♫ نسم علينا الهوى — فيروز", DEJAVU),
    "arabic sentence": ("يولد جميع الناس أحراراً متساوين في الكرامة والحقوق", DEJAVU),
    "hebrew": ("♫ ירושלים של זהב — נעמי שמר", DEJAVU),
    "override": ("abc \u202edef\u202c ghi", DEJAVU),
    "japanese": ("♫ 夜に駆ける — YOASOBI「THE BOOK」", CJK),
    "halfwidth": ("ｱｲｳｴｵｶﾞｷﾞｸﾞ ﾃｽﾄ", CJK),
    "chinese": ("♫ 月亮代表我的心 — 鄧麗君", CJK),
    "korean": ("♫ 봄날 — 방탄소년단 (BTS)", CJK),
    "64 ideographs": ("永" * 64, CJK),
    "emoji": ("🤣🥰👍🎸🎧✨🔥 ❤️ ☀️", EMOJI),
    "families": ("👨‍👩‍👧‍👦 👩🏽‍❤️‍💋‍👨🏿 🏳️‍🌈 👩‍💻", EMOJI),
    "flags": ("🇯🇵🇰🇷🇩🇪🇫🇷🇺🇸 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", EMOJI),
    "keycaps": ("1️⃣2️⃣3️⃣#️⃣", EMOJI),
    "64 emoji": ("🤣" * 64, EMOJI),
    "hindi": ("♫ तुम ही हो — अरिजीत सिंह", SCRIPTS),
    "conjuncts": ("सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात", SCRIPTS),
    "thai": ("♫ รักแท้ยังไง — น้ำชา ชีรณัฐ", SCRIPTS),
    "bengali": ("সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা", SCRIPTS),
    "tamil": ("மனிதப் பிறிவியினர் சகலரும்", SCRIPTS),
}


@attrs.frozen
class Half:
    """One half as it was drawn, px: its width, and the space left and right of its text."""

    width: float
    left: float
    right: float


def halves(image: Image.Image, badge: bytes) -> tuple[Half, Half]:
    """Measure a badge that was drawn at the origin of an image."""
    _, _, _, _, _, left, _, right, _ = read_xml(badge)
    middle, end = (int(half.attributes["width"]) for half in (left, right))
    return measured(image, 0, middle), measured(image, middle, middle + end)


def measured(image: Image.Image, start: int, end: int) -> Half:
    """Find the text between two columns, px; the rows of round corners are left out."""
    box = (start * SCALE, 4 * SCALE, end * SCALE, (HEIGHT - 4) * SCALE)
    part = image.crop(box)
    background = Image.new("RGB", part.size, part.getpixel((0, 0)))
    difference = ImageChops.difference(part, background)
    red, green, blue = (
        band.point(lambda level: 255 * (level > FAINT)) for band in difference.split()
    )
    found = ImageChops.lighter(ImageChops.lighter(red, green), blue).getbbox()
    assert found is not None, "nothing is drawn"
    return Half(end - start, found[0] / SCALE, (part.width - found[2]) / SCALE)


@pytest.fixture(scope="module")
def drawn(browser: Session) -> dict[str, tuple[Half, Half]]:
    """Draw every text once as label and text, on one page."""
    badges = {name: render(text, text, online=True) for name, (text, _) in TEXTS.items()}
    images = []
    for row, badge in enumerate(badges.values()):
        source = f"data:image/svg+xml;base64,{b64encode(badge).decode()}"
        images.append(f'<img src="{source}" style="position:absolute;left:0;top:{row * ROW}px">')
    page = b64encode(f"<!doctype html>{''.join(images)}".encode()).decode()
    size = {"x": 0, "y": 0, "width": PAGE_WIDTH, "height": len(badges) * ROW, "scale": SCALE}
    with browser.tab():
        browser.open(f"data:text/html;base64,{page}")
        image = browser.report("Page.captureScreenshot", captureBeyondViewport=True, clip=size)
    whole = Image.open(BytesIO(b64decode(image["data"]))).convert("RGB")
    return {
        name: halves(
            whole.crop((0, row * ROW * SCALE, whole.width, (row + 1) * ROW * SCALE)), badge
        )
        for row, (name, badge) in enumerate(badges.items())
    }


def assert_well_filled(found: tuple[Half, Half]) -> None:
    """Assert that the text of each half has a margin, and leaves no large space."""
    for half in found:
        assert min(half.left, half.right) >= LEAST_MARGIN, half
        most = LARGEST_GAP + LARGEST_SHARE * (half.width - 2 * PADDING)
        assert max(half.left, half.right) <= most, half


class TestInTheBrowser:
    """*inside its half*, as Chromium draws it with the fonts of a Linux desktop."""

    @pytest.mark.parametrize("name", TEXTS)
    def test_text_stays_inside_and_fills(
        self, name: str, drawn: dict[str, tuple[Half, Half]]
    ) -> None:
        need_font(*TEXTS[name][1])
        assert_well_filled(drawn[name])


class TestWithLibrsvg:
    """The estimate holds for simple scripts in another renderer too."""

    @pytest.mark.parametrize("name", ["latin", "accents", "cyrillic", "narrow", "wide", "hebrew"])
    def test_text_stays_inside_and_fills(self, name: str, tmp_path: Path) -> None:
        program = need("rsvg-convert")
        need_font(*DEJAVU)
        badge = render("status", TEXTS[name][0], online=False)
        target = tmp_path / "badge.png"
        command = [program, f"--zoom={SCALE}", f"--output={target}"]
        subprocess.run(command, input=badge, check=True, capture_output=True, timeout=60)
        assert_well_filled(halves(Image.open(target).convert("RGB"), badge))
