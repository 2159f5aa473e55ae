"""Parse pictures of windows strictly, for tests."""

from support.checks.drawn_text import EDGE
from support.checks.xml_reading import Element, read_xml

ELEMENTS = {
    "svg": {
        *("xmlns", "x", "y", "width", "height", "viewBox", "overflow", "role"),
        *("aria-labelledby", "aria-describedby", "font-family", "font-size", "text-rendering"),
    },
    "title": {"id"},
    "desc": {"id"},
    "rect": {"x", "y", "width", "height", "rx", "fill", "fill-opacity", "stroke"},
    "text": {"x", "y", "fill", "font-size", "text-anchor", *EDGE},
    "tspan": {"x", "dx", "dy", "fill", "unicode-bidi"},
    "g": {"fill", "stroke-opacity", "text-anchor", *EDGE},
    "path": {"d", "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width"},
}
"""The elements and attributes of a timeline: no scripts, styles or references."""
TABLE = {
    "div": set[str](),
    "table": set[str](),
    "caption": {"style"},
    "thead": set[str](),
    "tbody": set[str](),
    "tr": set[str](),
    "th": {"scope", "style"},
    "td": {"style"},
}


def assert_safe(document: bytes, *, html: bool = False) -> list[Element]:
    """Assert that a picture, or a piece of a page, is well-formed and made of nothing else."""
    known = ELEMENTS | TABLE if html else ELEMENTS
    elements = read_xml(document)
    for element in elements:
        assert element.attributes.keys() <= known[element.name], element
        for value in element.attributes.values():
            assert "url(" not in value
    return elements
