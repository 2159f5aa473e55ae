"""The contrast of texts to what is drawn behind them, as librsvg draws it."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple
from xml.etree import ElementTree as ET

from PIL import Image

from status_contracts.svg.text import text_width
from support.checks.colour_vision import contrast
from support.servers.services import need

SVG = "{http://www.w3.org/2000/svg}"
LEAST_SHARE = 0.1  # of the box of a text; less is a line behind it
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}

Look = dict[str, str]


class Text(NamedTuple):
    """A text, its box in px and its colour."""

    text: str
    box: tuple[float, float, float, float]
    color: str


def least_contrasts(svg: bytes, page: str) -> list[tuple[float, str]]:
    """Return the contrast of each text of an image on a page of a colour, least first."""
    root = ET.fromstring(svg)  # noqa: S314 - drawn here
    texts = list(_texts(root, {}, 0, 0))
    for parent in root.iter():
        for child in [each for each in parent if each.tag == f"{SVG}text"]:
            parent.remove(child)
    command = [need("rsvg-convert"), f"--background-color={page}"]
    without = ET.tostring(root)
    drawn = subprocess.run(command, input=without, check=True, capture_output=True, timeout=60)
    picture = Image.open(BytesIO(drawn.stdout)).convert("RGB")
    return sorted((_contrast(text, picture), text.text) for text in texts)


def _contrast(text: Text, picture: Image.Image) -> float:
    left, top, right, bottom = map(round, text.box)
    behind = picture.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
    pixels = behind.tobytes()
    found = Counter(zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True))
    least = LEAST_SHARE * found.total()
    return min(
        contrast(text.color, f"#{red:02x}{green:02x}{blue:02x}")
        for (red, green, blue), count in found.items()
        if count >= least
    )


def _texts(parent: ET.Element, look: Look, x: float, y: float) -> Iterator[Text]:
    look = look | parent.attrib
    moved = re.match(r"translate\(([\d.]+)[ ,]([\d.]+)\)", parent.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    if parent.tag == f"{SVG}svg":
        x, y = x + float(parent.get("x", 0)), y + float(parent.get("y", 0))
    for child in parent:
        if child.tag == f"{SVG}text":
            yield from _runs(child, look | child.attrib, x, y)
        else:
            yield from _texts(child, look, x, y)


def _runs(text: ET.Element, look: Look, x: float, y: float) -> Iterator[Text]:
    size = float(look["font-size"])
    shown = "".join(text.itertext())
    width = text_width(shown, size)
    left = x + float(text.get("x", 0)) - width * ANCHORS[look.get("text-anchor", "start")]
    base = y + float(text.get("y", 0))
    box = left, base - 0.7 * size, left + width, base
    for each in (text, *text):
        yield Text(shown, box, each.get("fill", look["fill"]))
